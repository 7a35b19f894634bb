import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isRunning } from '../../src/files/process-id.ts';
import { launch, stop } from '../../src/sandbox/process.ts';
import { replaceCalls } from '../files/replaced-calls.ts';
import { temporaryDirectory } from '../world.ts';

replaceCalls((real) => ({
  /** Looks at a process only when it has ended, as on a machine that is busy with others. */
  readFile: (async (...[path, ...rest]: Parameters<typeof real.readFile>) => {
    const own = String(path);
    if (/^\/proc\/\d+\/stat$/.test(own)) await vi.waitUntil(() => !existsSync(own), { timeout: 60_000 });
    return real.readFile(path, ...rest);
  }) as typeof real.readFile,
}));

test('a process that exits before it is looked up was started, does not run, and needs no stop', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'log');
  const id = await launch({ file: 'sh', args: ['-c', 'exit 1'], cwd: directory, env: process.env, log });
  expect([id.pid > 0, await isRunning(id)]).toEqual([true, false]);
  await stop(id, { graceMs: 0 });
});
