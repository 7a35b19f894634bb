import { Invalid, type Violation } from '../../http/readers.ts';

/** The names of google.rpc.Code, in the order of their numbers from 1, with their HTTP status in a stock gateway. */
export const codes = {
  CANCELLED: 499,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DATA_LOSS: 500,
  UNAUTHENTICATED: 401,
} as const;

/** The name of one of the codes. */
export type CodeName = keyof typeof codes;

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
interface ErrorBody {
  readonly code: CodeName;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

const typeUrl = 'type.googleapis.com/google.rpc.';

/** Converts an error to JSON, with its details as google.rpc messages. */
export function errorBody(error: ApiError): ErrorBody {
  const { reason, violations, links } = error.details;
  return {
    code: error.code,
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
  const { message } = new Invalid(violations);
  return new ApiError('INVALID_ARGUMENT', `invalid request: ${message}`, { reason, violations });
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
