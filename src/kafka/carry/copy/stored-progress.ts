import { CliError, exitCodes } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import { copyMark } from '../../cluster/groups/descriptions.ts';
import type { Client } from '../../protocol/client/client.ts';
import { type Located, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { kafkaErrorText } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { offsetCommit, topicIdsFrom } from '../../protocol/wire/apis/offset-commit.ts';
import { fetchedGroups, offsetFetchByName, offsetFetchRequest } from '../../protocol/wire/apis/offset-fetch.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { Committer } from '../../streams/groups/commits.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import { type Ahead, decodeAhead, encodeAhead } from './ahead.ts';
import { packPlaces, unpackPlaces } from './packed-places.ts';

/**
 * A copy keeps its progress in a group of the destination, because a transaction there can include it, and the cluster
 * removes it together with the topic. A group stores offsets only for partitions that the cluster has: the offset of
 * source partition N is stored for partition N of the destination topic, or, if that has fewer partitions, in the
 * metadata of one of them.
 */
export interface Progress {
  /** The ids of the topics that it is about; '' where brokers report none. */
  readonly sourceId: string;
  readonly targetId: string;
  /** The name of the source and its cluster (see `sourceName`), where the name of the group does not say it. */
  readonly origin?: string | undefined;
  /** The source offset up to which each partition is copied. */
  readonly offsets: ReadonlyMap<number, bigint>;
  /** The leader epoch of the record before each offset, as far as it is known: it tells whether the log was cut since. */
  readonly epochs?: ReadonlyMap<number, number>;
  /** What is copied behind the offsets. */
  readonly ahead?: ReadonlyMap<number, Ahead>;
}

/** One partition's offset and metadata, as a group stores them. */
export interface StoredOffset extends TopicPartition {
  readonly offset: bigint;
  readonly metadata: string;
}

/** Kafka's default for `offset.metadata.max.bytes`. */
export const metadataBytes = 4_096;
/** The mark of the metadata's form. */
const form = `${copyMark}2`;
/** These stand in front of the origin, the epoch of the partition itself, and what is stored of others. */
const marks = { origin: 'of:', epoch: '@', places: '+' };

/** The name of a topic in a cluster, in one word. */
export function sourceName(topic: string, clusterId: string | undefined): string {
  return `${encodeURIComponent(clusterId ?? '')}:${topic}`;
}

/** The partition of the destination that stores the progress of a source partition. */
export function carrierOf(partition: number, partitions: number): number {
  return partition % partitions;
}

/** Puts progress into the offsets of a topic with so many partitions. */
export function encodeProgress(topic: string, progress: Progress, partitions: number): readonly StoredOffset[] {
  const { sourceId, targetId, origin, offsets, epochs, ahead } = progress;
  const head = [form, sourceId || '-', targetId || '-', ...(origin === undefined ? [] : [marks.origin + origin])];
  const byCarrier = Map.groupBy(offsets, ([partition]) => carrierOf(partition, partitions));
  return [...byCarrier].map(([partition, entries]) => {
    const places = entries.map(([one, offset]) => ({ partition: one, offset, epoch: epochs?.get(one) ?? -1 }));
    const others = places.filter((place) => place.partition !== partition);
    const ownEpoch = epochs?.get(partition);
    let metadata = [
      ...head,
      ...(ownEpoch === undefined || !offsets.has(partition) ? [] : [`${marks.epoch}${ownEpoch}`]),
      ...(others.length === 0 ? [] : [marks.places + packPlaces(partition, partitions, others)]),
    ].join(' ');
    for (const [one, offset] of entries) {
      const own = ahead?.get(one);
      if (own === undefined || own.upTo <= offset) continue;
      const longer = `${metadata} ${encodeAhead(one, own)}`;
      // Without what is behind an offset, some records are copied again.
      if (longer.length <= metadataBytes) metadata = longer;
    }
    return { topic, partition, offset: offsets.get(partition) ?? 0n, metadata };
  });
}

/** Reads progress from the offsets of a topic; undefined for an offset that no copy has stored. */
export function decodeProgress({ partition, offset, metadata }: StoredOffset): Progress | undefined {
  const [mark, sourceId = '-', targetId = '-', ...others] = metadata.split(' ');
  if (mark !== form || offset < 0n) return undefined;
  const after = (sign: string): string | undefined => others.find((word) => word.startsWith(sign))?.slice(sign.length);
  const packed = after(marks.places);
  const places = packed === undefined ? [] : unpackPlaces(partition, packed);
  if (places === undefined) return undefined;
  const ownEpoch = Number(after(marks.epoch) ?? -1);
  const all = [{ partition, offset, epoch: ownEpoch }, ...places];
  const idOf = (id: string): string => (id === '-' ? '' : id);
  return {
    sourceId: idOf(sourceId),
    targetId: idOf(targetId),
    origin: after(marks.origin),
    offsets: new Map(all.map((place) => [place.partition, place.offset])),
    epochs: new Map(all.flatMap((place) => (place.epoch < 0 ? [] : [[place.partition, place.epoch] as const]))),
    ahead: new Map(others.flatMap((word) => [decodeAhead(word)].filter((one) => one !== undefined))),
  };
}

/**
 * Reads what a group has stored for partitions; those without an offset are left out.
 * @param isStable waits for the end of transactions that store more; otherwise they do not count yet
 */
export async function readStored(
  client: Client,
  group: string,
  items: readonly TopicPartition[],
  isStable = true,
): Promise<readonly StoredOffset[]> {
  if (items.length === 0) return [];
  const outcomes = await client.ask(storedQuestion(group, isStable), items);
  return outcomes.flatMap(({ item, row, error }) => {
    if (error !== undefined) throw error;
    if (row === undefined || row.committedOffset < 0n) return [];
    return [{ ...item, offset: row.committedOffset, metadata: row.metadata ?? '' }];
  });
}

function storedQuestion(group: string, isStable: boolean) {
  return questionOf({
    api: offsetFetchByName,
    what: () => `read the progress in group "${group}"`,
    target: () => ({ group }),
    keyOf: (item: TopicPartition) => partitionName(item),
    request: (items: readonly Located<TopicPartition>[]) =>
      offsetFetchRequest({
        groups: [
          {
            groupId: group,
            topics: groupByTopic(items.map(({ item }) => item)).map(([name, rows]) => ({
              name,
              partitionIndexes: rows.map(({ partition }) => partition),
            })),
          },
        ],
        requireStable: isStable,
      }),
    rows: (response) =>
      (fetchedGroups(response)[0]?.topics ?? []).flatMap(({ name, partitions }) =>
        partitions.map((row) => [partitionName({ topic: name, partition: row.partitionIndex }), row] as const),
      ),
  });
}

const commitByName = { ...offsetCommit, max: topicIdsFrom - 1 };

/** Stores offsets in a group, outside a transaction. @throws CliError if one of them is not stored */
export async function storeOffsets(
  client: Client,
  committer: Committer,
  offsets: readonly StoredOffset[],
): Promise<void> {
  if (offsets.length === 0) return;
  const outcomes = await client.ask(storeQuestion(committer), offsets);
  for (const outcome of outcomes) {
    const failure = storeFailure(outcome, committer.group);
    if (failure !== undefined) throw failure;
  }
}

function storeFailure({ error, row }: Outcome<StoredOffset, unknown>, group: string): CliError | undefined {
  if (error === undefined) return undefined;
  return (row === undefined ? undefined : refusalOf(row.errorCode, group)) ?? error;
}

/** The code of the error for a commit by a process that is not, or no longer, a member of the group. */
export const groupInUse = 'GROUP_IN_USE';

/** The error for a group that something else uses; `what` completes "group X". */
export function occupiedGroup(group: string, what: string): CliError {
  return new CliError(exitCodes.conflict, `group "${group}" ${what}`, {
    code: groupInUse,
    target: group,
    hints: ['use a group of its own: -g NAME, or none'],
  });
}

/** The error for offsets that have another form than those of the command. */
export function foreignOffsets(group: string, topic: string): CliError {
  return occupiedGroup(group, `has offsets of another program for topic "${topic}"`);
}

/** The error for an offset that the coordinator does not store; undefined for codes without one of their own. */
export function refusalOf(code: number, group: string): CliError | undefined {
  if (code === codes.UNKNOWN_MEMBER_ID || code === codes.ILLEGAL_GENERATION || code === codes.REBALANCE_IN_PROGRESS) {
    const message = `unable to store the progress in group "${group}": other processes are members of it`;
    return new CliError(exitCodes.conflict, message, {
      code: groupInUse,
      target: group,
      hints: ['wait until they have ended, or share the work with them: --group'],
    });
  }
  if (code === codes.OFFSET_METADATA_TOO_LARGE) {
    const message = `unable to store the progress in group "${group}": ${kafkaErrorText(code)}`;
    return new CliError(exitCodes.conflict, message, {
      code: 'OFFSET_METADATA_TOO_LARGE',
      target: group,
      hints: ['give the destination more partitions, or raise offset.metadata.max.bytes of its brokers'],
    });
  }
  return undefined;
}

/** Asks the coordinator to store offsets with their metadata; "progress" and the like name them in errors. */
export function storeQuestion({ group, generation, memberId, instanceId }: Committer, noun = 'progress') {
  return questionOf({
    api: commitByName,
    what: ({ topic, partition }: StoredOffset) =>
      `store the ${noun} of topic "${topic}" partition ${partition} in group "${group}"`,
    target: () => ({ group }),
    keyOf: (item: StoredOffset) => partitionName(item),
    request: (items: readonly Located<StoredOffset>[]) => ({
      groupId: group,
      generationIdOrMemberEpoch: generation,
      memberId,
      groupInstanceId: instanceId,
      topics: offsetTopics(items.map(({ item }) => item)),
    }),
    rows: ({ topics }) =>
      topics.flatMap(({ name, partitions }) =>
        partitions.map((row) => [partitionName({ topic: name, partition: row.partitionIndex }), row] as const),
      ),
  });
}

/** The topics of a request that stores offsets. */
export function offsetTopics(offsets: readonly StoredOffset[]) {
  return groupByTopic(offsets).map(([name, rows]) => ({
    name,
    partitions: rows.map(({ partition, offset, metadata }) => ({
      partitionIndex: partition,
      committedOffset: offset,
      committedMetadata: metadata,
    })),
  }));
}
