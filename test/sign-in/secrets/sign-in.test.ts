import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { realHost } from '../../../src/host/host.ts';
import { weir as program, runner } from '../../built.ts';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

const { spawn } = realHost();

/** A helper that prints this, and says that it ran in a file beside it. */
function helper(script: string): { readonly path: string; runs(): number } {
  const path = join(temporaryDirectory(), 'helper');
  writeFileSync(path, `#!/bin/sh\necho >> "${path}.runs"\n${script}\n`);
  chmodSync(path, 0o700);
  return { path, runs: () => readFileSync(`${path}.runs`, 'utf8').length };
}

function weir(words: readonly string[], options: Readonly<Record<string, string>>, world: World = {}) {
  const given = { brokers: services().sasl, user: services().user.user, ...options };
  const x = Object.entries(given).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
  return run([...words, ...x], { spawn, ...world });
}

describe('a client of Kafka signs in', () => {
  test('with what a command prints, which runs once for all connections, and is in no output', async () => {
    const { path, runs } = helper(`echo noise-canary >&2; echo ${services().user.pass}`);
    const outcome = await weir(['cluster', 'info', '-vv', '--trace', '-'], { 'pass.command': path });
    expect(outcome.exitCode).toBe(0);
    expect(runs()).toBe(1);
    const all = outcome.stdout + outcome.stderr;
    for (const secret of [services().user.pass, 'noise-canary']) expect(all).not.toContain(secret);
  });

  test.each(['text', 'json', 'yaml'])(
    'or says in %s which step failed and why, not what was printed',
    async (format) => {
      const { path } = helper('echo canary; echo it is locked >&2; exit 3');
      const line = ['topic', 'list', '-vv', '--trace', '-', '--format', format];
      const { stdout, stderr, exitCode } = await weir(line, { 'pass.command': path });
      expect(exitCode).toBe(4);
      expect(stderr).toContain('(-X pass.command): it failed with exit code 3: it is locked');
      expect(stdout + stderr).not.toContain('canary');
    },
  );

  test('with what a file has at each sign-in', async () => {
    const path = join(temporaryDirectory(), 'token');
    writeFileSync(path, `${services().user.pass}\n`, { mode: 0o600 });
    expect((await weir(['topic', 'list'], { 'pass.file': path })).exitCode).toBe(0);
    writeFileSync(path, 'canary');
    const { stderr, exitCode } = await weir(['topic', 'list'], { 'pass.file': path });
    expect(exitCode).toBe(4);
    expect(stderr).toContain('pass is from -X pass.file');
    expect(stderr).not.toContain('canary');
  });

  test('but runs nothing if it does not sign in', async () => {
    const { path, runs } = helper('echo x');
    const plain = { brokers: services().plaintext, user: '', 'pass.command': path };
    expect((await weir(['topic', 'list'], plain)).exitCode).toBe(0);
    for (const line of [
      ['config', 'show', '--show-secrets'],
      ['config', 'explain', 'pass', '--show-secrets'],
    ])
      expect((await weir(line, { 'pass.command': path })).exitCode).toBe(0);
    expect(() => runs()).toThrow('ENOENT');
  });

  // As real processes: what reads a pipe and what starts a child share descriptor 0.
  test.each(['a pipe', 'a socket'])('while the records come from %s', async (kind) => {
    const { path } = helper(`echo ${services().user.pass}`);
    const topic = `piped-${process.pid}-${kind.slice(-4)}`;
    const { brokers, user } = { brokers: services().sasl, user: services().user.user };
    const x = ['-X', `brokers=${brokers}`, '-X', `user=${user}`, '-X', `pass.command=${path}`];
    const options = { env: { HOME: temporaryDirectory() }, extendEnv: false, reject: false } as const;
    await execa(runner, [program, 'topic', 'create', topic, ...x], options);
    const words = [program, 'topic', 'produce', topic, '-o', '%v\\n', ...x];
    const { stdout, stderr, exitCode } =
      kind === 'a socket'
        ? await execa(runner, words, { ...options, input: 'one\ntwo\n' })
        : await execa('sh', ['-c', 'printf "one\\ntwo\\n" | "$0" "$@"', runner, ...words], {
            ...options,
            env: { ...options.env, PATH: process.env.PATH ?? '' },
          });
    expect({ stdout, exitCode }, stderr).toEqual({ stdout: 'one\ntwo', exitCode: 0 });
  });
});
