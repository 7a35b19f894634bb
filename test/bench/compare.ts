import { table } from '../../src/format/table.ts';
import { withOtherBuild } from './against.ts';
import type { Goal, Measured } from './goals.ts';
import { type Contender, spreadOf } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { runUsed, type Usage } from './usage.ts';

/** Programs that do the same work; the first is weir. */
export interface Case {
  readonly name: string;
  readonly contenders: readonly Contender[];
  /** A file for their standard input. */
  readonly input?: string;
  /** Called before the case, and after it. */
  readonly begin?: () => Promise<void>;
  readonly end?: () => void;
  /** Called before every run. */
  readonly prepare?: () => void;
  /** Goals of this case. */
  readonly goals?: readonly Goal[];
}

/** A case that was measured. */
export interface Result extends Measured {
  /** Failures of peers, one line each. */
  readonly failures: readonly string[];
}

const headers = ['case', 'program', 'wall ms', 'min', 'max', 'cpu ms', 'rss mb', 'wall/weir', 'min/weir', 'cpu/weir'];

/** Measures every case in turns (A B A B …). */
export async function compare(cases: readonly Case[], { rounds, against }: BenchOptions): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    await one.begin?.();
    try {
      results.push({
        name: one.name,
        goals: one.goals ?? [],
        ...(await measure({ ...one, contenders: withOtherBuild(one.contenders, against) }, rounds)),
      });
    } finally {
      one.end?.();
    }
    process.stderr.write(`${one.name}\n`);
  }
  return results;
}

/** Lays the medians out as a table; `wall/weir` above 1: weir was faster. */
export function layOut(results: readonly Result[]): string {
  return table(headers, results.flatMap(rowsOf));
}

function rowsOf({ name, runs, failures }: Result): string[][] {
  const [weirs = []] = runs.values();
  const measured = [...runs].map(([program, usages]) => [name, program, ...cellsOf(usages, weirs)]);
  return [...measured, ...failures.map((failure) => [name, failure])];
}

/** One round warms the caches and does not count. A peer that fails is left out and named; weir must not fail. */
async function measure({ contenders, input, prepare }: Case, rounds: number) {
  const runs = new Map<string, Usage[]>(contenders.map(({ name }) => [name, []]));
  const failures: string[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const contender of contenders) {
      const usages = runs.get(contender.name);
      if (usages === undefined) continue;
      prepare?.();
      try {
        const usage = await runUsed(contender, input);
        if (round >= 0) usages.push(usage);
      } catch (error) {
        if (contender === contenders[0]) throw error;
        runs.delete(contender.name);
        failures.push(String(error).split('\n')[0] ?? '');
      }
    }
  }
  return { runs, failures };
}

function cellsOf(usages: readonly Usage[], weirs: readonly Usage[]): string[] {
  const [wall, own] = [usages, weirs].map((runs) => spreadOf(runs.map(({ wallMs }) => wallMs)));
  const [cpu, ownCpu] = [usages, weirs].map((runs) => spreadOf(runs.map(({ cpuMs }) => cpuMs)).median);
  if (wall === undefined || own === undefined || cpu === undefined || ownCpu === undefined) return [];
  const peak = Math.max(...usages.map(({ peakBytes }) => peakBytes ?? Number.NaN));
  return [
    ...[wall.median, wall.min, wall.max, cpu].map((milliseconds) => milliseconds.toFixed(0)),
    Number.isNaN(peak) ? '-' : (peak / 2 ** 20).toFixed(0),
    ...[wall.median / own.median, wall.min / own.min, cpu / ownCpu].map((ratio) => ratio.toFixed(2)),
  ];
}
