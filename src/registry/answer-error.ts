import {
  CliError,
  type ErrorDetails,
  type ExitCode,
  exitCodes,
  type ItemError,
  itemErrorOf,
  rephrased,
} from '../errors.ts';
import { shellWord } from '../format/shell-word.ts';
import { formOf, oneLine, plainText } from '../net/answer-text.ts';
import type { HttpAnswer } from '../net/http.ts';
import { HttpError, retryAfterMs } from '../net/http-error.ts';
import { type Fields, fieldsOf, parseJson } from '../net/json.ts';
import { shownUrl } from '../net/shown-url.ts';

/** The details of an error answer besides its message. */
interface RegistryErrorDetails extends ErrorDetails {
  readonly status: number;
  readonly number: number | null;
}

/** An error answer of the registry; `code` is a name for its number. */
export class RegistryError extends CliError {
  /** The HTTP status. */
  readonly status: number;
  /** The `error_code`, such as 40401; null if the answer has none. */
  readonly number: number | null;

  constructor(exitCode: ExitCode, message: string, { status, number, ...details }: RegistryErrorDetails) {
    super(exitCode, message, details);
    this.status = status;
    this.number = number;
  }
}

/** Returns the same failure with more text after its message. */
export function withAddition(error: CliError, addition: string): CliError {
  const message = error.message + addition;
  if (!(error instanceof RegistryError)) return rephrased(error, message);
  const { exitCode, status, number, code, hints, target, retryable } = error;
  const details = { status, number, code, hints, retryable, cause: error.cause };
  return new RegistryError(exitCode, message, target === undefined ? details : { ...details, target });
}

/** Error codes with names; the registry's own documentation has only numbers. */
const names: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [409, 'INCOMPATIBLE_SCHEMA'],
  [422, 'INVALID_SCHEMA'],
  [40401, 'SUBJECT_NOT_FOUND'],
  [40402, 'VERSION_NOT_FOUND'],
  [40403, 'SCHEMA_NOT_FOUND'],
  [40404, 'SUBJECT_SOFT_DELETED'],
  [40405, 'SUBJECT_NOT_SOFT_DELETED'],
  [40406, 'VERSION_SOFT_DELETED'],
  [40407, 'VERSION_NOT_SOFT_DELETED'],
  [40408, 'COMPATIBILITY_LEVEL_NOT_SET'],
  [40409, 'MODE_NOT_SET'],
  [40901, 'INCOMPATIBLE_SCHEMA'],
  [42201, 'INVALID_SCHEMA'],
  [42202, 'INVALID_VERSION'],
  [42203, 'INVALID_COMPATIBILITY_LEVEL'],
  [42204, 'INVALID_MODE'],
  [42205, 'OPERATION_NOT_PERMITTED'],
  [42206, 'REFERENCE_EXISTS'],
  [42207, 'SCHEMA_ID_IN_USE'],
  [42208, 'INVALID_SUBJECT'],
  [42209, 'SCHEMA_TOO_LARGE'],
  [42210, 'INVALID_RULE_SET'],
  [42211, 'CONTEXT_NOT_EMPTY'],
  [42212, 'INVALID_ASSOCIATION'],
  [50001, 'STORAGE_ERROR'],
  [50002, 'STORAGE_ERROR'],
  // Of Redpanda, an error of Kafka that passes; of Confluent, a request that the leader did not get.
  [50003, 'TEMPORARY_FAILURE'],
  [50004, 'LEADER_NOT_KNOWN'],
  [50301, 'WRITE_COLLISION'],
  [50302, 'BROKER_NOT_AVAILABLE'],
]);

const conflicts: ReadonlySet<number | null> = new Set([42205, 42206, 42207, 42211]);
/** Server errors that pass, by `error_code`. Other errors with status 500 also mean a request that the server dislikes. */
const passing: ReadonlySet<number | null> = new Set([50002, 50003, 50004]);
const passingStatus: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Hints by the status or `error_code` of an answer. */
export type Advice = Readonly<Record<number, string>>;

const generalAdvice: Advice = {
  401: 'set the credentials with -X user=TEXT and WEIR_PASS, or in the profile',
  403: 'the user of -X user=TEXT needs permission for this; changing modes may need a superuser',
  40401: 'see the subjects with: weir registry subject list --deleted',
};

