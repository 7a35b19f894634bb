import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Tried, triedCommands, triedFile } from './page.ts';

/**
 * `npm run tried [-- FILE…]`: runs the tests and writes which services each command has worked on into `tried.json`. With
 * files, and with another version of Kafka in WEIR_TEST_KAFKA, it adds to what is there.
 */
async function main(files: readonly string[]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-tried-'));
  try {
    const env = { ...process.env, TRIED_DIRECTORY: directory };
    const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', ...files];
    const { status } = spawnSync('npx', words, { env, stdio: 'inherit' });
    const adds = files.length > 0 || process.env.WEIR_TEST_KAFKA !== undefined;
    const earlier = adds ? (JSON.parse(readFileSync(triedFile, 'utf8')) as Tried) : {};
    const seen = new Map(Object.entries(earlier).map(([command, names]) => [command, new Set(names)]));
    for (const [command, names] of readdirSync(directory).flatMap((name) => linesOf(join(directory, name)))) {
      const known = seen.get(command) ?? new Set();
      for (const name of names) known.add(name);
      seen.set(command, known);
    }
    const names = (await triedCommands()).map(({ path }) => path.join(' '));
    // As biome formats it.
    const listed = (name: string) =>
      [...(seen.get(name) ?? [])]
        .sort()
        .map((service) => JSON.stringify(service))
        .join(', ');
    const lines = names.map((name) => `  ${JSON.stringify(name)}: [${listed(name)}]`);
    writeFileSync(triedFile, `{\n${lines.join(',\n')}\n}\n`);
    return status ?? 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function linesOf(file: string): readonly (readonly [command: string, names: readonly string[]])[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as readonly [string, readonly string[]]);
}

process.exitCode = await main(process.argv.slice(2));
