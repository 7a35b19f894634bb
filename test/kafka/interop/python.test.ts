import { describe, expect, it } from 'vitest';
import '../../services/services.ts';
import { linesOf, newTopic, weir } from '../../commands/topic/records-world.ts';
import { codecs, fromEnvelopes, hardRecords, toEnvelopes } from './plain-records.ts';
import { type PlacedRecord, pythonConsumes, pythonProduces } from './python-peer.ts';

const records = hardRecords();
const withoutPlace = ({ key, value, headers, timestamp }: PlacedRecord) => ({ key, value, headers, timestamp });

describe('confluent-kafka for Python', () => {
  it.each(codecs)('reads weir\u2019s records byte for byte with %s', async (codec) => {
    const topic = await newTopic();
    const flags = ['--format', 'json', '-o', '', '-z', codec];
    const { stderr } = await weir(['topic', 'produce', topic, ...flags], { stdin: toEnvelopes(records) });
    expect(stderr).toMatch(/^Wrote [\d,]+ records?\n$/);
    expect((await pythonConsumes(topic)).map(withoutPlace)).toEqual(records);
  });

  it.each(codecs)('wrote with %s what weir reads byte for byte', async (codec) => {
    const topic = await newTopic();
    await pythonProduces(topic, codec, records);
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
    expect(fromEnvelopes(linesOf(stdout))).toEqual(records);
    const packed = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%a{compression}\\n']);
    // A client may leave a small batch as it is.
    expect(linesOf(packed.stdout)).toContain(codec);
  });

  it('chooses the same partition as weir for every key', async () => {
    const [ours, theirs] = [await newTopic(13), await newTopic(13)];
    const keyed = records.filter(({ key }) => key !== null && key.length > 0);
    await weir(['topic', 'produce', ours, '--format', 'json', '-o', ''], { stdin: toEnvelopes(keyed) });
    await pythonProduces(theirs, 'none', keyed);
    const placed = (all: readonly PlacedRecord[]) =>
      all.map(({ key, partition }) => `${key?.toString('hex')} ${partition}`).sort();
    expect(placed(await pythonConsumes(ours))).toEqual(placed(await pythonConsumes(theirs)));
  });
});