/** The hint for a version that the subject does not have. */
export function versionAdvice(subject: string): Advice {
  return { 40402: `see the versions with: weir registry schema list ${shellWord(subject)} --deleted` };
}

/** How a web server answers to a path or method that it does not have. */
const unknownCalls: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether the registry does not have a request at all. */
export function notServed(error: unknown): boolean {
  return error instanceof CliError && error.code === notServedCode;
}

const notServedCode = 'NOT_SERVED';

/** Whether the registry answered with one of these error codes. */
export function hasNumber(error: unknown, ...numbers: readonly number[]): error is RegistryError {
  return error instanceof RegistryError && error.number !== null && numbers.includes(error.number);
}

/** The failure of one item of a result. */
export function itemOf(error: unknown): ItemError {
  if (!(error instanceof CliError)) throw error;
  return error instanceof RegistryError ? { ...itemErrorOf(error), number: error.number } : itemErrorOf(error);
}

/**
 * Creates the error for an answer with an error status.
 * @param doing the action that failed, for example `read the schema 5`
 * @param what the request, for example `GET http://localhost:8081/schemas/ids/5`
 * @param advice hints that are better than the general ones
 */
export function answerError(doing: string, what: string, answer: HttpAnswer, advice: Advice = {}): CliError {
  const { status, headers } = answer;
  const body = fieldsOf(parseJson(answer.body));
  const number = numberOf(body);
  const message = typeof body.message === 'string' ? oneLine(body.message) : '';
  // An authorization proxy may answer in a format of its own.
  const isOwn =
    number !== null || message !== '' || status === 401 || status === 403 || (status >= 500 && status !== 501);
  // The web servers of registries repeat the status where registries have codes of their own.
  const isUnknown = unknownCalls.has(status) && (number ?? body.code) === status;
  if (isUnknown || (!isOwn && status !== 429)) return notRegistry(doing, what, answer);
  const numbers = number === null || number === status ? `${status}` : `${status}, error code ${number}`;
  const text = message || plainText(answer) || reasonOf(status);
  const hints = { ...generalAdvice, ...advice };
  const hint = hints[number ?? status] ?? hints[status];
  const exitCode = exitCodeOf(status, number);
  return new RegistryError(exitCode, `unable to ${doing}: ${text} (${what}: ${numbers})`, {
    status,
    number,
    code:
      names.get(number ?? status) ?? (exitCode === exitCodes.auth ? names.get(status) : undefined) ?? `HTTP_${status}`,
    hints: hint === undefined ? [] : [hint],
    target: what,
    retryable: passingStatus.has(status) || passing.has(number),
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], Date.now()) : undefined,
  });
}

/** Creates the error for an answer that no registry gives, such as an HTML page. */
export function notRegistry(doing: string, what: string, answer: HttpAnswer): CliError {
  const { status, headers } = answer;
  const isUnknown = unknownCalls.has(status);
  const place = headers.location === undefined ? '' : ` (it redirects to ${oneLine(shownUrl(headers.location))})`;
  const verdict = isUnknown ? 'so the request is not supported there' : 'not an answer of a schema registry';
  const text = `unable to ${doing}: ${what} returned ${status} with ${formOf(answer)}, ${verdict}${place}`;
  return new CliError(exitCodes.failure, text, {
    code: isUnknown ? notServedCode : 'NOT_A_REGISTRY',
    target: what,
    hints: [
      'check that registry.hosts is the address of a schema registry, with its path if it has one',
      ...(isUnknown && /\/(mode|contexts)\b/.test(what) ? ['not every registry has modes and contexts'] : []),
    ],
  });
}

/** Creates the error for JSON without what the answer must contain. */
export function badAnswer(what: string, missing: string): CliError {
  return new HttpError(`the answer to ${what} has no valid ${missing}`, {
    sent: true,
    code: 'BAD_ANSWER',
    retryable: false,
    target: what,
    hints: ['check that registry.hosts is the address of a schema registry'],
  });
}

function numberOf({ error_code: number }: Fields): number | null {
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

function exitCodeOf(status: number, number: number | null): ExitCode {
  if (status === 401 || status === 403) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || conflicts.has(number)) return exitCodes.conflict;
  return passingStatus.has(status) || passing.has(number) ? exitCodes.unreachable : exitCodes.failure;
}

function reasonOf(status: number): string {
  if (status === 401) return 'the registry requires valid credentials';
  return status === 403 ? 'the user is not authorized' : 'the registry gave no reason';
}
