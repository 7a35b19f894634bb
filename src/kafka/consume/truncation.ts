import type { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { type Located, questionOf } from '../client/question.ts';
import { remedyOf } from '../client/remedy.ts';
import { offsetForLeaderEpoch } from '../protocol/offset-for-leader-epoch.ts';
import { groupByTopic } from '../topics/by-topic.ts';
import { partingOf, rewindTo } from './epochs.ts';
import type { PartitionPosition } from './position.ts';

/** A position whose leader could not be asked. */
export interface UncheckedPosition {
  readonly position: PartitionPosition;
  readonly error: CliError;
}

/**
 * Asks new leaders where the epoch of the last record read ends (KIP-320): when that is below what was read, or the
 * leader does not have the epoch, an unclean election has cut the log, and reading goes on where the logs part. Where a
 * broker does not know, reading goes on where it was.
 * @returns the positions that have to be asked about again
 */
export async function rewindTruncated(
  client: Client,
  positions: readonly PartitionPosition[],
  warn: (line: string) => void,
): Promise<readonly UncheckedPosition[]> {
  const unchecked: UncheckedPosition[] = [];
  let open = positions;
  // Each round asks about a lower epoch than the one before.
  while (open.length > 0) {
    const outcomes = await client.ask(epochQuestion, open, 'once');
    open = outcomes.flatMap(({ item: position, row: end, error }) => {
      if (error !== undefined && isWorthAsking(end?.errorCode, error)) unchecked.push({ position, error });
      if (error !== undefined || end === undefined || end.endOffset < 0n) return [];
      return rewind(position, end, warn) ? [position] : [];
    });
  }
  return unchecked;
}

/** Goes back to where the logs part; true when the leader has to be asked about what was read before that as well. */
function rewind(
  position: PartitionPosition,
  { endOffset, leaderEpoch }: { readonly endOffset: bigint; readonly leaderEpoch: number },
  warn: (line: string) => void,
): boolean {
  const parting = partingOf(position, { offset: endOffset, leaderEpoch });
  if (parting === undefined) return false;
  warn(
    `topic "${position.topic}" partition ${position.partition}: a new leader has cut the log, offsets ` +
      `${parting} to ${position.offset - 1n} as read are gone: reading goes on at ${parting}`,
  );
  rewindTo(position, { offset: parting, leaderEpoch });
  // The leader has another epoch there than the one that was read before it.
  return position.lastEpoch >= 0 && position.lastEpoch < leaderEpoch;
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
