import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logs as logsCommand } from '../../../src/commands/transform/logs.ts';
import { partitionOfKey } from '../../../src/kafka/records/batches/partitioner.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedUser } from '../topic/limited-user.ts';

const topic = '_redpanda.transform_logs';
const env = { WEIR_BROKERS: services().plaintext };
const start = Date.parse('2024-01-01T00:00:00Z');
// A minute after the first record.
const world = { env, now: start + 60_000 };

/** Two names whose logs are in the same partition, and one whose logs are in another. */
const partitionOf = (name: string) => partitionOfKey(Buffer.from(name), 0, name.length, 4);
const name = 'redact';
const others = Array.from({ length: 20 }, (_, at) => `other-${at}`);
const beside = others.find((one) => partitionOf(one) === partitionOf(name)) ?? '';
const elsewhere = others.find((one) => partitionOf(one) !== partitionOf(name)) ?? '';

/** A record as brokers write it. */
function line(seconds: number, body: string, severity = 9, key = name): string {
  const timestamp = start + seconds * 1000;
  const record = {
    timeUnixNano: `${timestamp}000000`,
    severityNumber: severity,
    body: { stringValue: body },
    attributes: [
      { key: 'transform_name', value: { stringValue: key } },
      { key: 'node', value: { intValue: 3 } },
    ],
  };
  return `${timestamp}\t${key}\t${JSON.stringify(record)}\n`;
}

async function produce(lines: string): Promise<void> {
  expect(await run(['topic', 'produce', topic, '-f', '%d\t%k\t%v\n'], { env, stdin: lines })).toMatchObject({
    exitCode: 0,
  });
}

const logs = (words: string, more: object = {}) => run(`transform logs ${name} ${words}`, { ...world, ...more });

describe('before any transform has logged', () => {
  test('the missing topic has exit 3, and a hint', async () => {
    const { stderr, exitCode } = await logs('');
    expect(stderr).toBe(
      `weir: unable to read the logs: the topic "${topic}" does not exist\n` +
        'hint: it exists while transforms are enabled: weir cluster config get data_transforms_enabled\n',
    );
    expect(exitCode).toBe(3);
  });
});

