import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { typeIn } from '../interactive-shell.ts';
import { startFullListener } from '../services/full-listener.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';

/** The built binary in a new home, as a completion script calls it. */
function machine(brokers: string) {
  const home = temporaryDirectory();
  const env = { PATH: process.env.PATH, HOME: home };
  const directory = join(home, '.cache/weir/complete');
  const options = { env, extendEnv: false, reject: false, stdin: 'ignore', timeout: 230_000 } as const;
  return {
    async complete(subject: string, typed: string): Promise<string> {
      const words = ['__complete', subject, '--', typed, 'topic', 'describe', '-X', `brokers=${brokers}`];
      const { stdout, stderr, exitCode } = await execa(runner, [weir, ...words], options);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      return stdout;
    },
    files: (end: string) =>
      existsSync(directory)
        ? readdirSync(directory)
            .filter((name) => name.endsWith(end))
            .map((name) => join(directory, name))
        : [],
  };
}

test('a first or a later Tab has the names, depending on how fast the machine is', async () => {
  const topic = `complete-process-${process.pid}`;
  const world = { env: { WEIR_BROKERS: services().plaintext } };
  await run(`topic create ${topic}`, world);
  try {
    const { complete } = machine(services().plaintext);
    await expect.poll(() => complete('topics', topic)).toBe(topic);
  } finally {
    await run(`topic delete ${topic}`, world);
  }
});

test('brokers that never answer give no names, and the process in the background ends at its limit', async () => {
  await using listener = await startFullListener();
  const { complete, files } = machine(`127.0.0.1:${listener.address.port}`);
  expect(await complete('topics', '')).toBe('');
  await expect.poll(() => files('.lock')).toHaveLength(1);
  const { pid } = JSON.parse(readFileSync(files('.lock')[0] ?? '', 'utf8'));
  expect(() => process.kill(pid, 0)).not.toThrow();
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(files('.lock')).toEqual([]);
  const [file = ''] = files('.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ names: [], failedAt: expect.any(Number) });
});

test.each(['bash', 'zsh', 'fish'] as const)('%s goes on after a Tab that no broker answers', async (shell) => {
  await using listener = await startFullListener();
  const home = temporaryDirectory();
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/weir'), `#!/bin/sh\nexec ${runner} ${weir} "$@"\n`, { mode: 0o755 });
  const { buffers, screen } = await typeIn(shell, ['weir topic describe <Tab>', 'weir topic des<Tab>'], {
    env: {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      WEIR_BROKERS: `127.0.0.1:${listener.address.port}`,
    },
  });
  expect(buffers).toEqual(['weir topic describe ', expect.stringMatching(/^weir topic describe ?$/)]);
  expect(screen).not.toMatch(/hint:|unable to|Error/);
  // The process in the background, if it came to that, ends by itself. One that the end of the terminal killed leaves its lock.
  const cache = join(home, '.cache/weir/complete');
  const holders = () =>
    (existsSync(cache) ? readdirSync(cache) : []).filter((name) => name.endsWith('.lock')).map(holderOf);
  await expect.poll(() => holders().filter(isRunning), { timeout: 60_000 }).toEqual([]);

  /** Not a number if the lock is gone in the meantime. */
  function holderOf(name: string): number {
    try {
      return JSON.parse(readFileSync(join(cache, name), 'utf8')).pid;
    } catch {
      return Number.NaN;
    }
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
