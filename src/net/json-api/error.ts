import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../../errors.ts';
import type { HttpAnswer } from '../http.ts';
import { HttpError, retryAfterMs } from '../http-error.ts';
import { parseJson } from '../json.ts';
import { withoutSent } from '../secret.ts';
import { shownUrl } from '../shown-url.ts';

/** The details of an error answer besides its message. */
export interface ApiErrorDetails extends ErrorDetails {
  readonly status: number;
  readonly number?: number | null;
  readonly reasons?: ReadonlyMap<string, string>;
}

/** An error answer of an API; `code` is the API's own code, or a name for its number or its status. */
export class ApiError extends CliError {
  /** The HTTP status; 0 for the failure of an operation that the API had accepted. */
  readonly status: number;
  /** The number that an error has besides the status, such as 40401; null if there is none. */
  readonly number: number | null;
  /** For a refused change of several properties: the reason for each. */
  readonly reasons: ReadonlyMap<string, string>;

  constructor(exitCode: ExitCode, message: string, details: ApiErrorDetails) {
    const { status, number = null, reasons = new Map(), ...rest } = details;
    super(exitCode, message, rest);
    this.status = status;
    this.number = number;
    this.reasons = reasons;
  }
}

/** Whether an API answered with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

/**
 * Whether an API refused a request for good: it did nothing, and would refuse the same request again. Some servers say so
 * with the status of a fault, and only their words tell that it is a conflict.
 */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status < 400 || error.status === 429) return false;
  return error.status < 500 || error.exitCode === exitCodes.conflict || error.exitCode === exitCodes.notFound;
}

/** What an error answer says, read from its body by the dialect of an API. */
export interface Problem extends Pick<ApiErrorDetails, 'number' | 'reasons'> {
  readonly text: string;
  /** The status and what else tells the error apart, for example `404, error code 40401`. */
  readonly numbers: string;
  readonly code: string;
  readonly hints: readonly string[];
  /** Whether the same request may succeed later. */
  readonly passes: boolean;
  /** What the error is in spite of its status. */
  readonly exitCode?: ExitCode | undefined;
}

/** The exit code of an error answer whose status says what it is; undefined for other statuses. */
function exitCodeOf(status: number): ExitCode | undefined {
  if (status === 401 || status === 403) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  return status === 409 ? exitCodes.conflict : undefined;
}

/**
 * Creates the error for an answer with an error status.
 * @param doing the action that failed, for example `decommission broker 3`
 * @param what the request, for example `PUT http://localhost:9644/v1/brokers/3/decommission`
 */
export function apiError(doing: string, what: string, answer: HttpAnswer, problem: Problem): ApiError {
  const { status, headers } = answer;
  const { text, numbers, code, hints, passes, number = null, reasons } = problem;
  const other = problem.exitCode ?? (passes ? exitCodes.unreachable : exitCodes.failure);
  return new ApiError(exitCodeOf(status) ?? other, `unable to ${doing}: ${text} (${what}: ${numbers})`, {
    status,
    number,
    code,
    hints: [...hints, ...proxyHints(answer)],
    target: what,
    retryable: passes,
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], Date.now()) : undefined,
    ...(reasons !== undefined && { reasons }),
  });
}

/** An error answer without the secrets of its request that the server repeats, also in the texts of JSON. */
export function answerWithout(answer: HttpAnswer, secrets: readonly string[]): HttpAnswer {
  const text = answer.body.toString('utf8');
  const hide = (part: string): string => withoutSent(part, secrets);
  const hideIn = (part: string): string => {
    // As it will be shown: a server may escape other characters than weir does.
    const plain: string = JSON.parse(part);
    const shown = hide(plain);
    return shown === plain ? part : JSON.stringify(shown);
  };
  // Only in texts, so that it stays JSON with the same numbers.
  const hidden = parseJson(answer.body) === undefined ? hide(text) : text.replace(/"(?:\\.|[^"\\])*"/g, hideIn);
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, value && hide(value)]),
  );
  return { ...answer, headers, body: hidden === text ? answer.body : Buffer.from(hidden) };
}

/** How to report an answer that no server of an API gives. */
interface Foreign {
  /** For example `not an answer of a schema registry`. */
  readonly verdict: string;
  /** Of a request that the server does not have (exit 1); default: BAD_ANSWER, as if the API was not reached (exit 5). */
  readonly code?: string | undefined;
  readonly hints: readonly string[];
}

/** Creates the error for an answer that no server of the API gives, such as an HTML page. */
export function foreignAnswer(doing: string, what: string, answer: HttpAnswer, foreign: Foreign): CliError {
  const { status, headers } = answer;
  const { verdict, code, hints } = foreign;
  const exitCode = code === undefined ? exitCodes.unreachable : exitCodes.failure;
  const place = headers.location === undefined ? '' : ` (it redirects to ${oneLine(shownUrl(headers.location))})`;
  const text = `unable to ${doing}: ${what} returned ${status} with ${formOf(answer)}, ${verdict}${place}`;
  return new CliError(exitCode, text, {
    code: code ?? 'BAD_ANSWER',
    target: what,
    hints: [...hints, ...proxyHints(answer)],
  });
}

/** The statuses of a server between: it does not reach the next one. */
const ofGateways: ReadonlySet<number> = new Set([502, 503, 504]);

/** The hint for an answer that may be that of a proxy instead of the API. */
function proxyHints({ status, forwardedBy }: HttpAnswer): readonly string[] {
  if (forwardedBy === undefined || !ofGateways.has(status)) return [];
  return [`check ${forwardedBy} too: it read the request, and may have answered instead of the server`];
}

/** Creates the error for JSON without what the answer must contain. */
export function badAnswer(what: string, missing: string, hint: string): HttpError {
  return new HttpError(`the answer to ${what} has no valid ${missing}`, {
    sent: true,
    code: 'BAD_ANSWER',
    retryable: false,
    target: what,
    hints: [hint],
  });
}

/** What an answer that does not say what is wrong consists of: `an HTML page`, `an answer that is not JSON` and so on. */
function formOf({ headers, body }: HttpAnswer): string {
  if (body.length === 0) return 'an empty answer';
  const type = headers['content-type']?.split(';')[0]?.trim();
  if (type === 'text/html') return 'an HTML page';
  return parseJson(body) === undefined ? 'an answer that is not JSON' : 'JSON without an error code';
}

/** The start of a plain text answer, for example from a proxy. */
export function plainText({ headers, body }: HttpAnswer): string {
  return headers['content-type']?.startsWith('text/plain') ? oneLine(body.toString('utf8', 0, 4_000)) : '';
}

/** Text on one line, up to 1,000 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 1_000 ? `${line.slice(0, 999)}…` : line;
}
