import { execa } from 'execa';
import { expect, it } from 'vitest';
import '../../../services/services.ts';
import { weir as program, runner } from '../../../built.ts';
import { fill, linesOf, newTopic, weir } from '../../../commands/topic/records-world.ts';
import { services } from '../../../services/services.ts';
import { recordedLetters } from './dead-letters.ts';

const layout = '%p %d %k %V:%v{hex} %h{%k=%v{hex},}\\n';

async function content(topic: string): Promise<readonly string[]> {
  const words = ['topic', 'consume', topic, '-o', ':end', '--read-committed', '-f', layout];
  return linesOf((await weir(words)).stdout);
}

/** The rows of a redrive, in short. */
async function redriven(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await weir(['topic', 'redrive', ...words, '--yes', '--format', 'json']);
  const rows: readonly Record<string, unknown>[] = JSON.parse(stdout);
  return rows.map(({ destination, records, error }) =>
    [destination, records, ...(error === null ? [] : [(error as { code: string }).code])].join(' '),
  );
}

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** A dead letter that Kafka Connect has made of a record of a topic. */
function letterOf(topic: string, key: string, value: string | null = key): string {
  const headers = [
    { key: '__connect.errors.topic', value: topic },
    { key: 'n', value: null },
  ];
  return JSON.stringify({ key, value, headers, timestamp: 1_700_000_000_000 });
}

it('what frameworks have dead-lettered goes back as it was, byte for byte', async () => {
  const [origin, letters] = [await newTopic(4), await newTopic(1)];
  const lines = recordedLetters.map(({ framework, headers }) =>
    JSON.stringify({
      key: framework,
      value: Buffer.from([0, 255, 7]).toString('base64'),
      value_encoding: 'base64',
      timestamp: 1_700_000_000_000,
      headers: headers.map(([key, value]) => ({
        key,
        value: Buffer.from(value === hex('orders') ? hex(origin) : (value ?? ''), 'hex').toString('base64'),
        value_encoding: 'base64',
      })),
    }),
  );
  await fill(letters, lines, '--format', 'json');
  expect(await redriven(letters, '--dry-run')).toEqual([`${origin} 4`]);
  expect(await content(origin)).toEqual([]);
  expect(await redriven(letters)).toEqual([`${origin} 4`]);
  expect(await content(origin)).toEqual(
    recordedLetters.map(
      ({ framework }) => `2 1700000000000 ${framework} 3:00ff07 trace=${hex('t-1')},weir-redrive-count=${hex('1')},`,
    ),
  );
  expect(await redriven(letters)).toEqual([]);
});

it('those that were left are put back later, and no other one again', async () => {
  const [origin, letters] = [await newTopic(1), await newTopic(1)];
  const lines = ['a', 'b', 'c', 'd', 'e'].map((key) => letterOf(origin, key));
  await fill(letters, [...lines, letterOf('no-such-topic', 'f'), '{"key":"g","value":"g"}'], '--format', 'json');
  expect(await redriven(letters, '--key', 'c')).toEqual([`${origin} 1`]);
  expect(await redriven(letters, '-n', '2', '--exactly-once')).toEqual([`${origin} 2`]);
  expect(await redriven(letters, '-o', '4:')).toEqual([
    `${origin} 1`,
    ' 1 NO_ORIGIN',
    'no-such-topic 1 UNKNOWN_TOPIC_OR_PARTITION',
  ]);
  expect(await redriven(letters)).toEqual([
    `${origin} 1`,
    ' 1 NO_ORIGIN',
    'no-such-topic 1 UNKNOWN_TOPIC_OR_PARTITION',
  ]);
  expect((await content(origin)).map((line) => line.split(' ')[2])).toEqual(['c', 'a', 'b', 'e', 'd']);
  expect(await redriven(letters, '--to', origin)).toEqual([`${origin} 2`]);
  expect(await redriven(letters)).toEqual([]);
});

it('a record goes round as often as allowed, and its other headers stay', async () => {
  const [origin, letters] = [await newTopic(3), await newTopic(1)];
  await fill(letters, [letterOf(origin, 'a', null)], '--format', 'json');
  for (const round of [1, 2]) {
    expect(await redriven(letters, '--max-attempts', '2')).toEqual([`${origin} 1`]);
    const { stdout } = await weir(['topic', 'consume', origin, '-o', '-1:end', '--format', 'json']);
    const record = JSON.parse(linesOf(stdout).at(-1) ?? '');
    expect(record.headers).toEqual([
      { key: 'n', value: null },
      { key: 'weir-redrive-count', value: String(round) },
    ]);
    expect(record.value).toBeUndefined();
    // The framework keeps the headers, and adds its own.
    record.headers.push({ key: '__connect.errors.topic', value: origin });
    await fill(letters, [JSON.stringify(record)], '--format', 'json');
  }
  expect(await redriven(letters, '--max-attempts', '2')).toEqual([`${origin} 1 MAX_ATTEMPTS`]);
  expect(await redriven(letters, '--keep-headers')).toEqual([`${origin} 1`]);
  expect((await content(origin)).at(-1)).toContain(
    `__connect.errors.topic=${hex(origin)},weir-redrive-count=${hex('3')},`,
  );
});

