import { existsSync } from 'node:fs';

const groups = ['startup', 'timing', 'consume', 'produce', 'growth'];

/** Runs the benchmarks that are named, or all that there are, one after the other. */
async function main(names: readonly string[]): Promise<void> {
  const there = groups.filter((name) => existsSync(new URL(`./${name}.ts`, import.meta.url)));
  const unknown = names.filter((name) => !there.includes(name));
  if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}: there are ${there.join(', ')}`);
  for (const name of names.length === 0 ? there : names) {
    const { run }: { run(): Promise<string> } = await import(`./${name}.ts`);
    process.stdout.write(`${name}\n\n${await run()}\n`);
  }
}

await main(process.argv.slice(2).filter((word) => !word.startsWith('-')));
