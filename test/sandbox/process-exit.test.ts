import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isRunning } from '../../src/files/process-id.ts';
import { launch, stop } from '../../src/sandbox/process.ts';
import { temporaryDirectory } from '../world.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>();
  return {
    ...real,
    /** Looks at a process only when it has ended, as on a machine that is busy with others. */
    async readFile(path: string, ...rest: never[]) {
      if (/^\/proc\/\d+\/stat$/.test(path)) await vi.waitUntil(() => !existsSync(path), { timeout: 60_000 });
      return real.readFile(path, ...rest);
    },
  };
});

test('a process that exits before it is looked up was started, does not run, and needs no stop', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'log');
  const id = await launch({ file: 'sh', args: ['-c', 'exit 1'], cwd: directory, env: process.env, log });
  expect([id.pid > 0, await isRunning(id)]).toEqual([true, false]);
  await stop(id, { graceMs: 0 });
});
