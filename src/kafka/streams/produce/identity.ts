import { CliError, exitCodes } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { initProducerId } from '../../protocol/wire/apis/init-producer-id.ts';
import type { ProducerIdentity } from './lane.ts';

/** The identity of a producer that is not idempotent. */
export const noIdentity: ProducerIdentity = { producerId: -1n, producerEpoch: -1 };

/** The highest epoch of a producer id: an int16 (KIP-360). */
const lastEpoch = 32_767;

/** Requests an identity from the cluster; `current` is the one that it replaces. */
export async function requestIdentity(client: Client, current?: ProducerIdentity): Promise<ProducerIdentity> {
  const request = {
    transactionalId: undefined,
    transactionTimeoutMs: 60_000,
    ...current,
  };
  const { errorCode, producerId, producerEpoch } = await client.request(initProducerId, request);
  if (errorCode === 0) {
    // Without a producer id a broker would not recognize a batch that is sent again.
    if (producerId >= 0n) return { producerId, producerEpoch };
    const message = `unable to start an idempotent producer: invalid producer id ${producerId}`;
    throw new CliError(exitCodes.failure, message, { code: 'INVALID_PRODUCER_ID' });
  }
  throw kafkaError(errorCode, `unable to start an idempotent producer: ${kafkaErrorText(errorCode)}`, {
    hints: ['use --acks 1 to write without idempotence'],
  });
}

/**
 * Returns the identity that follows one a partition has lost track of. A producer without transactions raises its epoch
 * itself (KIP-360); once the new epoch has arrived, the broker refuses batches that are still on their way under the
 * old one.
 */
export async function nextIdentity(
  client: Client,
  current: ProducerIdentity,
  isFenced: boolean,
): Promise<ProducerIdentity> {
  if (isFenced || current.producerEpoch >= lastEpoch) return requestIdentity(client, current);
  return { ...current, producerEpoch: current.producerEpoch + 1 };
}
