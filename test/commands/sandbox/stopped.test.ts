import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { kafkaState } from '../../../src/sandbox/kafka/state.ts';
import { run, temporaryDirectory } from '../../world.ts';

/** Sandboxes that are stopped: nothing here starts a process. */
let home = '';
const root = () => join(home, '.local/state/weir/sandbox');
const weir = (line: string) => run(`sandbox ${line}`, { home });

async function have(name: string, engine: 'java' | 'simulated' = 'java', ports: readonly number[] = [9092]) {
  await kafkaState.write(join(root(), name, 'kafka'), {
    ...{ kafkaVersion: '4.1.1', engine, clusterId: 'id', user: null },
    security: { tls: false, mtls: false, sasl: null },
    brokers: ports.map((port, at) => ({
      ...{ id: at + 1, port, internalPort: 20_001, controllerPort: 30_001, process: null, container: null },
    })),
  });
}

beforeEach(() => {
  home = temporaryDirectory();
});

describe('sandbox list', () => {
  test('shows what each is, and a broken one with its error and exit code 1', async () => {
    await have('b', 'simulated', [9092, 9093, 9094]);
    await have('a');
    expect(await weir('list')).toEqual({
      stdout:
        'NAME  STATE    KAFKA              PROFILE  BROKERS\n' +
        'a     stopped  4.1.1              -        127.0.0.1:9092\n' +
        'b     stopped  4.1.1 (simulated)  -        127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094\n',
      stderr: '',
      exitCode: 0,
    });
    mkdirSync(join(root(), 'c/kafka'), { recursive: true });
    writeFileSync(join(root(), 'c/kafka/kafka.json'), '{');
    const { stdout, exitCode } = await weir('list --no-headers');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^c +broken +- +- +unable to read .*kafka\.json: it is not a valid state file$/m);
  });

  test('is empty without any', async () => {
    expect(await weir('list')).toEqual({ stdout: 'NAME  STATE  KAFKA  PROFILE  BROKERS\n', stderr: '', exitCode: 0 });
  });
});

describe('sandbox status', () => {
  test('of a stopped one exits with 10 and shows its brokers', async () => {
    await have('sandbox', 'java', [9092, 9093, 9094]);
    const { stdout, exitCode } = await weir('status');
    expect(exitCode).toBe(10);
    expect(stdout).toContain(
      `STATE      stopped\nKAFKA      4.1.1\nENGINE     java\nPROFILE    -\nDIRECTORY  ${root()}/sandbox\n`,
    );
    expect(stdout).toMatch(/^kafka +2 +127\.0\.0\.1:9093 +stopped +-$/m);
  });
});

describe('sandbox stop', () => {
  test.each([
    ['java', 'is kept'],
    ['simulated', 'was in memory and is lost'],
  ] as const)('of a stopped one says what becomes of its data: %s', async (engine, what) => {
    await have('sandbox', engine);
    expect(await weir('stop')).toEqual({
      ...{ stdout: `The sandbox "sandbox" is stopped; its data ${what}.\n`, stderr: '', exitCode: 0 },
    });
  });
});

describe('sandbox purge', () => {
  test('in a dry run removes nothing, and then everything, with the profile it made', async () => {
    await have('sandbox');
    const file = join(home, '.config/weir/weir.yaml');
    await run('profile create before', { home });
    await run('profile create sandbox', { home });
    writeFileSync(join(root(), 'sandbox/profile.json'), '{"name":"sandbox","previous":"before"}');
    const dry = await weir('purge --dry-run --format json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      ...{
        name: 'sandbox',
        status: 'OK',
        dry_run: true,
        current_profile: 'sandbox',
        directory: join(root(), 'sandbox'),
      },
    });
    expect((await weir('purge --dry-run')).stdout).toBe('The sandbox "sandbox" would be removed.\n');
    expect(existsSync(join(root(), 'sandbox/kafka'))).toBe(true);
    const done = await weir('purge --yes');
    expect(done.stdout).toBe('The sandbox "sandbox" was removed; the current profile is "before".\n');
    expect(existsSync(join(root(), 'sandbox'))).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('version: 1\ncurrent_profile: before\nprofiles:\n  - name: before\n');
  });

  test('names the brokers in its question, unless the state is broken', async () => {
    await have('sandbox');
    const terminal = { stdin: true, stdout: true, stderr: true };
    const ask = () => run('sandbox purge', { home, terminal, stdin: 'n\n' });
    expect((await ask()).stderr).toContain('Remove the sandbox "sandbox" (127.0.0.1:9092) and all its data');
    writeFileSync(join(root(), 'sandbox/kafka/kafka.json'), '{');
    const broken = await ask();
    expect(broken.stderr).toContain('Remove the sandbox "sandbox" and all its data');
    expect(broken.exitCode).toBe(1);
  });

  test('of a sandbox whose profile is protected needs its name, or --yes without a terminal', async () => {
    await have('fresh');
    await run('profile create fresh --protected', { home });
    await run('profile create other', { home });
    const refused = await weir('purge --name fresh');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('refused: profile "fresh" is protected and needs --yes when nobody can be asked');
    const terminal = { stdin: true, stdout: true, stderr: true };
    const answered = (stdin: string) => run('sandbox purge --name fresh', { home, terminal, stdin });
    const yes = await answered('y\n');
    expect(yes.stderr).toContain('Type "fresh" to confirm: ');
    expect([yes.exitCode, existsSync(join(root(), 'fresh'))]).toEqual([1, true]);
    expect((await answered('fresh\n')).exitCode).toBe(0);
    expect(existsSync(join(root(), 'fresh'))).toBe(false);
  });

  test('of a sandbox does not need a name because another profile is protected', async () => {
    await have('fresh');
    await run('profile create fresh', { home });
    await run('profile create prod --protected', { home });
    expect((await weir('purge --name fresh')).exitCode).toBe(0);
  });
});

describe('sandbox logs', () => {
  test('shows the last lines of each broker, with its name if there are several', async () => {
    await have('sandbox', 'simulated', [9092, 9093, 9094]);
    for (const id of [1, 2]) {
      mkdirSync(join(root(), `sandbox/kafka/broker-${id}`), { recursive: true });
      writeFileSync(join(root(), `sandbox/kafka/broker-${id}/kafka.log`), 'one\ntwo\nthree\n');
    }
    expect((await weir('logs -n 2')).stdout).toBe('kafka 1: two\nkafka 1: three\nkafka 2: two\nkafka 2: three\n');
    expect((await weir('logs -n 0')).stdout).toBe('');
    const json = (await weir('logs -n 1 --format json')).stdout.trim().split('\n');
    expect(json.map((line) => JSON.parse(line))).toEqual([
      { part: 'kafka', id: 1, line: 'three' },
      { part: 'kafka', id: 2, line: 'three' },
    ]);
  });
});

test('a sandbox directory of another user is refused: root would write through the links in it', async () => {
  const home = temporaryDirectory();
  const directory = join(home, '.local/state/weir/sandbox');
  mkdirSync(join(directory, 'sb9/kafka'), { recursive: true });
  symlinkSync(join(home, 'other'), join(directory, 'sb9/kafka/options.json'));
  const world = { home, uid: 4242 };
  const { stderr, exitCode } = await run('sandbox start --engine simulated --name sb9', world);
  expect([stderr, exitCode]).toEqual([expect.stringContaining(`weir: unable to use ${directory}: it belongs to `), 6]);
  expect(existsSync(join(home, 'other'))).toBe(false);
});
