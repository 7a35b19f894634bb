/** Code names with their number in google.rpc.Code and their HTTP status in a stock gateway. */
export const codes = {
  CANCELLED: { number: 1, status: 499 },
  UNKNOWN: { number: 2, status: 500 },
  INVALID_ARGUMENT: { number: 3, status: 400 },
  DEADLINE_EXCEEDED: { number: 4, status: 504 },
  NOT_FOUND: { number: 5, status: 404 },
  ALREADY_EXISTS: { number: 6, status: 409 },
  PERMISSION_DENIED: { number: 7, status: 403 },
  RESOURCE_EXHAUSTED: { number: 8, status: 429 },
  FAILED_PRECONDITION: { number: 9, status: 400 },
  ABORTED: { number: 10, status: 409 },
  OUT_OF_RANGE: { number: 11, status: 400 },
  UNIMPLEMENTED: { number: 12, status: 501 },
  INTERNAL: { number: 13, status: 500 },
  UNAVAILABLE: { number: 14, status: 503 },
  DATA_LOSS: { number: 15, status: 500 },
  UNAUTHENTICATED: { number: 16, status: 401 },
} as const;

/** The name of one of the codes. */
export type CodeName = keyof typeof codes;

/** Checks whether a word is the name of a code. */
export function isCodeName(word: unknown): word is CodeName {
  return typeof word === 'string' && Object.hasOwn(codes, word);
}

/** The problem with one field of a request. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The details of an error besides its code and message. */
export interface ApiErrorDetails {
  /** `REASON_…`, which most callers branch on. */
  readonly reason?: string;
  readonly violations?: readonly Violation[];
  readonly links?: readonly { readonly description: string; readonly url: string }[];
}

/** An error that the API returns. */
export class ApiError extends Error {
  readonly code: CodeName;
  readonly details: ApiErrorDetails;

  constructor(code: CodeName, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The body of an error response and the `error` of a failed operation. */
export interface ErrorBody {
  readonly code: string | number;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

const typeUrl = 'type.googleapis.com/google.rpc.';

/** Converts an error to JSON, with its details as google.rpc messages. */
export function errorBody(error: ApiError, codeAs: 'name' | 'number'): ErrorBody {
  const { reason, violations, links } = error.details;
  return {
    code: codeAs === 'name' ? error.code : codes[error.code].number,
    message: error.message,
    details: [
      ...(reason === undefined
        ? []
        : [{ '@type': `${typeUrl}ErrorInfo`, reason, domain: 'redpanda.com/controlplane', metadata: {} }]),
      ...(violations === undefined
        ? []
        : [{ '@type': `${typeUrl}BadRequest`, field_violations: violations.map((at) => ({ ...at, reason: '' })) }]),
      ...(links === undefined ? [] : [{ '@type': `${typeUrl}Help`, links }]),
    ],
  };
}

/** An error about invalid fields of a request. */
export function invalid(violations: readonly Violation[], reason = 'REASON_INVALID_INPUT'): ApiError {
  const what = violations.map((at) => `${at.field}: ${at.description}`).join('; ');
  return new ApiError('INVALID_ARGUMENT', `invalid request: ${what}`, { reason, violations });
}

/** An error about a field whose value does not exist or does not fit. */
export function misplaced(reason: string, field: string, description: string): ApiError {
  return invalid([{ field, description }], reason);
}

/** An error about a path that names a missing resource. */
export function notFound(what: string, id: string, reason?: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} ${id} not found`, reason === undefined ? {} : { reason });
}

/** An error about a name that is already in use. */
export function exists(what: string, name: string, reason?: string): ApiError {
  return new ApiError('ALREADY_EXISTS', `${what} "${name}" already exists`, reason === undefined ? {} : { reason });
}

/** An error about a resource whose state does not allow the request. */
export function notNow(message: string, reason?: string): ApiError {
  return new ApiError('FAILED_PRECONDITION', message, reason === undefined ? {} : { reason });
}