it('a count that is too large has reached the limit, and one that is no number begins anew, with a warning', async () => {
  const [origin, letters] = [await newTopic(1), await newTopic(1)];
  const lines = ['999999999999999999999', 'many', '0x10'].map((count) =>
    JSON.stringify({
      value: count,
      headers: [
        { key: '__connect.errors.topic', value: origin },
        { key: 'weir-redrive-count', value: count },
      ],
    }),
  );
  await fill(letters, lines, '--format', 'json');
  const { stderr, stdout } = await weir(['topic', 'redrive', letters, '--yes', '--format', 'json']);
  const rows: readonly Record<string, unknown>[] = JSON.parse(stdout);
  expect(rows.map(({ records, error }) => [records, (error as { code: string } | null)?.code])).toEqual(
    expect.arrayContaining([
      [1, 'MAX_ATTEMPTS'],
      [2, undefined],
    ]),
  );
  expect(stderr.match(/warning: .*/g)).toEqual([
    'warning: partition 0 at offset 1: the header "weir-redrive-count" is not a number, so the count of this and such records begins at 0',
  ]);
  expect((await content(origin)).map((line) => line.split('weir-redrive-count=')[1])).toEqual([
    `${hex('1')},`,
    `${hex('1')},`,
  ]);
});

it('every reason to leave a record is reported, and none is guessed away', async () => {
  const [origin, letters] = [await newTopic(2), await newTopic(3)];
  const letter = (key: string | null, headers: Readonly<Record<string, string | null>>, partition = 0) =>
    JSON.stringify({
      key,
      value: key,
      partition,
      headers: Object.entries(headers).map(([name, value]) => ({ key: name, value })),
    });
  const lines = [
    letter('a', { 'x-original-topic': origin, 'x-original-partition': '1' }, 2),
    letter('b', { 'x-original-topic': origin, 'x-original-partition': '2' }),
    letter('c', { 'x-original-topic': origin, source_topic: 'another' }),
    letter('d', { source_topic: 'no topic' }),
    letter('e', { source_topic: null }),
    letter('f', { source_topic: letters }),
    letter('g', { source_topic: '__consumer_offsets' }),
    letter(null, { '__dlq.errors.topic': origin, '__dlq.errors.partition': '0' }),
    letter('h', { source_topic: origin }, 2),
  ];
  await fill(letters, lines, '--format', 'json', '-p', '0');
  const left = [
    ' 1 AMBIGUOUS_ORIGIN',
    ' 2 INVALID_ORIGIN',
    '__consumer_offsets 1 INTERNAL_TOPIC',
    `${origin} 1 NO_CONTENT`,
    `${letters} 1 SAME_TOPIC`,
  ];
  const rows = async (...flags: string[]) => (await redriven(letters, ...flags)).toSorted();
  expect(await rows('--dry-run', '--partitions-by', 'key')).toEqual([...left, `${origin} 3`].toSorted());
  expect(await rows('--dry-run', '--partitions-by', 'same')).toEqual(
    [...left, `${origin} 1`, `${origin} 2 NO_PARTITION`].toSorted(),
  );
  expect(await rows()).toEqual([...left, `${origin} 2`, `${origin} 1 NO_PARTITION`].toSorted());
  expect((await content(origin)).find((line) => line.includes(' a '))).toMatch(/^1 /);
});

it('the offsets of another program are not replaced, and the brokers keep their topics', async () => {
  const [origin, letters] = [await newTopic(1), await newTopic(1)];
  await fill(letters, [letterOf(origin, 'a')], '--format', 'json');
  await weir(['topic', 'consume', letters, '-g', letters, '-n', '1']);
  const words = ['topic', 'redrive', letters, '-g', letters, '--restart'];
  expect(await weir(words)).toMatchObject({
    exitCode: 6,
    stderr: expect.stringContaining(`group "${letters}" has offsets of another program for topic "${letters}"`),
  });
  expect(await weir(['topic', 'redrive', letters, '--to', '__consumer_offsets'])).toMatchObject({
    exitCode: 6,
    stderr: expect.stringContaining('belongs to the brokers'),
  });
});

it('a run ends before it sends what it cannot remember', async () => {
  const [origin, letters] = [await newTopic(1), await newTopic(1)];
  let seed = 7;
  const values = Array.from({ length: 40_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String(seed % 2);
  });
  await fill(letters, values, '-f', '%v\\n');
  const { stderr, exitCode } = await weir(['topic', 'redrive', letters, '--to', origin, '--where', 'value == "1"']);
  expect(exitCode).toBe(6);
  const [, offset] = /partition 0 from offset (\d+) on: too many were left/.exec(stderr) ?? [];
  expect(Number(offset)).toBeGreaterThan(8_000);
  const sent = values.slice(0, Number(offset)).filter((value) => value === '1').length;
  expect(await content(origin)).toHaveLength(sent);
  expect(await redriven(letters, '--to', origin)).toEqual([`${origin} ${40_000 - sent}`]);
});

