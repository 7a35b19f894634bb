import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, type Outcome, orderedQuestionOf, questionOf } from '../../protocol/client/question.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { describeShareGroupOffsets } from '../../protocol/wire/apis/describe-share-group-offsets.ts';
import {
  fetchedGroups,
  type offsetFetch,
  offsetFetchByName,
  offsetFetchRequest,
} from '../../protocol/wire/apis/offset-fetch.ts';

/** The offset of a group in one partition; `errorCode` 0 if it could be read. */
export interface GroupOffset {
  readonly topic: string;
  readonly partition: number;
  /** -1: none. */
  readonly offset: bigint;
  /** -1: unknown. */
  readonly leaderEpoch: number;
  /** What the group has stored with the offset; '' for nothing. */
  readonly metadata: string;
  readonly errorCode: number;
}

/** The offsets of one group, or the error that kept them from being read. */
export interface GroupOffsets {
  readonly offsets: readonly GroupOffset[];
  readonly error: ItemError | null;
}

/** Reads all committed offsets of groups, with one request for all groups of a coordinator. */
export async function readCommits(
  client: Client,
  groups: readonly string[],
): Promise<ReadonlyMap<string, GroupOffsets>> {
  return byGroup(await askCommits(client, groups), ({ topics }) =>
    topics.flatMap(({ name: topic, partitions }) =>
      partitions.map(({ partitionIndex, committedOffset, committedLeaderEpoch, metadata, errorCode }) => ({
        topic,
        partition: partitionIndex,
        offset: committedOffset,
        leaderEpoch: committedLeaderEpoch,
        metadata: metadata ?? '',
        errorCode,
      })),
    ),
  );
}

/** Reads how far share groups have settled their partitions, with one request for all groups of a coordinator. */
export async function readShareOffsets(
  client: Client,
  groups: readonly string[],
): Promise<ReadonlyMap<string, GroupOffsets>> {
  return byGroup(await client.ask(shareOffsetsQuestion, groups), ({ topics }) =>
    topics.flatMap(({ topicName: topic, partitions }) =>
      partitions.map(({ partitionIndex: partition, startOffset: offset, errorCode }) => ({
        topic,
        partition,
        offset,
        leaderEpoch: -1,
        metadata: '',
        errorCode,
      })),
    ),
  );
}

function byGroup<Row>(
  outcomes: readonly Outcome<string, Row>[],
  offsetsOf: (row: Row) => readonly GroupOffset[],
): ReadonlyMap<string, GroupOffsets> {
  return new Map(
    outcomes.map((outcome) => {
      const { item, row } = outcome;
      const error = itemErrorOf(outcome);
      return [item, { offsets: row === undefined || error !== null ? [] : offsetsOf(row), error }];
    }),
  );
}

type FetchedGroup = ResponseOf<typeof offsetFetch>['groups'][number];

/** Asks each coordinator about all its groups at once; brokers before version 8 of the API about one after the other. */
async function askCommits(
  client: Client,
  groups: readonly string[],
): Promise<readonly Outcome<string, FetchedGroup>[]> {
  const outcomes = await client.ask(commitsOfMany, groups);
  const complete = outcomes.map(async (outcome) => {
    if (outcome.error?.code !== 'UNSUPPORTED_VERSION') return outcome;
    const [single = outcome] = await client.ask(commitsOfOne, [outcome.item]);
    return single;
  });
  return Promise.all(complete);
}

const aboutCommits = {
  what: (group: string) => `read the committed offsets of group "${group}"`,
  target: (group: string) => ({ group }),
  request: (groups: readonly string[]) =>
    offsetFetchRequest({ groups: groups.map((groupId) => ({ groupId, topics: undefined })), requireStable: false }),
};

const commitsOfMany = questionOf({
  ...aboutCommits,
  api: { ...offsetFetchByName, min: 8 },
  keyOf: (group: string) => group,
  rows: ({ groups }) => groups.map((row) => [row.groupId, row] as const),
});

const commitsOfOne = orderedQuestionOf({ ...aboutCommits, api: { ...offsetFetchByName, min: 2 }, rows: fetchedGroups });

const shareOffsetsQuestion = questionOf({
  api: describeShareGroupOffsets,
  what: (group: string) => `read the offsets of share group "${group}"`,
  target: (group) => ({ group }),
  keyOf: (group) => group,
  request: (items) => ({ groups: items.map((groupId) => ({ groupId, topics: undefined })) }),
  rows: ({ groups }) => groups.map((row) => [row.groupId, row] as const),
});
