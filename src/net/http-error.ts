import { CliError, type ErrorDetails, exitCodes } from '../errors.ts';
import { maxTimerMs, showDuration } from '../format/duration.ts';

/** The details of a request without a complete response. */
export interface HttpErrorDetails extends ErrorDetails {
  /** Whether the server may have received the request. */
  readonly sent: boolean;
}

/** A request that got no response, or an incomplete one (exit 5). */
export class HttpError extends CliError {
  /** Whether the server may have received the request; a request that was not sent can always be repeated. */
  readonly sent: boolean;

  constructor(message: string, { sent, ...details }: HttpErrorDetails) {
    super(exitCodes.unreachable, message, { retryable: true, code: 'CONNECTION_LOST', ...details });
    this.sent = sent;
  }
}

/** Returns the same failure as one of an HTTP request. */
export function httpErrorOf(error: CliError, sent: boolean): HttpError {
  const { message, code, hints, target, retryable, cause } = error;
  const details = { sent, code, hints, retryable, cause };
  return new HttpError(message, target === undefined ? details : { ...details, target });
}

/** Creates the error for a request that was sent, but whose response did not arrive within `overhead` nanoseconds. */
export function noAnswer(what: string, overhead: bigint, part: 'answer' | 'rest of the answer'): HttpError {
  const limit = showDuration(overhead);
  return new HttpError(
    part === 'answer'
      ? `${what} timed out after ${limit} (globals.request_timeout_overhead=${limit})`
      : `${what}: the response stalled for ${limit} (globals.request_timeout_overhead=${limit})`,
    {
      sent: true,
      code: 'REQUEST_TIMEOUT',
      hints: ['raise the limit with -X globals.request_timeout_overhead=DURATION'],
      target: what,
    },
  );
}

/**
 * Parses Retry-After (RFC 9110 §10.2.3: seconds or a date) into milliseconds, at most what a timer takes; undefined if
 * missing or invalid.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const isSeconds = /^\d+(\.\d+)?$/.test(text);
  const ms = isSeconds ? Math.ceil(Number(text) * 1000) : Math.max(0, Date.parse(text) - now);
  return Number.isNaN(ms) ? undefined : Math.min(ms, maxTimerMs);
}

/** Whether a repeated request may succeed: after 429 and server errors, except 501. */
export function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
