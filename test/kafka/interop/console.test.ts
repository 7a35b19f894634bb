import { describe, expect, it, test } from 'vitest';
import '../../services/services.ts';
import { linesOf, newTopic, weir } from '../../commands/topic/records-world.ts';
import { type ConsoleRecord, consoleConsumes, consoleProduces, nullText } from './console-tools.ts';
import { codecs, fromEnvelopes, hardRecords, type InteropRecord, toEnvelopes } from './plain-records.ts';

const records = hardRecords();

/** What the console consumer prints of a record. */
function printed({ key, value, headers, timestamp }: InteropRecord, offset: number): Buffer {
  const bytes = (content: Buffer | null) => content ?? Buffer.from(nullText);
  const list = headers.flatMap(([name, content], index) => [
    Buffer.from(`${index === 0 ? '' : ','}${name}:`),
    bytes(content),
  ]);
  const before = `CreateTime:${timestamp}\tPartition:0\tOffset:${offset}\t`;
  const shown = headers.length === 0 ? [Buffer.from('NO_HEADERS')] : list;
  return Buffer.concat(
    [[Buffer.from(before)], shown, [Buffer.from('\t')], [bytes(key)], [Buffer.from('\t')], [bytes(value)]].flat(),
  );
}

describe("Kafka's console consumer", () => {
  it('reads byte for byte what weir wrote with every codec', async () => {
    const topic = await newTopic();
    for (const codec of codecs) {
      const flags = ['--format', 'json', '-o', '', '-z', codec];
      const { stderr } = await weir(['topic', 'produce', topic, ...flags], { stdin: toEnvelopes(records) });
      expect(stderr).toMatch(/^Wrote [\d,]+ records?\n$/);
    }
    const all = codecs.flatMap(() => records);
    const expected = Buffer.concat(all.flatMap((record, offset) => [printed(record, offset), Buffer.from('\n')]));
    const read = await consoleConsumes(topic, all.length);
    expect(read.length).toBe(expected.length);
    expect(read.equals(expected)).toBe(true);
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%a{compression}\\n']);
    expect(new Set(linesOf(stdout))).toEqual(new Set(codecs));
  });
});

/** Text that its input format can express: no tab, no line end, no comma in a header. */
const consoleRecords: readonly ConsoleRecord[] = [
  { headers: 'a:1,b:<null>,a:2', key: 'k', value: 'v' },
  { headers: nullText, key: nullText, value: 'no key, no headers' },
  { headers: 'h:', key: 'tombstone', value: nullText },
  { headers: nullText, key: '', value: '' },
  { headers: 'ü:ß', key: 'schlüssel', value: 'wert ✓ \u{1f600}' },
  ...Array.from({ length: 300 }, (_, index) => ({
    headers: `n:${index}`,
    key: `key-${index}`,
    value: 'text '.repeat(index % 50),
  })),
];

test("what Kafka's console producer wrote is read byte for byte, and is where weir writes the same keys", async () => {
  const [ours, theirs] = [await newTopic(17), await newTopic(17)];
  const keys = ['a', '', ' ', 'schlüssel', '\u{1f600}', 'x'.repeat(1000), ...Array.from({ length: 200 }, String)];
  const rows = [...keys, ...keys.map((_, index) => `key-${index}`)].map((key) => ({
    headers: nullText,
    key,
    value: 'v',
  }));
  const all = [...consoleRecords, ...rows];
  await consoleProduces(theirs, 'snappy', all);
  const { stdout } = await weir(['topic', 'consume', theirs, '-o', ':end', '--format', 'json']);
  const read = fromEnvelopes(linesOf(stdout)).map(({ key, value, headers }) => ({
    headers: headers.map(([name, content]) => `${name}:${content ?? nullText}`).join(',') || nullText,
    key: key?.toString() ?? nullText,
    value: value?.toString() ?? nullText,
  }));
  const sorted = (records: readonly ConsoleRecord[]) => records.map((one) => JSON.stringify(one)).toSorted();
  expect(sorted(read)).toEqual(sorted(all));
  const packed = await weir(['topic', 'consume', theirs, '-o', ':end', '-f', '%a{compression}\\n']);
  expect(new Set(linesOf(packed.stdout))).toEqual(new Set(['snappy']));

  // Its layouts read an empty key as null; JSON distinguishes them.
  const keyed = all.filter(({ key }) => key !== nullText);
  const stdin = keyed.map(({ key }) => `${JSON.stringify({ key })}\n`).join('');
  await weir(['topic', 'produce', ours, '--format', 'json', '-o', ''], { stdin });
  const placesIn = async (topic: string) => {
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
    const found = linesOf(stdout).map(
      (line) => JSON.parse(line) as { readonly key?: string; readonly partition: number },
    );
    return found.flatMap(({ key, partition }) => (typeof key === 'string' ? [`${key} ${partition}`] : [])).toSorted();
  };
  const places = await placesIn(ours);
  expect(places).toHaveLength(keyed.length);
  expect(places).toEqual(await placesIn(theirs));
});

// The broker compresses with the same classes as Java's producer.
test.each(codecs)('what Kafka has compressed with %s is read byte for byte', async (codec) => {
  const topic = await newTopic(1, `compression.type=${codec === 'none' ? 'uncompressed' : codec}`);
  const other = codec === 'none' ? 'gzip' : 'none';
  const flags = ['--format', 'json', '-o', '', '-z', other];
  await weir(['topic', 'produce', topic, ...flags], { stdin: toEnvelopes(records) });
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
  expect(fromEnvelopes(linesOf(stdout))).toEqual(records);
  const packed = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%a{compression}\\n']);
  expect(new Set(linesOf(packed.stdout))).toEqual(new Set([codec]));
});
