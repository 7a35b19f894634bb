import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import '../../../services/services.ts';
import { weir as program, runner } from '../../../built.ts';
import { fill, newTopic, weir } from '../../../commands/topic/records-world.ts';
import { services } from '../../../services/services.ts';
import { pythonPeer } from '../../interop/python-peer.ts';

/** The number of committed records, and a hash of everything about them but their offsets, partition by partition. */
async function content(topic: string): Promise<string> {
  const layout = '%p %d %k{hex} %K %v{hex} %V %h{%k{hex}=%v{hex},}\\n';
  const { stdout, stderr } = await weir(['topic', 'consume', topic, '-o', ':end', '--read-committed', '-f', layout]);
  // Of a transaction that is open.
  expect(stderr.replace(/^topic .* stops at offset .*\n/m, '')).toBe('');
  const lines = stdout.split('\n').slice(0, -1);
  const byPartition = Map.groupBy(lines, (line) => line.split(' ', 1)[0]);
  const ordered = [...byPartition].sort().flatMap(([, own]) => own);
  return `${lines.length} records, ${createHash('sha256').update(ordered.join()).digest('hex')}`;
}

async function copied(...words: readonly string[]): Promise<number> {
  const { stdout, stderr, exitCode } = await weir(['topic', 'copy', ...words, '--format', 'json']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const [{ records } = { records: -1 }] = JSON.parse(stdout) as readonly { readonly records: number }[];
  return records;
}

const records = [
  {
    key: 'a',
    value: 'x'.repeat(300),
    headers: [
      { key: 'h', value: null },
      { key: 'h', value: 'y' },
    ],
    timestamp: 1_700_000_000_000,
  },
  { key: null, value: null, timestamp: 5 },
  { key: '', value: '', timestamp: 1_700_000_000_001 },
].map((record) => JSON.stringify(record));

describe('a copy on a real Kafka has the same records', () => {
  it.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'])(
    'compressed with %s, times of the past included',
    async (codec) => {
      const [source, target] = [await newTopic(), await newTopic()];
      await fill(source, Array.from({ length: 100 }, () => records).flat(), '--format', 'json', '-z', codec);
      await fill(source, records, '--format', 'json', '-z', codec);
      expect(await copied(source, target)).toBe(303);
      expect(await content(target)).toBe(await content(source));
      expect(await copied(source, target)).toBe(0);
    },
  );

  it('with the times that its broker has set', async () => {
    const [source, target] = [await newTopic(1, 'message.timestamp.type=LogAppendTime'), await newTopic()];
    await fill(source, records, '--format', 'json');
    await copied(source, target);
    expect(await content(target)).toBe(await content(source));
  });

  it('without those of transactions that were aborted or are open', async () => {
    const [source, target, again] = [await newTopic(), await newTopic(), await newTopic()];
    const producer = pythonPeer('random', [source, '7']);
    for await (const line of createInterface({ input: producer.stdout })) if (line === 'open') break;
    expect(await copied(source, target)).toBeGreaterThan(10);
    expect(await copied(source, again, '--exactly-once')).toBeGreaterThan(10);
    const expected = await content(source);
    expect(await content(target)).toBe(expected);
    expect(await content(again)).toBe(expected);
    producer.stdin.end();
    await producer;
  });

  it('in batches that the destination takes', async () => {
    const [source, target] = [await newTopic(), await newTopic(1, 'max.message.bytes=2000')];
    await fill(source, Array.from({ length: 50 }, () => records).flat(), '--format', 'json', '-z', 'none');
    await copied(source, target);
    expect(await content(target)).toBe(await content(source));
  });

  it('in the partitions of their keys, and continues in each', async () => {
    const [source, target] = [await newTopic(5), await newTopic(2)];
    const line = (from: number) => Array.from({ length: 40 }, (_, at) => `k${at + from} v${at}`);
    await fill(source, line(0), '-f', '%k %v\\n');
    expect(await copied(source, target, '--partitions-by', 'key')).toBe(40);
    await fill(source, line(40), '-f', '%k %v\\n');
    expect(await copied(source, target, '--partitions-by', 'key')).toBe(40);
    const direct = await newTopic(2);
    await fill(direct, [...line(0), ...line(40)], '-f', '%k %v\\n');
    const keys = async (topic: string) =>
      (await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%p %k\\n'])).stdout;
    expect((await keys(target)).split('\n').sort()).toEqual((await keys(direct)).split('\n').sort());
  });
});

it('copies each record once, however often it is killed', async () => {
  const [source, target] = [await newTopic(2), await newTopic(2)];
  await fill(
    source,
    Array.from({ length: 120_000 }, (_, at) => `${at} ${'x'.repeat(200)}`),
    '-f',
    '%k %v\\n',
    '-z',
    'none',
  );
  const words = [program, 'topic', 'copy', source, target, '--exactly-once', '-X', `brokers=${services().plaintext}`];
  let kills = 0;
  for (let afterMs = 100; kills < 6; afterMs += 40) {
    const { isTerminated } = await execa(runner, words, { reject: false, timeout: afterMs, killSignal: 'SIGKILL' });
    if (isTerminated) kills += 1;
    else break;
  }
  expect(kills).toBeGreaterThan(0);
  await execa(runner, words);
  expect(await content(target)).toBe(await content(source));
}, 120_000);

it('moves a group that stopped in the middle: transactions, compaction, and a copy that is killed', async () => {
  const [origin, source, target] = [
    await newTopic(),
    await newTopic(1, 'cleanup.policy=compact', 'segment.ms=1', 'min.cleanable.dirty.ratio=0.001'),
    await newTopic(),
  ];
  const values = (text: string): readonly string[] => text.split('\n').slice(0, -1);
  const read = async (...words: readonly string[]) =>
    values((await weir(['topic', 'consume', ...words, '-f', '%v\\n'])).stdout);
  // Each round is a transaction, whose marker takes an offset and begins a segment.
  for (let round = 0; round < 5; round += 1) {
    const lines = Array.from({ length: 100 }, (_, at) => `k${(at * 7 + round * 40) % 300} ${round}-${at}`);
    await fill(origin, lines, '-f', '%k %v\\n');
    await copied(origin, source, '--exactly-once');
  }
  const group = `${source}-group`;
  const before = await read(source, '-g', group, '-n', '270', '-o', 'start');
  expect(before).toHaveLength(270);
  await expect
    .poll(async () => (await read(source, '-o', ':end')).length, { timeout: 60_000, interval: 500 })
    .toBeLessThan(420);
  const words = ['topic', 'copy', source, target, '--exactly-once', '--offsets', group];
  const options = { reject: false, timeout: 300, killSignal: 'SIGKILL' } as const;
  await execa(runner, [program, ...words, '-X', `brokers=${services().plaintext}`], options);
  const [{ offsets } = { offsets: [] }] = JSON.parse((await weir([...words, '--format', 'json'])).stdout);
  expect(offsets).toMatchObject([{ group, partition: 0, error: null }]);
  const [{ source_offset: stopped }] = offsets;
  const left = await read(source, '-o', `${stopped}:end`);
  const after = await read(target, '-g', group, '-n', String(left.length));
  expect(after).toEqual(left);
  expect(new Set([...before, ...after]).size).toBe(before.length + after.length);
  // The group has gone on: it is not sent back.
  const [{ offsets: again } = { offsets: [] }] = JSON.parse((await weir([...words, '--format', 'json'])).stdout);
  expect(again[0].offset).toBe(again[0].prior_offset);
  expect(again[0].offset).toBeGreaterThan(offsets[0].offset);
}, 120_000);
