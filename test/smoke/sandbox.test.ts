import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { freePorts } from '../../src/sandbox/ports.ts';
import { runner, weir } from '../built.ts';
import { quickJava } from '../commands/sandbox/sandbox-world.ts';
import { temporaryDirectory } from '../world.ts';

const home = temporaryDirectory();
const env = {
  PATH: process.env.PATH,
  HOME: home,
  // What was downloaded for the other tests serves here, too.
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  ...quickJava,
};

/** Runs the built binary with nothing of this process's environment. */
function run(...args: readonly string[]) {
  return execa(runner, [weir, ...args], { env, extendEnv: false, reject: false, stdin: 'ignore' });
}

afterAll(async () => {
  await run('sandbox', 'purge', '--yes');
});

test('the built binary makes certificates, and reads its sandbox with them', async () => {
  // Others start sandboxes at the same time, and look for free ports from 9092 on.
  const [port] = await freePorts(1);
  const started = await run('sandbox', 'start', '--mtls', '--port', String(port));
  expect(started.exitCode, started.stderr).toBe(0);
  const created = await run('topic', 'create', 'orders', '--format', 'json');
  expect({ ...created, rows: created.stdout }).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await run('topic', 'list', '--format', 'json')).stdout).toContain('"orders"');
}, 240_000);
