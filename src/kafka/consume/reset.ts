import type { CliError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { FailedPosition } from './answer.ts';
import { recreationWarning } from './leaders.ts';
import { planStarts } from './plan.ts';
import { compareTopic, jumpTo, type PartitionPosition, type PartitionStart, startOver } from './position.ts';
import { rewindTruncated } from './truncation.ts';

/** Positions after a look where their logs begin and end. */
export interface ResetPositions {
  /** Moved to an offset that the leader has. */
  readonly open: readonly PartitionPosition[];
  /** The topic that the range was about is gone. */
  readonly ended: readonly PartitionPosition[];
  /** The offset should be there. */
  readonly failed: readonly FailedPosition[];
}

/**
 * The rule for offsets that the leader does not have: below the log start, reading goes on there (retention or
 * `topic trim` took what was before); above the log end, where the logs part (KIP-320) if the epoch of the last record
 * is known, otherwise at the end. A topic that was deleted and created again is read from its start.
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

interface Known {
  readonly topics: readonly TopicMetadata[];
  warn(line: string): void;
}

async function moveWithin(
  client: Client,
  positions: readonly PartitionPosition[],
  { topics, warn }: Known,
): Promise<Pick<ResetPositions, 'open' | 'failed'>> {
  if (positions.length === 0) return { open: [], failed: [] };
  const wanted = new Map(positions.map((position) => [nameOf(position), position]));
  const narrowed = topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.filter(({ partition }) => wanted.has(`${topic.name}/${partition}`)),
  }));
  const range = { start: { at: 'start' }, end: { at: 'end' } } as const;
  const marks = await planStarts(client, { topics: narrowed, range, readCommitted: false, warn });
  const logs = new Map(marks.map((mark) => [nameOf(mark), mark]));
  // Where the epoch of the last record is known, its leader knows where the logs part.
  const above = positions.filter((position) => position.lastEpoch >= 0 && position.offset > endOf(logs, position));
  const isRewound = new Map(above.map((position) => [position, position.offset]));
  if (above.length > 0) await rewindTruncated(client, above, warn);
  const failed: FailedPosition[] = [];
  for (const position of positions) {
    if (isRewound.has(position) && isRewound.get(position) !== position.offset) continue;
    if (!clamp(position, logs.get(nameOf(position)), warn)) failed.push({ position, error: rangeError(position) });
  }
  const hasFailed = new Set(failed.map(({ position }) => position));
  return { open: positions.filter((position) => !hasFailed.has(position)), failed };
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function endOf(logs: ReadonlyMap<string, PartitionStart>, position: PartitionPosition): bigint {
  return logs.get(nameOf(position))?.end ?? position.offset;
}

/** Moves a position into its log; false when it is there already, or the log is unknown. */
function clamp(position: PartitionPosition, log: PartitionStart | undefined, warn: (line: string) => void): boolean {
  const { topic, partition, offset } = position;
  if (log === undefined) return false;
  const { offset: start, end = start } = log;
  if (offset >= start && offset <= end) return false;
  const nearest = offset < start ? start : end;
  const why = offset < start ? 'what was before is deleted' : 'the log was cut';
  warn(`topic "${topic}" partition ${partition} has no offset ${offset} (${why}): reading goes on at ${nearest}`);
  jumpTo(position, nearest);
  // A log that is never where it was a moment ago is asked about with the pauses of the retry rule.
  position.failures += 1;
  if (position.failures > 1) position.leader = -1;
  return true;
}

const offsetOutOfRange = 1;

function rangeError({ topic, partition, offset }: PartitionPosition): CliError {
  const why = kafkaErrorText(offsetOutOfRange);
  return kafkaError(
    offsetOutOfRange,
    `unable to read topic "${topic}" partition ${partition} at offset ${offset}: ${why}`,
    {
      target: topic,
      // The leader says itself that it has the offset.
      retryable: true,
    },
  );
}
