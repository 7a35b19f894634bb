import { beforeAll, describe, expect, it } from 'vitest';
import { linesOf, newTopic, weir } from '../../../commands/topic/records-world.ts';
import '../../../services/services.ts';

/** Ten records in partition 0, ten minutes apart from midnight; four in partition 1, from 00:05, twenty minutes apart. */
const midnight = Date.UTC(2021, 5, 1);
const minute = 60_000;
const hour = 60 * minute;
let topic: string;
/** Four records: three hours, two and a half, one and a half hours and half an hour old. */
let recent: string;

beforeAll(async () => {
  [topic, recent] = [await newTopic(2), await newTopic()];
  const first = Array.from({ length: 10 }, (_, index) => [0, String(index), midnight + index * 10 * minute] as const);
  const second = ['a', 'b', 'c', 'd'].map((value, index) => [1, value, midnight + (5 + index * 20) * minute] as const);
  const now = Date.now();
  const ages = [3, 2.5, 1.5, 0.5].map((hours, index) => [0, String(index), now - hours * hour] as const);
  for (const [name, records] of [
    [topic, [...first, ...second]],
    [recent, ages],
  ] as const) {
    const stdin = records.map(([partition, value, time]) => `${partition} ${time} ${value}\n`).join('');
    const flags = ['-p', '0', '-f', '%p %d %v\\n', '-o', ''];
    const { stderr } = await weir(['topic', 'produce', name, ...flags], { stdin });
    expect(stderr).toBe(`Wrote ${records.length} records\n`);
  }
});

/** What is printed, partition by partition. */
async function read(name: string, ...flags: readonly string[]): Promise<string> {
  const { stdout, exitCode, ...outcome } = await weir(['topic', 'consume', name, '-f', '%p%v\\n', ...flags]);
  const stderr = outcome.stderr.replace(/^-o .* in the future .*\n/, '');
  const said =
    stdout === ''
      ? expect.stringMatching(/^the range \S+ contains no records(; the newest record is from [-\dT:]+Z)?\n$/)
      : '';
  expect({ stderr, exitCode }).toEqual({ stderr: said, exitCode: 0 });
  return [...linesOf(stdout)]
    .sort()
    .map((line) => line.slice(1))
    .join('');
}

describe('topic consume -o', () => {
  /** Every form with an end. */
  it.each([
    [':end', '0123456789abcd'],
    [':4', '0123abcd'],
    [':2', '01ab'],
    ['2:4', '23cd'],
    ['2-4', '23cd'],
    ['3:end', '3456789d'],
    ['3-end', '3456789d'],
    ['-2:end', '89cd'],
    ['-100:end', '0123456789abcd'],
    ['-0:end', ''],
    ['+8:end', '89'],
    ['+1:3', '12bc'],
    ['-3:3', 'bc'],
    ['8:100', '89'],
    ['20:70', ''],
    ['@1622505600000:1622508600000', '01234abc'],
    ['@1622505600:1622508600', '01234abc'],
    ['@2021-06-01:30m', '012ab'],
    ['@2021-06-01:end', '0123456789abcd'],
    ['@2021-06-01:2021-06-02', '0123456789abcd'],
    ['@2021-06-02:end', ''],
    ['@2021-06-01T00:45:00Z:end', '56789cd'],
    ['@2021-06-01T00:45:00.000Z:2021-06-01T01:10:00Z', '56cd'],
    ['@2021-06-01T02:45:00+02:00:end', '56789cd'],
    ['@:1622508600', '01234abc'],
    ['@:2021-06-01T00:10:00Z', '0a'],
    ['@:end', '0123456789abcd'],
    ['@1622505660001:1622505660002', ''],
    ['@1h:end', ''],
  ])('%s prints %j and ends', async (range, expected) => {
    expect(await read(topic, '-o', range)).toBe(expected);
  });

  it.each([
    ['@-2h:end', '23'],
    ['@-3h30m:-1h', '012'],
    ['@:-1h', '012'],
    ['@-2h:-1h', '2'],
    ['@-45m:end', '3'],
    ['@-1h:1h', '3'],
  ])('%s, counted from now, prints %j and ends', async (range, expected) => {
    expect(await read(recent, '-o', range)).toBe(expected);
  });

  /** Forms without an end: `-n` ends them. */
  it.each([
    ['start', '0123456789abcd'],
    ['oldest', '0123456789abcd'],
    ['+2', '23456789cd'],
    ['-3', '789bcd'],
    ['-100', '0123456789abcd'],
    ['3', '3456789d'],
    ['3:', '3456789d'],
    ['@1622508600000', '56789d'],
    ['@1622508600000:', '56789d'],
    ['@1622508600', '56789d'],
    ['@2021-06-01', '0123456789abcd'],
    ['@2021-06-01T01:00:00Z', '6789d'],
  ])('%s prints %j, and would wait for more', async (start, expected) => {
    expect(await read(topic, '-o', start, '-n', String(expected.length))).toBe(expected);
  });

  it.each(['end', 'newest', '+4', '4', '@1h'])('%s waits for new records', async (start) => {
    const empty = await newTopic();
    await weir(['topic', 'produce', empty, '-o', ''], { stdin: 'old\nold\nold\nold\n' });
    let isDone = false;
    const reading = read(empty, '-o', start, '-n', '1').finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await weir(['topic', 'produce', empty, '-o', ''], { stdin: 'new\n' });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await reading).toBe('new');
  });

  it('combines with -p and -n', async () => {
    expect(await read(topic, '-o', '2:end', '-p', '1')).toBe('cd');
    expect(await read(topic, '-o', '@2021-06-01T00:20:00Z:end', '-p', '0', '-n', '3')).toBe('234');
  });

  it.each(['abc', 'start:end', 'start:5', '5:3', '5:x', 'x:', '+x', '+3:', '@x', '@end', '@--1h', '@-2h:-1h:3'])(
    '%s is refused before connecting',
    async (text) => {
      const words = ['topic', 'consume', topic, '-o', text, '-X', 'brokers=127.0.0.1:1'];
      const { stdout, stderr, exitCode } = await weir(words);
      expect(stderr).toMatch(/^weir: invalid offset "/);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    },
  );
});
