import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { realHost } from '../../src/host/host.ts';
import { temporaryDirectory } from '../world.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const sh = (script: string, options: Partial<Parameters<ReturnType<typeof realHost>['spawn']>[2]> = {}) =>
  realHost().spawn('sh', ['-c', script], { stdio: 'capture', env: {}, ...options });

test('a captured child has no input, its own variables and directory, and returns its output', async () => {
  vi.stubEnv('TAKEN', 'away');
  const cwd = realpathSync(temporaryDirectory());
  const script = 'cat; echo "$OWN-$TAKEN"; pwd; echo error >&2; exit 3';
  expect(await sh(script, { cwd, env: { OWN: 'x', TAKEN: undefined } })).toEqual({
    ...{ exitCode: 3, stdout: `x-\n${cwd}`, stderr: 'error' },
  });
});

test.each([
  ['TERM', 143],
  ['INT', 130],
  ['KILL', 137],
])('a child that SIG%s ends has the exit code of a shell, %i', async (signal, exitCode) => {
  expect(await sh(`kill -${signal} $$; sleep 60`)).toMatchObject({ exitCode });
});

test('a child that cannot be started is an error', async () => {
  await expect(realHost().spawn('/nowhere/at/all', [], { stdio: 'capture', env: {} })).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('a child is ended when the signal aborts', async () => {
  const interrupt = new AbortController();
  const ended = sh('exec sleep 60', { signal: interrupt.signal, onStart: () => interrupt.abort() });
  expect((await ended.catch(() => ({ exitCode: 143 }))).exitCode).toBe(143);
});

test('the end of a process that something keeps alive leaves open what it shares with others', async () => {
  const late = `import { endProcess } from ${JSON.stringify(import.meta.resolve('../../src/host/host.ts'))};
console.log('first');
setInterval(() => undefined, 1000);
endProcess(3);`;
  const outer = `const { spawnSync } = require('node:child_process');
for (const text of [${JSON.stringify(late)}, 'console.log("second"); console.error("third")'])
  spawnSync(process.execPath, ['--input-type=module', '-e', text], { stdio: 'inherit' });`;
  // Node.js gives its children sockets, which the inner ones share.
  const child = spawn(process.execPath, ['-e', outer]);
  expect(await Promise.all([readText(child.stdout), readText(child.stderr)])).toEqual(['first\nsecond\n', 'third\n']);
});

test.each([
  ['also if the child goes on', 'sleep 60 & echo ready >&3; wait', ''],
  ['also if the child ends', 'trap - TERM; (trap "" TERM; echo ready >&3; sleep 60) & wait', ''],
  ['also if the process leaves at once', 'sleep 60 & echo ready >&3; wait', "console.log('stopped'); endProcess(143);"],
])('without a terminal, all that ignores SIGTERM is ended when the signal aborts, %s', async (_, lines, leave) => {
  const pipe = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const text = `import { endProcess, realHost } from ${JSON.stringify(import.meta.resolve('../../src/host/host.ts'))};
const stop = new AbortController();
process.once('SIGTERM', () => { stop.abort(new Error('stopped')); ${leave} });
const given = { stdio: 'capture', env: {}, signal: stop.signal, endsWhole: true };
const script = ${JSON.stringify(`trap "" TERM; exec 3>"$0"; ${lines}`)};
await realHost().spawn('sh', ['-c', script, ${JSON.stringify(pipe)}], given).catch(({ message }) => console.log(message));`;
  // In a session of its own, which has no terminal.
  const own = spawn(process.execPath, ['--input-type=module', '-e', text], { detached: true });
  // Whoever holds the pipe is running.
  const held = createReadStream(pipe, 'utf8');
  held.once('data', () => own.kill('SIGTERM'));
  const [said] = await Promise.all([readText(own.stdout), once(held, 'end')]);
  expect(said).toBe('stopped\n');
});

test('a child that ignores SIGTERM is ended when the signal aborts', async () => {
  const interrupt = new AbortController();
  const path = join(temporaryDirectory(), 'it');
  const ended = sh(`trap "" TERM; touch ${path}; while :; do sleep 0.05; done`, {
    signal: interrupt.signal,
    endsWhole: true,
  });
  await expect.poll(() => existsSync(path), { timeout: 30_000 }).toBe(true);
  interrupt.abort(new Error('stopped'));
  await expect(ended).rejects.toThrow('stopped');
});

test.each([
  [{ HOME: '/h', USERPROFILE: '/u' }, '/h'],
  [{ HOME: '', USERPROFILE: '/u' }, '/u'],
  [{ HOME: '', USERPROFILE: '' }, undefined],
])('with %j the home directory is %s', (env, home) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(realHost().home).toBe(home);
});

test('the host is this process', () => {
  const { argv, runtime, platform, now, cwd } = realHost();
  expect({ argv, platform, cwd }).toEqual({
    argv: process.argv.slice(2),
    platform: process.platform,
    cwd: process.cwd(),
  });
  expect(runtime).toEqual({ name: `Node.js ${process.versions.node}`, arch: process.arch, uid: process.geteuid?.() });
  const [before, at, after] = [Date.now(), now(), Date.now()];
  expect([at >= before, at <= after]).toEqual([true, true]);
});

test('every signal has a listener until it is removed', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const count = () => signals.map((signal) => process.listenerCount(signal));
  const before = count();
  const release = realHost().onSignal(() => undefined);
  expect(count()).toEqual(before.map((listeners) => listeners + 1));
  release();
  expect(count()).toEqual(before);
});
