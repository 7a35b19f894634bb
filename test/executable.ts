// Builds the executable and runs on it what whole processes are about: `npm run test:executable`.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';

const weir = resolve('dist/weir');
/** Files and folders whose tests are about a process; their commands run in one of their own where the world allows it. */
const suites = [
  ...[
    'test/smoke/',
    'test/first-session',
    'test/host/standard-output',
    'test/kafka/interop/',
    'test/kafka/carry/copy/real-kafka',
    'test/kafka/carry/redrive/real-kafka',
    'test/commands/doctor/',
  ],
  ...[
    'test/clients/own-credentials',
    'test/commands/trust',
    'test/commands/registry/real',
    'test/commands/cloud/resume',
  ],
];
for (const suite of suites) if (globSync(`${suite}*`).length === 0) throw new Error(`${suite} is gone: rename it here`);

/** These are about Node.js. */
const aboutNode = ['test/smoke/node.test.ts', 'test/smoke/compile-cache.test.ts', 'test/smoke/start.test.ts'];

const more = process.argv.slice(2);

run('.ci/executable.ts', '--out', weir);
const excluded = aboutNode.flatMap((file) => ['--exclude', file]);
const options = ['--config', 'test/vitest.config.ts', ...excluded];
run('node_modules/vitest/vitest.mjs', 'run', ...options, ...suites, ...more);

function run(...words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, {
    stdio: 'inherit',
    env: { ...process.env, WEIR_EXECUTABLE: weir },
  });
  if (status !== 0) process.exit(status ?? 1);
}
