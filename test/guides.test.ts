import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Page, readPage, stepsOf } from './guides/blocks.ts';
import { type Machine, newMachine, type Reader } from './guides/machine.ts';
import { replay } from './guides/replay.ts';
import { weirLinesOf } from './guides/shell-line.ts';
import { parsedPath } from './parsed-path.ts';

const generated = /docs\/options/;
const pages = ['README.md', ...globSync('docs/{*,guides/*}.md').sort()]
  .filter((path) => !generated.test(path))
  .map(readPage);

/** What needs no command. */
const early = /^(-X (list|help)\b|help\b|--help$|--version$|.*--format schema$)/;

interface WeirLine {
  /** The number of its line in the page. */
  readonly at: number;
  readonly words: readonly string[];
}

/** The command lines of weir in a page: those of blocks, and complete ones in the text. */
function weirLines(page: Page): readonly WeirLine[] {
  const inBlocks = page.blocks.flatMap((block) =>
    stepsOf(page, block).flatMap(({ at, command }) => weirLinesOf(command).map((words) => ({ at: at + 1, words }))),
  );
  const isInBlock = (at: number) => page.blocks.some(({ from, to }) => at >= from && at < to);
  const inText = page.lines.flatMap((line, at) =>
    isInBlock(at)
      ? []
      : [...line.matchAll(/`(weir [^`…]+)`/g)].flatMap(([, text = '']) =>
          weirLinesOf(text).map((words) => ({ at: at + 1, words })),
        ),
  );
  return [...inBlocks, ...inText];
}

describe('every command line of the docs', () => {
  test.each(pages)('parses in $path', async (page) => {
    const wrong: string[] = [];
    for (const { at, words } of weirLines(page)) {
      if (early.test(words.join(' '))) continue;
      await parsedPath(words).catch((error) => wrong.push(`${page.path}:${at}: weir ${words.join(' ')}: ${error}`));
    }
    expect(wrong).toEqual([]);
  });
});

const sandbox = 'weir sandbox start --engine simulated';
const rpk = 'version: 6\nprofiles:\n  - name: rpk\n    kafka_api: {brokers: [b:9092]}\n';

/** What the reader of a guide has before the first command. */
const readers: Readonly<Record<string, Reader>> = {
  'README.md': {},
  'docs/guides/byoc.md': {},
  'docs/guides/cloud.md': {},
  'docs/guides/configuration.md': { files: { 'password.txt': 'secret\n' } },
  'docs/guides/produce-consume.md': {
    files: { 'orders.csv': 'ana,2\nben,3\ncai,1\n', 'orders.bin': '\0\0\0\x03ana\0\0\0\x012' },
    before: [sandbox],
  },
  'docs/guides/profiles.md': {
    files: { 'password.txt': 'secret\n', 'rpk.yaml': rpk.replace('rpk', 'old'), '../.config/rpk/rpk.yaml': rpk },
  },
  'docs/guides/records.md': {
    files: { 'orders.txt': 'ana=2\nben=3\n' },
    before: [sandbox, 'weir topic create orders orders-copy'],
  },
  'docs/guides/sandbox.md': {},
  'docs/guides/timeouts.md': { before: [sandbox] },
};

describe('the commands of a guide, run in order on a new machine,', () => {
  let machine: Machine | undefined;
  afterEach(async () => {
    await machine?.runLine('weir sandbox purge --yes --quiet');
    if (machine !== undefined) rmSync(machine.home, { recursive: true, force: true });
  });

  test.each(Object.entries(readers))('print what %s shows', async (path, reader) => {
    machine = newMachine(reader);
    for (const line of reader.before ?? []) expect(await machine.runLine(line)).toMatchObject({ exitCode: 0 });
    const { text, failures, commands } = await replay(readPage(path), machine);
    expect(failures).toEqual([]);
    expect(commands).toBeGreaterThan(2);
    await expect(text).toMatchFileSnapshot(join('..', path));
  });
});
