import { table } from '../../src/format/table.ts';
import { withOtherBuild } from './against.ts';
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
  /** The row of the README's table that shows this case. */
  readonly quoted?: string;
}

/** A case that was measured. */
export interface Result {
  readonly name: string;
  readonly quoted: string | undefined;
  /** The runs of each program, weir's first. */
  readonly runs: ReadonlyMap<string, readonly Usage[]>;
  /** What programs that failed printed. */
  readonly failures: ReadonlyMap<string, string>;
}

/** What a benchmark found. */
export interface Report {
  readonly results: readonly Result[];
  /** For the terminal, below the table of the results. */
  readonly text: string;
  /** The table for docs/performance.md, in Markdown. */
  readonly page: string;
}

const headers = ['case', 'program', 'wall ms', 'min', 'max', 'cpu ms', 'rss mb', 'wall/weir', 'min/weir', 'cpu/weir'];

/** Measures every case whose name is wanted in turns (A B A B …). */
export async function compare(cases: readonly Case[], options: BenchOptions): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    if (!one.name.includes(options.only)) continue;
    await one.begin?.();
    try {
      const contenders = withOtherBuild(one.contenders, options.against);
      results.push({ name: one.name, quoted: one.quoted, ...(await measure({ ...one, contenders }, options.rounds)) });
    } finally {
      one.end?.();
    }
    process.stderr.write(`${one.name}\n`);
  }
  return results;
}

/** Lays everything that was measured out as a table for the terminal; `wall/weir` above 1: weir was faster. */
export function layOut(results: readonly Result[]): string {
  return results.length === 0 ? '' : table(headers, results.flatMap(rowsOf));
}

function rowsOf({ name, runs, failures }: Result): string[][] {
  const [weirs = []] = runs.values();
  const measured = [...runs].map(([program, usages]) => [name, program, ...cellsOf(usages, weirs)]);
  return [...measured, ...[...failures].map(([program, message]) => [name, program, message])];
}

/** One round warms the caches and does not count. A program that fails is left out and named; weir must not fail. */
async function measure({ contenders, input, prepare }: Case, rounds: number) {
  const runs = new Map<string, Usage[]>(contenders.map(({ name }) => [name, []]));
  const failures = new Map<string, string>();
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
        failures.set(contender.name, String(error).split('\n')[0] ?? '');
      }
    }
  }
  return { runs, failures };
}

function cellsOf(usages: readonly Usage[], weirs: readonly Usage[]): string[] {
  const [wall, own] = [usages, weirs].map((runs) => spreadOf(runs.map(({ wallMs }) => wallMs)));
  const [cpu, ownCpu] = [usages, weirs].map((runs) => spreadOf(runs.map(({ cpuMs }) => cpuMs)).median);
  if (wall === undefined || own === undefined || cpu === undefined || ownCpu === undefined) return [];
  const peak = peakMbOf(usages);
  return [
    ...[wall.median, wall.min, wall.max, cpu].map((milliseconds) => milliseconds.toFixed(0)),
    peak === undefined ? '-' : peak.toFixed(0),
    ...[wall.median / own.median, wall.min / own.min, cpu / ownCpu].map((ratio) => ratio.toFixed(2)),
  ];
}

/** The most memory that one of the runs took, in MB; undefined without /proc. */
export function peakMbOf(usages: readonly Usage[]): number | undefined {
  const peaks = usages.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 2 ** 20]));
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}
