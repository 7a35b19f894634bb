import { CliError, exitCodes } from '../errors.ts';
import { showHostPort } from '../net/address.ts';
import type { BrokerMetadata } from './client.ts';

/** No seed broker could be reached: the one failure, or all of them with what they have in common. */
export function unreachableSeeds(failures: readonly CliError[]): CliError {
  const [first, ...others] = failures;
  if (first === undefined) return new CliError(exitCodes.usage, 'there is no seed broker to connect to');
  if (others.length === 0) return first;
  const codes = new Set(failures.map(({ code }) => code));
  const reasons = failures.map(({ message }) => message.replace(/^unable to connect to /, ''));
  return new CliError(
    exitCodes.unreachable,
    `unable to connect to any of the ${failures.length} seed brokers: ${reasons.join('; ')}`,
    {
      code: codes.size === 1 ? first.code : 'UNREACHABLE',
      hints: [...new Set(failures.flatMap(({ hints }) => hints))],
      // One that may come back is enough to try again.
      retryable: failures.some(({ retryable }) => retryable),
      cause: first,
    },
  );
}

/** A listener that a broker announces and this machine cannot reach: which, who announced it, who told us. */
export function unreachableListener(error: unknown, broker: BrokerMetadata, source: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable || error.code === 'COMMAND_TIMEOUT')
    return error;
  const address = showHostPort(broker);
  return new CliError(
    error.exitCode,
    `${error.message} (broker ${broker.id} advertises the listener ${address}; learned from ${source})`,
    {
      code: error.code,
      hints: [
        ...error.hints,
        `advertised.listeners of broker ${broker.id} must name an address that this machine can reach`,
      ],
      retryable: error.retryable,
      target: address,
      cause: error,
    },
  );
}
