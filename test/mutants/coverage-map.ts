import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Ranges } from './covered-lines.ts';
import { recordedName } from './recorded-name.ts';
import { type FileResult, openSession } from './session.ts';

/** What is known of a test file from its last run without any mutant. */
export interface Recorded {
  /** The path of the test file below the root. */
  readonly file: string;
  /** The hash of its text when it was run. */
  readonly hash: string;
  readonly isGreen: boolean;
  readonly seconds: number;
  /** By the path of a source: the hash of its text at that time, and the lines that ran. */
  readonly covers: Readonly<Record<string, { readonly hash: string; readonly blocks: readonly number[] }>>;
}

/** A line of a source file. */
export interface Line {
  readonly file: string;
  readonly line: number;
  /** Whether it runs when its module is loaded, rather than in a function. */
  readonly isTopLevel: boolean;
}

/** Tests of the text of the sources, which notice any change, and of this command. */
const notJudges = /^test\/(mutants\/|architecture\.test|wording\.test|simulation\/mutations\/)/;

/** What of a recording is missing: where it is kept, the copy to run in, and how to report. */
export interface Recording {
  readonly cache: string;
  readonly root: string;
  readonly workers: number;
  /** The folders or files of the tests. */
  readonly tests: readonly string[];
  /** Runs again what is known. */
  readonly isRenewed: boolean;
  say(line: string): void;
}

/**
 * Reads what is known of all test files. Those that are new, changed or were red are run first; each is kept when it
 * ends, so that the next call continues where this one was stopped.
 */
export async function recordTests({
  cache,
  root,
  workers,
  tests,
  isRenewed,
  say,
}: Recording): Promise<readonly Recorded[]> {
  const raw = join(root, 'recorded');
  mkdirSync(raw, { recursive: true });
  mkdirSync(cache, { recursive: true });
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => !notJudges.test(file) && tests.some((one) => file === one || file.startsWith(`${one}/`)))
    .sort();
  const known = new Map(isRenewed ? [] : readCache(cache).map((one) => [one.file, one]));
  const hashes = new Map(files.map((file) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]));
  const missing = files.filter((file) => {
    const one = known.get(file);
    return one === undefined || !one.isGreen || one.hash !== hashes.get(file);
  });
  if (missing.length > 0) {
    say(`recording which lines ${missing.length} of ${files.length} test files run; stop and continue at any time`);
    const sources = new Map<string, ReturnType<typeof readSource>>();
    const readSource = (path: string) => ({
      hash: hashOf(readFileSync(join(root, path), 'utf8')),
      linesOf: session.linesOf(path),
    });
    const keep = ({ file, state, seconds, why }: FileResult): void => {
      const isGreen = state === 'green';
      const covers: Record<string, { readonly hash: string; readonly blocks: readonly number[] }> = {};
      for (const [path, ranges] of Object.entries(isGreen ? readRanges(join(raw, recordedName(file))) : {})) {
        const { hash, linesOf } = sources.get(path) ?? readSource(path);
        sources.set(path, { hash, linesOf });
        covers[path] = { hash, blocks: linesOf?.(ranges) ?? [] };
      }
      const one: Recorded = { file, hash: hashes.get(file) ?? '', isGreen, seconds, covers };
      known.set(file, one);
      const path = join(cache, recordedName(file));
      writeFileSync(`${path}.new`, JSON.stringify(one));
      renameSync(`${path}.new`, path);
      if (!isGreen) say(`RED WITHOUT ANY MUTANT, not used: ${file}: ${why}`);
    };
    const session = await openSession(root, { workers, recordInto: raw, onResult: keep });
    try {
      await session.run(missing.map((file) => ({ file, limitSeconds: Number.POSITIVE_INFINITY })));
    } finally {
      await session.close();
    }
  }
  return files.flatMap((file) => known.get(file) ?? []);
}

function readCache(cache: string): readonly Recorded[] {
  const names = readdirSync(cache).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(cache, name), 'utf8')) as Recorded);
}

function readRanges(path: string): Ranges {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Ranges;
  } catch {
    // The file has no test, or its worker has ended before.
    return {};
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Test files that may notice a change of a line, the most likely and the fastest first. */
export interface Covering {
  readonly tests: readonly Recorded[];
  /** Whether a recorded test runs this very line; otherwise the tests are those of the file or of what imports it. */
  readonly isLineCovered: boolean;
}

/** Finds the tests that cover lines of the sources below a root. */
export function openMap(root: string, recorded: readonly Recorded[]): (line: Line) => Covering {
  const green = recorded.filter(({ isGreen }) => isGreen);
  const importers = importersBelow(root);
  return ({ file, line, isTopLevel }) => {
    const hash = hashOf(readFileSync(join(root, file), 'utf8'));
    const ofFile = green.filter(({ covers }) => file in covers);
    const ofLine = ofFile.filter(({ covers }) => {
      const { hash: then, blocks } = covers[file] ?? { hash: '', blocks: [] };
      return then !== hash || isTopLevel || isInside(blocks, line);
    });
    const importing = green.filter((one) => importers.get(file)?.has(one.file));
    const close = ofLine.length > 0 ? ofLine : ofFile.length > 0 ? importing : throughImporters(file, importers, green);
    const tests = [...new Set([...mirrorsOf(file, green), ...close, ...importing])];
    const rank = (one: Recorded): number => closeness(file, one.file);
    tests.sort((a, b) => rank(a) - rank(b) || a.seconds - b.seconds);
    return { tests, isLineCovered: ofLine.length > 0 };
  };
}

function isInside(blocks: readonly number[], line: number): boolean {
  return blocks.some((first, index) => index % 2 === 0 && first <= line && line <= (blocks[index + 1] ?? first));
}

function mirrorsOf(file: string, tests: readonly Recorded[]): readonly Recorded[] {
  return tests.filter((one) => closeness(file, one.file) === 0);
}

/** 0: the test that mirrors a source file, 1: a test in the folder that mirrors its folder, 2: any other. */
function closeness(file: string, test: string): number {
  const mirror = file.replace(/^src\//, 'test/').replace(/\.ts$/, '');
  if (test === `${mirror}.test.ts` || (test.startsWith(`${mirror}-`) && dirname(test) === dirname(mirror))) return 0;
  return dirname(test) === dirname(mirror) ? 1 : 2;
}

/** The tests that run a function of what imports a file, directly or through others: the nearest that have any. */
function throughImporters(
  file: string,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  tests: readonly Recorded[],
): readonly Recorded[] {
  const seen = new Set([file]);
  for (let layer = [file]; layer.length > 0; ) {
    layer = layer.flatMap((one) => [...(importers.get(one) ?? [])]).filter((one) => !seen.has(one));
    for (const one of layer) seen.add(one);
    const found = tests.filter((test) => layer.some((one) => one === test.file || one in test.covers));
    if (found.length > 0) return found;
  }
  return [];
}

function importersBelow(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const from of globSync('{src,test}/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, from), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
      const to = relative(root, join(root, dirname(from), specifier));
      importers.set(to, (importers.get(to) ?? new Set()).add(from));
    }
  }
  return importers;
}
