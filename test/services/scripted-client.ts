import type { Clock } from '../../src/clock.ts';
import { type Deadline, type FailureListener, startDeadline } from '../../src/deadline.ts';
import { CliError } from '../../src/errors.ts';
import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { openClient } from '../../src/kafka/protocol/client/open-client.ts';
import type { KafkaOptions } from '../../src/kafka/protocol/options.ts';
import { type Address, parseAddress } from '../../src/net/address.ts';
import type { ScriptedBroker } from './scripted-broker.ts';

/** The limits of a test, in milliseconds (default one minute each). */
export interface TestLimits {
  readonly dial?: number;
  readonly overhead?: number;
  readonly retry?: number;
  readonly command?: number;
}

/** Starts a deadline with limits in milliseconds. */
export function deadlineOf(
  { dial, overhead, retry, command }: TestLimits = {},
  clock?: Clock,
  onFailure?: FailureListener,
): Deadline {
  const nanoseconds = (milliseconds = 60_000): bigint => BigInt(milliseconds) * 1_000_000n;
  const times = {
    dial: nanoseconds(dial),
    requestOverhead: nanoseconds(overhead),
    retry: nanoseconds(retry),
    command: nanoseconds(command),
    fetchMaxWait: nanoseconds(5_000),
  };
  return startDeadline(times, undefined, onFailure, clock);
}

/** A client that is closed together with its deadline. */
export interface TestClient extends Client, AsyncDisposable {
  readonly deadline: Deadline;
}

/** Creates a client of the given brokers; `await using` closes it. A deadline in `options` replaces the limits. */
export function clientOf(
  brokers: readonly (Address | string)[],
  limits: TestLimits = {},
  options: Partial<KafkaOptions> = {},
): TestClient {
  const deadline = options.deadline ?? deadlineOf(limits);
  const client = openClient({
    brokers: brokers.map((broker) =>
      typeof broker === 'string' ? parseAddress(broker, { defaultPort: 9092, scheme: 'none' }) : broker,
    ),
    tls: undefined,
    sasl: undefined,
    clientId: 'weir-test',
    ...options,
    deadline,
  });
  return {
    ...client,
    deadline,
    async [Symbol.asyncDispose]() {
      client.close();
      deadline.dispose();
    },
  };
}

/** Returns the error with which the work fails. */
export async function failureOf(work: Promise<unknown>): Promise<CliError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Returns the error of a single attempt to send a request to a broker, which answers or ends the connection. */
export async function firstFailure(
  { address }: Pick<ScriptedBroker, 'address'>,
  options: Partial<KafkaOptions> = {},
): Promise<CliError> {
  await using client = clientOf([address], { retry: 0 }, options);
  return await failureOf(client.metadata([]));
}
