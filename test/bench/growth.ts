import { compare, layOut, peakMbOf, type Report, type Result } from './compare.ts';
import { growthCases } from './growth-commands.ts';
import { fillTo, type Size } from './growth-fill.ts';
import { markdown, medianMs } from './markdown.ts';
import type { BenchOptions } from './options.ts';
import { inWorld, type Place, withCluster } from './world.ts';

/** The cluster at one size. */
interface Stage {
  readonly size: Size;
  readonly results: readonly Result[];
}

/** Measures lists, descriptions, lag and health in a cluster of 1 topic, then 200, then 2,000, of 4 partitions each. */
export function run(options: BenchOptions): Promise<Report> {
  return inWorld((env) => withCluster(env, (brokers) => measure(options, { env, brokers })));
}

async function measure(options: BenchOptions, place: Place): Promise<Report> {
  let before: Size = { topics: 0, groups: 0 };
  const stages: Stage[] = [];
  for (const size of sizesOf(options.scale)) {
    await fillTo(place.brokers, before, size);
    before = size;
    process.stderr.write(`${titleOf(size)}\n`);
    stages.push({ size, results: await compare(growthCases(place), options) });
  }
  const text = stages.map(({ size, results }) => `${titleOf(size)}\n${layOut(results)}`).join('\n');
  return { results: [], text, page: tableOf(stages) };
}

/** The smallest size shows what starting and connecting take. */
function sizesOf(scale: number): readonly Size[] {
  const topics = Math.ceil(2000 * scale);
  const groups = Math.ceil(200 * scale);
  const tenth = { topics: Math.ceil(topics / 10), groups: Math.ceil(groups / 10) };
  return [{ topics: 1, groups: 1 }, tenth, { topics, groups }];
}

function titleOf({ topics }: Size): string {
  return topics === 1 ? '1 topic' : `${topics.toLocaleString('en-US')} topics`;
}

/** A row for each command and program: the medians at each size, and the memory at the largest. */
function tableOf(stages: readonly Stage[]): string {
  const [first] = stages;
  const rows = (first?.results ?? []).flatMap(({ name, runs, failures }, at) =>
    [...runs.keys(), ...failures.keys()].map((program) => {
      const series = stages.map(({ results }) => results[at]?.runs.get(program));
      const times = series.map((usages) => (usages === undefined ? 'failed' : `${medianMs(usages).toFixed(0)} ms`));
      const peak = peakMbOf(series.at(-1) ?? []);
      return [name, program, ...times, peak === undefined ? '–' : `${peak.toFixed(0)} MB`];
    }),
  );
  return markdown(['', '', ...stages.map(({ size }) => titleOf(size)), 'memory'], rows, 2);
}
