import type { RecordHeader } from '../../records/batches/batch-records.ts';

/** The header in which weir counts how often a record was put back. */
export const countHeader = 'weir-redrive-count';

/** What a framework writes into dead letters. */
interface Framework {
  /** The header with the topic that the record was read from. */
  readonly topic: string;
  /** The header with its partition there; undefined if the framework writes none. */
  readonly partition: string | undefined;
  /** Which of several headers of that name is about the topic that consumers read; the last one unless said otherwise. */
  readonly counts?: 'first';
  /** The headers that it writes. */
  readonly headers: RegExp;
  /** Whether dead letters without key and value only say where the record was. */
  readonly mayBeEmpty?: true;
}

const springDetails =
  '(key-)?exception-(fqcn|cause-fqcn|message|stacktrace)|original-(topic|partition|offset|timestamp|timestamp-type)';

/**
 * Names and encodings from the sources of the frameworks. They keep the headers of the record and add theirs, so a record
 * that failed twice may have them twice: all but `dead-letter-` behind the earlier ones.
 */
const frameworks: readonly Framework[] = [
  // Spring for Apache Kafka: DeadLetterPublishingRecoverer.
  {
    topic: 'kafka_dlt-original-topic',
    partition: 'kafka_dlt-original-partition',
    headers: /^(kafka_dlt-|springDeserializerException)/,
  },
  // The same in a chain of retry topics (@RetryableTopic), which keeps the origin of the first failure. Its consumers take
  // the number of attempts from the record.
  {
    topic: 'kafka_original-topic',
    partition: 'kafka_original-partition',
    headers: new RegExp(
      `^(kafka_(${springDetails}|dlt-original-consumer-group)$|retry_topic-|springDeserializerException)`,
    ),
  },
  // The Kafka binder of Spring Cloud Stream.
  {
    topic: 'x-original-topic',
    partition: 'x-original-partition',
    headers: /^x-(original-(topic|partition|offset|timestamp|timestamp-type)|exception-(fqcn|message|stacktrace))$/,
  },
  // Kafka Connect: DeadLetterQueueReporter, if errors.deadletterqueue.context.headers.enable is set.
  { topic: '__connect.errors.topic', partition: '__connect.errors.partition', headers: /^__connect\.errors\./ },
  // Kafka Streams (KIP-1034).
  { topic: '__streams.errors.topic', partition: '__streams.errors.partition', headers: /^__streams\.errors\./ },
  // Share groups (KIP-1191), whose brokers copy key and value only if the group is configured so.
  { topic: '__dlq.errors.topic', partition: '__dlq.errors.partition', headers: /^__dlq\.errors\./, mayBeEmpty: true },
  // SmallRye Reactive Messaging (Quarkus): dead-letter-queue, which puts its headers before those of the record.
  {
    topic: 'dead-letter-topic',
    partition: 'dead-letter-partition',
    counts: 'first',
    headers: /^dead-letter-(topic|partition|offset|reason|cause|exception-class-name|cause-class-name)$/,
  },
  // The same with delayed-retry-topic: the last header is from the first failure, the others name retry topics.
  {
    topic: 'delayed-retry-topic',
    partition: 'delayed-retry-partition',
    headers:
      /^delayed-retry-(topic|partition|offset|reason|cause|exception-class-name|cause-class-name|count|original-timestamp|first-processing-timestamp)$/,
  },
  // Karafka.
  {
    topic: 'source_topic',
    partition: 'source_partition',
    headers: /^source_(topic|partition|offset|consumer_group|attempts|trace_id)$/,
  },
  // Watermill.
  { topic: 'topic_poisoned', partition: undefined, headers: /^(topic|reason|handler|subscriber)_poisoned$/ },
];

/** Where a record came from. */
export interface Origin {
  readonly topic: string;
  /** The partition there; undefined if no header has it. */
  readonly partition: number | undefined;
}

/** What the headers of a dead letter say. */
export interface Findings {
  /** The origins that they name: several if frameworks disagree. A name that is no text is undefined. */
  readonly origins: readonly (Origin | undefined)[];
  /** How often the record was put back; infinite for a number that is too large. */
  readonly count: number;
  /** Whether the header with the count holds something else, so that the count begins at 0. */
  readonly isCountLost: boolean;
  /** Whether a record without key and value has no content. */
  readonly mayBeEmpty: boolean;
  /** Whether a header was written by the frameworks that have dead-lettered the record. */
  isTheirs(name: string): boolean;
}

/** A header by its name. */
export type NamedHeader = readonly [name: string, value: RecordHeader['value']];

/** Looks for the headers that frameworks write. */
export function findOrigins(headers: readonly NamedHeader[]): Findings {
  const present = frameworks.filter(({ topic }) => headers.some(([name]) => name === topic));
  const origins = new Map<string | undefined, Origin | undefined>();
  for (const { topic, partition, counts } of present) {
    const origin = originIn(headers, { topic, partition, counts });
    // Of two that agree on the topic, the first framework of the list that knows the partition.
    if (origins.get(origin?.topic)?.partition === undefined) origins.set(origin?.topic, origin);
  }
  return {
    origins: [...origins.values()],
    ...countOf(headers),
    mayBeEmpty: present.some(({ mayBeEmpty }) => mayBeEmpty === true),
    isTheirs: (name) => present.some((framework) => framework.headers.test(name)),
  };
}

/** Reads an origin from headers with these names; undefined if the topic is no text. */
export function originIn(
  headers: readonly NamedHeader[],
  { topic, partition, counts }: Pick<Framework, 'topic' | 'partition'> & { readonly counts?: 'first' | undefined },
): Origin | undefined {
  const name = textOf(lastOrFirst(headers, topic, counts));
  if (name === undefined) return undefined;
  return {
    topic: name,
    partition: partition === undefined ? undefined : partitionOf(lastOrFirst(headers, partition, counts)),
  };
}

function lastOrFirst(
  headers: readonly NamedHeader[],
  wanted: string,
  counts: 'first' | undefined,
): RecordHeader['value'] {
  const isWanted = ([name]: NamedHeader): boolean => name === wanted;
  return (counts === 'first' ? headers.find(isWanted) : headers.findLast(isWanted))?.[1] ?? null;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(value: RecordHeader['value']): string | undefined {
  if (value === null) return undefined;
  try {
    return decoder.decode(value);
  } catch {
    return undefined;
  }
}

/** Spring writes four bytes, all others digits; no topic has so many partitions that digits could be such bytes. */
function partitionOf(value: RecordHeader['value']): number | undefined {
  const text = textOf(value) ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (value?.length !== 4) return undefined;
  const number = Buffer.from(value).readInt32BE(0);
  return number < 0 ? undefined : number;
}

/** A number of any length counts: a record with a large one was put back often enough. */
function countOf(headers: readonly NamedHeader[]): Pick<Findings, 'count' | 'isCountLost'> {
  if (!headers.some(([name]) => name === countHeader)) return { count: 0, isCountLost: false };
  const text = textOf(lastOrFirst(headers, countHeader, undefined)) ?? '';
  const isNumber = /^\d+$/.test(text);
  return { count: isNumber ? Number(text) : 0, isCountLost: !isNumber };
}
