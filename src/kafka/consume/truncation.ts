import type { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { type Located, questionOf } from '../client/question.ts';
import { remedyOf } from '../client/remedy.ts';
import { offsetForLeaderEpoch } from '../protocol/offset-for-leader-epoch.ts';
import { groupByTopic } from '../topics/by-topic.ts';
import { rewindTo } from './epochs.ts';
import type { PartitionPosition } from './position.ts';

/** A position whose leader could not answer. */
export interface UncheckedPosition {
  readonly position: PartitionPosition;
  readonly error: CliError;
}

/**
 * Asks new leaders where the epoch of the last record read ends (KIP-320). If that is below the position, an unclean
 * election has truncated the log, and the position moves to the point where the logs diverge. If the broker does not
 * know, the position stays.
 * @returns the positions to ask about again
 */
export async function rewindTruncated(
  client: Client,
  positions: readonly PartitionPosition[],
  warn: (line: string) => void,
): Promise<readonly UncheckedPosition[]> {
  const outcomes = await client.ask(epochQuestion, positions, 'once');
  return outcomes.flatMap(({ item: position, row: end, error }) => {
    if (error !== undefined) return isWorthAsking(end?.errorCode, error) ? [{ position, error }] : [];
    if (end === undefined || end.endOffset < 0n || end.endOffset >= position.offset) return [];
    warn(
      `topic "${position.topic}" partition ${position.partition}: a new leader has truncated the log and lost ` +
        `offsets ${end.endOffset} to ${position.offset - 1n} (already read): reading continues at ${end.endOffset}`,
    );
    rewindTo(position, { offset: end.endOffset, leaderEpoch: end.leaderEpoch });
    return [];
  });
}

/** Whether to ask again: yes if the leader has moved or is gone, no if it does not know where the epoch ends. */
function isWorthAsking(code: number | undefined, error: CliError): boolean {
  return code === undefined ? error.retryable : remedyOf(code) !== undefined;
}

const epochQuestion = questionOf({
  api: offsetForLeaderEpoch,
  what: ({ topic, partition }: PartitionPosition) => `read topic "${topic}" partition ${partition}`,
  // The broker that is being read from; the client's own metadata may name another leader.
  target: ({ leader }: PartitionPosition) => ({ node: leader }),
  keyOf: (position: PartitionPosition) => nameOf(position),
  request: (items: readonly Located<PartitionPosition>[]) => ({
    topics: groupByTopic(items.map(({ item }) => item)).map(([topic, own]) => ({
      topic,
      partitions: own.map(({ partition, leaderEpoch, lastEpoch }) => ({
        ...{ partition, currentLeaderEpoch: leaderEpoch, leaderEpoch: lastEpoch },
      })),
    })),
  }),
  rows: ({ partitions }) => partitions.map((end) => [nameOf(end), end] as const),
});

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}
