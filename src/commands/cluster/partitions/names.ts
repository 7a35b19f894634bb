import type { PartitionName, TopicName } from '../../../admin/partitions/partition-rows.ts';
import { exitCodes, type ItemError, missingError, usageError } from '../../../errors.ts';
import { showPartition, showTopic } from '../../../format/partition-name.ts';
import { type Kind, maxInt32 } from '../../../kinds.ts';
import { newTopicName } from '../../topic/topic-name.ts';

/** `[NAMESPACE/]TOPIC`, whose namespace is `kafka` by default. */
export const topicPath: Kind<TopicName> = {
  name: 'topic',
  hint: '[NAMESPACE/]TOPIC',
  completes: 'topic',
  parse(value) {
    const words = value.split('/');
    const [topic = '', namespace = 'kafka', ...rest] = words.reverse();
    if (rest.length > 0) throw new Error('not of the form [NAMESPACE/]TOPIC');
    if (!/^[\w.-]+$/.test(namespace)) throw new Error('the namespace is not valid');
    return { namespace, topic: newTopicName.parse(topic) };
  },
  show: showTopic,
};

/** A value that may name its topic itself: `[[NAMESPACE/]TOPIC/]REST`. */
export interface OfTopic<T> {
  readonly topic: TopicName | undefined;
  readonly value: T;
}

/** Creates the kind of such values. */
function ofTopic<T>(rest: Pick<Kind<T>, 'name' | 'hint' | 'parse' | 'show'>): Kind<OfTopic<T>> {
  return {
    name: rest.name,
    hint: `[TOPIC/]${rest.hint}`,
    parse(text) {
      const at = text.lastIndexOf('/');
      const topic = at < 0 ? undefined : topicPath.parse(text.slice(0, at));
      return { topic, value: rest.parse(text.slice(at + 1)) };
    },
    show: ({ topic, value }) => (topic === undefined ? '' : `${showTopic(topic)}/`) + rest.show(value),
  };
}

function numberIn(text: string, what: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > maxInt32) throw new Error(`${what} is not a whole number from 0`);
  return Number(text);
}

/** `[[NAMESPACE/]TOPIC/]0,1,2` */
export const partitionList: Kind<OfTopic<readonly number[]>> = ofTopic({
  name: 'partitions',
  hint: '0,1,2',
  parse: (text) => text.split(',').map((one) => numberIn(one, 'a partition')),
  show: (partitions) => partitions.join(','),
});

/** One broker of a placement; the core is that of the command line. */
export interface GivenReplica {
  readonly broker: number;
  readonly core: number | undefined;
}

/** The brokers that a partition is to be on. */
export interface GivenPlacement {
  readonly partition: number;
  readonly replicas: readonly GivenReplica[];
}

/** `[[NAMESPACE/]TOPIC/]0:1,2-0` */
export const placement: Kind<OfTopic<GivenPlacement>> = ofTopic({
  name: 'placement',
  hint: '0:1,2,3',
  parse(text) {
    const [partition = '', list, ...more] = text.split(':');
    if (list === undefined || more.length > 0) throw new Error('not of the form [TOPIC/]PARTITION:BROKER,BROKER');
    const replicas = list.split(',').map(replicaIn);
    const brokers = new Set(replicas.map(({ broker }) => broker));
    if (brokers.size < replicas.length) throw new Error('it names a broker twice');
    return { partition: numberIn(partition, 'the partition'), replicas };
  },
  show: ({ partition, replicas }) =>
    `${partition}:${replicas.map(({ broker, core }) => (core === undefined ? broker : `${broker}-${core}`)).join(',')}`,
});

function replicaIn(text: string): GivenReplica {
  const [broker = '', core, ...more] = text.split('-');
  if (more.length > 0) throw new Error('a replica is not of the form BROKER or BROKER-CORE');
  return { broker: numberIn(broker, 'a broker'), core: core === undefined ? undefined : numberIn(core, 'a core') };
}

/** A partition and its new leader. */
export interface GivenLeader {
  readonly partition: number;
  readonly leader: number;
}

/** `[[NAMESPACE/]TOPIC/]0:2` */
export const newLeader: Kind<OfTopic<GivenLeader>> = ofTopic({
  name: 'new leader',
  hint: '0:2',
  parse(text) {
    const [partition = '', leader, ...more] = text.split(':');
    if (leader === undefined || more.length > 0) throw new Error('not of the form [TOPIC/]PARTITION:BROKER');
    return { partition: numberIn(partition, 'the partition'), leader: numberIn(leader, 'the broker') };
  },
  show: ({ partition, leader }) => `${partition}:${leader}`,
});

/**
 * Applies each value to the topic that it names or, if none names one, to every topic of the arguments.
 * @throws CliError (exit 2) if both name topics, or neither does
 */
export function forTopics<T>(
  topics: readonly TopicName[],
  values: readonly OfTopic<T>[],
  flag: string,
): readonly (TopicName & { readonly value: T })[] {
  return values.flatMap(({ topic, value }) => {
    if (topic === undefined && topics.length === 0)
      throw missingError('TOPIC', [`name the topic as an argument, or in the value of ${flag}: TOPIC/0`]);
    if (topic !== undefined && topics.length > 0)
      throw usageError(`TOPIC cannot be combined with the topic "${showTopic(topic)}" of ${flag}`, { target: flag });
    return (topic === undefined ? topics : [topic]).map((one) => ({ ...one, value }));
  });
}

/** @throws CliError (exit 2) if a partition is named twice */
export function checkOnce(names: readonly PartitionName[], flag: string): void {
  const seen = new Set<string>();
  for (const name of names.map(showPartition)) {
    if (seen.has(name)) throw usageError(`${flag} names partition ${name} twice`, { target: flag });
    seen.add(name);
  }
}

/** The error for a partition that a topic does not have. @param topic the topic as commands name it */
export function noPartition(topic: string, partition: number): ItemError {
  const message = `topic ${topic} has no partition ${partition}`;
  return { code: 'NOT_FOUND', number: null, message, retryable: false, exit_code: exitCodes.notFound };
}
