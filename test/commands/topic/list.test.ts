import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';

const prefix = `list-${process.pid}`;
const [a, b] = [`${prefix}-a`, `${prefix}-b`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });

beforeAll(async () => {
  await run(`topic create ${b}`, world());
  await run(`topic create ${a} -p 2`, world());
});

afterAll(async () => {
  await run(`topic delete -r '${prefix}.*' --yes`, world());
});

describe('topic list', () => {
  it('lists the named topics by name', async () => {
    const gap = ' '.repeat(prefix.length);
    expect(await run(`topic list ${b} ${a}`, world())).toEqual({
      stdout: `NAME${gap}PARTITIONS  REPLICAS\n${a}  2           1\n${b}  1           1\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('lists topics whose whole name matches a regular expression', async () => {
    expect((await run(`topic list -r '${prefix}-[a]' --no-headers`, world())).stdout).toBe(`${a}  2  1\n`);
    expect((await run(`topic list -r '${prefix}-' --no-headers`, world())).stdout).toBe('');
    expect((await run("topic list -r '*' --no-headers", world())).stdout).toContain(`${a}  `);
  });

  it('reports on stderr that nothing matches, and never lists everything instead', async () => {
    expect(await run(`topic list -r '${prefix}-zzz' --no-headers`, world())).toEqual({
      stdout: '',
      stderr: `no topic matches ${prefix}-zzz\n`,
      exitCode: 0,
    });
    expect((await run(`topic list -r '^${prefix}-'`, world())).stderr).toBe(
      `no topic matches ^${prefix}-; the pattern must match the whole name; did you mean '^${prefix}-.*'?\n`,
    );
  });

  it('shows the partitions with -d', async () => {
    expect((await run(`topic list -d ${a} ${b}`, world())).stdout).toBe(
      [
        `${a}, 2 partitions, 1 replica`,
        '  PARTITION  LEADER  EPOCH  REPLICAS',
        '  0          1       0      [1]',
        '  1          1       0      [1]',
        '',
        `${b}, 1 partition, 1 replica`,
        '  PARTITION  LEADER  EPOCH  REPLICAS',
        '  0          1       0      [1]',
        '',
      ].join('\n'),
    );
  });

  it('shows the preferred leader and the in-sync replicas with --format wide', async () => {
    const { stdout } = await run(`topic list -d ${b} --format wide`, world());
    expect(stdout).toContain(
      '  PARTITION  LEADER  EPOCH  REPLICAS  PREFERRED-LEADER  ISR\n  0          1       0      [1]       1                 [1]\n',
    );
  });

  it('has the same keys in json, the partitions only with -d', async () => {
    const row = { name: b, internal: false, partitions: 1, replicas: 1, error: null };
    const partition = {
      partition: 0,
      leader: 1,
      epoch: 0,
      replicas: [1],
      preferred_leader: 1,
      isr: [1],
      offline_replicas: [],
      load_error: null,
    };
    expect(JSON.parse((await run(`topic list ${b} --format json`, world())).stdout)).toEqual([row]);
    expect(JSON.parse((await run(`topic ls -d ${b} --format json`, world())).stdout)).toEqual([
      { ...row, partition_list: [partition] },
    ]);
  });

  it('lists a topic that does not exist with its error, and exits with 3', async () => {
    const { stdout, exitCode } = await run(`topic list ${a} ${prefix}-nope --no-headers`, world());
    expect(stdout.replace(/ +/g, ' ')).toBe(
      `${a} 2 1\n${prefix}-nope 0 0 UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
    );
    expect(exitCode).toBe(3);
  });

  it.each([
    [['topic', 'list', '-r', '('], 'invalid regular expression "(": unterminated group'],
    [['topic', 'list', 'a/b'], 'invalid topic name "a/b": it contains "/"'],
  ])('refuses %j', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
