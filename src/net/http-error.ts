import { CliError, type ErrorDetails, exitCodes } from '../errors.ts';
import { durationToMs, showDuration } from '../format/duration.ts';

/** What is known of a request that got no answer. */
export interface HttpErrorDetails extends ErrorDetails {
  /** Whether the server may have seen the request. */
  readonly sent: boolean;
}

/** A request that got no answer, or not a whole one (exit 5). */
export class HttpError extends CliError {
  /** Whether the server may have seen the request: only one that was not sent may always be sent again. */
  readonly sent: boolean;

  constructor(message: string, { sent, ...details }: HttpErrorDetails) {
    super(exitCodes.unreachable, message, { retryable: true, code: 'CONNECTION_LOST', ...details });
    this.sent = sent;
  }
}

/** The request was written, and its answer did not come in `overhead` nanoseconds. */
export function noAnswer(what: string, overhead: bigint, part: 'answer' | 'rest of the answer'): HttpError {
  const limit = showDuration(overhead);
  return new HttpError(
    part === 'answer'
      ? `${what} got no answer in ${limit} (globals.request_timeout_overhead=${limit})`
      : `${what}: no more of the answer came in ${limit} (globals.request_timeout_overhead=${limit})`,
    {
      sent: true,
      code: 'REQUEST_TIMEOUT',
      hints: ['raise it with -X globals.request_timeout_overhead=DURATION'],
      target: what,
    },
  );
}

/** How long a server asks to wait (RFC 9110 §10.2.3): seconds or a date; undefined where it says nothing, in milliseconds. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return durationToMs(BigInt(Math.ceil(Number(text) * 1000)) * 1_000_000n);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
