import { CliError, rephrased } from '../../errors.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type Lane, laneName } from './lane.ts';
import { uncertainRecords } from './lane-flow.ts';

/** An acknowledged batch lies at an offset that an earlier one had: an election has cut the log in between. */
export function cutLogWarning(lane: Lane, offset: bigint, expected: bigint): string {
  return (
    `${laneName(lane)}: the partition has lost acknowledged records, at offsets from ${offset} or below ` +
    `to ${expected}: its log was cut, as by an unclean leader election`
  );
}

/** What a lane does about a broker that has lost track of its producer; `gone` undefined: it cannot be told. */
export function lostTrackWarning(lane: Lane, code: number, gone: number | undefined): string {
  const lost = gone === undefined || gone === 0 ? '' : `acknowledged records are gone (the last ${gone}), `;
  return (
    `${laneName(lane)}: the broker has lost track of the producer (${kafkaErrorText(code)}): ` +
    `${lost}what it has not acknowledged is sent under a new epoch`
  );
}

/** Records turned out to be in the log, without an answer that would have told their offsets. */
export function foundWarning(lane: Lane, records: number): string {
  const were = records === 1 ? 'was' : 'were';
  return `${laneName(lane)}: ${recordsText(records)} without an answer ${were} written, at offsets that the broker does not tell`;
}

/** Nobody can tell whether batches are in the log: sending them again could repeat records, leaving them could lose some. */
export function undecidedError(lane: Lane, code: number, cause?: unknown): CliError {
  const { topic, partition } = lane;
  return kafkaError(code, `unable to produce to ${laneName(lane)}: ${kafkaErrorText(code)}`, {
    target: topic,
    retryable: false,
    hints: [`compare the end of the partition with the input: weir topic consume ${topic} -p ${partition} -o -10`],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The failure with the records that may or may not be written, partition by partition. */
export function withUncertain(error: unknown, lanes: Iterable<Lane>): unknown {
  if (!(error instanceof CliError)) return error;
  const uncertain = [...lanes].filter((lane) => uncertainRecords(lane) > 0);
  if (uncertain.length === 0) return error;
  const told = uncertain.slice(0, 3).map((lane) => `${recordsText(uncertainRecords(lane))} of ${placeOf(lane)}`);
  const more = uncertain.length > 3 ? [`those of ${uncertain.length - 3} more partitions`] : [];
  return rephrased(error, `${error.message} (${list([...told, ...more])} may or may not be written)`);
}

/** Where the records belong: behind the last acknowledged one, whose offset was reported. */
function placeOf(lane: Lane): string {
  const last = lane.acknowledged.recent.at(-1);
  return last === undefined ? laneName(lane) : `${laneName(lane)} after offset ${last.lastOffset}`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `1 record`, `2 records` */
export function recordsText(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}
