import { optionRows } from '../../config/option-help.ts';
import { plainVariables } from '../../config/sources/environment.ts';
import { exitCodeMeanings } from '../../errors.ts';
import { tagline } from '../../version.ts';
import { type Argument, type Command, type Entry, entryGroups, type Noun, shownGroups } from '../command.ts';
import { type FlagEntry, flagSet, offersNo } from '../parse/flag-set.ts';
import { descriptions, flagHelp, rootExamples } from './help.ts';
import { commonVariables } from './subjects.ts';
import { walkTree } from './tree.ts';

/** The manual page of every command and noun that is shown, and of weir itself, in mdoc(7), by file name. */
export async function manPages(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const shown = entries.filter(({ hidden }) => !hidden);
  const pages = new Map([[fileName([]), rootPage(shown)]]);
  for (const node of await walkTree(shown)) {
    const target = 'command' in node ? node.command : node.noun;
    if (!target.hidden) pages.set(fileName(node.path), manPage(target, node.path));
  }
  return pages;
}

function fileName(path: readonly string[]): string {
  return `${pageName(path)}.1`;
}

function pageName(path: readonly string[]): string {
  return ['weir', ...path].join('-');
}

/** The manual page of a command or a noun. */
export function manPage(target: Command | Noun, path: readonly string[]): string {
  return target.type === 'command' ? commandPage(target, path) : nounPage(target, path);
}

/** The manual page of weir itself. */
export function rootPage(entries: readonly Entry[]): string {
  const shown = entries.filter(({ hidden }) => !hidden);
  return page([], tagline.replace(/^A/, 'a'), [
    section('SYNOPSIS', ['.Nm weir', '.Ar command subcommand', '.Op Ar argument ...', '.Op Ar flag ...']),
    section('DESCRIPTION', [
      ...sentences(
        'weir manages Kafka-compatible brokers, the Admin API and the schema registry of Redpanda, and the control plane of its cloud. It writes and reads records. Every command has a page of its own, such as',
      ),
      '.Xr weir-topic-create 1 .',
      ...entryGroups(entries).flatMap(({ title, items }) => [
        `.Ss ${title}`,
        ...listOf(items.map(({ name, summary }) => [`Xr ${pageName([name])} 1`, sentences(`${summary}.`)])),
      ]),
      '.Ss Flags of every command',
      ...flagList(flagSet(undefined)),
    ]),
    section('ENVIRONMENT', [
      ...sentences(
        'Every option can be set with a flag, a variable, in a profile or in the broker configuration file. The first of these that sets it wins. An empty variable counts as not set.',
      ),
      ...listOf([
        ...optionRows().map(
          ({ env, key, hint, help }) => [`Ev ${env} , Fl X Ar ${word(`${key}=${hint}`)}`, sentences(help)] as const,
        ),
        ...[...plainVariables, ...commonVariables].map(
          ([name, meaning]) => [`Ev ${word(name)}`, [line(meaning)]] as const,
        ),
      ]),
    ]),
    files,
    exitStatus,
    examples(rootExamples),
    seeAlso(
      [],
      shown.map(({ name }) => [name]),
    ),
  ]);
}

function nounPage(noun: Noun, path: readonly string[]): string {
  const groups = shownGroups(noun);
  return page(path, noun.summary, [
    section('SYNOPSIS', [`.Nm ${commandLine(path)}`, '.Ar command', '.Op Ar argument ...', '.Op Ar flag ...']),
    section('DESCRIPTION', [
      ...sentences(`${noun.summary}.`),
      ...aliases(noun.aliases),
      ...groups.flatMap(({ title, items }) => [
        ...(groups.length === 1 ? [] : [`.Ss ${title}`]),
        ...listOf(items.map(([name, { summary }]) => [`Xr ${pageName([...path, name])} 1`, sentences(`${summary}.`)])),
      ]),
      ...flagSection(ownFlags(noun)),
    ]),
    seeAlso(path, [[], path.slice(0, -1)]),
  ]);
}

