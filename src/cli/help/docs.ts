import { optionAreas, optionRows, secretSources } from '../../config/option-help.ts';
import { envName, secretKeys } from '../../config/options.ts';
import { type Entry, entryGroups } from '../command.ts';
import { publishedSchema } from '../output/output-schema.ts';
import { type FlagEntry, flagSet } from '../parse/flag-set.ts';
import { descriptions, flagHelp, flagSpelling } from './help.ts';
import { type Leaf, leavesOf, walkTree } from './tree.ts';
import { usage } from './usage.ts';

const generated = '<!-- Generated from the command declarations by "npm run generate": do not edit. -->\n';

/** The generated files in `docs/`, by path: a page and a JSON Schema per command, the index, and the options. */
export async function docPages(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const nodes = await walkTree(entries.filter(({ hidden }) => !hidden));
  const leaves = leavesOf(nodes).filter(({ command }) => !command.hidden);
  const pages = new Map(leaves.map((leaf) => [`commands/${pageName(leaf)}`, commandPage(leaf)]));
  for (const leaf of leaves) pages.set(`schemas/${schemaName(leaf)}`, schemaText(leaf));
  pages.set('commands/README.md', indexPage(entries, leaves));
  pages.set('options.md', optionsPage());
  return pages;
}

function pageName({ path }: Leaf): string {
  return `${path.join('-')}.md`;
}

function schemaName({ path }: Leaf): string {
  return `${path.join('-')}.json`;
}

function schemaText({ path, command }: Leaf): string {
  return `${JSON.stringify(publishedSchema(path, command), null, 2)}\n`;
}

function indexPage(entries: readonly Entry[], leaves: readonly Leaf[]): string {
  const below = (names: ReadonlySet<string>) =>
    leaves
      .filter(({ path: [first = ''] }) => names.has(first))
      .map((leaf) => `- [\`weir ${leaf.path.join(' ')}\`](${pageName(leaf)}): ${leaf.command.summary}`);
  return [
    `${generated}# Commands`,
    ...entryGroups(entries).flatMap(({ title, items }) => [
      `\n## ${title}\n`,
      ...below(new Set(items.map(({ name }) => name))),
    ]),
    '\n## Global flags\n',
    flagTable(flagSet(undefined)),
    '\n## Confirmation\n',
    'These commands ask on a terminal before they change anything; all others never do. In scripts (without a terminal, and in',
    'CI) nothing is asked: a command that asks needs `--yes`, unless it names everything that it destroys.\n',
    confirmationTable(leaves),
    '\n## Exit codes\n',
    'The [exit codes](../guides/scripting.md#exit-codes) of all commands are the same.\n',
  ].join('\n');
}

function confirmationTable(leaves: readonly Leaf[]): string {
  const rows = leaves.flatMap(({ path, command: { changes, guarded, asksBefore = 'always', namesAll } }) => {
    const name = code(`weir ${path.join(' ')}`);
    if (changes === 'destroys')
      return [[name, asksBefore, namesAll === true ? 'runs' : namesAll ? 'runs if all is named' : 'needs `--yes`']];
    return guarded === undefined ? [] : [[name, `on a protected profile, ${guarded}`, 'runs']];
  });
  return markdownTable(['command', 'asks', 'in scripts, unless the profile is protected'], rows);
}

function commandPage(leaf: Leaf): string {
  const { command, path } = leaf;
  const flags = flagSet(command).filter(({ scope, flag }) => scope === 'own' && !flag.hidden);
  const args = Object.values(command.args).filter(({ help }) => help !== undefined);
  const section = (title: string, body: string) => `## ${title}\n\n${body}\n`;
  return [
    `${generated}# weir ${path.join(' ')}\n\n${command.summary}.\n`,
    `\`\`\`\n${usage(command, path)}\n\`\`\`\n`,
    ...descriptions(command).map((text) => `${text}\n`),
    ...(command.aliases.length === 0 ? [] : [`Aliases: ${command.aliases.map((name) => `\`${name}\``).join(', ')}.\n`]),
    section(
      'Examples',
      command.examples.map(([purpose, line]) => `${purpose}:\n\n\`\`\`sh\nweir ${line}\n\`\`\``).join('\n\n'),
    ),
    ...(args.length === 0
      ? []
      : [
          section(
            'Arguments',
            markdownTable(
              ['argument', 'meaning'],
              args.map(({ label, help }) => [code(label), help ?? '']),
            ),
          ),
        ]),
    ...(flags.length === 0 ? [] : [section('Flags', flagTable(flags))]),
    'All [global flags](README.md#global-flags) apply.\n',
    `The output of \`--format json\` has a [JSON Schema](../schemas/${schemaName(leaf)}).\n`,
  ].join('\n');
}

function flagTable(entries: readonly FlagEntry[]): string {
  const shown = entries.filter(({ flag }) => !flag.hidden);
  return markdownTable(
    ['flag', 'meaning'],
    shown.map((entry) => [code(flagSpelling(entry).trim()), flagHelp(entry)]),
  );
}

function optionsPage(): string {
  const rows = optionRows();
  const sections = optionAreas().map(([title, options]) => {
    const keys = new Set(options.map(({ key }) => key));
    const cells = rows
      .filter(({ key }) => keys.has(key))
      .map(({ key, kind, default: fallback, env, help, secret, may_hold_secret: mayHold }) => [
        code(key),
        mayHold && !secret ? `${kind} (may have a password)` : kind,
        shown(fallback),
        code(env),
        help,
      ]);
    return `## ${title}\n\n${markdownTable(['option', 'kind', 'default', 'environment', 'meaning'], cells)}\n`;
  });
  const sources = secretSources.rows.map(({ key, kind, help }) => [code(key), kind.name, code(envName(key)), help]);
  return `${generated}# Options

Set an option with \`-X key=value\`, in the environment, in a profile or in the broker configuration file.
\`weir config show\` shows which value is in use and where it comes from.

${sections.join('\n')}
## Secrets from elsewhere

Instead of the value of a secret (${secretKeys.map(code).join(', ')}), set where it comes from:

${markdownTable(['option', 'kind', 'environment', 'meaning'], sources)}
`;
}

function shown(fallback: unknown): string {
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '');
  return text === '' ? '' : code(text);
}

/** A table whose cells are Markdown already. */
export function markdownTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
