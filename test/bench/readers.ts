import { kafkaScript } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import { type Peer, present } from './peers.ts';
import { type Place, weirs } from './world.ts';

/** A topic that is read. */
export interface Topic {
  readonly name: string;
  readonly records: number;
}

/** How a record is printed, in each program's language. */
export interface Layout {
  readonly weir: readonly string[];
  readonly rpk: readonly string[];
  /** Left out by what kcat and Kafka's scripts cannot do. */
  readonly kcat?: readonly string[];
  readonly isScripts?: boolean;
}

/** Values as lines. */
export const lines: Layout = {
  weir: ['-f', '%v\\n'],
  rpk: ['-f', '%v\\n'],
  kcat: ['-f', '%s\\n'],
  isScripts: true,
};

/** Records as JSON. */
export const json: Layout = { weir: ['-f', 'json'], rpk: [], kcat: ['-J'] };

/** Records as JSON, with their values decoded by their schema. */
export function decoded(registry: string): Layout {
  const at = `registry.hosts=${registry.replace('http://', '')}`;
  const flags = ['--use-schema-registry=value', '-X', at];
  return { weir: ['-f', 'json', ...flags], rpk: flags };
}

/** Weir and the other programs, each from the start of the topic to its end. */
export function readers({ name, records }: Topic, layout: Layout, place: Place): readonly Contender[] {
  const { env, brokers, ca } = place;
  const at = ['-X', `brokers=${brokers}`];
  const tls = ca === undefined ? [] : ['-X', 'tls.enabled=true', '-X', `tls.ca=${ca}`];
  const whole = ['topic', 'consume', name, '-o', ':end', ...at, ...tls];
  const rpk: Peer = { name: 'rpk', file: 'rpk', args: [...whole, ...layout.rpk], env };
  const count = String(records);
  const script = kafkaScript(
    place,
    'consumer.ConsoleConsumer',
    '--topic',
    name,
    '--from-beginning',
    '--max-messages',
    count,
  );
  const hasScript = script.there === true && layout.isScripts === true && ca === undefined;
  return [
    ...weirs([...whole, ...layout.weir], env),
    ...present([rpk, kcat({ name, records }, layout, place), { ...script, there: hasScript }]),
  ];
}

function kcat({ name, records }: Topic, layout: Layout, { brokers, ca }: Place): Peer {
  // With -e, kcat would wait half a second for more at the end.
  const whole = ['-o', 'beginning', '-c', String(records), '-b', brokers, '-t', name];
  const tls = ca === undefined ? [] : ['-X', 'security.protocol=ssl', '-X', `ssl.ca.location=${ca}`];
  const args = ['-C', '-q', ...whole, ...tls, ...(layout.kcat ?? [])];
  return { name: 'kcat', file: 'kcat', args, there: layout.kcat !== undefined };
}
