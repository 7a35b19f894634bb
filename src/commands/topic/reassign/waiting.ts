import type { Context } from '../../../context.ts';
import { CliError, exitCodes, rephrased } from '../../../errors.ts';
import { shortList } from '../chosen-topics.ts';

/**
 * Waits until no reassignment of the topics is in progress, with progress on stderr, then removes their throttles.
 * @param topics undefined for every topic
 * @throws CliError that says what is still in progress if the wait is interrupted
 */
export async function finish(context: Context, topics: readonly string[] | undefined): Promise<void> {
  const kafka = await context.kafka();
  const progress = context.progress('reassign');
  let left = 0;
  try {
    for await (const rows of await kafka.watchReassignments(topics)) {
      left = rows.length;
      const sum = (sizes: readonly (bigint | null)[]): number =>
        Number(sizes.reduce((all, own) => (all ?? 0n) + (own ?? 0n), 0n));
      progress.report({
        done: sum(rows.map((row) => row.copied_bytes)),
        total: sum(rows.map((row) => row.total_bytes)),
        unit: 'bytes',
        detail: `${left} left`,
      });
    }
  } catch (error) {
    throw withResume(context, error, topics);
  } finally {
    progress.end();
  }
  await removeThrottles(context, topics);
}

/** Removes the throttles of partitions that are not being reassigned, and reports what was removed and what is left. */
export async function removeThrottles(context: Context, topics: readonly string[] | undefined): Promise<void> {
  const kafka = await context.kafka();
  const { topics: freed, left } = await kafka.unthrottle(topics);
  if (freed.length > 0) context.notice(`removed the throttle of ${shortList(freed)}`);
  for (const { what, error } of left) context.warn(`unable to remove ${what}: ${error.code}: ${error.message}`);
}

/** Adds what is left to do. A signal ends the wait, not the reassignments. */
function withResume(context: Context, error: unknown, topics: readonly string[] | undefined): unknown {
  if (!(error instanceof CliError)) return error;
  const names = topics === undefined || topics.length > 10 ? '' : ` ${topics.join(' ')}`;
  const hints = [
    `wait for them and remove their throttle with: weir topic reassign wait${names}`,
    `or cancel them with: weir topic reassign cancel${names === '' ? ' --all' : names}`,
  ];
  if (!context.signal.aborted) return rephrased(error, error.message, { hints: [...error.hints, ...hints] });
  const isInterrupted = error.code === 'INTERRUPTED';
  return new CliError(
    isInterrupted ? error.exitCode : exitCodes.unreachable,
    'stopped waiting; the reassignments continue, and their throttle stays',
    { code: error.code, hints, cause: error },
  );
}
