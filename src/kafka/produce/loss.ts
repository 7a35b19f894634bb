import { CliError, rephrased } from '../../errors.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type Lane, laneName } from './lane.ts';
import { uncertainRecords } from './lane-flow.ts';

/**
 * Warns that an acknowledged batch is not at a higher offset than an earlier one: an election truncated the log in
 * between.
 */
export function cutLogWarning(lane: Lane, offset: bigint, expected: bigint): string {
  return (
    `${laneName(lane)}: acknowledged records were lost, from offset ${offset} or below to ${expected}: ` +
    'the log was truncated, as by an unclean leader election'
  );
}

/** Warns that a topic was deleted and created again, which takes the records along that it had. */
export function recreatedWarning(topic: string, lanes: readonly Lane[]): string {
  const records = lanes.reduce((sum, { acknowledged }) => sum + acknowledged.inTopic, 0);
  const lost = records === 0 ? '' : ` (${recordsText(records)} acknowledged until this was noticed may be lost)`;
  return `topic "${topic}" was deleted and created again: writing continues in the new topic${lost}`;
}

/**
 * Warns that a lane starts a new epoch because the broker has lost track of its producer; `gone` is undefined if the
 * loss is not known.
 */
export function lostTrackWarning(lane: Lane, code: number, gone: number | undefined): string {
  const lost = gone === undefined || gone === 0 ? '' : `acknowledged records were lost (the last ${gone}), `;
  return (
    `${laneName(lane)}: the broker has lost track of the producer (${kafkaErrorText(code)}): ` +
    `${lost}unacknowledged records are sent with a new epoch`
  );
}

/** Warns that records turned out to be in the log without an acknowledgement, at unknown offsets. */
export function foundWarning(lane: Lane, records: number): string {
  const were = records === 1 ? 'was' : 'were';
  return `${laneName(lane)}: ${recordsText(records)} without an acknowledgement ${were} written, at unknown offsets`;
}

/**
 * The error for batches that may or may not be in the log: sending them again could duplicate records, dropping them
 * could lose some.
 */
export function undecidedError(lane: Lane, code: number, cause?: unknown): CliError {
  const { topic, partition } = lane;
  return kafkaError(code, `unable to produce to ${laneName(lane)}: ${kafkaErrorText(code)}`, {
    target: topic,
    retryable: false,
    hints: [`compare the end of the partition with the input: weir topic consume ${topic} -p ${partition} -o -10`],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Adds to a failure the number of records, by partition, that may or may not have been written. */
export function withUncertain(error: unknown, lanes: Iterable<Lane>): unknown {
  if (!(error instanceof CliError)) return error;
  const uncertain = [...lanes].filter((lane) => uncertainRecords(lane) > 0);
  if (uncertain.length === 0) return error;
  const told = uncertain.slice(0, 3).map((lane) => `${recordsText(uncertainRecords(lane))} of ${placeOf(lane)}`);
  const more = uncertain.length > 3 ? [`those of ${uncertain.length - 3} more partitions`] : [];
  return rephrased(error, `${error.message} (${list([...told, ...more])} may or may not have been written)`);
}

/** Where the records belong: after the last acknowledged one, whose offset was reported. */
function placeOf(lane: Lane): string {
  const last = lane.acknowledged.recent.at(-1);
  return last === undefined ? laneName(lane) : `${laneName(lane)} after offset ${last.lastOffset}`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Returns `1 record` or `2 records`. */
export function recordsText(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}
