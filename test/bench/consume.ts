import { openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare } from './compare.ts';
import { writeLines } from './datasets.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers, type Peer, present } from './peers.ts';
import { inWorld, node, type Place, produceFile, requireWeir, weir, withBroker } from './world.ts';

/** A topic that is read. */
interface Topic {
  readonly name: string;
  readonly records: number;
  readonly valueBytes: number;
  readonly partitions: number;
  readonly codec: string;
}

/** How a record is printed, in each program's language. */
interface Format {
  readonly name: string;
  readonly weir: string;
  readonly kcat: readonly string[];
}

const values: Format = { name: '%v', weir: '%v\\n', kcat: ['-f', '%s\\n'] };
const formats: readonly Format[] = [
  values,
  { name: '%k %v', weir: '%k %v\\n', kcat: ['-f', '%k %s\\n'] },
  { name: 'json', weir: 'json', kcat: ['-J'] },
];

/** Measures reading whole topics to /dev/null: sizes, partitions, codecs and formats. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) => withBroker(env, (brokers) => measure(options, { env, brokers })));
}

async function measure({ rounds, scale, only }: BenchOptions, place: Place): Promise<string> {
  const topics = topicsOf(scale);
  const reads = topics.flatMap((topic, at) =>
    (at === 0 ? formats : [values]).map((format) => ({ topic, one: caseOf(topic, format, place) })),
  );
  const groups = topics.slice(0, 1).map((topic) => ({ topic, one: groupCase(topic, place) }));
  const wanted = [...reads, ...groups].filter(({ one }) => one.name.includes(only));
  const read = new Set(wanted.map(({ topic }) => topic));
  try {
    for (const topic of read) await fill(topic, place);
    const measured = await compare(
      wanted.map(({ one }) => one),
      rounds,
    );
    return measured + missingPeers(peersOf(topics[0], values, place));
  } finally {
    for (const { name } of read) requireWeir(place, 'topic', 'delete', name, '--yes');
  }
}

function topicsOf(scale: number): readonly Topic[] {
  const small = { records: Math.ceil(1_000_000 * scale), valueBytes: 100 };
  const large = { records: Math.ceil(300_000 * scale), valueBytes: 1024 };
  const shapes = [
    { ...small, partitions: 1, codec: 'none' },
    { ...small, partitions: 6, codec: 'none' },
    { ...large, partitions: 1, codec: 'none' },
    { ...large, partitions: 6, codec: 'none' },
    ...['gzip', 'snappy', 'lz4', 'zstd'].map((codec) => ({ ...small, partitions: 1, codec })),
  ];
  return shapes.map((shape) => ({
    ...shape,
    name: `bench-consume-${process.pid}-${shape.valueBytes}-${shape.partitions}-${shape.codec}`,
  }));
}

/** Makes the topic and writes the same records into it as on every other machine. */
async function fill({ name, partitions, records, valueBytes, codec }: Topic, place: Place): Promise<void> {
  requireWeir(place, 'topic', 'create', name, '-p', String(partitions));
  const path = join(tmpdir(), `${name}.txt`);
  try {
    await writeLines(path, { records, valueBytes, keyed: true });
    produceFile(place, openSync(path, 'r'), name, '-f', '%k %v\\n', '-z', codec);
  } finally {
    rmSync(path, { force: true });
  }
}

function caseOf(topic: Topic, format: Format, place: Place): Case {
  const { valueBytes, partitions, codec } = topic;
  return {
    name: `${valueBytes} B, ${partitions} p, ${codec}, ${format.name}`,
    contenders: [weirReads(topic, format, place), ...present(peersOf(topic, format, place))],
  };
}

function weirReads({ name }: Topic, format: Format, { env, brokers }: Place): Contender {
  const args = [weir, 'topic', 'consume', name, '-o', ':end', '-f', format.weir, '-X', `brokers=${brokers}`];
  return { name: 'weir', file: node, args, env };
}

/** Beside the same without a group; a group of its own each time, so that it reads everything. */
function groupCase(topic: Topic, place: Place): Case {
  const line = `exec "$0" "$1" topic consume ${topic.name} -f '%v\\n' -n ${topic.records} -g bench-$$ -X "$2"`;
  const args = ['-c', line, node, weir, `brokers=${place.brokers}`];
  return {
    name: `${topic.valueBytes} B, 1 p, none, %v, group`,
    contenders: [
      { name: 'weir -g', file: 'sh', args, env: place.env },
      { ...weirReads(topic, values, place), name: 'weir without a group' },
    ],
  };
}

/** What reads a topic besides weir; Kafka's own tool counts records and prints none. */
function peersOf(topic: Topic | undefined, format: Format, { env, brokers }: Place): readonly Peer[] {
  const { name, records } = topic ?? { name: '', records: 0 };
  const printed = format === values;
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const perf = ['-Xmx512m', '-cp', classPath ?? '', 'org.apache.kafka.tools.ConsumerPerformance'];
  const from = ['--bootstrap-server', brokers, '--topic', name, '--messages', String(records)];
  // Told to exit at the end, kcat would wait there half a second for more.
  const exact = ['-o', 'beginning', '-c', String(records)];
  const rpk = ['topic', 'consume', name, '-X', `brokers=${brokers}`, '-o', ':end', '-f', format.weir];
  return [
    { name: 'kcat', file: 'kcat', args: ['-C', '-q', ...exact, '-b', brokers, '-t', name, ...format.kcat] },
    { name: "Kafka's perf tool", file: 'java', args: [...perf, ...from], there: classPath !== undefined && printed },
    { name: 'rpk', file: 'rpk', args: format.name === 'json' ? rpk.slice(0, -2) : rpk },
    {
      name: 'kaf',
      file: 'kaf',
      args: ['consume', name, '-b', brokers, '--output', 'raw', '--limit-messages', String(records)],
      there: printed && topic?.partitions === 1,
    },
    {
      name: 'kafkactl',
      file: 'kafkactl',
      args: ['consume', name, '--from-beginning', '--exit'],
      env: { ...env, BROKERS: brokers },
      there: printed,
    },
  ];
}
