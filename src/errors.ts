/** The exit codes that scripts can rely on; they are the same in every output format. */
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

/** One of the numbers in `exitCodes`, or the exit code of a child process. */
export type ExitCode = number;

/** The exit codes of commands that a signal, output that failed, or a timeout ended. */
export const stopCodes = {
  signal: exitCodes.interrupted,
  output: exitCodes.brokenPipe,
  timeout: exitCodes.unreachable,
} as const;

/** One sentence per exit code, for `weir help exit-codes` and the docs. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'success'],
  [exitCodes.failure, 'the command, or any item of it, failed'],
  [exitCodes.usage, 'the command line or the configuration is wrong; nothing was attempted'],
  [exitCodes.notFound, 'the named resource does not exist'],
  [exitCodes.auth, 'authentication failed or the principal is not authorized'],
  [exitCodes.unreachable, 'the service could not be reached, or a timeout expired'],
  [exitCodes.conflict, 'the resource already exists, or a precondition does not hold'],
  [exitCodes.checkFailed, 'a check answered "no" (unhealthy, drift, lag above the limit)'],
  [exitCodes.hangup, 'ended by SIGHUP'],
  [exitCodes.interrupted, 'ended by SIGINT (Ctrl-C)'],
  [exitCodes.brokenPipe, 'the reader of standard output closed it'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

/** The details of an error besides its message. */
export interface ErrorDetails {
  /** A stable code for scripts, for example `UNKNOWN_TOPIC_OR_PARTITION` or `CONFIG_INVALID`. */
  readonly code?: string;
  /** What to do next, one line each, without the leading `hint:`. */
  readonly hints?: readonly string[];
  /** The subject of the failure: an option key, a topic, a URL. */
  readonly target?: string;
  /** Whether the same command may succeed when repeated unchanged. */
  readonly retryable?: boolean;
  /** Whether the same is true of an error that this command does not retry, because it most likely needs the user. */
  readonly passesLater?: boolean;
  /** How long the server asks to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Whether a healthy service fails like this for a moment after its start, so that a retry needs no mention. */
  readonly passing?: boolean;
  /** Whether the hints name all there is to do, so that no general one follows. */
  readonly hintsSuffice?: boolean;
  /** What became of the records that a command had read, as machine formats show it under `records`. */
  readonly records?: Readonly<Record<string, unknown>> | undefined;
  /** The underlying error, shown with `-vv` only. */
  readonly cause?: unknown;
}

/**
 * A failure that the user can act on. `message` is lower case, has no full stop, and says what could not
 * be done, to what, and why. Any other thrown error is a bug in weir.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly hints: readonly string[];
  readonly target: string | undefined;
  /** Whether this command may retry. */
  readonly retryable: boolean;
  /** Whether a later command may succeed, as machine formats show it under `retryable`. */
  readonly passesLater: boolean;
  readonly retryAfterMs: number | undefined;
  readonly passing: boolean;
  readonly hintsSuffice: boolean;
  readonly records: ErrorDetails['records'];

  constructor(exitCode: ExitCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.exitCode = exitCode;
    this.code = details.code ?? defaultCode(exitCode);
    this.hints = details.hints ?? [];
    this.target = details.target;
    this.retryable = details.retryable ?? false;
    this.passesLater = details.passesLater ?? this.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.passing = details.passing ?? false;
    this.hintsSuffice = details.hintsSuffice ?? false;
    this.records = details.records;
  }
}

/**
 * Returns the same failure with another message. The exit code and all details are kept unless `details` replaces
 * them, and `error` becomes the cause.
 */
export function rephrased(
  error: CliError,
  message: string,
  { exitCode = error.exitCode, ...details }: ErrorDetails & { readonly exitCode?: ExitCode } = {},
): CliError {
  const { code, hints, target, retryable, retryAfterMs, passing, hintsSuffice, records } = error;
  const passesLater = details.retryable ?? error.passesLater;
  const kept = { code, hints, retryable, passesLater, retryAfterMs, passing, hintsSuffice, records, cause: error };
  if (target !== undefined) details = { target, ...details };
  return new CliError(exitCode, message, { ...kept, ...details });
}

/** Returns the same error with more hints and, optionally, another `retryable`. Collected errors stay separate. */
export function withHints(error: CliError, hints: readonly string[], retryable?: boolean): CliError {
  return rehinted(error, [...error.hints, ...hints], retryable === undefined ? error : { retryable });
}

/** Returns the same error, with more hints, as one that this command does not retry, although a later one may succeed. */
export function givenUp(error: CliError, hints: readonly string[] = []): CliError {
  return rehinted(error, [...error.hints, ...hints], { retryable: false, passesLater: true });
}

/** Returns the same error with hints before its own, which are less likely to help. */
export function withHintsFirst(error: CliError, hints: readonly string[]): CliError {
  return rehinted(error, [...hints, ...error.hints], error);
}

function rehinted(
  error: CliError,
  hints: readonly string[],
  { retryable, passesLater = retryable }: { readonly retryable: boolean; readonly passesLater?: boolean },
): CliError {
  const details = { hints, retryable, passesLater, cause: error.cause };
  return error instanceof CliErrors ? new CliErrors(error.errors, details) : rephrased(error, error.message, details);
}

/** Whether an error is that of `globals.command_timeout`. */
export function isCommandTimeout(error: unknown): error is CliError {
  return error instanceof CliError && error.code === 'COMMAND_TIMEOUT';
}

