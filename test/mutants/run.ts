import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compiles } from './compile.ts';
import { copyCheckout } from './copy.ts';
import { openMap, recordTests } from './coverage-map.ts';
import { drawMutants } from './draw.ts';
import { equivalents } from './equivalent.ts';
import { openCourt, type Verdict } from './judge.ts';
import { shareOf, summaryText, verdictText } from './report.ts';
import { openSession } from './session.ts';

const usage = `usage: npm run mutants -- [--sample N] [--seed S] [--from K] [--under FOLDER]… [--tests FOLDER]… [--goal PERCENT]
  [--limit SECONDS] [--workers N] [--renew] [--json FILE]`;

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

interface Options {
  readonly sample: number;
  readonly seed: number;
  readonly from: number;
  readonly under: readonly string[];
  readonly tests: readonly string[];
  readonly goal: number;
  readonly limit: number;
  readonly workers: number;
  readonly renew: boolean;
  readonly json: string | undefined;
}

/**
 * `npm run mutants`: draws small defects, runs the tests that cover them, and prints what nobody noticed. Returns the exit
 * code: 0 if the goal is reached and no test was red without a mutant.
 */
async function main(words: readonly string[]): Promise<number> {
  const { sample, seed, from, under, tests, goal, limit, workers, renew, json } = readOptions(words);
  const mutants = await drawMutants({ root, sample, seed, under });
  const copy = copyCheckout(root);
  process.chdir(copy);
  const cache = join(root, 'node_modules/.cache/weir-mutants');
  const recorded = await recordTests({ cache, root: copy, workers, tests, isRenewed: renew, say });
  if (mutants.length === 0) return 0;
  const session = await openSession(copy, { workers });
  const verdicts: Verdict[] = [];
  const court = openCourt({
    root: copy,
    session,
    coveringOf: openMap(copy, recorded),
    equivalents,
    limitSeconds: limit,
    compiles: () => compiles(copy),
    say,
  });
  try {
    for (const [index, mutant] of mutants.entries()) {
      if (index + 1 < from) continue;
      const verdict = await court.judge(mutant);
      verdicts.push(verdict);
      say(`${String(index + 1).padStart(3)} ${verdictText(verdict)}`);
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(verdicts, null, 2)}\n`);
    }
  } finally {
    await session.close();
  }
  say(summaryText(verdicts));
  const red = [...recorded.filter(({ isGreen }) => !isGreen).map(({ file }) => file), ...court.red];
  for (const file of red) say(`RED WITHOUT ANY MUTANT, not used: ${file}`);
  const count = (wanted: Verdict['outcome']): number => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const { share } = shareOf(count('noticed'), count('noticed') + count('missed'));
  return share * 100 >= goal && red.length === 0 ? 0 : 1;
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      sample: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '1' },
      under: { type: 'string', multiple: true, default: ['src'] },
      tests: { type: 'string', multiple: true, default: ['test'] },
      goal: { type: 'string', default: '90' },
      limit: { type: 'string', default: '120' },
      workers: { type: 'string', default: String(availableParallelism()) },
      renew: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const number = (name: 'sample' | 'seed' | 'from' | 'goal' | 'limit' | 'workers'): number => {
    const value = Number(values[name]);
    if (!(value >= 0)) throw new Error(`--${name} is a number\n${usage}`);
    return value;
  };
  return {
    sample: number('sample'),
    seed: number('seed'),
    from: number('from'),
    under: values.under.map(withoutSlash),
    tests: values.tests.map(withoutSlash),
    goal: number('goal'),
    limit: number('limit'),
    workers: Math.max(1, number('workers')),
    renew: values.renew,
    json: values.json === undefined ? undefined : resolve(values.json),
  };
}

function withoutSlash(folder: string): string {
  return folder.replace(/\/$/, '');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
