import { CliError, exitCodes } from '../../../errors.ts';

/** The largest answer with records, in bytes; a larger length comes from a peer that does not speak Kafka. */
const largestAnswer = 512 * 1024 * 1024;

/** The largest answer without records, in bytes. The metadata of a million partitions has less. */
const largestPlainAnswer = 64 * 1024 * 1024;

/** The first bytes, in hexadecimal, of other protocols that an answer may come from. */
const signatures: readonly (readonly [pattern: RegExp, what: string, hint: string])[] = [
  [/^48545450/, 'HTTP', 'set -X brokers to a Kafka port: this one belongs to an HTTP service'],
  [/^5353482d/, 'SSH', 'set -X brokers to a Kafka port'],
  [/^1[4-7]030[0-4]/, 'TLS', 'enable TLS: -X tls.enabled=true'],
];

/**
 * Rejects a frame length that no broker sends; its four bytes may show which protocol the peer speaks.
 * @param broker the name of the peer, for the message
 * @param hasRecords whether the answer may contain records
 */
export function checkFrameLength(length: number, raw: Buffer, broker: string, hasRecords: boolean): void {
  if (length < 4 || length > largestAnswer) throw notABroker(raw, broker, `it announced an answer of ${length} bytes`);
  if (!hasRecords && length > largestPlainAnswer) {
    throw new CliError(exitCodes.unreachable, `${broker} announced an answer of ${length} bytes`, {
      code: 'ANSWER_TOO_LARGE',
      hints: [`weir reads at most ${largestPlainAnswer} bytes, except for records; ask for less at a time`],
    });
  }
}

/** Checks the first frame with a lower limit: a TLS record, read as a length, can stay below the general one. */
export function checkFirstFrame(length: number, raw: Buffer, broker: string): void {
  if (length > 16 * 1024 * 1024) throw notABroker(raw, broker, `it announced a first answer of ${length} bytes`);
}

/** Reports a peer that does not speak the Kafka protocol (exit 5). */
export function notABroker(raw: Buffer, broker: string, why: string): CliError {
  const [, speaks, hint] = signatures.find(([pattern]) => pattern.test(raw.toString('hex'))) ?? [];
  const message =
    speaks === undefined
      ? `${broker} does not speak the Kafka protocol: ${why}`
      : `${broker} does not speak the Kafka protocol: it answered with ${speaks}`;
  return new CliError(exitCodes.unreachable, message, {
    code: 'NOT_A_BROKER',
    hints: [hint ?? 'check that it is a Kafka port; if its listener uses TLS, add -X tls.enabled=true'],
  });
}
