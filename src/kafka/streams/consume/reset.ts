import type { CliError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { FailedPosition } from './answer.ts';
import { recreationWarning } from './leaders.ts';
import { planStarts } from './plan.ts';
import { compareTopic, jumpTo, type PartitionPosition, type PartitionStart, startOver } from './position.ts';
import { rewindTruncated } from './truncation.ts';

/** Positions after they were compared with the start and end of their logs. */
export interface ResetPositions {
  /** Positions moved to an offset that the leader has. */
  readonly open: readonly PartitionPosition[];
  /** Positions whose range belongs to a topic that is gone. */
  readonly ended: readonly PartitionPosition[];
  /** Positions whose offset should exist. */
  readonly failed: readonly FailedPosition[];
}

/**
 * Moves positions whose offset the leader does not have. A position below the log start moves to the log start, because
 * retention or `topic trim` has removed earlier records. A position above the log end moves to the point where the logs
 * diverge (KIP-320) if the epoch of the last record is known, otherwise to the log end. A topic that was deleted and
 * created again is read from its start.
 */
export async function resetPositions(
  client: Client,
  positions: readonly PartitionPosition[],
  warn: (line: string) => void,
): Promise<ResetPositions> {
  const { topics } = await client.metadata([...new Set(positions.map(({ topic }) => topic))]);
  const idOf = new Map(topics.map(({ name, id }) => [name, id]));
  const recreated = positions.filter((position) => compareTopic(position, idOf.get(position.topic)) === 'recreated');
  for (const [topic, [first]] of Map.groupBy(recreated, (position) => position.topic)) {
    warn(recreationWarning(topic, first?.end !== undefined));
  }
  for (const position of recreated) startOver(position, idOf.get(position.topic) ?? '');
  const isRecreated = new Set(recreated);
  const others = positions.filter((position) => !isRecreated.has(position));
  const { open, failed } = await moveWithin(client, others, { topics, warn });
  return {
    open: [...open, ...recreated.filter(({ end }) => end === undefined)],
    ended: recreated.filter(({ end }) => end !== undefined),
    failed,
  };
}

interface ResetParts {
  readonly topics: readonly TopicMetadata[];
  warn(line: string): void;
}

async function moveWithin(
  client: Client,
  positions: readonly PartitionPosition[],
  { topics, warn }: ResetParts,
): Promise<Pick<ResetPositions, 'open' | 'failed'>> {
  if (positions.length === 0) return { open: [], failed: [] };
  const byName = new Map(positions.map((position) => [partitionName(position), position]));
  const narrowed = topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.filter(({ partition }) => byName.has(`${topic.name}/${partition}`)),
  }));
  const range = { start: { at: 'start' }, end: { at: 'end' } } as const;
  const marks = await planStarts(client, { topics: narrowed, range, readCommitted: false, warn });
  const logs = new Map(marks.map((mark) => [partitionName(mark), mark]));
  // If the epoch of the last record is known, the leader can tell where the logs diverge.
  const above = positions.filter((position) => position.lastEpoch >= 0 && position.offset > endOf(logs, position));
  const isRewound = new Map(above.map((position) => [position, position.offset]));
  if (above.length > 0) await rewindTruncated(client, above, warn);
  const failed: FailedPosition[] = [];
  for (const position of positions) {
    if (isRewound.has(position) && isRewound.get(position) !== position.offset) continue;
    if (!clamp(position, logs.get(partitionName(position)), warn))
      failed.push({ position, error: rangeError(position) });
  }
  const hasFailed = new Set(failed.map(({ position }) => position));
  return { open: positions.filter((position) => !hasFailed.has(position)), failed };
}

function endOf(logs: ReadonlyMap<string, PartitionStart>, position: PartitionPosition): bigint {
  return logs.get(partitionName(position))?.end ?? position.offset;
}

/** Moves a position into its log; false if it is already there or the log is unknown. */
function clamp(position: PartitionPosition, log: PartitionStart | undefined, warn: (line: string) => void): boolean {
  const { topic, partition, offset } = position;
  if (log === undefined) return false;
  const { offset: start, end = start } = log;
  if (offset >= start && offset <= end) return false;
  const nearest = offset < start ? start : end;
  const why = offset < start ? 'earlier records are deleted' : 'the log was truncated';
  warn(`topic "${topic}" partition ${partition} has no offset ${offset} (${why}): reading continues at ${nearest}`);
  jumpTo(position, nearest);
  // Apply the pauses of the retry rule to a log whose bounds change every time.
  position.failures += 1;
  if (position.failures > 1) position.leader = -1;
  return true;
}

function rangeError({ topic, partition, offset }: PartitionPosition): CliError {
  const why = kafkaErrorText(codes.OFFSET_OUT_OF_RANGE);
  return kafkaError(
    codes.OFFSET_OUT_OF_RANGE,
    `unable to read topic "${topic}" partition ${partition} at offset ${offset}: ${why}`,
    {
      target: topic,
      // The leader's own log bounds include the offset.
      retryable: true,
    },
  );
}