function flagSection(flags: readonly FlagEntry[]): readonly string[] {
  return flags.some(({ flag }) => !flag.hidden) ? ['.Ss Flags', ...flagList(flags)] : [];
}

function ownFlags(target: Command | Noun): readonly FlagEntry[] {
  return flagSet(target).filter(({ scope }) => scope === 'own');
}

function commandPage(command: Command, path: readonly string[]): string {
  const flags = ownFlags(command);
  const args = Object.values(command.args);
  const explained = args.flatMap(({ label, help }) => (help === undefined ? [] : [{ label, help }]));
  return page(path, command.summary, [
    section('SYNOPSIS', [`.Nm ${commandLine(path)}`, ...args.map(argumentLine), ...flags.flatMap(flagLine)]),
    section('DESCRIPTION', [
      ...sentences(`${command.summary}.`),
      ...descriptions(command).flatMap(paragraphs),
      ...aliases(command.aliases),
      ...(explained.length === 0
        ? []
        : [
            '.Ss Arguments',
            ...listOf(explained.map(({ label, help }) => [`Ar ${word(label)}`, sentences(`${capital(help)}.`)])),
          ]),
      ...flagSection(flags),
      '.Pp',
      'The flags of every command, such as',
      '.Fl -profile , -format',
      'and',
      '.Fl X ,',
      'are in',
      '.Xr weir 1 .',
    ]),
    section('ENVIRONMENT', [
      'Each option of',
      '.Fl X',
      ...sentences('has a variable, such as WEIR_BROKERS for brokers.'),
      'They are listed in',
      '.Xr weir 1 .',
    ]),
    files,
    exitStatus,
    examples(command.examples),
    seeAlso(path, [[], path.slice(0, -1)]),
  ]);
}

/** The date is that of the system that shows the page: a build of the same sources must give the same bytes. */
function page(path: readonly string[], summary: string, sections: readonly (readonly string[])[]): string {
  return [
    '.\\" Generated from the declarations of the commands.',
    '.Dd $Mdocdate$',
    `.Dt ${pageName(path).toUpperCase()} 1`,
    '.Os weir',
    '.Sh NAME',
    `.Nm ${pageName(path)}`,
    `.Nd ${text(lowered(summary))}`,
    ...sections.flat(),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`.Sh ${title}`, ...lines];
}

const files = section('FILES', [
  ...listOf([
    ['Pa ~/.config/weir/weir.yaml', ['Profiles.']],
    ['Pa ~/.local/state/weir', ['Logins, unfinished operations and sandboxes.']],
    ['Pa ~/.cache/weir', ['Names for completion, and downloads.']],
    ['Pa /etc/redpanda/redpanda.yaml', sentences('The broker configuration file. Its section weir or rpk is read.')],
  ]),
]);

const exitStatus = section('EXIT STATUS', [
  ...listOf(exitCodeMeanings.map(([code, meaning]) => [String(code), sentences(`${capital(meaning)}.`)])),
]);

function examples(pairs: Command['examples']): readonly string[] {
  return section(
    'EXAMPLES',
    pairs.flatMap(([purpose, words], at) => [
      ...(at === 0 ? [] : ['.Pp']),
      line(`${purpose}:`),
      ...literal([`weir ${words}`]),
    ]),
  );
}

function seeAlso(path: readonly string[], others: readonly (readonly string[])[]): readonly string[] {
  const names = [...new Set(others.map(pageName))].filter((name) => name !== pageName(path)).sort();
  return section(
    'SEE ALSO',
    names.map((name, at) => `.Xr ${name} 1${at === names.length - 1 ? '' : ' ,'}`),
  );
}

function aliases(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : ['.Pp', `Also called ${names.map(text).join(', ')}.`];
}

function commandLine(path: readonly string[]): string {
  return ['weir', ...path].map(word).join(' ');
}

