import type { CliError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { type Outcome, questionOf } from '../../protocol/client/question.ts';
import { kafkaErrorKind } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { offsetForLeaderEpoch } from '../../protocol/wire/apis/offset-for-leader-epoch.ts';
import { divergenceOf, rewindTo } from './epochs.ts';
import { createPosition, type PartitionPosition } from './position.ts';

/** A position whose leader could not answer. */
export interface UncheckedPosition {
  readonly position: PartitionPosition;
  readonly error: CliError;
}

/** A place up to which a partition was read, with the leader epoch of the record before it; -1 when unknown. */
export interface ReadPlace {
  readonly partition: number;
  readonly offset: bigint;
  readonly epoch: number;
}

/**
 * Finds out where to go on after a pause in which nobody watched: at the same places, or where an unclean election has
 * cut the log since (KIP-320). Asks nothing about places without an epoch.
 * @throws CliError if a leader cannot be asked
 */
export async function rewindPlaces(
  client: Client,
  topic: string,
  places: readonly ReadPlace[],
  warn: (line: string) => void,
): Promise<readonly ReadPlace[]> {
  const positions = places.map((place) => createPosition({ topic, ...place, end: undefined }));
  const withEpoch = positions.filter(({ lastEpoch }) => lastEpoch >= 0);
  const [unchecked] = await rewindBy((open) => client.ask(epochQuestion, open), withEpoch, warn);
  if (unchecked !== undefined) throw unchecked.error;
  return positions.map(({ partition, offset, lastEpoch: epoch }) => ({ partition, offset, epoch }));
}

/**
 * Asks new leaders where the epoch of the last record read ends (KIP-320). If that is below the position, an unclean
 * election has truncated the log, and the position moves to the point where the logs diverge. If the broker does not
 * know, the position stays.
 * @returns the positions to ask about again
 */
export function rewindTruncated(
  client: Client,
  positions: readonly PartitionPosition[],
  warn: (line: string) => void,
): Promise<readonly UncheckedPosition[]> {
  return rewindBy((open) => client.ask(epochQuestion, open, 'once'), positions, warn);
}

type AskEpochs = (
  positions: readonly PartitionPosition[],
) => Promise<readonly Outcome<PartitionPosition, { readonly endOffset: bigint; readonly leaderEpoch: number }>[]>;

async function rewindBy(
  ask: AskEpochs,
  positions: readonly PartitionPosition[],
  warn: (line: string) => void,
): Promise<readonly UncheckedPosition[]> {
  const unchecked: UncheckedPosition[] = [];
  let open = positions;
  // Each round asks about a lower epoch than the one before.
  while (open.length > 0) {
    const outcomes = await ask(open);
    open = outcomes.flatMap(({ item: position, row: end, error }) => {
      if (error !== undefined && isWorthAsking(end?.errorCode, error)) unchecked.push({ position, error });
      if (error !== undefined || end === undefined || end.endOffset < 0n) return [];
      return rewind(position, end, warn) ? [position] : [];
    });
  }
  return unchecked;
}

/** Rewinds to where the logs diverge. Returns true if the leader must also be asked about the records before that. */
function rewind(
  position: PartitionPosition,
  { endOffset, leaderEpoch }: { readonly endOffset: bigint; readonly leaderEpoch: number },
  warn: (line: string) => void,
): boolean {
  const divergence = divergenceOf(position, { offset: endOffset, leaderEpoch });
  if (divergence === undefined) return false;
  warn(
    `topic "${position.topic}" partition ${position.partition}: a new leader has truncated the log and lost ` +
      `offsets ${divergence} to ${position.offset - 1n} (already read): reading continues at ${divergence}`,
  );
  rewindTo(position, { offset: divergence, leaderEpoch });
  // The leader has another epoch there than the one that was read before.
  return position.lastEpoch >= 0 && position.lastEpoch < leaderEpoch;
}

/** Whether to ask again: yes if the leader has moved or is gone, no if it does not know where the epoch ends. */
function isWorthAsking(code: number | undefined, error: CliError): boolean {
  return code === undefined ? error.retryable : kafkaErrorKind(code).retriable;
}

const consumerReplica = -1;

const epochQuestion = questionOf({
  api: offsetForLeaderEpoch,
  what: ({ topic, partition }: PartitionPosition) => `read topic "${topic}" partition ${partition}`,
  // The broker that is being read from, if there is one; the client's own metadata may name another leader.
  target: ({ leader, topic, partition }: PartitionPosition) => (leader < 0 ? { topic, partition } : { node: leader }),
  keyOf: (position: PartitionPosition) => partitionName(position),
  request: (items: readonly PartitionPosition[]) => ({
    replicaId: consumerReplica,
    topics: groupByTopic(items).map(([topic, topicItems]) => ({
      topic,
      partitions: topicItems.map(({ partition, leaderEpoch, lastEpoch }) => ({
        partition,
        currentLeaderEpoch: leaderEpoch,
        leaderEpoch: lastEpoch,
      })),
    })),
  }),
  rows: ({ topics }) =>
    topics.flatMap(({ topic, partitions }) =>
      partitions.map((end) => [partitionName({ topic, partition: end.partition }), end] as const),
    ),
});
