import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { remedyOf } from '../client/remedy.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type EpochEnd, offsetForLeaderEpoch } from '../protocol/offset-for-leader-epoch.ts';
import { groupByTopic } from './by-topic.ts';
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
  const groups = [...Map.groupBy(positions, ({ leader }) => leader)];
  const asked = await Promise.all(groups.map(([leader, own]) => askLeader(client, leader, own)));
  return asked.flat().flatMap(({ position, end, error }) => {
    if (error !== undefined) return error.retryable ? [{ position, error }] : [];
    if (end === undefined || end.endOffset < 0n || end.endOffset >= position.offset) return [];
    warn(
      `topic "${position.topic}" partition ${position.partition}: a new leader has cut the log, offsets ` +
        `${end.endOffset} to ${position.offset - 1n} as read are gone: reading goes on at ${end.endOffset}`,
    );
    rewindTo(position, { offset: end.endOffset, leaderEpoch: end.leaderEpoch });
    return [];
  });
}

interface Asked {
  readonly position: PartitionPosition;
  readonly end?: EpochEnd;
  readonly error?: CliError;
}

async function askLeader(client: Client, node: number, positions: readonly PartitionPosition[]): Promise<Asked[]> {
  const topics = groupByTopic(positions).map(([topic, items]) => ({
    topic,
    partitions: items.map(({ partition, leaderEpoch, lastEpoch }) => ({
      ...{ partition, currentLeaderEpoch: leaderEpoch, leaderEpoch: lastEpoch },
    })),
  }));
  try {
    const answer = await client.requestOnce(offsetForLeaderEpoch, { topics }, { node });
    const ends = new Map(answer.partitions.map((end) => [`${end.topic}/${end.partition}`, end]));
    return positions.map((position) => {
      const end = ends.get(`${position.topic}/${position.partition}`);
      const code = end?.errorCode ?? 0;
      if (end === undefined || code === 0) return { position, ...(end === undefined ? {} : { end }) };
      return { position, error: epochError(position, code) };
    });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return positions.map((position) => ({ position, error }));
  }
}

function epochError({ topic, partition }: PartitionPosition, code: number): CliError {
  const message = `unable to read topic "${topic}" partition ${partition}: ${kafkaErrorText(code)}`;
  return kafkaError(code, message, { target: topic, retryable: remedyOf(code) !== undefined });
}
