import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const prefix = `analyze-${process.pid}`;
const [mixed, empty, closed] = [`${prefix}-mixed`, `${prefix}-empty`, `${prefix}-closed`];
const env = { WEIR_BROKERS: services().plaintext };
const time = Date.parse('2024-01-01T00:00:00Z');
// Ten seconds after the first record.
const world = { env, now: time + 10_000 };

beforeAll(async () => {
  await run(`topic create ${mixed} ${empty} ${closed} -p 2 -c retention.ms=-1`, world);
  const line = (at: number, key: string) => `${time + at * 1000} ${key} ${'v'.repeat(99)}\n`;
  const lines = [0, 1, 2, 3].map((at) => line(at, at === 3 ? 'b' : 'a')).join('');
  await run(['topic', 'produce', mixed, '-p', '0', '-f', '%d %k %v\n'], { env, stdin: lines });
  await run(['topic', 'produce', mixed, '-p', '1', '-f', '%d %v\n', '-Z'], { env, stdin: `${time + 5000} \n` });
});

afterAll(async () => {
  await run(`topic delete ${mixed} ${empty} ${closed}`, { env });
});

async function rows(line: string) {
  const { stdout, exitCode } = await run(`topic analyze ${line} --format json`, world);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

describe('topic analyze', () => {
  it('counts rates, sizes and keys of the last records', async () => {
    const [row, ...others] = await rows(mixed);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ topic: mixed, partitions: 2, records: 5, bytes: 400, is_cut: false, tombstones: 1, error: null },
      // Four records in ten seconds, and one in five.
      ...{ records_per_second: 0.6, bytes_per_second: 40 },
      record_size: { average: 80, p50: 100, p75: 100, p99: 100, max: 100 },
      keys: { without_key: 1, distinct: 2, is_estimate: false, missed: 0 },
    });
    expect(row.keys.top).toMatchObject([
      { key: 'a', records: 3, share: 0.6 },
      { key: 'b', records: 1, share: 0.2 },
    ]);
    expect(row.partition_list).toMatchObject([
      { partition: 0, records: 4, bytes: 400, records_per_second: 0.4, batches: 1 },
      { partition: 1, records: 1, bytes: 0, records_per_second: 0.2 },
    ]);
  });

  it('reads a range of times, whose length makes the rates', async () => {
    const [row] = await rows(`${mixed} -t -9s:-6s --top-keys 1`);
    expect(row).toMatchObject({ records: 3, records_per_second: 1 });
    expect(row.keys.top).toMatchObject([{ key: 'a', records: 2 }]);
    expect(await rows(`${mixed} -o @-9s:-6s --top-keys 1`)).toEqual([row]);
  });

  it('stops at the limit, and then measures up to the last record', async () => {
    const [row] = await rows(`${mixed} -o :end --limit 3`);
    expect(row).toMatchObject({ records: 3, is_cut: true });
    const { stdout } = await run(`topic analyze ${mixed} -o :end --limit 3`, world);
    expect(stdout).toContain('3 (limit)');
  });

  it('a topic with as many records as the limit is read to its end', async () => {
    const [all] = await rows(`${mixed} -o :end --limit 5`);
    expect(all).toEqual((await rows(`${mixed} -o :end`))[0]);
    expect(all).toMatchObject({ records: 5, is_cut: false });
    expect((await rows(`${mixed} -o :end --limit 4`))[0]).toMatchObject({ records: 4, is_cut: true });
  });

  it('prints a line for each topic, and keys and partitions of one topic or of all', async () => {
    const one = await run(`topic analyze ${mixed}`, world);
    expect(one.stdout.replace(/ +/g, ' ')).toBe(
      [
        'TOPIC PARTITIONS RECORDS RECORDS/S BYTES/S AVERAGE P50 P99 MAX KEYS',
        `${mixed} 2 5 0.6 40B 80B 100B 100B 100B 2`,
        '',
        'KEY RECORDS SHARE',
        'a 3 60%',
        'b 1 20%',
        '(no key) 1 20%',
        '',
        'PARTITION RECORDS SHARE RECORDS/S BYTES/S BATCHES',
        '0 4 80% 0.4 40B 1',
        '1 1 20% 0.2 0B 1',
        '',
      ].join('\n'),
    );
    const both = await run(`topic analyze -r '${prefix}-(mixed|empty)' --no-headers`, world);
    expect(both.stdout.replace(/ +/g, ' ')).toBe(
      `${empty} 2 0 - - - - - - 0\n${mixed} 2 5 0.6 40B 80B 100B 100B 100B 2\n`,
    );
    const all = await run(`topic analyze -r '${prefix}-(mixed|empty)' -a`, world);
    expect(all.stdout).toContain(`\n\n${mixed}\nKEY`);
  });

  it('exits with 3 for a topic that does not exist, and analyzes the others', async () => {
    const { stdout, exitCode } = await run(`topic analyze ${mixed} ${prefix}-nope --no-headers`, world);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(new RegExp(`^${mixed} .*\n${prefix}-nope .*UNKNOWN_TOPIC_OR_PARTITION: `));
  });

  it('exits with 4 when the principal has no rights', async () => {
    const limited = await limitedUser(closed);
    const { stdout, exitCode } = await run(`topic analyze ${closed}`, limited);
    expect(stdout).toContain('TOPIC_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['topic analyze', 'TOPIC'],
    ['topic analyze a -o start', 'the range "start" has no end'],
    ['topic analyze a -t -1m', 'the range "@-1m" has no end'],
    ['topic analyze a -o :end -t -1m:end', 'mutually exclusive'],
    ['topic analyze a --limit 0', '--limit'],
    ['topic analyze a/b', 'it contains "/"'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
