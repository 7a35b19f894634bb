import { existsSync } from 'node:fs';
import { type BenchOptions, readOptions } from './options.ts';
import { writeToPage } from './page.ts';

const groups = ['startup', 'timing', 'consume', 'produce', 'schemas', 'search', 'growth', 'executable', 'copy'];

/** Runs the named benchmarks, or all of them, one after another. */
async function main(words: readonly string[]): Promise<void> {
  const { names, options, write } = readOptions(words);
  const there = groups.filter((name) => existsSync(new URL(`./${name}.ts`, import.meta.url)));
  const unknown = names.filter((name) => !there.includes(name));
  if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}: there are ${there.join(', ')}`);
  for (const name of names.length === 0 ? there : names) {
    const { run }: { run(options: BenchOptions): Promise<string> } = await import(`./${name}.ts`);
    const tables = await run(options);
    process.stdout.write(`${name}\n\n${tables}\n`);
    if (write) writeToPage(name, tables, commandLine(name, words));
  }
}

function commandLine(name: string, words: readonly string[]): string {
  const flags = words.filter((word, at) => word.startsWith('--') || words[at - 1]?.startsWith('--'));
  return ['npm run bench --', name, ...flags.filter((word) => word !== '--write')].join(' ');
}

await main(process.argv.slice(2));