describe('transform logs', () => {
  beforeAll(async () => {
    expect(await run(`topic create ${topic} -p 4 -c retention.ms=-1`, { env })).toMatchObject({ exitCode: 0 });
    await produce(
      [
        line(0, 'starting'),
        line(1, 'of another transform', 9, beside),
        line(2, 'of a third', 9, elsewhere),
        line(10, 'odd \u001b[31mrecord\n', 13),
        line(20, 'broken', 17),
        `${start + 30_000}\t${name}\tno JSON\n`,
      ].join(''),
    );
  });
  afterAll(async () => {
    await run(`topic delete ${topic} --yes`, { env });
  });

  test('prints what the transform wrote, and nothing of the others in its partition', async () => {
    expect(await logs('')).toEqual({
      stdout: 'starting\nodd \\u001b[31mrecord\nbroken\nno JSON\n',
      stderr: '',
      exitCode: 0,
    });
    expect((await run(`transform logs ${beside}`, world)).stdout).toBe('of another transform\n');
    expect((await run(`transform logs ${elsewhere}`, world)).stdout).toBe('of a third\n');
  });

  test('wide adds time and level', async () => {
    expect((await logs('--format wide')).stdout).toBe(
      [
        '2024-01-01T00:00:00Z INFO  starting',
        '2024-01-01T00:00:10Z WARN  odd \\u001b[31mrecord',
        '2024-01-01T00:00:20Z ERROR broken',
        '2024-01-01T00:00:30Z -     no JSON',
        '',
      ].join('\n'),
    );
  });

  test('JSON has one object per line, with the attributes', async () => {
    const { stdout } = await logs('--format json');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(rows.map(({ level, severity_number: number }) => [level, number])).toEqual([
      ['INFO', 9],
      ['WARN', 13],
      ['ERROR', 17],
      [null, null],
    ]);
    expect(rows[0]).toEqual({
      ...{ transform: name, time: '2024-01-01T00:00:00Z', level: 'INFO', severity_number: 9, body: 'starting' },
      attributes: { transform_name: name, node: 3 },
      ...{ partition: partitionOf(name), offset: expect.any(Number) },
    });
    expect(rows[1].body).toBe('odd \u001b[31mrecord\n');
    expect((await logs('--format yaml')).stdout).toContain('body: starting\n');
    expect((await logs('--format schema')).exitCode).toBe(0);
  });

  test.each([
    ['--head 1', 'starting\n'],
    ['--head 9 --tail 1', undefined],
    ['--tail 2', 'broken\nno JSON\n'],
    ['--tail 9 --until 2024-01-01T00:00:20Z', 'starting\nodd \\u001b[31mrecord\n'],
    ['--since 45s', 'broken\nno JSON\n'],
    ['--since -45s', 'broken\nno JSON\n'],
    ['--since 1704067210', 'odd \\u001b[31mrecord\nbroken\nno JSON\n'],
    ['--since 1704067210000 --head 1', 'odd \\u001b[31mrecord\n'],
    ['--since 2024-01-01 --until 30s', 'starting\nodd \\u001b[31mrecord\nbroken\n'],
  ])('%s', async (words, expected) => {
    const { stdout, exitCode } = await logs(words);
    if (expected === undefined) expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    else expect({ stdout, exitCode }).toEqual({ stdout: expected, exitCode: 0 });
  });

  test('nothing in the range, and a transform without logs, are said on stderr', async () => {
    const none = { stdout: '', stderr: `no logs of the transform "${name}" found\n`, exitCode: 0 };
    expect(await logs('--since now')).toEqual(none);
    expect((await run('transform logs nobody', world)).stderr).toBe('no logs of the transform "nobody" found\n');
  });

  test.each([
    '--since tomorrow',
    '--since 1h:2h',
    '--until x',
    '--since 10s --until 20s',
    '--follow --until 1s',
    '--head 0',
  ])('%s has exit 2', async (words) => {
    expect(await logs(words)).toMatchObject({ stdout: '', exitCode: 2 });
  });

  test.each([
    ['--follow --tail 1', 'followed-1', ['second']],
    ['--follow --since 45s', 'followed-2', ['second']],
    ['--follow --since now', 'followed-3', []],
    ['--follow', 'followed-4', ['first', 'second']],
  ])('%s prints what is there, then what arrives, until Ctrl-C', async (words, own, before) => {
    await produce(line(0, 'first', 9, own) + line(20, 'second', 9, own));
    let [seen, isProduced]: [string, boolean] = ['', false];
    let kill: ((signal: 'SIGINT') => void) | undefined;
    const next = (): void => {
      if (seen.includes('third')) kill?.('SIGINT');
      if (isProduced || !before.every((one) => seen.includes(one))) return;
      isProduced = true;
      void produce(line(61, 'third', 9, own));
    };
    const { stdout, exitCode } = await run(`transform logs ${own} ${words}`, {
      ...world,
      onStart(given) {
        kill = given;
        next();
      },
      onStdout(piece) {
        seen += piece;
        next();
      },
    });
    expect(exitCode).toBe(130);
    expect(stdout).toBe([...before, 'third', ''].join('\n'));
  });

  test.each(logsCommand.examples.map(([, line]) => line))('the example of the help works: weir %s', async (line) => {
    const more = line.endsWith(' -f') ? ' --head 1' : '';
    expect(await run(line + more, world)).toMatchObject({ exitCode: 0 });
  });

  test('needs read on the topic', async () => {
    const { stdout, stderr, exitCode } = await run(`transform logs ${name}`, await limitedUser(topic));
    expect(stderr).toContain(`weir: unable to read the topic "${topic}": the principal is not authorized`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
  });

  test('--follow --head ends by itself', async () => {
    expect(await logs('--follow --head 2')).toMatchObject({ stdout: 'starting\nodd \\u001b[31mrecord\n', exitCode: 0 });
  });
});
