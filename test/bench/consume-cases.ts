import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case } from './compare.ts';
import { type Format, formats, json, peersOf, type Topic, values, weirReads } from './consume-contenders.ts';
import { faster, type Goal } from './goals.ts';
import type { Contender } from './measure.ts';
import { present } from './peers.ts';
import { intoFile, intoPipe } from './redirect.ts';
import { node, type Place, weir } from './world.ts';

/** The topics that are read over plain TCP; the first one in more ways than the others. */
export function topicsOf(scale: number): readonly Topic[] {
  const small = { records: Math.ceil(1_000_000 * scale), valueBytes: 100 };
  const large = { records: Math.ceil(300_000 * scale), valueBytes: 1024 };
  const shapes = [
    { ...small, partitions: 1, codec: 'none' },
    { ...small, partitions: 6, codec: 'none' },
    { ...large, partitions: 1, codec: 'none' },
    { ...large, partitions: 6, codec: 'none' },
    { ...large, partitions: 1, codec: 'none', values: 'json' as const },
    ...['gzip', 'snappy', 'lz4', 'zstd'].map((codec) => ({ ...small, partitions: 1, codec })),
  ];
  return shapes.map((shape, at) => ({
    ...shape,
    name: `bench-consume-${process.pid}-${shape.valueBytes}-${shape.partitions}-${shape.codec}${'values' in shape ? '-json' : ''}`,
    manyWays: at === 0,
  }));
}

/** The topic that is read over TLS: 100 bytes, one partition, uncompressed. */
export function tlsTopic(scale: number): Topic {
  return {
    name: `bench-consume-${process.pid}-tls`,
    records: Math.ceil(1_000_000 * scale),
    valueBytes: 100,
    partitions: 1,
    codec: 'none',
    manyWays: false,
  };
}

/** The name of the case over TLS. */
export const tlsReading = '100 B, 1 p, none, %v, TLS';

/** The cases of one topic. */
export function readings(topic: Topic, place: Place): readonly Case[] {
  if (place.ca !== undefined) return [{ ...readingOf(topic, values, place), name: tlsReading }];
  if (topic.values === 'json') return [jsonReading(topic, place)];
  if (!topic.manyWays) return [readingOf(topic, values, place)];
  return [
    ...formats.map((format) => readingOf(topic, format, place)),
    ...redirected(topic, place),
    groupReading(topic, place),
  ];
}

function readingOf(topic: Topic, format: Format, place: Place): Case {
  const { valueBytes, partitions, codec } = topic;
  return {
    name: `${valueBytes} B, ${partitions} p, ${codec}, ${format.name}`,
    contenders: [weirReads(topic, format, place), ...present(peersOf(topic, format, place))],
    goals: goalsOf(topic, format, place),
  };
}

/** Values that are JSON themselves, inside weir's JSON: every quote of them is escaped. */
function jsonReading(topic: Topic, place: Place): Case {
  const reading = readingOf(topic, json, place);
  return { ...reading, name: `${reading.name} of JSON values`, goals: [faster('kcat', 10), faster('rpk', 4)] };
}

/** The goals of docs/performance.md's specification for this case. */
function goalsOf({ valueBytes, codec }: Topic, format: Format, { ca }: Place): readonly Goal[] {
  if (ca !== undefined) return [faster('kcat', 2.5)];
  if (codec !== 'none') return [faster('kcat', 1.5)];
  if (format !== values) return [faster('kcat', 2), faster('rpk', 2)];
  const beside = valueBytes === 100 ? { kcat: 3.5, rpk: 4 } : { kcat: 1.8, rpk: 2.3 };
  const raw: Goal = { peer: 'raw read', kind: 'wall', limit: 2 };
  return [faster('kcat', beside.kcat), faster('rpk', beside.rpk), raw];
}

/** The values to a file and through a pipe, compared with kcat. */
function redirected(topic: Topic, place: Place): readonly Case[] {
  const path = join(tmpdir(), `${topic.name}.out`);
  const { name, contenders } = readingOf(topic, values, place);
  const both = contenders.filter((one) => one.name === 'weir' || one.name === 'kcat');
  const goals = [faster('kcat', 3.5)];
  return [
    {
      name: `${name}, to a file`,
      contenders: both.map((one) => intoFile(one, path)),
      end: () => rmSync(path, { force: true }),
      goals,
    },
    { name: `${name}, to a pipe`, contenders: both.map(intoPipe), goals },
  ];
}

/** Compared with the same read without a group; a new group each time, so that it reads everything. */
function groupReading(topic: Topic, place: Place): Case {
  const line = `exec "$0" "$1" topic consume ${topic.name} -f '%v\\n' -n ${topic.records} -g bench-$$ -X "$2"`;
  const args = ['-c', line, node, weir, `brokers=${place.brokers}`];
  const without: Contender = { ...weirReads(topic, values, place), name: 'weir without a group' };
  return {
    name: `${topic.valueBytes} B, 1 p, none, %v, group`,
    contenders: [{ name: 'weir -g', file: 'sh', args, env: place.env }, without],
    goals: [faster(without.name, 0.8)],
  };
}
