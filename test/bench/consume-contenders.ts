import { kafkaToolsClassPath } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import type { Peer } from './peers.ts';
import { program } from './programs.ts';
import { node, type Place, weir } from './world.ts';

/** A topic that is read. */
export interface Topic {
  readonly name: string;
  readonly records: number;
  readonly valueBytes: number;
  readonly partitions: number;
  readonly codec: string;
  /** Whether every format, redirection and a group are measured on it. */
  readonly manyWays: boolean;
  /** Left out: words and numbers. */
  readonly values?: 'json' | 'words';
}

/** How a record is printed, in each program's language. */
export interface Format {
  readonly name: string;
  readonly weir: string;
  readonly kcat: readonly string[];
}

/** Values as lines. */
export const values: Format = { name: '%v', weir: '%v\\n', kcat: ['-f', '%s\\n'] };

/** Records as JSON. */
export const json: Format = { name: 'json', weir: 'json', kcat: ['-J'] };

/** All formats that are measured. */
export const formats: readonly Format[] = [
  values,
  { name: '%k %v', weir: '%k %v\\n', kcat: ['-f', '%k %s\\n'] },
  { name: '%p %o %d %k %v', weir: '%p %o %d %k %v\\n', kcat: ['-f', '%p %o %T %k %s\\n'] },
  json,
];

/** Weir, from the start of the topic to its end. */
export function weirReads({ name }: Topic, format: Format, { env, brokers }: Place): Contender {
  const args = [weir, 'topic', 'consume', name, '-o', ':end', '-f', format.weir, '-X', `brokers=${brokers}`];
  return { name: 'weir', file: node, args, env };
}

/** The other consumers. */
export function peersOf(topic: Topic | undefined, format: Format, place: Place): readonly Peer[] {
  const { name = '', records = 0, partitions = 1, codec = 'none', valueBytes = 100 } = topic ?? {};
  const { brokers, ca } = place;
  // With -e, kcat would wait half a second for more at the end.
  const exact = ['-o', 'beginning', '-c', String(records)];
  const tls = ca === undefined ? [] : ['-X', 'security.protocol=ssl', '-X', `ssl.ca.location=${ca}`];
  const bare = ca === undefined && format === values && partitions === 1 && codec === 'none';
  return [
    { name: 'kcat', file: 'kcat', args: ['-C', '-q', ...exact, '-b', brokers, ...tls, '-t', name, ...format.kcat] },
    // The limit: the same bytes, received and thrown away.
    { name: 'raw read', file: node, args: [program('raw-read'), brokers, name], there: bare },
    ...tools(topic, format, place),
    {
      name: 'kafkajs',
      file: node,
      args: [program('kafkajs-consume'), brokers, name, String(records)],
      there: bare && valueBytes === 100,
    },
  ];
}

/** Programs that exist only on some machines; Kafka's own tool counts records without printing them. */
function tools(topic: Topic | undefined, format: Format, { env, brokers, ca }: Place): readonly Peer[] {
  const { name, records } = topic ?? { name: '', records: 0 };
  const printed = format === values && ca === undefined;
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const perf = ['-Xmx512m', '-cp', classPath ?? '', 'org.apache.kafka.tools.ConsumerPerformance'];
  const from = ['--bootstrap-server', brokers, '--topic', name, '--messages', String(records)];
  const rpk = ['topic', 'consume', name, '-X', `brokers=${brokers}`, '-o', ':end', '-f', format.weir];
  return [
    { name: "Kafka's perf tool", file: 'java', args: [...perf, ...from], there: classPath !== undefined && printed },
    { name: 'rpk', file: 'rpk', args: format.name === 'json' ? rpk.slice(0, -2) : rpk, there: ca === undefined },
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
