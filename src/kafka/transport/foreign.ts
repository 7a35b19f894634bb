import { CliError, exitCodes } from '../../errors.ts';

/** The largest answer weir takes, in bytes; more is a peer that does not speak the Kafka protocol, or a lie. */
const largestAnswer = 512 * 1024 * 1024;

/** The first bytes, in hexadecimal, of protocols that are met on wrong ports. */
const signatures: readonly (readonly [pattern: RegExp, what: string, hint: string])[] = [
  [
    /^48545450/,
    'HTTP',
    'it is the address of an HTTP service: give the broker port (brokers), not that of an HTTP API',
  ],
  [/^5353482d/, 'SSH', 'give the broker port (brokers)'],
  [/^1[4-7]030[0-4]/, 'TLS', 'the listener wants TLS: -X tls.enabled=true'],
];

/**
 * Refuses a frame length that no broker sends; the four bytes tell what speaks instead.
 * @param broker how the peer is called in the message
 */
export function checkFrameLength(length: number, raw: Buffer, broker: string): void {
  if (length >= 4 && length <= largestAnswer) return;
  throw notABroker(raw, broker, `it announced an answer of ${length} bytes`);
}

/** The bytes of an answer that look like TLS come in below the size limit, so the first frame is looked at in full. */
export function checkFirstFrame(length: number, raw: Buffer, broker: string): void {
  if (length > 16 * 1024 * 1024) throw notABroker(raw, broker, `it announced a first answer of ${length} bytes`);
}

/** The peer does not speak the Kafka protocol (exit 5). */
export function notABroker(raw: Buffer, broker: string, why: string): CliError {
  const [, speaks, hint] = signatures.find(([pattern]) => pattern.test(raw.toString('hex'))) ?? [];
  const message =
    speaks === undefined
      ? `${broker} does not speak the Kafka protocol: ${why}`
      : `${broker} does not speak the Kafka protocol here: it answered in ${speaks}`;
  return new CliError(exitCodes.unreachable, message, {
    code: 'NOT_A_BROKER',
    hints: [
      hint ?? 'is this a broker port? check the address (brokers) and whether the listener wants TLS (tls.enabled)',
    ],
  });
}
