import { expect, test } from 'vitest';
import { run } from '../../world.ts';

// Nothing listens on port 1: the commands fail, after their flags were read.
const dead = '-X globals.retry_timeout=0';

test('V1: a deprecated flag works, hidden, with one warning that names the option', async () => {
  const { stderr, exitCode } = await run(`topic list --brokers 127.0.0.1:1 ${dead}`);
  expect(exitCode).toBe(5);
  expect(stderr).toContain('warning: --brokers is deprecated: use -X brokers=VALUE\n');
  expect(stderr).toContain('127.0.0.1:1');
  expect((await run('topic list --help')).stdout).not.toContain('--brokers');
});

test('V1: it works on the noun, warns once per flag, and not in machine-readable output', async () => {
  const twice = await run(`topic --brokers 127.0.0.1:1 --brokers 127.0.0.2:1 list ${dead}`);
  expect(twice.stderr.match(/deprecated/g)).toHaveLength(1);
  const machine = await run(`topic list --brokers 127.0.0.1:1 --format json ${dead}`);
  expect(JSON.parse(machine.stderr)).toHaveProperty('error');
});

test('-X of the same key wins in either order', async () => {
  for (const line of ['-X brokers=127.0.0.3:1 --brokers 127.0.0.1:1', '--brokers 127.0.0.1:1 -X brokers=127.0.0.3:1']) {
    const { stderr } = await run(`topic list ${line} ${dead}`);
    expect(stderr).toContain('127.0.0.3:1');
    expect(stderr).not.toContain('127.0.0.1:1');
  }
});

test('a command without that API does not know the flag', async () => {
  const { stderr, exitCode } = await run('version --brokers x');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('unknown flag --brokers');
});

test('a secret in -X gets one warning, except in a format for programs, and none if it is empty', async () => {
  const seen = 'other users of this machine can see -X pass: use WEIR_PASS, or store it with "weir profile set pass"';
  const lineOf = (words: string) => run(`config show brokers ${words}`);
  expect((await lineOf('-X pass=abc -X user=u -X pass=def')).stderr).toBe(`warning: ${seen}\n`);
  for (const words of ['-X pass=', '-X user=u', '-X pass=abc --format json', '-X pass=abc -q'])
    expect((await lineOf(words)).stderr).toBe('');
});