it('--rate leaves time between records', async () => {
  const [origin, letters] = [await newTopic(1), await newTopic(1)];
  const lines = Array.from({ length: 6 }, (_, at) => letterOf(origin, `k${at}`));
  await fill(letters, lines, '--format', 'json');
  const startedAt = performance.now();
  expect(await redriven(letters, '--rate', '5')).toEqual([`${origin} 6`]);
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
});

it('batches have the size that each destination takes', async () => {
  const small = await newTopic(1, 'max.message.bytes=2000');
  const [large, letters] = [await newTopic(1), await newTopic(1)];
  const value = 'x'.repeat(900);
  const lines = Array.from({ length: 40 }, (_, at) => letterOf(at % 2 === 0 ? small : large, `k${at}`, value));
  await fill(letters, lines, '--format', 'json', '-z', 'none');
  expect((await redriven(letters)).toSorted()).toEqual([`${large} 20`, `${small} 20`].toSorted());
  expect(await content(small)).toHaveLength(20);
});

it.each([[], ['--exactly-once']])(
  'what its destination refuses is left, and all others go on, once %s',
  async (...flags) => {
    const [origin, letters] = [await newTopic(1), await newTopic(1)];
    const compacted = await newTopic(1, 'cleanup.policy=compact');
    const small = await newTopic(1, 'max.message.bytes=2000');
    const recent = await newTopic(1, 'message.timestamp.before.max.ms=1000');
    const long = 'x'.repeat(3_000);
    const to = (topic: string, key: string | null, value: string) =>
      JSON.stringify({ key, value, headers: [{ key: 'source_topic', value: topic }], timestamp: 1_700_000_000_000 });
    const lines = Array.from({ length: 300 }, (_, at) => [
      to(compacted, at % 50 === 7 ? null : `c${at}`, 'v'),
      to(small, `s${at}`, at % 100 === 3 ? long : 'v'),
      to(origin, `o${at}`, 'v'),
    ]).flat();
    await fill(letters, [...lines, to(recent, 'r', 'v'), to(compacted, 'last', 'v')], '--format', 'json', '-z', 'none');
    const left = [`${compacted} 6 INVALID_RECORD`, `${small} 3 MESSAGE_TOO_LARGE`, `${recent} 1 INVALID_TIMESTAMP`];
    const sent = [`${compacted} 295`, `${small} 297`, `${origin} 300`];
    expect((await redriven(letters, ...flags)).toSorted()).toEqual([...left, ...sent].toSorted());
    expect((await redriven(letters, ...flags)).toSorted()).toEqual(left.toSorted());
    const keys = async (topic: string) => (await content(topic)).map((line) => line.split(' ')[2]);
    const numbers = Array.from({ length: 300 }, (_, at) => at);
    expect(await keys(small)).toEqual(numbers.filter((at) => at % 100 !== 3).map((at) => `s${at}`));
    expect(await keys(origin)).toEqual(numbers.map((at) => `o${at}`));
    expect(await keys(compacted)).toEqual([...numbers.filter((at) => at % 50 !== 7).map((at) => `c${at}`), 'last']);
    await weir(['topic', 'alter-config', small, '--set', 'max.message.bytes=100000']);
    await expect.poll(() => redriven(letters, ...flags), { timeout: 30_000 }).toContain(`${small} 3`);
  },
);

it('puts each dead letter back once, however often it is killed', async () => {
  const [first, second, letters] = [await newTopic(2), await newTopic(2), await newTopic(2)];
  const lines = Array.from({ length: 15_000 }, (_, at) =>
    letterOf(at % 3 === 0 ? first : second, `k${at}`, 'x'.repeat(200)),
  );
  await fill(letters, lines, '--format', 'json', '-z', 'none');
  const flags = ['--yes', '--exactly-once', '-X', `brokers=${services().plaintext}`];
  const words = [program, 'topic', 'redrive', letters, ...flags];
  let kills = 0;
  for (let afterMs = 200; kills < 4; afterMs += 60) {
    const { isTerminated } = await execa(runner, words, { reject: false, timeout: afterMs, killSignal: 'SIGKILL' });
    if (isTerminated) kills += 1;
    else break;
  }
  expect(kills).toBeGreaterThan(0);
  await execa(runner, words);
  const keys = [...(await content(first)), ...(await content(second))].map((line) => line.split(' ')[2]);
  expect(keys).toHaveLength(15_000);
  expect(new Set(keys).size).toBe(15_000);
  expect(await redriven(letters)).toEqual([]);
}, 120_000);
