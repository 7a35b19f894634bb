import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { kcat, linesOf, newTopic, weir } from '../../commands/topic/records-world.ts';
import { services } from '../../services/services.ts';
import { codecs, fromEnvelopes, hardRecords, toEnvelopes } from './plain-records.ts';

const records = hardRecords();

/** What kcat prints in front of the bytes of a record: its sizes (-1: null), time and headers. */
const layout = '%K %S %T %h\\n%k%s';

interface KcatRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly timestamp: number;
  readonly headers: string;
}

async function kcatReads(topic: string): Promise<readonly KcatRecord[]> {
  const words = ['-b', services().plaintext, '-C', '-t', topic, '-e', '-q', '-o', 'beginning', '-f', layout];
  const { stdout } = await execa('kcat', words, { encoding: 'buffer', stripFinalNewline: false });
  const bytes = Buffer.from(stdout);
  const found: KcatRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [keySize = 0, valueSize = 0, timestamp = 0] = bytes.toString('latin1', at, end).split(' ').map(Number);
    const headers = bytes.toString('latin1', at, end).split(' ').slice(3).join(' ');
    const take = (size: number) => {
      at += Math.max(size, 0);
      return size < 0 ? null : bytes.subarray(at - size, at);
    };
    at = end + 1;
    found.push({ key: take(keySize), value: take(valueSize), timestamp, headers });
  }
  return found;
}

describe('kcat', () => {
  it.each(codecs)('reads weir\u2019s records byte for byte with %s', async (codec) => {
    const topic = await newTopic();
    // Its output separates headers and bytes only by a line end.
    const readable = records.map((one) => ({
      ...one,
      headers: one.headers.filter(([, value]) => !value?.includes('\n')),
    }));
    const flags = ['--format', 'json', '-o', '', '-z', codec];
    await weir(['topic', 'produce', topic, ...flags], { stdin: toEnvelopes(readable) });
    const expected = readable.map(({ key, value, timestamp, headers }) => ({
      ...{ key, value, timestamp },
      headers: headers
        .map(([name, content]) => `${Buffer.from(name).toString('latin1')}=${content?.toString('latin1') ?? 'NULL'}`)
        .join(','),
    }));
    expect(await kcatReads(topic)).toEqual(expected);
  });

  it.each(codecs)('wrote with %s keys, tombstones and headers that weir reads', async (codec) => {
    const topic = await newTopic();
    const words = ['-P', '-t', topic, '-z', codec, '-K', '\t', '-Z', '-H', 'a=1', '-H', 'b', '-H', 'a=2'];
    const lines = Array.from({ length: 500 }, (_, index) => `k${index}\t${index % 7 === 0 ? '' : 'v'.repeat(index)}`);
    await kcat(words, lines.map((line) => `${line}\n`).join(''));
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
    const read = fromEnvelopes(linesOf(stdout));
    const shown = read.map(({ key, value }) => `${key}\t${value ?? ''}`);
    expect(shown).toEqual(lines);
    expect(read.filter(({ value }) => value === null)).toHaveLength(72);
    const headers = [
      ['a', Buffer.from('1')],
      ['b', null],
      ['a', Buffer.from('2')],
    ];
    for (const one of read) expect(one.headers).toEqual(headers);
  });
});
