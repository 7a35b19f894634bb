import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutation, mutated } from '../simulation/mutations/mutation.ts';
import { mutations } from '../simulation/mutations/mutations.ts';
import { runSeeds, type SeedOrder, type SeedResult } from '../simulation/seed-workers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hook = new URL('../simulation/mutations/hook.ts', import.meta.url).href;

/** The outcome of a mutation. */
interface Fate {
  readonly mutation: Mutation;
  /** What noticed it; undefined: nothing. */
  readonly noticed: string | undefined;
  readonly detail: string;
}

/**
 * `npm run soak -- mutations [WORD…] [--seeds N] [--by-seeds] [--workers N]`: inserts defects, one at a time. With
 * `--by-seeds`, seeds are run also for those that a test detects. Returns the exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      seeds: { type: 'string', default: '2000' },
      workers: { type: 'string' },
      'by-seeds': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const chosen = mutations.filter(({ name }) => positionals.every((word) => name.includes(word)));
  for (const mutation of chosen) await checkText(mutation);
  const queue = chosen.values();
  const fates: Fate[] = [];
  const work = async (): Promise<void> => {
    for (const mutation of queue) {
      const { test: _, ...withoutTest } = mutation;
      const fate = await tryOut(values['by-seeds'] ? withoutTest : mutation, Number(values.seeds));
      fates.push(fate);
      say(`${(fate.noticed ?? 'NOT NOTICED').padEnd(14)} ${mutation.letter.padEnd(8)} ${mutation.name}`);
      if (fate.detail !== '') say(`${' '.repeat(24)}${fate.detail.slice(0, 140)}`);
    }
  };
  const workers = Number(values.workers ?? availableParallelism());
  await Promise.all(Array.from({ length: workers }, work));
  const missed = fates.filter(({ noticed }) => noticed === undefined);
  const bySeed = fates.filter(({ noticed }) => noticed?.startsWith('seed'));
  say(
    `${fates.length} mutations: ${bySeed.length} noticed by a seed, ${missed.length} by nobody, the others by a test`,
  );
  for (const { mutation } of missed) say(`  ${mutation.name}`);
  return missed.length === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @throws Error if the sources are not as the mutation expects */
async function checkText(mutation: Mutation): Promise<void> {
  const files = new Set([mutation.file, ...(mutation.also ?? []).map(({ file }) => file)]);
  for (const file of files) mutated(mutation, `${root}/src/${file}`, await readFile(`${root}/src/${file}`, 'utf8'));
}

async function tryOut(mutation: Mutation, seeds: number): Promise<Fate> {
  if (mutation.test !== undefined) {
    const isRed = await failsUnder(mutation, mutation.test.file);
    return { mutation, noticed: isRed ? 'test' : undefined, detail: `${mutation.test.file}: ${mutation.test.why}` };
  }
  let found: SeedResult | undefined;
  let count = 0;
  await runSeeds(ordersOf(mutation, seeds), {
    workers: 1,
    execArgv: ['--import', hook],
    env: { WEIR_MUTATION: mutation.name },
    onResult(result) {
      count += 1;
      if (result.failures.length > 0) found ??= result;
      return found === undefined;
    },
  });
  const noticed = found === undefined ? undefined : `seed ${count}`;
  return { mutation, noticed, detail: found?.failures[0] ?? '' };
}

function* ordersOf({ kind }: Mutation, count: number): Generator<SeedOrder> {
  for (let seed = 1; seed <= count; seed += 1) yield { seed, kind };
}

function failsUnder({ name }: Mutation, file: string): Promise<boolean> {
  const args = ['run', '--config', 'test/simulation/mutations/vitest.config.ts', `test/${file}`];
  const env = { ...process.env, WEIR_MUTATION: name };
  const child = spawn(`${root}/node_modules/.bin/vitest`, args, { cwd: root, env, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code !== 0));
  });
}
