import type { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { type Located, questionOf } from '../client/question.ts';
import { remedyOf } from '../client/remedy.ts';
import { offsetForLeaderEpoch } from '../protocol/offset-for-leader-epoch.ts';
import { groupByTopic } from '../topics/by-topic.ts';
import { rewindTo } from './epochs.ts';
import type { PartitionPosition } from './position.ts';

/** A position whose leader could not be asked. */
export interface UncheckedPosition {
  readonly position: PartitionPosition;
  readonly error: CliError;
}

/**
 * Asks new leaders where the epoch of the last record read ends (KIP-320): when that is below what was read, an
 * unclean election has cut the log, and reading goes on where the logs part. Where a broker does not know, reading
 * goes on where it was.
 * @returns the positions that have to be asked about again
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
      `topic "${position.topic}" partition ${position.partition}: a new leader has cut the log, offsets ` +
        `${end.endOffset} to ${position.offset - 1n} as read are gone: reading goes on at ${end.endOffset}`,
    );
    rewindTo(position, { offset: end.endOffset, leaderEpoch: end.leaderEpoch });
    return [];
  });
}

/** A leader that cannot say where the epoch ends is believed; one that has moved, or is gone, is asked again. */
function isWorthAsking(code: number | undefined, error: CliError): boolean {
  return code === undefined ? error.retryable : remedyOf(code) !== undefined;
}

const epochQuestion = questionOf({
  api: offsetForLeaderEpoch,
  what: ({ topic, partition }: PartitionPosition) => `read topic "${topic}" partition ${partition}`,
  // Whose log is read: not the leader by what the client knows elsewhere.
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