function argumentLine({ label, arity }: Argument<unknown>): string {
  const name = `Ar ${word(label)}`;
  if (arity === 'one') return `.${name}`;
  if (arity === 'many') return `.${name} ...`;
  return arity === 'optional' ? `.Op ${name}` : `.Op ${name} ...`;
}

/** A flag of the synopsis. */
function flagLine(entry: FlagEntry): readonly string[] {
  const { flag } = entry;
  if (flag.hidden) return [];
  return [`.${flag.required ? '' : 'Op '}${longSpelling(entry)}${flag.repeats && !flag.isSwitch ? ' ...' : ''}`];
}

function flagList(entries: readonly FlagEntry[]): readonly string[] {
  const shown = entries.filter(({ flag }) => !flag.hidden);
  return listOf(
    shown.map((entry) => {
      const short = entry.short === undefined ? '' : `Fl ${entry.short} , `;
      return [`${short}${longSpelling(entry)}`, sentences(`${capital(flagHelp(entry))}.`)];
    }),
  );
}

function longSpelling(entry: FlagEntry): string {
  const { flag, name } = entry;
  if (flag.isSwitch) return `Fl -${offersNo(entry) ? '\\&[no-]' : ''}${name}`;
  const value = `Ar ${word(flag.kind.hint)}`;
  return flag.bare === undefined ? `Fl -${name} ${value}` : `Fl -${name} Ns Oo Ns = Ns ${value} Oc`;
}

/** A list of terms, each a macro line without its period, and their meanings. */
function listOf(rows: readonly (readonly [term: string, lines: readonly string[]])[]): readonly string[] {
  return ['.Bl -tag -width Ds', ...rows.flatMap(([term, lines]) => [`.It ${term}`, ...lines]), '.El'];
}

/** Paragraphs of a description; one that begins with a space keeps its lines, as in the help. */
function paragraphs(description: string): readonly string[] {
  return description
    .split(/\n{2,}/)
    .flatMap((part) =>
      /^\s/.test(part) ? literal(part.split('\n')) : ['.Pp', ...sentences(part.replaceAll('\n', ' '))],
    );
}

function literal(lines: readonly string[]): readonly string[] {
  return ['.Bd -literal -offset indent', ...lines.map((one) => code(one.trimEnd())), '.Ed'];
}

/** Each sentence on a line of its own, so that the formatter sets the space between them. */
function sentences(prose: string): readonly string[] {
  return prose.split(/(?<=[.!?]) (?=[A-Z]|--)/).map(line);
}

/** A line of text. */
function line(prose: string): string {
  return unlikeMacro(text(prose));
}

/** A line of text that readers copy: its hyphens stay hyphens. */
function code(source: string): string {
  return unlikeMacro(escaped(source).replaceAll('-', '\\-'));
}

/** Text within a line: the hyphens of flags stay hyphens, and no line ends at them. */
function text(prose: string): string {
  return escaped(prose).replace(/(?<=^|[\s("'[])-[\w-]*/g, (flag) => flag.replaceAll('-', '\\-'));
}

function escaped(source: string): string {
  return source.replaceAll('\\', '\\e');
}

function unlikeMacro(formatted: string): string {
  return /^[.']/.test(formatted) ? `\\&${formatted}` : formatted;
}

/** An argument of a macro: never taken for a macro or for punctuation. */
function word(source: string): string {
  const text = escaped(source).replaceAll('"', '\\(dq');
  return /\s/.test(text) ? `"${text}"` : `\\&${text}`;
}

/** Begins with a capital, unless its first word is a name such as `tls.ca`. */
function capital(phrase: string): string {
  return /^[a-z]+(?:[ ,:]|$)/.test(phrase) ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase;
}

/** Begins with a small letter, unless its first word is an acronym. */
function lowered(phrase: string): string {
  return /^[A-Z][a-z]/.test(phrase) ? phrase.charAt(0).toLowerCase() + phrase.slice(1) : phrase;
}
