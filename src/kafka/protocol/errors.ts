import { CliError, type ErrorDetails, type ExitCode, exitCodes, type ItemError } from '../../errors.ts';
import { type KafkaErrorKind, kafkaErrors } from './wire/error-codes.ts';
import { MalformedBytes } from './wire/source.ts';

const kinds: ReadonlyMap<number, KafkaErrorKind> = new Map(kafkaErrors.map((kind) => [kind.code, kind]));

/** Describes an error code; a code that weir does not know is named `ERROR_<code>`. */
export function kafkaErrorKind(code: number): KafkaErrorKind {
  const kind = kinds.get(code);
  if (kind !== undefined) return kind;
  const sentence = `the broker answered with error code ${code}, which weir does not know`;
  return {
    code,
    name: `ERROR_${code}`,
    sentence,
    retriable: false,
    remedy: undefined,
    exitCode: exitCodes.failure,
    notDone: false,
    isOfNewCluster: false,
  };
}

/** Returns the protocol's name of an error code, for example `TOPIC_ALREADY_EXISTS`. */
export function kafkaErrorName(code: number): string {
  return kafkaErrorKind(code).name;
}

/**
 * The exit code of an error that is known by its name only; a name that is not the protocol's is that of a failure to
 * reach a broker.
 */
export function exitCodeOfName(name: string): ExitCode {
  return kafkaErrors.find((kind) => kind.name === name)?.exitCode ?? exitCodes.unreachable;
}

/** Returns `NAME (number): text`, with the broker's text or, if the broker sent none, weir's own sentence. */
export function kafkaErrorText(code: number, brokerText?: string): string {
  const { name, sentence } = kafkaErrorKind(code);
  return `${kinds.has(code) ? `${name} (${code})` : name}: ${reasonOf(brokerText) ?? sentence}`;
}

/** Matches the text in which a controller describes the refused request, with its buffers, to the user. */
const refusedRequest = /^Request .* needs (\w+) permission\.?$/s;

/** The broker's reason; undefined if there is none. */
function reasonOf(brokerText: string | undefined): string | undefined {
  const [, operation] = refusedRequest.exec(brokerText ?? '') ?? [];
  if (operation !== undefined) return `the principal needs ${operation.toLowerCase()} on the cluster`;
  return brokerText === '' ? undefined : brokerText;
}

/**
 * Makes an error from an error code. `message` says what failed and ends with `kafkaErrorText`; the exit code follows
 * from the error code. Codes for unknown names are not retryable by default: pass `retryable: true` where stale
 * metadata may be the cause.
 */
export function kafkaError(code: number, message: string, details: ErrorDetails = {}): CliError {
  const { name, exitCode, isOfNewCluster: passing } = kafkaErrorKind(code);
  return new CliError(exitCode, message, { code: name, retryable: mayPass(code), passing, ...details });
}

/** Whether the same request may succeed later. A name that the cluster does not know is more likely a mistake. */
function mayPass(code: number): boolean {
  const { retriable, exitCode } = kafkaErrorKind(code);
  return retriable && exitCode !== exitCodes.notFound;
}

/** Whether the retry rule may retry after this error. */
export function isRetriable(error: unknown): boolean {
  return error instanceof CliError && error.retryable;
}

/** Makes the error of one item in an answer, with the broker's text if it sent one; null for code 0. */
export function kafkaItemError(code: number, brokerText?: string): ItemError | null {
  if (code === 0) return null;
  const { name, sentence, exitCode } = kafkaErrorKind(code);
  return {
    code: name,
    number: code,
    message: reasonOf(brokerText) ?? sentence,
    retryable: mayPass(code),
    exit_code: exitCode,
  };
}

/**
 * Reads what a peer has sent; `what` names it in the error.
 * @throws CliError (exit 1) if the bytes do not match the layout: a proxy, another service, or a defect
 */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    const message = `unable to read the ${what} answer at byte ${error.at}: ${error.message}`;
    throw new CliError(exitCodes.failure, message, {
      code: 'PROTOCOL',
      hints: ['check that the address belongs to a Kafka listener with the expected security protocol'],
    });
  }
}
