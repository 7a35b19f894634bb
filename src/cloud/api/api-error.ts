import { type ExitCode, exitCodes } from '../../errors.ts';
import type { HttpAnswer } from '../../net/http.ts';
import { isPassing } from '../../net/http-error.ts';
import { parseJson, textOf } from '../../net/json.ts';
import { ApiError, apiError, plainText } from '../../net/json-api/error.ts';
import { type Fields, fieldsOf } from '../../shape/object.ts';

/** The names of `google.rpc.Code` by number; the API uses either form. */
const codeNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** The content of an error response, or of the `error` of a failed operation. */
export interface Problem {
  /** The name of the code; '' if there is none. */
  readonly code: string;
  readonly message: string;
  readonly reason: string;
  /** Field violations, quotas and links, one line each. */
  readonly hints: readonly string[];
}

/** Parses an error body leniently: missing or malformed parts are left out. */
export function readProblem(body: unknown): Problem {
  const { code, message, details } = fieldsOf(body);
  const all = (Array.isArray(details) ? details : []).map(fieldsOf);
  const of = (type: string) => all.filter((detail) => String(detail['@type'] ?? '').replace(/^.*[/.]/s, '') === type);
  const reason = of('ErrorInfo').map((info) => textOf(info.reason))[0] ?? '';
  return {
    code: typeof code === 'number' ? (codeNames[code] ?? String(code)) : textOf(code),
    message: textOf(message),
    reason,
    hints: [
      ...of('BadRequest')
        .flatMap(({ field_violations: violations }) => listOf(violations))
        // Leaves out violations that the server's message contains already.
        .filter(({ field, description }) => !textOf(message).includes(`${textOf(field)}: ${textOf(description)}`))
        .map(violation),
      ...of('QuotaFailure').flatMap(({ violations }) => listOf(violations).map(quota)),
      ...of('Help').flatMap(({ links }) => listOf(links).map(link)),
    ],
  };
}

function violation({ field, description }: Fields): string {
  return `field ${textOf(field)}: ${textOf(description)}`;
}

function quota({ subject, description }: Fields): string {
  return `quota of ${textOf(subject)}: ${textOf(description)}`;
}

function link({ description, url }: Fields): string {
  return `${textOf(description) || 'see'}: ${textOf(url)}`;
}

/**
 * Creates the error for an error response.
 * @param doing the action that failed, for example `create the network "a"`
 * @param what the request, for example `POST https://api.example/v1/networks`
 */
export function answerError(doing: string, what: string, answer: HttpAnswer): ApiError {
  const { status } = answer;
  const { message, hints, reason, ...problem } = readProblem(parseJson(answer.body));
  const code = problem.code || (codeNames.find((_, at) => statusOf[at] === status) ?? `HTTP_${status}`);
  return apiError(doing, what, answer, {
    // The start of a plain text is enough: it is from a proxy.
    text: message || plainText(answer).slice(0, 200) || 'the server gave no reason',
    numbers: [`${status} ${code}`, reason].filter(Boolean).join(', '),
    code,
    hints: [...hints, ...adviceOf(status)],
    passes: isPassing(status),
    exitCode: otherExitCode(status, code),
  });
}

/** Creates the error for an operation that ended in `STATE_FAILED` (exit 1). */
export function failedOperation(doing: string, id: string, error: unknown): ApiError {
  const { code, message, reason, hints } = readProblem(error);
  const words = [code, reason].filter(Boolean).join(', ');
  const text = message || 'the server gave no reason';
  return new ApiError(exitCodes.failure, `${doing} failed: ${text}${words === '' ? '' : ` (${words})`}`, {
    status: 0,
    code: reason || code || 'OPERATION_FAILED',
    hints,
    target: id,
  });
}

// The HTTP status that a standard gateway uses for each code, by number.
const statusOf = [200, 499, 0, 400, 504, 404, 409, 403, 429, 0, 0, 0, 501, 500, 503, 0, 401];

function otherExitCode(status: number, code: string): ExitCode | undefined {
  if (code === 'FAILED_PRECONDITION') return exitCodes.conflict;
  return status >= 500 ? exitCodes.unreachable : undefined;
}

function adviceOf(status: number): readonly string[] {
  if (status === 401) return ['log in again with: weir cloud login'];
  return status === 403 ? ['check which login is in use with: weir cloud auth list'] : [];
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
