/**
 * The exit codes of weir: what a script may branch on. They are the same in every output format.
 */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  unreachable: 5,
  conflict: 6,
  checkFailed: 10,
  hangup: 129,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

/** One of the numbers of `exitCodes`, or the passed-through code of a child process. */
export type ExitCode = number;

/** One sentence per exit code, for `weir help exit-codes` and the docs. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'everything asked for was done'],
  [exitCodes.failure, 'the command, or any item of it, failed'],
  [exitCodes.usage, 'the command line or the configuration is wrong; nothing was attempted'],
  [exitCodes.notFound, 'what was named does not exist'],
  [exitCodes.auth, 'authentication failed or the principal is not authorized'],
  [exitCodes.unreachable, 'the service could not be reached, or a limit ran out'],
  [exitCodes.conflict, 'it exists already, or a precondition does not hold'],
  [exitCodes.checkFailed, 'a check answered "no" (unhealthy, drift, lag above the limit)'],
  [exitCodes.hangup, 'ended by SIGHUP'],
  [exitCodes.interrupted, 'ended by SIGINT (Ctrl-C)'],
  [exitCodes.brokenPipe, 'the reader of standard output went away'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

/** What an error carries besides its message. */
export interface ErrorDetails {
  /** A stable word for machines, for example `UNKNOWN_TOPIC_OR_PARTITION` or `CONFIG_INVALID`. */
  readonly code?: string;
  /** What to do next, one line each, without the leading `hint:`. */
  readonly hints?: readonly string[];
  /** What the failure is about: an option key, a topic, a URL. */
  readonly target?: string;
  /** Whether the same command may succeed when repeated unchanged. */
  readonly retryable?: boolean;
  /** How long the server asks to wait before it is tried again, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The error underneath, shown with `-vv` only. */
  readonly cause?: unknown;
}

/**
 * A failure a person can act on. `message` is lower case, has no full stop, and says what could not
 * be done, on what, and why. Everything else that is thrown is a defect of weir.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly hints: readonly string[];
  readonly target: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(exitCode: ExitCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.exitCode = exitCode;
    this.code = details.code ?? defaultCode(exitCode);
    this.hints = details.hints ?? [];
    this.target = details.target;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/**
 * The same failure in other words: everything that `details` leaves out stays, the exit code too. The old error is the
 * cause of the new one.
 */
export function rephrased(
  error: CliError,
  message: string,
  { exitCode = error.exitCode, ...details }: ErrorDetails & { readonly exitCode?: ExitCode } = {},
): CliError {
  const { code, hints, target, retryable, retryAfterMs } = error;
  const kept = { code, hints, retryable, retryAfterMs, cause: error, ...(target !== undefined && { target }) };
  return new CliError(exitCode, message, { ...kept, ...details });
}

/** The same error with more advice, and perhaps not worth another try. Several collected errors stay several. */
export function withHints(error: CliError, hints: readonly string[], retryable = error.retryable): CliError {
  const details = { hints: [...error.hints, ...hints], retryable, cause: error.cause };
  return error instanceof CliErrors ? new CliErrors(error.errors, details) : rephrased(error, error.message, details);
}

/** Several failures that were collected and are reported together (configuration errors, for example). */
export class CliErrors extends CliError {
  readonly errors: readonly CliError[];

  constructor(errors: readonly CliError[], details: ErrorDetails = {}) {
    const first = errors[0];
    super(first?.exitCode ?? exitCodes.failure, errors.map((error) => error.message).join('\n'), {
      ...(first ? { code: first.code, retryable: first.retryable } : {}),
      ...(first?.target === undefined ? {} : { target: first.target }),
      hints: [...new Set(errors.flatMap((error) => error.hints))],
      ...details,
    });
    this.errors = errors;
  }
}

/** The command line or the configuration is wrong (exit 2). */
export function usageError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.usage, message, { code: 'USAGE', ...details });
}

/** What was named does not exist (exit 3). */
export function notFoundError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.notFound, message, details);
}

/** The service could not be reached, or one of the limits ran out (exit 5). */
export function unreachableError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.unreachable, message, { retryable: true, ...details });
}

const codesByExit: ReadonlyMap<ExitCode, string> = new Map([
  [exitCodes.usage, 'USAGE'],
  [exitCodes.notFound, 'NOT_FOUND'],
  [exitCodes.auth, 'AUTH'],
  [exitCodes.unreachable, 'UNREACHABLE'],
  [exitCodes.conflict, 'CONFLICT'],
  [exitCodes.checkFailed, 'CHECK_FAILED'],
  [exitCodes.interrupted, 'INTERRUPTED'],
]);

function defaultCode(exitCode: ExitCode): string {
  return codesByExit.get(exitCode) ?? 'FAILURE';
}

/** Why one item of a result failed, as it stands in the item's `error` in JSON output. */
export interface ItemError {
  /** The stable word for it, for example `TOPIC_ALREADY_EXISTS`. */
  readonly code: string;
  /** The number of the Kafka protocol, or null where the failure has none. */
  readonly number: number | null;
  /** The service's own text, or ours where it sent none. */
  readonly message: string;
  readonly retryable: boolean;
  /** The exit code that this failure alone stands for. */
  readonly exit_code: ExitCode;
}

/** The failure of one item, from an error of the whole request it was part of. */
export function itemErrorOf(error: CliError): ItemError {
  const { code, message, retryable, exitCode } = error;
  return { code, number: null, message, retryable, exit_code: exitCode };
}

/** The exit code of a result with several items: that of the failed ones where they agree, else 1; 0 when none failed. */
export function exitCodeOfItems(errors: Iterable<ItemError | null>): ExitCode {
  const failed = new Set<ExitCode>();
  for (const error of errors) if (error !== null) failed.add(error.exit_code);
  const [only] = failed;
  if (only === undefined) return exitCodes.ok;
  return failed.size === 1 ? only : exitCodes.failure;
}
