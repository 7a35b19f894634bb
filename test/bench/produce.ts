import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare } from './compare.ts';
import { type LinesShape, writeLines } from './datasets.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers, type Peer, present } from './peers.ts';
import { inWorld, node, type Place, requireWeir, weir, withBroker } from './world.ts';

/** A file that is written to a topic, and how. */
interface Load extends LinesShape {
  readonly partitions: number;
  readonly codec: string;
}

/** Measures writing a file of lines to a topic, acknowledged by all replicas. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) => withBroker(env, (brokers) => measure(options, { env, brokers })));
}

async function measure({ rounds, scale, only }: BenchOptions, place: Place): Promise<string> {
  const topic = `bench-produce-${process.pid}`;
  const loads = loadsOf(scale).filter((load) => nameOf(load).includes(only));
  const measured = await compare(
    loads.map((load) => caseOf(load, topic, place)),
    rounds,
  );
  const [first] = loadsOf(scale);
  return measured + (first === undefined ? '' : missingPeers(peersOf(first, topic, place)));
}

function loadsOf(scale: number): readonly Load[] {
  const small = { records: Math.ceil(1_000_000 * scale), valueBytes: 100, keyed: false };
  const large = { records: Math.ceil(300_000 * scale), valueBytes: 1024, keyed: false };
  return [
    { ...small, partitions: 1, codec: 'none' },
    { ...small, partitions: 6, codec: 'none' },
    { ...small, partitions: 6, codec: 'none', keyed: true },
    { ...large, partitions: 1, codec: 'none' },
    { ...large, partitions: 6, codec: 'none' },
    ...['gzip', 'snappy', 'lz4', 'zstd'].map((codec) => ({ ...small, partitions: 1, codec })),
  ];
}

function nameOf({ valueBytes, partitions, codec, keyed }: Load): string {
  return `${valueBytes} B, ${partitions} p, ${codec}${keyed ? ', keys' : ''}`;
}

function caseOf(load: Load, topic: string, place: Place): Case {
  const input = join(tmpdir(), `${topic}.txt`);
  const layout = load.keyed ? '%k %v\\n' : '%v\\n';
  const written = ['topic', 'produce', topic, '-f', layout, '-o', '', '-z', load.codec];
  const args = [weir, ...written, '-X', `brokers=${place.brokers}`];
  let made = false;
  const remove = (): void => {
    if (made) requireWeir(place, 'topic', 'delete', topic, '--yes');
    made = false;
  };
  return {
    name: nameOf(load),
    input,
    begin: () => writeLines(input, load),
    end() {
      rmSync(input, { force: true });
      remove();
    },
    contenders: [{ name: 'weir', file: node, args, env: place.env }, ...present(peersOf(load, topic, place))],
    // A topic of its own for every run: no program pays for what another one wrote.
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', topic, '-p', String(load.partitions));
      made = true;
    },
  };
}

/** What writes besides weir; Kafka's own tool makes its records itself and reads no file. */
function peersOf(load: Load, topic: string, { env, brokers }: Place): readonly Peer[] {
  const { codec, keyed, records, valueBytes } = load;
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const perf = ['-Xmx512m', '-cp', classPath ?? '', 'org.apache.kafka.tools.ProducerPerformance', '--topic', topic];
  const amount = ['--num-records', String(records), '--record-size', String(valueBytes), '--throughput', '-1'];
  const props = ['--producer-props', `bootstrap.servers=${brokers}`, `compression.type=${codec}`];
  const key = keyed ? ['-K', ' '] : [];
  return [
    { name: 'kcat', file: 'kcat', args: ['-P', '-b', brokers, '-t', topic, '-z', codec, ...key] },
    {
      name: "Kafka's perf tool",
      file: 'java',
      args: [...perf, ...amount, ...props],
      there: classPath !== undefined && !keyed,
    },
    {
      name: 'rpk',
      file: 'rpk',
      args: ['topic', 'produce', topic, '-X', `brokers=${brokers}`, '-z', codec, '-f', keyed ? '%k %v\\n' : '%v\\n'],
    },
    {
      name: 'kafkactl',
      file: 'kafkactl',
      args: ['produce', topic, ...(keyed ? ['--separator', ' '] : [])],
      env: { ...env, BROKERS: brokers },
      there: codec === 'none',
    },
  ];
}
