import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runAnySeed, type SeedKind, seedKinds } from '../simulation/any-seed.ts';
import { runSeeds, type SeedOrder, type SeedResult } from '../simulation/seed-workers.ts';

const flags = `[--seeds N] [--from SEED] [--kind ${seedKinds.join('|')}] [--workers N]`;
const usage = `usage: npm run soak -- simulation ${flags} | --seed SEED`;
/** Interval of progress reports, in milliseconds. */
const progressMs = 10_000;

/** `npm run soak -- simulation …`: runs any number of seeds, or prints the events of one. Returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...{ seeds: { type: 'string', default: '10000' }, from: { type: 'string', default: '1' } },
      ...{ kind: { type: 'string' }, seed: { type: 'string' }, workers: { type: 'string' } },
    },
  });
  const [count, from, seed] = [values.seeds, values.from, values.seed ?? '0'].map(Number);
  const kind = seedKinds.find((one) => one === values.kind);
  const workers = Number(values.workers ?? availableParallelism());
  const isWrong = count === undefined || from === undefined || seed === undefined || !(count + from + seed >= 0);
  if (isWrong || !(workers >= 1) || (values.kind !== undefined && kind === undefined)) throw new Error(usage);
  return values.seed === undefined ? runMany({ from, count, kind, workers }) : tellOne(seed, kind);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function tellOne(seed: number, kind: SeedKind | undefined): Promise<number> {
  process.env.WEIR_SIMULATION_TRACE = 'all';
  const { plan, story, failures } = await runAnySeed(seed, kind);
  say(JSON.stringify(plan, null, 1));
  for (const line of story) say(line);
  for (const failure of failures) say(`FAILS: ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

interface Range {
  readonly from: number;
  readonly count: number;
  readonly kind: SeedKind | undefined;
  /** The number of worker processes. */
  readonly workers: number;
}

function* ordersOf({ from, count, kind }: Range): Generator<SeedOrder> {
  for (let seed = from; seed < from + count; seed += 1) yield { seed, kind };
}

async function runMany(range: Range): Promise<number> {
  const startedAt = performance.now();
  const failed: SeedResult[] = [];
  let [done, records, virtualMs, toldAt] = [0, 0, 0, startedAt];
  await runSeeds(ordersOf(range), {
    workers: range.workers,
    onResult(result) {
      done += 1;
      records += result.records;
      virtualMs += result.virtualMs;
      if (result.failures.length > 0) {
        failed.push(result);
        say(failureText(result));
      }
      if (performance.now() - toldAt >= progressMs) {
        toldAt = performance.now();
        say(`  ${done} of ${range.count} seeds, ${failed.length} failed`);
      }
      return true;
    },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const hours = (virtualMs / 3_600_000).toFixed(1);
  say(`${done} seeds, ${records} records, ${hours} simulated hours in ${seconds} s: ${failed.length} failed`);
  for (const one of failed) say(`  ${repeat(one)}`);
  return failed.length === 0 ? 0 : 1;
}

function failureText(result: SeedResult): string {
  return [`seed ${result.seed}: ${repeat(result)}`, ...result.failures.slice(0, 3)].join('\n    ');
}

function repeat({ seed, kind }: SeedOrder): string {
  return `npm run soak -- simulation --seed ${seed}${kind === undefined ? '' : ` --kind ${kind}`}`;
}
