import type { Deadline } from '../../../deadline.ts';
import { backoffMs, gaveUp, longFailureMs } from '../../../net/retry.ts';
import type { Client } from '../../protocol/client/client.ts';
import { isRetriable } from '../../protocol/errors.ts';
import type { PartitionPosition } from './position.ts';

/** A position that could not be read, with the reason. */
export interface PositionFailure {
  readonly position: PartitionPosition;
  readonly error: unknown;
  /** Whether metadata lacks the topic or the partition. */
  readonly isUnknown?: boolean;
}

/** The decisions of the retry rule about failures. */
export interface JudgedFailures {
  /** Positions to retry after a pause. */
  readonly again: readonly PartitionPosition[];
  /** Positions unknown to the cluster for the whole retry timeout. */
  readonly gone: readonly PositionFailure[];
  /** An error that the retry rule does not retry, or no longer. */
  readonly final: unknown;
}

/** Applies the retry rule to each position, with the time counted from its first failure in a row. */
export function judgeFailures(client: Client, failures: readonly PositionFailure[], startedAt: number): JudgedFailures {
  const { deadline } = client.options;
  const again: PartitionPosition[] = [];
  const gone: PositionFailure[] = [];
  let final: unknown;
  let repeated: PositionFailure | undefined;
  for (const failure of failures) {
    const { position, error, isUnknown = false } = failure;
    position.failedSince ??= startedAt;
    position.leader = -1;
    position.replica = -1;
    const elapsedMs = deadline.clock.now() - position.failedSince;
    const isOver = elapsedMs >= deadline.limits.retryMs;
    if (isOver && isUnknown) gone.push(failure);
    else if (!isRetriable(error)) final ??= error;
    else if (isOver) final ??= gaveUp(error, deadline, { what: 'Fetch', failures: position.failures + 1, elapsedMs });
    else {
      position.failures += 1;
      again.push(position);
      if (repeated === undefined || position.failures < repeated.position.failures) repeated = failure;
    }
  }
  if (repeated !== undefined) reportRepeated(deadline, repeated);
  return { again, gone, final };
}

function reportRepeated(deadline: Deadline, { position, error }: PositionFailure): void {
  if (!(error instanceof Error)) return;
  const now = deadline.clock.now();
  const isLong = now - (position.failedSince ?? now) >= longFailureMs;
  const next = `attempt ${position.failures + 1} of Fetch`;
  deadline.failed(error, { what: next, afterMs: backoffMs(position.failures, () => 0.5), isLong });
}
