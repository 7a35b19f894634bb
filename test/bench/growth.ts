import { loadavg } from 'node:os';
import { table } from '../../src/format/table.ts';
import { compare, layOut, type Result } from './compare.ts';
import { casesOf, peersOf } from './growth-cases.ts';
import { fillTo, type Size } from './growth-fill.ts';
import { spreadOf } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers } from './peers.ts';
import type { Usage } from './usage.ts';
import { inWorld, type Place, withCluster } from './world.ts';

/** What one program took for one command at each size, smallest first; weir's peers are not measured at the smallest. */
interface Series {
  readonly command: string;
  readonly program: string;
  readonly points: readonly Point[];
}

interface Point {
  readonly size: Size;
  readonly runs: readonly Usage[];
  /** How many requests weir sends; undefined for its peers. */
  readonly requests: number | undefined;
}

const peakLimitMb = 250;
/** Linear growth, with a fifth for the noise of a busy machine. */
const growthAllowance = 1.2;

const headers = ['command', 'program', 'topics', 'median ms', 'min', 'max', 'cpu ms', 'rss mb', 'requests', 'growth'];

/** Measures lists, descriptions, lag and health in a cluster of 1 topic, then 500, then 5,000, of 4 partitions each. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) => withCluster(env, (brokers) => measure(options, { env, brokers })));
}

async function measure(options: BenchOptions, place: Place): Promise<string> {
  const loadBefore = loadOf();
  let before: Size = { topics: 0, groups: 0 };
  const stages: { readonly size: Size; readonly results: readonly Result[]; readonly requests: readonly number[] }[] =
    [];
  for (const size of sizesOf(options.scale)) {
    await fillTo(place.brokers, before, size);
    before = size;
    const cases = casesOf(place, stages.length > 0).filter(({ name }) => name.includes(options.only));
    process.stderr.write(`${size.topics} topics, ${size.groups} groups\n`);
    const requests = cases.map((one) => one.countRequests());
    const results = await compare(cases, options);
    process.stderr.write(layOut(results)); // progress, and what is left of a run that is stopped
    stages.push({ size, results, requests });
  }
  const last = stages.at(-1)?.results ?? [];
  const series = last.flatMap(({ name, runs }, at) =>
    [...runs.keys()].map((program, nth) => ({
      command: name,
      program,
      points: stages.flatMap(({ size, results, requests }): Point[] => {
        const own = results[at]?.runs.get(program);
        return own === undefined ? [] : [{ size, runs: own, requests: nth === 0 ? requests[at] : undefined }];
      }),
    })),
  );
  const failures = stages.flatMap(({ size, results }) =>
    results.flatMap((result) => result.failures.map((text) => `${result.name}, ${size.topics} topics: ${text}\n`)),
  );
  const tables = table(headers, series.flatMap(rowsOf));
  const load = `load of the machine: ${loadBefore.toFixed(1)} before the run, ${loadOf().toFixed(1)} after it\n`;
  return `${tables}${failures.join('')}${missingPeers(peersOf(place))}\n${goals(series)}${load}`;
}

/** The average of the last minute. */
function loadOf(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** The smallest size shows what starting and connecting take. */
function sizesOf(scale: number): readonly Size[] {
  const topics = Math.ceil(5000 * scale);
  const groups = Math.ceil(500 * scale);
  const tenth = { topics: Math.ceil(topics / 10), groups: Math.ceil(groups / 10) };
  return [{ topics: 1, groups: 1 }, tenth, { topics, groups }];
}

function rowsOf({ command, program, points }: Series): string[][] {
  return points.map(({ size, runs, requests }, at) => {
    const wall = spreadOf(runs.map(({ wallMs }) => wallMs));
    const cpu = spreadOf(runs.map(({ cpuMs }) => cpuMs));
    const growth = at === 2 ? growthOf(points) : undefined;
    const peak = peakMbOf(runs);
    return [
      ...[command, program, String(size.topics)],
      ...[wall.median, wall.min, wall.max, cpu.median].map((milliseconds) => milliseconds.toFixed(0)),
      ...[peak === undefined ? '-' : peak.toFixed(0), requests === undefined ? '-' : String(requests)],
      growth === undefined ? '' : `${growth.toFixed(1)}x`,
    ];
  });
}

function peakMbOf(runs: readonly Usage[]): number | undefined {
  const peaks = runs.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 2 ** 20]));
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}

/**
 * How many times longer the full size takes than a tenth of it, both without the time for one topic; by the shortest
 * runs. Undefined if a tenth takes no longer than one topic.
 */
function growthOf(points: readonly Point[]): number | undefined {
  const [one, tenth, full] = points.map(({ runs }) => spreadOf(runs.map(({ wallMs }) => wallMs)).min);
  if (one === undefined || tenth === undefined || full === undefined || tenth <= one) return undefined;
  return (full - one) / (tenth - one);
}

/** A line for each goal, judged by weir's own rows. */
function goals(series: readonly Series[]): string {
  const own = series.filter(({ points }) => points.some(({ requests }) => requests !== undefined));
  return [memoryGoal(own), growthGoal(own), requestsLine(own), ''].join('\n');
}

function memoryGoal(own: readonly Series[]): string {
  const peak = Math.max(0, ...own.flatMap(({ points }) => points.flatMap(({ runs }) => peakMbOf(runs) ?? [])));
  return `goal less than ${peakLimitMb} MB of memory: at most ${peak.toFixed(0)}, ${verdict(peak < peakLimitMb)}`;
}

/** Only commands with a growth that can be told from the noise are judged. */
function growthGoal(own: readonly Series[]): string {
  const [, tenth, full] = own[0]?.points ?? [];
  const limit = ((full?.size.topics ?? 0) / (tenth?.size.topics ?? 1)) * growthAllowance;
  const grown = own.flatMap(({ command, points }) => {
    const growth = growthOf(points);
    return growth === undefined ? [] : [{ command, growth }];
  });
  const [steepest] = grown.toSorted((a, b) => b.growth - a.growth);
  const goal = `goal growth at most ${limit.toFixed(0)}x`;
  if (steepest === undefined) return `${goal}: too small to measure`;
  return `${goal}: ${steepest.growth.toFixed(1)}x (${steepest.command}), ${verdict(steepest.growth <= limit)}`;
}

function requestsLine(own: readonly Series[]): string {
  const most = own
    .map(({ command, points: [, tenth, full] }) => ({ command, more: requestsOf(full) - requestsOf(tenth) }))
    .toSorted((a, b) => b.more - a.more)[0];
  return `requests at full size: at most ${most?.more} more than at a tenth of it (${most?.command})`;
}

function requestsOf(point: Point | undefined): number {
  return point?.requests ?? 0;
}

function verdict(met: boolean): string {
  return met ? 'met' : 'missed';
}
