import { CliError, exitCodes } from '../../errors.ts';
import { partitionName } from '../../format/partition-name.ts';
import type { Client } from '../protocol/client/client.ts';
import { type Outcome, questionOf } from '../protocol/client/question.ts';
import { kafkaErrorText } from '../protocol/errors.ts';
import { groupByTopic, rowsByPartition } from '../protocol/partitions/by-topic.ts';
import { offsetCommit, topicIdsFrom } from '../protocol/wire/apis/offset-commit.ts';
import { fetchedGroups, offsetFetchByName, offsetFetchRequest } from '../protocol/wire/apis/offset-fetch.ts';
import { codes } from '../protocol/wire/error-codes.ts';
import type { Committer } from '../streams/groups/commits.ts';
import type { TopicPartition } from '../streams/groups/subscription.ts';

/** One partition's offset and metadata, as a group stores them. */
export interface StoredOffset extends TopicPartition {
  readonly offset: bigint;
  readonly metadata: string;
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
    request: (items: readonly TopicPartition[]) =>
      offsetFetchRequest({
        groups: [
          {
            groupId: group,
            topics: groupByTopic(items).map(([name, rows]) => ({
              name,
              partitionIndexes: rows.map(({ partition }) => partition),
            })),
          },
        ],
        requireStable: isStable,
      }),
    rows: (response) => rowsByPartition(fetchedGroups(response)[0]?.topics ?? []),
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
    request: (items: readonly StoredOffset[]) => ({
      groupId: group,
      generationIdOrMemberEpoch: generation,
      memberId,
      groupInstanceId: instanceId,
      topics: offsetTopics(items),
    }),
    rows: ({ topics }) => rowsByPartition(topics),
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
