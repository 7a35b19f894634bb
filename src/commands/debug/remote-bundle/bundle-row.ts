import { type BundleAnswer, BundleState } from '../../../admin/debug/bundle-rows.ts';
import { type Column, errorIfAny } from '../../../cli/forms/columns.ts';
import { type ExitCode, exitCodes, type ItemError, itemErrorOf } from '../../../errors.ts';
import { showSize } from '../../../format/size.ts';
import { showUtcTime } from '../../../format/time.ts';
import { itemError as itemErrorShape } from '../../../shape/item-error.ts';
import { described, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

/** The debug bundle of one broker. */
export const DebugBundle = row({
  broker: whole,
  /** Null if the broker did not answer. */
  status: maybe(BundleState.fields.status),
  job_id: maybe(string),
  created: maybe(described(string, 'when it was started, as RFC 3339 in UTC')),
  file_size: maybe(described(whole, 'size of the finished file in bytes')),
  error: itemErrorShape,
});
export type DebugBundle = RowOf<typeof DebugBundle>;

/** The bundle of a broker in the file; `error` says why it is not in there. */
export const PackedBundle = row({
  broker: whole,
  /** The name in the file. */
  file: maybe(string),
  size: maybe(described(whole, 'in bytes')),
  sha256: maybe(string),
  error: itemErrorShape,
});
export type PackedBundle = RowOf<typeof PackedBundle>;

/**
 * The row of an answer. A bundle that could not be collected is an error of its broker.
 * @param jobId the job that is asked about; another one on the broker is an error
 */
export function bundleRow({ broker, state, error }: BundleAnswer, jobId?: string): DebugBundle {
  if (state === null) {
    return { broker, status: null, job_id: null, created: null, file_size: null, error: itemErrorOf(error) };
  }
  const { status, job_id, created, file_size } = state;
  return {
    broker,
    status,
    job_id,
    file_size,
    created: created === null ? null : showUtcTime(created),
    error: faultOf(broker, state, jobId),
  };
}

function faultOf(broker: number, { status, job_id, reason }: BundleState, jobId: string | undefined): ItemError | null {
  if (jobId !== undefined && job_id !== jobId) return unknownJob(broker, { status, job_id }, jobId);
  if (status !== 'error') return null;
  const why = reason === null ? '' : `: ${reason}`;
  return itemError('BUNDLE_FAILED', `the bundle could not be collected${why}`, exitCodes.failure);
}

function unknownJob(
  broker: number,
  { status, job_id }: Pick<BundleState, 'status' | 'job_id'>,
  jobId: string,
): ItemError {
  const last =
    job_id === null ? (status === 'expired' ? 'its last one has expired' : 'it has none') : `its last one is ${job_id}`;
  return itemError('JOB_NOT_FOUND', `broker ${broker} has no bundle of the job ${jobId}: ${last}`, exitCodes.notFound);
}

/** The error of a broker, without an error of the protocol. */
export function itemError(code: string, message: string, exitCode: ExitCode): ItemError {
  return { code, number: null, message, retryable: false, exit_code: exitCode };
}

/** The columns of bundles. */
export const bundleColumns: readonly Column<DebugBundle>[] = ['broker', 'status', 'job_id', errorIfAny()];

/** The same with the time and the size. */
export const wideBundleColumns: readonly Column<DebugBundle>[] = [
  'broker',
  'status',
  'job_id',
  'created',
  ['size', ({ file_size: bytes }) => (bytes === null ? null : showSize(bytes))],
  errorIfAny(),
];

/** The states in a few words, for the progress, for example `2 running, 1 success`. */
export function statesText(answers: readonly BundleAnswer[]): string {
  const counts = Map.groupBy(answers, ({ state }) => state?.status ?? 'unreachable');
  return [...counts].map(([status, { length }]) => `${length} ${status}`).join(', ');
}
