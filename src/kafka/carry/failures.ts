import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { CorruptRecordsError } from '../records/batches/corrupt.ts';
import type { PartitionPosition } from '../streams/consume/position.ts';

/** The error for records that cannot be read; other errors stay as they are. */
export function readFailure(error: unknown, { topic, partition }: PartitionPosition): unknown {
  if (!(error instanceof CorruptRecordsError)) return error;
  const place = `topic "${topic}" partition ${partition} at offset ${error.baseOffset}`;
  return new CliError(exitCodes.failure, `unable to read ${place}: ${error.reason}`, {
    code: 'CORRUPT_MESSAGE',
    target: topic,
    hints: [`continue after it with -p ${partition} -o OFFSET --restart`],
  });
}

/** Whether an error is about records that are damaged in the source. */
export function isDamage(error: unknown): boolean {
  return error instanceof CliError && error.code === 'CORRUPT_MESSAGE';
}

/** How far a run came. */
export interface RunProgress {
  /** What was acknowledged, and in transactions committed. */
  readonly written: { readonly records: number; readonly bytes: number };
  /** The number of written records that the stored progress does not cover. */
  readonly forgotten: number;
  /** The number of records that may have been written as well, although no broker has confirmed it. */
  readonly inDoubt: number;
  /** The destinations that do not exist any more. */
  readonly missing?: readonly string[];
}

/** Of a run that has not begun. */
export const noProgress: RunProgress = { written: { records: 0, bytes: 0 }, forgotten: 0, inDoubt: 0 };

/** How far several runs came. */
export function progressOfAll(all: Iterable<RunProgress>): RunProgress {
  return [...all].reduce(
    ({ written, forgotten, inDoubt }, one) => ({
      written: { records: written.records + one.written.records, bytes: written.bytes + one.written.bytes },
      forgotten: forgotten + one.forgotten,
      inDoubt: inDoubt + one.inDoubt,
    }),
    noProgress,
  );
}

/** How to say what was done before a failure, and how to go on. */
interface Wording {
  /** What was done with records: "copied". */
  readonly did: string;
  /** The name of their number in `json` output. */
  readonly countedAs: string;
  /** Hints that are better than those of the error. */
  readonly hints: readonly string[] | undefined;
  /** The hint that says what the same command does, unless something is in its way. */
  readonly again: string;
}

/** Says what was done before the failure, and how to go on. */
export function interrupted(error: CliError, reached: RunProgress, wording: Wording): CliError {
  const { did, countedAs } = wording;
  const { written, inDoubt } = reached;
  const { hints = error.hints } = wording;
  const were = `${grouped(written.records, 'record')} ${written.records === 1 ? 'was' : 'were'} ${did} before that`;
  const repeat = repeatHint(wording, reached);
  // In transactions only: otherwise the producer goes on, and warns of what is lost.
  const lost = error.code === 'OUT_OF_ORDER_SEQUENCE_NUMBER' ? [lostHint(did)] : [];
  return rephrased(error, `${error.message} (${were})`, {
    hints: error.exitCode === exitCodes.conflict ? hints : [...hints, ...lost, repeat],
    records: { [countedAs]: written.records, uncertain: inDoubt },
  });
}

function lostHint(did: string): string {
  return (
    `the destination may have lost records that were ${did} before, as after an unclean leader election: the same command ` +
    'does not bring them back, --restart does'
  );
}

/** The hint for a run that ended early: `again`, unless the stored progress does not cover all that may have been written. */
export function repeatHint(
  { did, again: usual }: Pick<Wording, 'did' | 'again'>,
  { forgotten, inDoubt }: RunProgress,
): string {
  const all = forgotten + inDoubt;
  if (all === 0) return usual;
  const are = `${grouped(all, 'record')} ${all === 1 ? 'is' : 'are'} ${did} again`;
  if (inDoubt === 0) return `the same command continues, but ${are}: the progress after them is not stored`;
  return `the same command continues, but up to ${are}: they may have been written already`;
}
