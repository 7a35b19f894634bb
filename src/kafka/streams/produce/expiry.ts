import type { Clock } from '../../../clock.ts';
import { CliError, type ErrorDetails, exitCodes } from '../../../errors.ts';
import { showDuration } from '../../../format/duration.ts';
import { type Lane, laneName } from './lane.ts';
import { recordsText } from './loss.ts';

/** Bounds the time from the arrival of a record to its acknowledgement, with its own timer. */
export interface Expiry {
  /** Arms the timer; called when a batch is opened. */
  watch(): void;
  close(): void;
}

/** The options of an expiry. */
export interface ExpiryOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly lanes: Iterable<Lane>;
  onExpired(error: CliError): void;
}

/** Starts an expiry with one timer, for the oldest record, armed while there are records. */
export function openExpiry({ clock, timeoutMs, lanes, onExpired }: ExpiryOptions): Expiry {
  let cancel: (() => void) | undefined;

  function arm(oldest: number): void {
    cancel = clock.after(Math.max(0, oldest + timeoutMs - clock.now()), check);
  }
  function check(): void {
    cancel = undefined;
    let oldest = Number.POSITIVE_INFINITY;
    for (const lane of lanes) oldest = Math.min(oldest, oldestOf(lane));
    if (oldest === Number.POSITIVE_INFINITY) return;
    if (clock.now() - oldest < timeoutMs) arm(oldest);
    else onExpired(expiredError([...lanes], timeoutMs, clock.now() - timeoutMs));
  }
  return {
    watch() {
      if (cancel === undefined) arm(clock.now());
    },
    close() {
      cancel?.();
      cancel = undefined;
    },
  };
}

/** When the oldest unacknowledged record arrived; infinity if there is none. */
function oldestOf({ open, queue, inFlight }: Lane): number {
  const times = [open, queue[0], inFlight[0]].map((batch) => batch?.createdAt ?? Number.POSITIVE_INFINITY);
  return Math.min(...times);
}

/** The error for a set-up that did not get `what` before the first record. */
export function setUpError(what: string, timeoutMs: number): CliError {
  return timeoutError(`unable to produce: the cluster did not return ${what} within`, timeoutMs, {});
}

function timeoutError(within: string, timeoutMs: number, details: ErrorDetails, last = ''): CliError {
  const limit = showDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n);
  return new CliError(exitCodes.unreachable, `${within} --delivery-timeout=${limit}${last}`, {
    code: 'DELIVERY_TIMEOUT',
    hints: ['raise the limit with --delivery-timeout DURATION'],
    retryable: false,
    ...details,
  });
}

function expiredError(lanes: readonly Lane[], timeoutMs: number, before: number): CliError {
  const late = lanes.filter((lane) => oldestOf(lane) <= before);
  const counts = late.slice(0, 3).map((lane) => `${recordsText(expiredRecords(lane, before))} to ${laneName(lane)}`);
  const more = late.length > 3 ? ` and more to ${late.length - 3} other partitions` : '';
  const failure = late.map(({ trouble }) => trouble?.error).find((error) => error instanceof Error);
  const last = failure === undefined ? '' : `; last failure: ${failure.message}`;
  const what = `unable to produce ${counts.join(', ')}${more}: no acknowledgement within`;
  const details = {
    ...(failure === undefined ? {} : { cause: failure }),
    ...(late[0] === undefined ? {} : { target: late[0].topic }),
  };
  return timeoutError(what, timeoutMs, details, last);
}

function expiredRecords({ open, queue, inFlight }: Lane, before: number): number {
  const batches = [...inFlight, ...queue].filter(({ createdAt }) => createdAt <= before);
  const openRecords = open !== undefined && open.createdAt <= before ? open.writer.count : 0;
  return batches.reduce((sum, { records }) => sum + records, openRecords);
}
