import { createReader, createWriter, type Reader, type Writer } from '../protocol/codec.ts';

/** Partitions of one topic. */
export interface TopicPartitions {
  readonly topic: string;
  readonly partitions: readonly number[];
}

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** The subscription that a member sends to the group leader when it joins. */
export interface Subscription {
  readonly topics: readonly string[];
  /** The partitions that the member owns from the previous generation, for the sticky assignors. */
  readonly owned: readonly TopicPartitions[];
  /** The generation in which `owned` was assigned; -1 for none. */
  readonly generation: number;
}

/** A member as described to the group leader. */
export interface GroupMember {
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly subscription: Subscription;
}

/** The number of partitions of each topic; topics that do not exist are absent. */
export type PartitionCounts = ReadonlyMap<string, number>;

/** Returns a test for the partitions in a share. */
export function isOwnedBy(share: readonly TopicPartitions[]): (item: TopicPartition) => boolean {
  const byTopic = new Map(share.map(({ topic, partitions }) => [topic, new Set(partitions)]));
  return ({ topic, partition }) => byTopic.get(topic)?.has(partition) ?? false;
}

/** The newest version of ConsumerProtocolSubscription; it added owned partitions (1), generation (2) and rack (3). */
const subscriptionVersion = 3;
const assignmentVersion = 0;

/**
 * Encodes a subscription for the Java and librdkafka consumers (ConsumerProtocolSubscription). The `sticky` assignor of
 * the Java client reads owned partitions from the user data only.
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

/** Decodes the subscription of any group member, in any version; ignores unknown later fields. */
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

/** Encodes a member's share as ConsumerProtocolAssignment. */
export function encodeAssignment(share: readonly TopicPartitions[]): Buffer {
  const writer = createWriter(false);
  writer.int16(assignmentVersion);
  writeTopicPartitions(writer, share);
  writer.nullableBytes(undefined);
  return writer.finish();
}

/** Decodes a share; no bytes mean an empty share. */
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
  return reader.array(() => ({ topic: reader.string(), partitions: reader.int32s() }));
}

/** Encodes StickyAssignorUserData version 1 of the Java client: the owned partitions, then their generation. */
function encodeStickyUserData(subscription: Subscription): Buffer {
  const writer = createWriter(false);
  writeTopicPartitions(writer, subscription.owned);
  writer.int32(subscription.generation);
  return writer.finish();
}

/** Reads the generation that the Java client's `cooperative-sticky` stores there before version 2 (KIP-792). */
function generationOf(bytes: Buffer | undefined): number {
  return bytes?.length === 4 ? bytes.readInt32BE() : -1;
}

/** Undefined if the user data is absent or belongs to another assignor. */
function decodeStickyUserData(bytes: Buffer | undefined): Pick<Subscription, 'owned' | 'generation'> | undefined {
  if (bytes === undefined || bytes.length < 8) return undefined;
  try {
    const reader = createReader(bytes, false, 'group user data');
    return { owned: readTopicPartitions(reader), generation: reader.int32() };
  } catch {
    return undefined;
  }
}
