import type { CliError, ErrorDetails } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { showDuration } from '../../../format/duration.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { type Batch, type Lane, laneName, type Refusal } from './lane.ts';
import { uncertainBatches } from './lane-flow.ts';

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

/** Warns that batches without an answer are sent again when they are older than brokers remember a producer. */
export function forgottenWarning(
  lane: Lane,
  batches: readonly Batch[],
  { ageMs, expirationMs }: { readonly ageMs: number; readonly expirationMs: number },
): string {
  const [age, expiration] = [ageMs, expirationMs].map((ms) =>
    showDuration(BigInt(Math.floor(ms / 1_000)) * 1_000_000_000n),
  );
  return (
    `${laneName(lane)}: ${recordsText(recordsIn(batches))} without an acknowledgement may be duplicated: sent again ${age} after being read, ` +
    `and brokers forget a producer after ${expiration} (producer.id.expiration.ms)`
  );
}

/**
 * The error for batches that may or may not be in the log: sending them again could duplicate records, dropping them
 * could lose some.
 */
export function undecidedError(lane: Lane, code: number, cause?: unknown): CliError {
  return kafkaError(code, `unable to produce to ${laneName(lane)}: ${kafkaErrorText(code)}`, {
    target: lane.topic,
    retryable: false,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error for a batch that its broker does not take. */
export function refusedError(lane: Lane, { code, reason }: Refusal, details: ErrorDetails): CliError {
  const message = `unable to produce to ${laneName(lane)}: ${kafkaErrorText(code, reason)}`;
  return kafkaError(code, message, { target: lane.topic, ...details });
}

/** Counts the records by partition that may or may not have been written; empty for none. */
export function namedPlaces(lanes: Iterable<Lane>): string {
  const counts = [...lanes].map((lane) => ({ lane, records: recordsIn(uncertainBatches(lane)) }));
  const uncertain = counts.filter(({ records }) => records > 0);
  const shown = uncertain.slice(0, 3).map(({ lane, records }) => `${grouped(records, 'record')} of ${placeOf(lane)}`);
  const more = uncertain.length > 3 ? [`those of ${uncertain.length - 3} more partitions`] : [];
  return list([...shown, ...more]);
}

/** Where the records belong: after the last acknowledged one, whose offset was reported. */
function placeOf(lane: Lane): string {
  const after = offsetAfter(lane);
  return after === undefined ? laneName(lane) : `${laneName(lane)} after offset ${after - 1n}`;
}

/** The offset after the last acknowledged record of the lane; undefined if none is known. */
export function offsetAfter({ acknowledged }: Lane): bigint | undefined {
  const last = acknowledged.recent.at(-1);
  return last === undefined ? undefined : last.lastOffset + 1n;
}

/** The number of records in batches. */
export function recordsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { records }) => sum + records, 0);
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Returns `1 record` or `2 records`. */
export function recordsText(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}
