import { CliError, type ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, type Outcome, type Question, questionOf, type SendOnce } from '../../protocol/client/question.ts';
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
  return byGroup(await client.ask(commitsQuestion, groups), ({ topics }) =>
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

const commitsQuestion: Question<string, FetchedGroup> = {
  api: offsetFetchByName,
  what: (group) => `read the committed offsets of group "${group}"`,
  target: (group) => ({ group }),
  async send(sendOnce, items) {
    const rows = await fetchCommits(
      sendOnce,
      items.map(({ item }) => item),
    );
    return { errorCode: 0, rowOf: (group) => rows.get(group) };
  },
};

/** Version 8 asks about many groups at once; older brokers get one request for each group. */
async function fetchCommits(sendOnce: SendOnce, groups: readonly string[]): Promise<Map<string, FetchedGroup>> {
  const request = (some: readonly string[]) =>
    offsetFetchRequest({ groups: some.map((groupId) => ({ groupId, topics: undefined })), requireStable: false });
  try {
    const answer = await sendOnce({ ...offsetFetchByName, min: 8 }, request(groups));
    return new Map(fetchedGroups(answer).map((row) => [row.groupId, row]));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNSUPPORTED_VERSION') throw error;
  }
  const answers = await Promise.all(
    groups.map(async (group) => {
      const answer = await sendOnce({ ...offsetFetchByName, min: 2 }, request([group]));
      return fetchedGroups(answer).map((row) => [group, row] as const);
    }),
  );
  return new Map(answers.flat());
}

const shareOffsetsQuestion = questionOf({
  api: describeShareGroupOffsets,
  what: (group: string) => `read the offsets of share group "${group}"`,
  target: (group) => ({ group }),
  keyOf: (group) => group,
  request: (items) => ({ groups: items.map(({ item: groupId }) => ({ groupId, topics: undefined })) }),
  rows: ({ groups }) => groups.map((row) => [row.groupId, row] as const),
});
