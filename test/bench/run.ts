import { loadavg } from 'node:os';
import { layOut, type Report } from './compare.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { writeMachine, writeReadme, writeReport } from './page.ts';

const benchmarks: Readonly<Record<string, () => Promise<{ run(options: BenchOptions): Promise<Report> }>>> = {
  startup: () => import('./startup.ts'),
  consume: () => import('./consume.ts'),
  produce: () => import('./produce.ts'),
  search: () => import('./search.ts'),
  copy: () => import('./copy.ts'),
  growth: () => import('./growth.ts'),
  timing: () => import('./timing.ts'),
};

/** Runs the named benchmarks, or all of them, one after another. */
async function main(words: readonly string[]): Promise<void> {
  const { names, options, write } = readOptions(words);
  const unknown = names.filter((name) => benchmarks[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`no benchmark ${unknown.join(', ')}: there are ${Object.keys(benchmarks).join(', ')}`);
  // The page has one date and one machine: a benchmark that is repeated alone replaces its own table only.
  if (write && names.length === 0) writeMachine(['npm run bench --', ...words].join(' '), loadavg()[0] ?? 0);
  for (const [name, load] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const began = performance.now();
    const report = await (await load()).run(options);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    process.stdout.write(`${name}, ${seconds} s\n\n${layOut(report.results)}${report.text}\n`);
    if (!write) continue;
    writeReport(name, report);
    // The README says how many records there are.
    if (options.scale === 1) writeReadme(report.results);
  }
}

await main(process.argv.slice(2));