/** Several failures reported together, for example configuration errors. */
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

/** Creates the error for a wrong command line or configuration (exit 2). */
export function usageError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.usage, message, { code: 'USAGE', ...details });
}

/** The code of a command line without a flag or an argument that the command needs. */
export const missingCode = 'MISSING_ARGUMENT';

/** The code of a flag without its value. */
export const missingValueCode = 'MISSING_VALUE';

/**
 * Creates the error for a flag or an argument that the command needs (exit 2). The report adds how the command is written.
 * @param what `--offset`, `--to or --to-file`, or `TOPIC`
 */
export function missingError(what: string, hints: readonly string[] = []): CliError {
  const message = `missing ${what.startsWith('-') ? 'flag' : 'argument'} ${what}`;
  return usageError(message, { code: missingCode, target: what, hints });
}

/** Creates the error for an invalid value (exit 2). It says itself what is valid, so the report does not point to the help. */
export function invalidError(message: string, details?: ErrorDetails): CliError {
  return usageError(message, { code: 'INVALID_VALUE', ...details });
}

/** Creates the error for a resource that does not exist (exit 3). */
export function notFoundError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.notFound, message, details);
}

/** Creates the report of a question that was not answered with yes. */
export function canceledError(exitCode: ExitCode = exitCodes.failure): CliError {
  return new CliError(exitCode, 'canceled: nothing was changed', { code: 'CANCELLED' });
}

/** Creates the error for an unreachable service or an expired timeout (exit 5). */
export function unreachableError(message: string, details?: ErrorDetails): CliError {
  return new CliError(exitCodes.unreachable, message, { retryable: true, ...details });
}

/** Creates the report of a command that a signal stops, with what it has reached. The hints say how to continue. */
export function stoppedError(message: string, hints: readonly string[], target?: string): CliError {
  return new CliError(exitCodes.interrupted, message, {
    code: 'INTERRUPTED',
    hints,
    ...(target !== undefined && { target }),
  });
}

/** What can be done after a wait for an operation that continues by itself. */
export interface AfterWait {
  /** The command that waits again. */
  readonly resumeWith: string;
  /** The command that stops the operation, if there is one. */
  readonly stopWith?: string | undefined;
}

/**
 * Creates the report of a wait that a signal ends; it stops the wait, not the operation.
 * @param wait with the operation, for example `the drain of broker 1`
 */
export function stoppedWait(wait: AfterWait & { readonly what: string }): CliError {
  const { what } = wait;
  return stoppedError(`stopped waiting for ${what}; it is still running`, afterWaitHints(wait), what);
}

/** The hints of a wait that ended before its operation. */
export function afterWaitHints({ resumeWith, stopWith }: AfterWait): readonly string[] {
  const resume = `resume waiting with: ${resumeWith}`;
  return stopWith === undefined ? [resume] : [resume, `stop it with: ${stopWith}`];
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

/** Why one item of a result failed, as shown in the item's `error` in JSON output. */
export interface ItemError {
  /** The stable code of the failure, for example `TOPIC_ALREADY_EXISTS`. */
  readonly code: string;
  /** The error code of the Kafka protocol, or null if the failure has none. */
  readonly number: number | null;
  /** The service's own message, or weir's if the service sent none. */
  readonly message: string;
  readonly retryable: boolean;
  /** The exit code for this failure alone. */
  readonly exit_code: ExitCode;
}

/** The code of an item that was left as it is, because another item failed or the command was stopped. */
export const notChangedCode = 'NOT_CHANGED';

/** The error of an item that was left as it is. @param message why */
export function notChanged(message: string, exitCode: ExitCode): ItemError {
  return { code: notChangedCode, number: null, message, retryable: true, exit_code: exitCode };
}

/** Converts an error of a whole request into the failure of one of its items. */
export function itemErrorOf(error: CliError): ItemError {
  const { code, message, passesLater, exitCode } = error;
  return { code, number: null, message, retryable: passesLater, exit_code: exitCode };
}

/**
 * The exit code of a result with several items: 0 if none failed, the common code of the failed items, or else 1. Items that
 * were left as they are count only if no other failed.
 */
export function exitCodeOfItems(errors: Iterable<ItemError | null>): ExitCode {
  const all = [...errors].filter((error) => error !== null);
  const causes = all.filter(({ code }) => code !== notChangedCode);
  const failed = new Set((causes.length > 0 ? causes : all).map((error) => error.exit_code));
  const [only] = failed;
  if (only === undefined) return exitCodes.ok;
  return failed.size === 1 ? only : exitCodes.failure;
}

/**
 * The exit code of a result by the `error` of its items: of the result itself, of its rows, and of the rows of its lists
 * (`{ changes: [{ error }] }`).
 */
export function exitCodeOfResult(result: unknown): ExitCode {
  return exitCodeOfItems(errorsIn(result, 1));
}

/** The errors of a value and of its rows. @param depth how many lists may lie between them */
function* errorsIn(value: unknown, depth: number): Iterable<ItemError> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const row of value) yield* errorsIn(row, 0);
    return;
  }
  const { error } = value as { readonly error?: ItemError | null };
  if (isItemError(error)) yield error;
  if (depth === 0) return;
  for (const list of Object.values(value).filter(Array.isArray)) yield* errorsIn(list, 0);
}

/** Whether a value is why an item failed. */
export function isItemError(value: unknown): value is ItemError {
  return typeof value === 'object' && value !== null && 'exit_code' in value && 'retryable' in value;
}
