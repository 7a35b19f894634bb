import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { endlessGrace } from '../grace.ts';
import { services } from '../services/services.ts';
import { temporaryDirectory } from '../world.ts';

// So many that the built binary formats them in a thread of its own.
const records = 510_000;
const topic = `large-topic-${process.pid}`;
const home = temporaryDirectory();
const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') };

function run(args: readonly string[], input?: Buffer) {
  const brokers = ['-X', `brokers=${services().plaintext}`];
  const feed = input === undefined ? ({ stdin: 'ignore' } as const) : { input };
  return execa(runner, [weir, ...args, ...brokers], {
    ...feed,
    ...{
      env,
      extendEnv: false,
      reject: false,
      timeout: 230_000,
      encoding: 'buffer',
      maxBuffer: 1e9,
      stripFinalNewline: false,
    },
  });
}

const input = Buffer.from(Array.from({ length: records }, (_, index) => `k${index} value ${index * 7919}\n`).join(''));

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('a large topic', () => {
  beforeAll(async () => {
    expect((await run(['topic', 'create', topic, '-p', '1'])).exitCode).toBe(0);
    const produced = await run(['topic', 'produce', topic, '-f', '%k %v\\n', '-z', 'lz4'], input);
    expect(Buffer.from(produced.stderr).toString()).toBe('');
  });

  afterAll(async () => {
    await run(['topic', 'delete', topic, '--yes']);
  });

  test('is printed whole', async () => {
    const { stdout, exitCode } = await run(['topic', 'consume', topic, '-o', ':end', '-f', '%k %v\\n']);
    expect({ exitCode, digest: digest(stdout) }).toEqual({ exitCode: 0, digest: digest(input) });
  });

  test('ends at its limit, inside a batch', async () => {
    const { stdout, exitCode } = await run(['topic', 'consume', topic, '-n', '505001', '-f', '%k %v\\n']);
    const text = Buffer.from(stdout).toString();
    expect(exitCode).toBe(0);
    expect(text.endsWith(`k505000 value ${505_000 * 7919}\n`)).toBe(true);
    expect(text.length).toBe(input.indexOf('k505001 '));
  });

  test('counts in one thread', async () => {
    const { stdout } = await run(['topic', 'consume', topic, '-o', ':end', '-f', '%i\\n']);
    expect(Buffer.from(stdout).toString().endsWith(`\n${records}\n`)).toBe(true);
  });

  test('read by a group that is interrupted, goes on exactly behind what was printed', async () => {
    const words = ['topic', 'consume', topic, '-g', topic, '-f', '%o\\n', '-X', `brokers=${services().plaintext}`];
    const ungraced = { ...env, ...endlessGrace };
    const interrupted = execa(runner, [weir, ...words], {
      ...{ env: ungraced, extendEnv: false, reject: false, stdin: 'ignore' },
    });
    interrupted.stdout.once('data', () => interrupted.kill('SIGINT'));
    const { stdout: first, signal } = await interrupted;
    expect(signal).toBe('SIGINT');
    const printed = first.split('\n').length;
    const rest = await run([...words.slice(0, 7), '-n', String(records - printed)]);
    const offsets = `${first}\n${Buffer.from(rest.stdout).toString()}`;
    expect(offsets).toBe(Array.from({ length: records }, (_, offset) => `${offset}\n`).join(''));
  });

  test.each(['consume', "search --where 'offset >= 0'"])('may lose its reader (%s)', async (read) => {
    const line = `"$0" "$1" topic ${read} ${topic} -f '%k\\n' -X "$2" | head -n 3; echo "\${PIPESTATUS[0]}"`;
    const brokers = `brokers=${services().plaintext}`;
    const { stdout, stderr } = await execa('bash', ['-c', line, runner, weir, brokers], {
      env,
      extendEnv: false,
      timeout: 230_000,
    });
    expect({ lines: stdout.split('\n'), stderr }).toEqual({ lines: ['k0', 'k1', 'k2', '141'], stderr: '' });
  });

  test.each([
    ['classic', '| head -n 3 >/dev/null', 141],
    ['consumer', '>/dev/full', 1],
  ])(
    'leaves a %s group when its output fails (%s), and commits nothing of what it could not print',
    async (protocol, output, exitCode) => {
      const group = `${topic}-${protocol}-${exitCode}`;
      const ending = `${output}; echo "\${PIPESTATUS[0]}"`;
      const line = `"$0" "$1" topic consume ${topic} -g ${group} --group-protocol ${protocol} -X "$2" ${ending}`;
      const ungraced = { ...env, ...endlessGrace };
      const shell = ['-c', line, runner, weir, `brokers=${services().plaintext}`];
      const { stdout } = await execa('bash', shell, { env: ungraced, extendEnv: false, timeout: 230_000 });
      expect(stdout).toBe(String(exitCode));
      const described = await run(['group', 'describe', group, '--format', 'json']);
      const [found] = JSON.parse(Buffer.from(described.stdout).toString());
      expect(found).toMatchObject({ state: 'Empty', members: 0, total_lag: null, partitions: [] });
    },
  );
});
