import { readable } from '../../protocol/errors.ts';
import { subscriptionHead } from '../../protocol/wire/apis/join-group.ts';
import { compileFields, struct } from '../../protocol/wire/fields.ts';
import { array, bytes, int16, int32, string } from '../../protocol/wire/primitives.ts';
import { createSink, type Sink, written } from '../../protocol/wire/sink.ts';
import { type Source, sourceOf } from '../../protocol/wire/source.ts';

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

const shares = array(struct({ topic: string, partitions: array(int32) }));
const shareCoder = shares.compile(0, false);
const generationCoder = int32.compile(0, false);
const rackCoder = string.compileNullable(0, false);
const assignmentHead = compileFields({ version: int16, share: shares }, 0, false);
const userDataCoder = bytes.compileNullable(0, false);
/** StickyAssignorUserData version 1 of the Java client. */
const stickyCoder = compileFields({ owned: shares, generation: int32 }, 0, false);

/**
 * Encodes a subscription for the Java and librdkafka consumers (ConsumerProtocolSubscription). The `sticky` assignor of
 * the Java client reads owned partitions from the user data only.
 */
export function encodeSubscription(subscription: Subscription, balancer: string): Buffer {
  const { topics, owned, generation } = subscription;
  return bytesOf((sink) => {
    const sticky = balancer === 'sticky' ? bytesOf((data) => stickyCoder.write(data, subscription)) : undefined;
    subscriptionHead.write(sink, { version: subscriptionVersion, topics, userData: sticky });
    shareCoder.write(sink, owned);
    generationCoder.write(sink, generation);
    rackCoder.write(sink, undefined);
  });
}

/** Decodes the subscription of any group member, in any version; ignores unknown later fields. */
export function decodeSubscription(encoded: Buffer): Subscription {
  const source = sourceOf(encoded);
  return readable('group subscription', () => {
    const { version, topics, userData: data } = subscriptionHead.read(source);
    const owned = version >= 1 && remaining(source) > 0 ? shareCoder.read(source) : [];
    const generation = version >= 2 && remaining(source) >= 4 ? generationCoder.read(source) : generationOf(data);
    const fromUserData = decodeStickyUserData(data);
    if (owned.length === 0 && fromUserData !== undefined) return { topics, ...fromUserData };
    return { topics, owned, generation };
  });
}

/** Encodes a member's share as ConsumerProtocolAssignment. */
export function encodeAssignment(share: readonly TopicPartitions[]): Buffer {
  return bytesOf((sink) => {
    assignmentHead.write(sink, { version: assignmentVersion, share });
    userDataCoder.write(sink, undefined);
  });
}

/** Decodes a share; no bytes mean an empty share. */
export function decodeAssignment(encoded: Buffer): readonly TopicPartitions[] {
  if (encoded.length === 0) return [];
  return readable('group assignment', () => assignmentHead.read(sourceOf(encoded)).share);
}

function bytesOf(write: (sink: Sink) => void): Buffer {
  const sink = createSink();
  write(sink);
  return written(sink);
}

function remaining({ buffer, at }: Source): number {
  return buffer.length - at;
}

/** Reads the generation that the Java client's `cooperative-sticky` stores there before version 2 (KIP-792). */
function generationOf(data: Buffer | undefined): number {
  return data?.length === 4 ? data.readInt32BE() : -1;
}

/** Undefined if the user data is absent or belongs to another assignor. */
function decodeStickyUserData(data: Buffer | undefined): Pick<Subscription, 'owned' | 'generation'> | undefined {
  if (data === undefined || data.length < 8) return undefined;
  try {
    return stickyCoder.read(sourceOf(data));
  } catch {
    return undefined;
  }
}
