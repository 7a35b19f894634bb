import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { wrapLine } from '../../src/format/wrap.ts';
import { atEndOfTest } from '../at-end.ts';
import { openMap, type Recorded } from './coverage-map.ts';
import { countCode, openLines } from './covered-lines.ts';
import { drawMutants } from './draw.ts';
import { openCourt } from './judge.ts';
import { isTypeScript, type Mutant, mutantsOf, mutate } from './mutator.ts';
import { shareOf, summaryText, verdictText } from './report.ts';
import type { FileResult, Session } from './session.ts';

const least = `/** The smaller number. */
export function least(a: number, b: number): number {
  return a < b ? a : b;
}
`;

/** A checkout of a few files, with test files that pass or fail by what the sources say. */
function world(
  files: Readonly<Record<string, string>>,
  tests: Readonly<Record<string, (text: string) => string>> = {},
  refuses = /nothing/,
) {
  const root = mkdtempSync(join(tmpdir(), 'weir-mutants-test-'));
  atEndOfTest(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const said: string[] = [];
  const runs: string[] = [];
  const session: Session = {
    async run(orders) {
      const results: FileResult[] = [];
      for (const { file } of orders) {
        const why = tests[file]?.(readFileSync(join(root, 'src/least.ts'), 'utf8')) ?? '';
        runs.push(file);
        results.push({ file, why, state: why === '' ? 'green' : why === 'late' ? 'late' : 'red', seconds: 1 });
        if (why !== '') break;
      }
      return results;
    },
    linesOf: () => undefined,
    changed: () => undefined,
    close: () => Promise.resolve(),
  };
  const recorded = Object.keys(tests).map((file) => recordedOf(file, file.includes('long') ? 60 : 1));
  const court = openCourt({
    ...{ root, session, equivalents: [], limitSeconds: 100, say: (line) => said.push(line) },
    compiles: async () => !refuses.test(readFileSync(join(root, 'src/least.ts'), 'utf8')),
    coveringOf: () => ({ tests: recorded, isLineCovered: true }),
  });
  return { root, court, said, runs };
}

function recordedOf(file: string, seconds: number, covers: Recorded['covers'] = {}): Recorded {
  return { file, hash: '', isGreen: true, seconds, covers };
}

async function swapped(): Promise<Mutant> {
  const found = (await mutantsOf('src/least.ts', least)).find(({ replacement }) => replacement === 'a >= b');
  if (found === undefined) throw new Error('there is no such mutant');
  return found;
}

const sees = (text: string) => (text.includes('>=') ? 'the smaller number is returned' : '');

test('the same seed draws the same mutants, another seed others', async () => {
  const { root } = world({
    'src/least.ts': least,
    'src/most.ts': least.replaceAll('<', '>').replaceAll('least', 'most'),
  });
  const draw = (seed: number) => drawMutants({ root, sample: 4, seed, under: ['src'] });
  const first = await draw(7);
  expect(first).toHaveLength(4);
  expect(await draw(7)).toEqual(first);
  expect(await draw(8)).not.toEqual(first);
  expect((await drawMutants({ root, sample: 3, seed: 7, under: ['src/most.ts'] })).map(({ file }) => file)).toEqual([
    'src/most.ts',
    'src/most.ts',
    'src/most.ts',
  ]);
  const ofLine = await drawMutants({ root, sample: 50, seed: 7, under: ['src/least.ts:3'] });
  expect(new Set(ofLine.map(({ file, start }) => `${file}:${start.line}`))).toEqual(new Set(['src/least.ts:3']));
  expect(ofLine.map(({ replacement }) => replacement).sort()).toEqual(['a <= b', 'a >= b', 'false', 'true']);
});

test('texts of the help, types and generated files are not drawn', async () => {
  const command = `export const go = command({
  summary: 'Goes',
  examples: [['Go far', 'go --far']],
  flags: { far: toggle({ help: \`far away\` }) },
  run: () => { throw new Error('too far for today'); },
});
const words = ['a text of several words'];
type Far = 'far' | 'near';
`;
  const found = await mutantsOf('src/go.ts', command);
  expect(found.map(({ start, kind }) => `${start.line} ${kind}`)).toEqual([
    '1 ObjectLiteral',
    '4 ObjectLiteral',
    '4 ObjectLiteral',
    '5 BlockStatement',
    '5 StringLiteral',
    '7 ArrayDeclaration',
  ]);
  expect(found.filter(({ isTopLevel }) => !isTopLevel).map(({ start }) => start.line)).toEqual([5, 5]);
});

test('the operands of another operator keep what they bind', async () => {
  const text = 'export const all = (a: boolean, b: boolean, c: boolean) => a && b && c;\n';
  const found = (await mutantsOf('src/all.ts', text)).filter(({ kind }) => kind === 'LogicalOperator');
  expect(found.map((one) => mutate(text, one).split('=> ')[1])).toEqual(['(a && b || c);\n', '(a || b) && c;\n']);
});

test('a text that cannot be parsed is no mutant; types are not checked', async () => {
  expect(await isTypeScript('src/least.ts', 'export const = 1;')).toBe(false);
  expect(await isTypeScript('src/least.ts', 'export const one: string = 1;')).toBe(true);
});

test('a mutant that a test notices counts, with the test that did', async () => {
  const { root, court, runs } = world(
    { 'src/least.ts': least },
    { 'test/other.test.ts': () => '', 'test/least.test.ts': sees, 'test/later.test.ts': sees },
  );
  const verdict = await court.judge(await swapped());
  expect(verdict).toMatchObject({
    outcome: 'noticed',
    reason: 'test/least.test.ts: the smaller number is returned',
    ran: ['test/other.test.ts', 'test/least.test.ts'],
  });
  // What failed is run again without the mutant, and the source is restored.
  expect(runs).toEqual(['test/other.test.ts', 'test/least.test.ts', 'test/least.test.ts']);
  expect(readFileSync(join(root, 'src/least.ts'), 'utf8')).toBe(least);
});

test('a mutant that no test ends with in time counts as noticed', async () => {
  const late = (text: string) => (text.includes('>=') ? 'late' : '');
  const { court } = world({ 'src/least.ts': least }, { 'test/least.test.ts': late });
  expect(await court.judge(await swapped())).toMatchObject({ outcome: 'noticed' });
});

test('a mutant that nobody notices is printed with its change and the tests that ran', async () => {
  const { court } = world({ 'src/least.ts': least }, { 'test/least.test.ts': () => '' });
  const verdict = { ...(await court.judge(await swapped())), seconds: 2 };
  expect(verdictText(verdict)).toBe(`MISSED     src/least.ts:3 EqualityOperator, 2 s
  -   return a < b ? a : b;
  +   return a >= b ? a : b;
  ran 1 of 1 test files that may notice it: test/least.test.ts`);
});

test('a mutant that only the compiler notices is apart, unless nothing compiles', async () => {
  for (const [refuses, outcome] of [
    [/>=/, 'refused'],
    [/least/, 'missed'],
  ] as const) {
    const { root, court } = world({ 'src/least.ts': least }, { 'test/least.test.ts': () => '' }, refuses);
    expect(await court.judge(await swapped())).toMatchObject({ outcome });
    expect(readFileSync(join(root, 'src/least.ts'), 'utf8')).toBe(least);
  }
});

test('the compiler is asked before the tests that take long', async () => {
  const tests = { 'test/least.test.ts': () => '', 'test/long.test.ts': sees };
  const { court, runs } = world({ 'src/least.ts': least }, tests, />=/);
  expect(await court.judge(await swapped())).toMatchObject({ outcome: 'refused', ran: ['test/least.test.ts'] });
  expect(runs).toEqual(['test/least.test.ts']);
});

test('a test file that is red without the mutant is said loudly and does not count', async () => {
  const { court, said } = world(
    { 'src/least.ts': least },
    { 'test/broken.test.ts': () => 'is broken', 'test/least.test.ts': sees },
  );
  expect(await court.judge(await swapped())).toMatchObject({
    outcome: 'noticed',
    reason: 'test/least.test.ts: the smaller number is returned',
  });
  expect(said).toEqual(['RED WITHOUT ANY MUTANT, not used: test/broken.test.ts: is broken']);
  expect([...court.red]).toEqual(['test/broken.test.ts']);
});

test('the test that mirrors a file comes first, then those of its folder, then the fastest that run the line', async () => {
  const { root } = world({
    'src/format/least.ts': least,
    'src/top.ts': "import { least } from './format/least.ts';\n",
  });
  const cover = { 'src/format/least.ts': { hash: 'of an earlier text', blocks: [2, 3] } };
  const coveringOf = openMap(root, [
    recordedOf('test/slow.test.ts', 9, cover),
    recordedOf('test/fast.test.ts', 1, cover),
    recordedOf('test/format/wrap.test.ts', 10, cover),
    recordedOf('test/format/least.test.ts', 20, {}),
    recordedOf('test/top.test.ts', 1, { 'src/top.ts': { hash: '', blocks: [1, 1] } }),
    { ...recordedOf('test/red.test.ts', 1, cover), isGreen: false },
  ]);
  const { tests, isLineCovered } = coveringOf({ file: 'src/format/least.ts', line: 3, isTopLevel: false });
  expect(tests.map(({ file }) => file)).toEqual([
    'test/format/least.test.ts',
    'test/format/wrap.test.ts',
    'test/fast.test.ts',
    'test/slow.test.ts',
  ]);
  expect(isLineCovered).toBe(true);
});

test('the code that runs is found at its lines in the source', async () => {
  const counter = await countCode(new URL('../../src/format/', import.meta.url).href);
  await counter.take();
  wrapLine('a b', 1, () => 1);
  expect(Object.keys(await counter.take())).toEqual(['wrap.ts']);
  expect(await counter.take()).toEqual({});
  const payload = { version: 3, file: '', sources: ['a.ts'], sourcesContent: [], names: [], sourceRoot: '' };
  const linesOf = openLines('one();\ntwo();\nthree();\n', { ...payload, mappings: 'AAAA;AAEA;AACA' });
  expect(linesOf([0, 6, 14, 22])).toEqual([1, 1, 4, 4]);
  expect(linesOf([0, 22])).toEqual([1, 1, 3, 4]);
});

test('for a file of which no test runs a function, the tests of what imports it are taken', async () => {
  const { root } = world({ 'src/least.ts': least, 'src/top.ts': "import { least } from './least.ts';\n" });
  const coveringOf = openMap(root, [recordedOf('test/all.test.ts', 1, { 'src/top.ts': { hash: '', blocks: [1, 1] } })]);
  const { tests, isLineCovered } = coveringOf({ file: 'src/least.ts', line: 3, isTopLevel: false });
  expect(tests.map(({ file }) => file)).toEqual(['test/all.test.ts']);
  expect(isLineCovered).toBe(false);
});

test('the last line counts equivalent mutants apart and gives the range of the share', async () => {
  const { court } = world({ 'src/least.ts': least }, { 'test/least.test.ts': sees });
  const noticed = { ...(await court.judge(await swapped())), seconds: 4 };
  const verdicts = [
    noticed,
    noticed,
    { ...noticed, outcome: 'missed' as const },
    { ...noticed, outcome: 'refused' as const },
    { ...noticed, outcome: 'equivalent' as const },
  ];
  expect(summaryText(verdicts)).toBe(
    '5 mutants: 2 noticed, 1 missed, 1 refused by the compiler, 1 equivalent; ' +
      'noticed 67 % (95 % confidence: 21 % to 94 %), 4 s each',
  );
  expect(shareOf(0, 0)).toEqual({ share: 1, from: 0, to: 1 });
});
