import { createReader, createWriter, type Reader, type Writer } from '../protocol/codec.ts';

/** Some partitions of one topic. */
export interface TopicPartitions {
  readonly topic: string;
  readonly partitions: readonly number[];
}

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** What a member tells the group's leader when it joins. */
export interface Subscription {
  readonly topics: readonly string[];
  /** What the member holds from the generation before, for the sticky assignors. */
  readonly owned: readonly TopicPartitions[];
  /** The generation in which `owned` was handed out; -1 when there was none. */
  readonly generation: number;
}

/** A member as the group's leader sees it. */
export interface GroupMember {
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly subscription: Subscription;
}

/** How many partitions each topic has; topics that do not exist are absent. */
export type PartitionCounts = ReadonlyMap<string, number>;

/** Tells the partitions of a share from others. */
export function isOwnedBy(share: readonly TopicPartitions[]): (item: TopicPartition) => boolean {
  const byTopic = new Map(share.map(({ topic, partitions }) => [topic, new Set(partitions)]));
  return ({ topic, partition }) => byTopic.get(topic)?.has(partition) ?? false;
}

/** Newest layout of ConsumerProtocolSubscription: owned partitions (1), generation (2), rack (3). */
const subscriptionVersion = 3;
const assignmentVersion = 0;

/**
 * A subscription as Java's and librdkafka's consumers read it (ConsumerProtocolSubscription).
 * The `sticky` assignor of the Java client looks for what a member owns in the user data only.
 */
export function encodeSubscription(subscription: Subscription, balancer: string): Buffer {
  const writer = createWriter(false);
  writer.int16(subscriptionVersion);
  writer.array(subscription.topics, (topic) => writer.string(topic));
  writer.nullableBytes(balancer === 'sticky' ? encodeStickyUserData(subscription) : undefined);
  writeTopicPartitions(writer, subscription.owned);
  writer.int32(subscription.generation);
  writer.nullableString(undefined);
  return writer.finish();
}

/** Reads the subscription of any member of the group, of any version: unknown later fields are left alone. */
export function decodeSubscription(bytes: Buffer): Subscription {
  const reader = createReader(bytes, false, 'group subscription');
  const version = reader.int16();
  const topics = reader.array(() => reader.string());
  const userData = reader.nullableBytes();
  const owned = version >= 1 && reader.remaining > 0 ? readTopicPartitions(reader) : [];
  const generation = version >= 2 && reader.remaining >= 4 ? reader.int32() : generationOf(userData);
  const fromUserData = decodeStickyUserData(userData);
  if (owned.length === 0 && fromUserData !== undefined) return { topics, ...fromUserData };
  return { topics, owned, generation };
}

/** A member's share as ConsumerProtocolAssignment. */
export function encodeAssignment(share: readonly TopicPartitions[]): Buffer {
  const writer = createWriter(false);
  writer.int16(assignmentVersion);
  writeTopicPartitions(writer, share);
  writer.nullableBytes(undefined);
  return writer.finish();
}

/** Reads a share; no bytes at all are an empty share. */
export function decodeAssignment(bytes: Buffer): readonly TopicPartitions[] {
  if (bytes.length === 0) return [];
  const reader = createReader(bytes, false, 'group assignment');
  reader.int16();
  return readTopicPartitions(reader);
}

function writeTopicPartitions(writer: Writer, items: readonly TopicPartitions[]): void {
  writer.array(items, (item) => {
    writer.string(item.topic);
    writer.array(item.partitions, (partition) => writer.int32(partition));
  });
}

function readTopicPartitions(reader: Reader): TopicPartitions[] {
  return reader.array(() => ({ topic: reader.string(), partitions: reader.array(() => reader.int32()) }));
}

/** StickyAssignorUserData version 1 of the Java client: what is owned, then its generation. */
function encodeStickyUserData(subscription: Subscription): Buffer {
  const writer = createWriter(false);
  writeTopicPartitions(writer, subscription.owned);
  writer.int32(subscription.generation);
  return writer.finish();
}

/** Where `cooperative-sticky` of the Java client says its generation, before version 2 had a field for it (KIP-792). */
function generationOf(bytes: Buffer | undefined): number {
  return bytes?.length === 4 ? bytes.readInt32BE() : -1;
}

/** Undefined where the user data is none, or some other assignor's. */
function decodeStickyUserData(bytes: Buffer | undefined): Pick<Subscription, 'owned' | 'generation'> | undefined {
  if (bytes === undefined || bytes.length < 8) return undefined;
  try {
    const reader = createReader(bytes, false, 'group user data');
    return { owned: readTopicPartitions(reader), generation: reader.int32() };
  } catch {
    return undefined;
  }
}
