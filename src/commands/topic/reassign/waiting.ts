import { flag } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, rephrased, unreachableError } from '../../../errors.ts';
import { durationToMs, showDuration } from '../../../format/duration.ts';
import { shortList } from '../../../format/name-lists.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ThrottleMemory } from '../../../kafka/cluster/topics/reassignment/throttle-memory.ts';
import { duration } from '../../../kinds.ts';

/** The flag that limits a wait. */
export const waitTimeout = flag(duration, { help: 'maximum time to wait (default: no limit)' });

/**
 * Waits until no reassignment of the topics is in progress, with progress on stderr, then removes their throttles.
 * @param topics undefined for every topic
 * @param limit the longest wait, in nanoseconds
 * @param memory what remembers the throttles, if this command has set some
 * @throws CliError that says what is still in progress if the wait is interrupted or takes too long (exit 5)
 */
export async function finish(
  context: Context,
  topics: readonly string[] | undefined,
  limit: bigint | undefined,
  memory?: ThrottleMemory,
): Promise<void> {
  const forMs = limit === undefined ? undefined : durationToMs(limit);
  const kafka = await context.kafka();
  const progress = context.progress('reassign');
  let left = 0;
  try {
    for await (const rows of await kafka.watchReassignments({ topics, forMs })) {
      left = rows.length;
      const sum = (sizes: readonly (bigint | null)[]): number =>
        Number(sizes.reduce((all, size) => (all ?? 0n) + (size ?? 0n), 0n));
      progress.report({
        done: sum(rows.map((row) => row.copied_bytes)),
        total: sum(rows.map((row) => row.total_bytes)),
        unit: 'bytes',
        detail: `${left} left`,
      });
    }
    if (left > 0 && limit !== undefined) throw timedOut(left, limit);
  } catch (error) {
    throw withResume(context, error, topics);
  } finally {
    progress.end();
  }
  await removeThrottles(context, topics, memory);
}

/** Removes the throttles of partitions that are not being reassigned, and reports what was done and what is left. */
export async function removeThrottles(
  context: Context,
  topics: readonly string[] | undefined,
  given?: ThrottleMemory,
): Promise<void> {
  const memory = given ?? (await import('./throttle-file.ts')).throttleMemory(context);
  const kafka = await context.kafka();
  const { topics: freed, restored, left } = await kafka.unthrottle({ topics, memory });
  if (freed.length > 0) context.notice(`removed the throttle of ${shortList(freed)}`);
  if (restored.length > 0) context.notice(`restored the earlier throttled rate of broker ${restored.join(', ')}`);
  for (const { what, commands } of left) context.warn(`${what}; remove it with: ${commands.join(' && ')}`);
}

function timedOut(left: number, limit: bigint): CliError {
  const moves = left === 1 ? '1 reassignment was' : `${left} reassignments were`;
  return unreachableError(
    `${moves} not done within ${showDuration(limit)} (--wait-timeout); the brokers continue, and the throttle stays`,
    { code: 'WAIT_TIMEOUT', hints: ['raise the limit with --wait-timeout DURATION'] },
  );
}

/** Adds what is left to do. A signal ends the wait, not the reassignments. */
function withResume(context: Context, error: unknown, topics: readonly string[] | undefined): unknown {
  if (!(error instanceof CliError)) return error;
  const names = topics === undefined || topics.length > 10 ? '' : ` ${topics.map(shellWord).join(' ')}`;
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
