import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { offsetCommit } from '../protocol/offset-commit.ts';
import { offsetFetch } from '../protocol/offset-fetch.ts';
import type { TopicPartitions } from './subscription.ts';

/** An offset of one partition, the next to read, with the epoch of the last record read (-1: unknown). */
export interface PartitionOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

/** Who commits: a member in a generation, or nobody ('' and -1) for a group without members. */
export interface Committer {
  readonly group: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | undefined;
}

/** Error codes that say the group has moved on without the member. */
export const groupCodes = {
  illegalGeneration: 22,
  inconsistentProtocol: 23,
  unknownMember: 25,
  rebalanceInProgress: 27,
  memberIdRequired: 79,
  fencedInstance: 82,
  /** Of the consumer protocol, as those that follow. */
  fencedEpoch: 110,
  unreleasedInstance: 111,
  unsupportedAssignor: 112,
  staleEpoch: 113,
  groupNotFound: 69,
} as const;

const movedOn: ReadonlySet<number> = new Set([
  groupCodes.illegalGeneration,
  groupCodes.unknownMember,
  groupCodes.rebalanceInProgress,
  groupCodes.fencedEpoch,
  groupCodes.staleEpoch,
]);

/**
 * Commits offsets.
 * @returns 0, or the code that says the group has moved on
 * @throws CliError for any other error of any partition
 */
export async function commitOffsets(
  client: Client,
  committer: Committer,
  offsets: readonly PartitionOffset[],
): Promise<number> {
  const { group } = committer;
  const topics = [...Map.groupBy(offsets, (row) => row.topic)].map(([topic, rows]) => ({
    topic,
    partitions: rows.map(({ partition, offset, leaderEpoch }) => ({
      ...{ partition, offset, leaderEpoch },
      metadata: undefined,
    })),
  }));
  const { partitions } = await client.request(offsetCommit, { ...committer, topics }, { group });
  const failed = partitions.filter((row) => row.errorCode !== 0);
  const final = failed.find((row) => !movedOn.has(row.errorCode));
  if (final === undefined) return failed[0]?.errorCode ?? 0;
  const what = `unable to commit the offset of topic "${final.topic}" partition ${final.partition} for group "${group}"`;
  throw kafkaError(final.errorCode, `${what}: ${kafkaErrorText(final.errorCode)}`, { target: group });
}

/** What the group has committed for these partitions; those without a commit are absent. */
export async function committedOffsets(
  client: Client,
  group: string,
  share: readonly TopicPartitions[],
): Promise<readonly PartitionOffset[]> {
  if (share.length === 0) return [];
  return client.retry(`offset fetch of group "${group}"`, async () => {
    const request = { groups: [{ group, topics: share }], requireStable: true };
    const response = await client.request(offsetFetch, request, { group });
    const rows = response.groups.flatMap((item) => item.partitions);
    const failed = rows.find((row) => row.errorCode !== 0)?.errorCode ?? response.groups[0]?.errorCode ?? 0;
    if (failed !== 0) {
      throw kafkaError(failed, `unable to read the offsets of group "${group}": ${kafkaErrorText(failed)}`);
    }
    return rows.filter((row) => row.offset >= 0n);
  });
}
