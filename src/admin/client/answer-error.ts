import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../../errors.ts';
import { formOf, oneLine, plainText } from '../../net/answer-text.ts';
import type { HttpAnswer } from '../../net/http.ts';
import { HttpError, retryAfterMs } from '../../net/http-error.ts';
import { type Fields, fieldsOf, parseJson, textOf } from '../../net/json.ts';
import { shownUrl } from '../../net/shown-url.ts';

/** The details of an error answer besides its message. */
interface AdminErrorDetails extends ErrorDetails {
  readonly status: number;
  readonly number: number | null;
  readonly reasons?: ReadonlyMap<string, string>;
}

/** An error answer of the Admin API; `code` is a name for its status. */
export class AdminError extends CliError {
  /** The HTTP status. */
  readonly status: number;
  /** The code that some calls have besides the status, such as 40401 for an unknown role; null if there is none. */
  readonly number: number | null;
  /** For a refused change of the configuration: the reason for each property. */
  readonly reasons: ReadonlyMap<string, string>;

  constructor(exitCode: ExitCode, message: string, details: AdminErrorDetails) {
    const { status, number, reasons = new Map(), ...rest } = details;
    super(exitCode, message, rest);
    this.status = status;
    this.number = number;
    this.reasons = reasons;
  }
}

const names: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_REQUEST'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [410, 'EXPIRED'],
  [422, 'INVALID_REQUEST'],
  [429, 'THROTTLED'],
  [500, 'SERVER_ERROR'],
  [503, 'UNAVAILABLE'],
  [504, 'SERVER_TIMEOUT'],
]);

/** States that pass: throttled, no leader at the moment, a change in progress, an operation that took too long. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const advice: Readonly<Record<number, string>> = {
  401: 'set the credentials with -X user=TEXT and WEIR_PASS, or in the profile',
  403: 'the user of -X user=TEXT must be a superuser (cluster property superusers)',
};

/** Whether the API answered with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is AdminError {
  return error instanceof AdminError && statuses.includes(error.status);
}

/**
 * Creates the error for an answer with an error status.
 * @param doing the action that failed, for example `decommission broker 3`
 * @param what the request, for example `PUT http://localhost:9644/v1/brokers/3/decommission`
 * @param isAnonymous whether the request had no credentials
 */
export function answerError(doing: string, what: string, answer: HttpAnswer, isAnonymous = false): CliError {
  const { status, headers } = answer;
  const problem = problemOf(fieldsOf(parseJson(answer.body)), status);
  const text = problem.message || plainText(answer) || reasonOf(status);
  // The redirects of an Admin API have other statuses.
  if (text === '' || (status >= 300 && status <= 399)) return notAdmin(doing, what, answer);
  const numbers = problem.number === null ? `${status}` : `${status}, code ${problem.number}`;
  const hint = hintFor(status, text, isAnonymous);
  return new AdminError(exitCodeOf(status), `unable to ${doing}: ${text} (${what}: ${numbers})`, {
    status,
    number: problem.number,
    reasons: problem.reasons,
    code: names.get(status) ?? `HTTP_${status}`,
    hints: hint === undefined ? [] : [hint],
    target: what,
    retryable: passing.has(status),
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], Date.now()) : undefined,
  });
}

function hintFor(status: number, text: string, isAnonymous: boolean): string | undefined {
  // Some calls answer 403 to a superuser if the cluster has no license for them.
  if (status === 403 && /licen[sc]e/i.test(text)) return undefined;
  if (status === 403 && isAnonymous) return 'set the credentials of a superuser with -X user=TEXT and WEIR_PASS';
  if (status === 400 && /authorization method/i.test(text))
    return 'weir uses basic authentication: add BASIC to the cluster property http_authentication';
  return advice[status];
}

/** What the body of an error answer says. */
interface Problem {
  readonly message: string;
  readonly number: number | null;
  readonly reasons: ReadonlyMap<string, string>;
}

/**
 * Reads the three forms of errors: a message, a message that is itself JSON with a message (roles), and a reason for each
 * property of the configuration, which may be in a message as well.
 */
function problemOf(body: Fields, status: number): Problem {
  if (typeof body.message !== 'string') return refusedProperties(body, status);
  const inner = fieldsOf(parseJson(Buffer.from(body.message)));
  if (typeof inner.message !== 'string') {
    const refused = refusedProperties(inner, status);
    if (refused.message !== '') return refused;
  }
  const number = [inner.code, body.code].find((one) => Number.isInteger(one) && one !== status);
  return {
    message: oneLine(typeof inner.message === 'string' ? inner.message : body.message),
    number: typeof number === 'number' ? number : null,
    reasons: new Map(),
  };
}

/** The most properties in a message; a change can have a reason for each of hundreds. */
const mostShown = 20;

function refusedProperties(body: Fields, status: number): Problem {
  const entries = Object.entries(body);
  const reasons = new Map(entries.map(([name, reason]) => [oneLine(name), oneLine(textOf(reason))]));
  if (status !== 400 || entries.some(([, reason]) => typeof reason !== 'string')) {
    return { message: '', number: null, reasons: new Map() };
  }
  const shown = [...reasons].slice(0, mostShown).map(([name, reason]) => `${name}: ${reason}`);
  const more = reasons.size > mostShown ? [`and ${reasons.size - mostShown} more`] : [];
  return { message: [...shown, ...more].join('; '), number: null, reasons };
}

function reasonOf(status: number): string {
  if (status === 401) return 'the Admin API requires valid credentials';
  if (status === 403) return 'the user is not authorized';
  if (status === 429) return 'the Admin API has too many requests';
  return status >= 500 && status !== 501 ? 'the Admin API gave no reason' : '';
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 409) return exitCodes.conflict;
  return passing.has(status) ? exitCodes.unreachable : exitCodes.failure;
}

/** Creates the error for an answer that no Admin API gives, such as an HTML page. */
export function notAdmin(doing: string, what: string, answer: HttpAnswer): CliError {
  const { status, headers } = answer;
  const place = headers.location === undefined ? '' : ` (it redirects to ${oneLine(shownUrl(headers.location))})`;
  const text = `unable to ${doing}: ${what} returned ${status} with ${formOf(answer)}, not an answer of an Admin API`;
  return new CliError(exitCodes.failure, text + place, {
    code: 'NOT_AN_ADMIN_API',
    target: what,
    hints: [checkAddress],
  });
}

/** What to do when a server does not behave like an Admin API. */
export const checkAddress = 'check that admin.hosts is the address of an Admin API (port 9644 unless it was changed)';

/** Creates the error for JSON without what the answer must contain. */
export function badAnswer(what: string, missing: string): CliError {
  const message = `the answer to ${what} has no valid ${missing}`;
  return new HttpError(message, {
    sent: true,
    code: 'BAD_ANSWER',
    retryable: false,
    target: what,
    hints: [checkAddress],
  });
}
