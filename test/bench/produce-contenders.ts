import type { LinesShape } from './datasets.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import type { Peer } from './peers.ts';
import { program } from './programs.ts';
import { node, type Place, weir } from './world.ts';

/** A file that is written to a topic, and how. */
export interface Load extends LinesShape {
  readonly partitions: number;
  readonly codec: string;
  /** Whether the file comes through a pipe instead of being standard input. */
  readonly piped: boolean;
}

/** Weir, silent about what it wrote. */
export function weirWrites({ keyed, codec }: Load, topic: string, { env, brokers }: Place): Contender {
  const layout = keyed ? '%k %v\\n' : '%v\\n';
  const args = [weir, 'topic', 'produce', topic, '-f', layout, '-o', '', '-z', codec, '-X', `brokers=${brokers}`];
  return { name: 'weir', file: node, args, env };
}

/** The other producers; through a pipe only kcat. */
export function peersOf(load: Load, topic: string, place: Place): readonly Peer[] {
  const { codec, keyed, partitions, piped } = load;
  const { brokers } = place;
  const key = keyed ? ['-K', ' '] : [];
  const kcat = { name: 'kcat', file: 'kcat', args: ['-P', '-b', brokers, '-t', topic, '-z', codec, ...key] };
  if (piped) return [kcat];
  return [
    kcat,
    ...tools(load, topic, place),
    {
      name: 'kafkajs',
      file: node,
      args: [program('kafkajs-produce'), brokers, topic, String(partitions), codec],
      there: !keyed && (codec === 'none' || codec === 'gzip'),
    },
  ];
}

/** Programs that exist only on some machines; Kafka's own tool generates its records and reads no file. */
function tools(load: Load, topic: string, { env, brokers }: Place): readonly Peer[] {
  const { codec, keyed, records, valueBytes } = load;
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const perf = ['-Xmx512m', '-cp', classPath ?? '', 'org.apache.kafka.tools.ProducerPerformance', '--topic', topic];
  const amount = ['--num-records', String(records), '--record-size', String(valueBytes), '--throughput', '-1'];
  const props = ['--producer-props', `bootstrap.servers=${brokers}`, `compression.type=${codec}`];
  return [
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
    { name: 'kaf', file: 'kaf', args: ['produce', topic, '-b', brokers], there: !keyed && codec === 'none' },
    {
      name: 'kafkactl',
      file: 'kafkactl',
      args: ['produce', topic, ...(keyed ? ['--separator', ' '] : [])],
      env: { ...env, BROKERS: brokers },
      there: codec === 'none',
    },
  ];
}
