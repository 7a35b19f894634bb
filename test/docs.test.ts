import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { commandHelp } from '../src/cli/help/help.ts';
import { leavesOf, walkTree } from '../src/cli/help/tree.ts';
import { outputSchema } from '../src/cli/output/output-schema.ts';
import { commands } from '../src/commands/index.ts';
import { docsMap } from './docs-map.ts';
import { generatedFiles, generatedNames } from './generate.ts';
import { parsedPath } from './parsed-path.ts';
import { type Tried, triedCommands, triedFile } from './tried/page.ts';
import { wordingFile } from './wording.ts';
import { run, splitLine } from './world.ts';

const leaves = leavesOf(await walkTree(commands));

test('H2: the generated docs match the command tree and the map (npm run generate)', async () => {
  const files = await generatedFiles();
  const pages = [...files].filter(([path]) => !path.startsWith('completions/'));
  for (const [path, text] of pages) expect(await readFile(path, 'utf8'), path).toBe(text);
  expect((await generatedNames()).filter((path) => !files.has(path))).toEqual([]);
});

test('what each command was tried on has a row for every command (npm run tried -- FILES)', async () => {
  const tried = JSON.parse(await readFile(triedFile, 'utf8')) as Tried;
  const names = (await triedCommands()).map(({ path }) => path.join(' '));
  expect(Object.keys(tried).sort()).toEqual(names.sort());
});

test('V2: every schema in docs/schemas/ is valid, has an id of its own, and is what the command prints', async () => {
  const files = [...(await generatedFiles())].filter(([path]) => path.startsWith('docs/schemas/'));
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  for (const [path, text] of files) {
    const schema = JSON.parse(text);
    expect(ajv.validateSchema(schema), `${path}: ${ajv.errorsText()}`).toBe(true);
    expect(path).toBe(`docs/schemas/${schema.$id.replace('urn:weir:', '')}.json`);
  }
  const printed = await run('topic create --format schema');
  expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(new Map(files).get('docs/schemas/topic-create.json') ?? ''));
});

test('every link of the docs leads to a file, and to a heading in it', () => {
  const pages = ['README.md', 'docs/llms.txt', ...globSync('docs/{*,guides/*,project/*,schemas/*}.md')];
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].flatMap(
      ([, link = '', anchor = '']) => {
        const path = link === '' ? page : join(dirname(page), link);
        const isThere = existsSync(path) && (anchor === '' || anchorsOf(path).has(anchor));
        return isThere ? [] : [`${page}: ${link}#${anchor}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a page: those that GitHub makes of its headings, and its own. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(path, 'utf8').replace(/^```.*?^```/gms, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

test('the map has every page of the docs, and each once (test/docs-map.ts)', () => {
  const lines = Object.values(docsMap).flatMap((pages) => Object.keys(pages));
  const pages = globSync(['{*,guides/*,project/*}.md', '{commands,schemas}/README.md'], { cwd: 'docs' });
  const listed = ['../.github/CONTRIBUTING.md', ...pages.filter((page) => page !== 'README.md')];
  expect(lines.toSorted()).toEqual(listed.toSorted());
});

test('what the page about failures says one sees is what weir prints', () => {
  const page = readFileSync('docs/guides/when-something-fails.md', 'utf8');
  const quotes = [...page.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  const files = [wordingFile, 'src/kafka/protocol/wire/error-codes.ts'];
  const texts = files.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  const isPrinted = (quote: string) => {
    const parts = quote.split(/ ?… ?/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(parts.join('.*'));
    return texts.some((text) => pattern.test(text));
  };
  expect(quotes.length).toBeGreaterThan(40);
  expect(quotes.map(([, quote = '']) => quote).filter((quote) => !isPrinted(quote))).toEqual([]);
});

test('the summaries in the root command match those of the nouns', async () => {
  for (const { name, load, summary, aliases, hidden } of commands) {
    const { summary: own, aliases: names, hidden: isHidden } = await load();
    expect({ name, summary, aliases, hidden }).toEqual({ name, summary: own, aliases: names, hidden: isHidden });
  }
});

describe.each(leaves.map((leaf) => ({ line: leaf.path.join(' '), ...leaf })))('weir $line', ({ path, command }) => {
  test('has a summary without a full stop, two examples, and a schema that says what a dry run is', () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/s);
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    const schema = outputSchema(command);
    expect(Object.keys(schema).length - 1).toBeGreaterThan(0);
    if (command.changes !== 'reads') expect(JSON.stringify(schema)).toContain('"dry_run"');
  });

  test.each(command.examples)('parses its example "%s"', async (_, line) => {
    const shown: string[] = [];
    for (const words of weirLines(line)) shown.push(await parsedPath(words));
    expect(shown).toContain(path.join(' '));
  });

  test('H1: has help of at most 80 columns that starts with summary, usage and examples', () => {
    const help = commandHelp(command, path);
    for (const line of help.split('\n'))
      if (!line.startsWith('  weir ')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(help.startsWith(`${command.summary}.\n\nUsage:\n  weir ${path.join(' ')}`)).toBe(true);
    expect(help).toContain('\nExamples:\n  # ');
    // A table would be wrapped like a sentence, unless its paragraph is indented.
    for (const paragraph of (command.description ?? '').split('\n\n'))
      if (!/^\s/.test(paragraph)) expect(paragraph).not.toMatch(/ {2}/);
  });

  test('prints its schema before it reads any configuration', async () => {
    const { stdout, stderr, exitCode } = await run([...path, '--format', 'schema'], { env: { WEIR_BROKERS: '///' } });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toHaveProperty('$schema');
  });

  test('H1: prints the same help for -h, --help and help', async () => {
    const [short, long, word] = [
      await run([...path, '-h']),
      await run([...path, '--help']),
      await run(['help', ...path]),
    ];
    expect(long).toEqual({ stdout: commandHelp(command, path), stderr: '', exitCode: 0 });
    expect(short).toEqual(long);
    expect(word).toEqual(long);
  });
});

/** Extracts the weir command lines from a shell example, whose first command is written without `weir`. */
function weirLines(line: string): readonly (readonly string[])[] {
  const parts = `weir ${line}`.split(/ (?:\||&&|;) /);
  const own = parts.filter((part) => part.startsWith('weir '));
  return own.map((part) => splitLine(part.slice('weir '.length).split(/ (?:>>?|<) /)[0] ?? ''));
}
