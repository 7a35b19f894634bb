import { CliError, exitCodes } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { initProducerId } from '../protocol/init-producer-id.ts';
import type { ProducerIdentity } from './lane.ts';

/** The identity of a producer that is not idempotent: none. */
export const noIdentity: ProducerIdentity = { producerId: -1, producerEpoch: -1 };

/** The last epoch of a producer id: an int16 (KIP-360). */
const lastEpoch = 32_767;

/** Asks the cluster for an identity; `current` is the one it replaces. */
export async function requestIdentity(client: Client, current?: ProducerIdentity): Promise<ProducerIdentity> {
  const request = {
    ...{ transactionalId: undefined, transactionTimeoutMs: 60_000 },
    ...(current === undefined
      ? {}
      : { current: { producerId: BigInt(current.producerId), producerEpoch: current.producerEpoch } }),
  };
  const { errorCode, producerId, producerEpoch } = await client.request(initProducerId, request);
  if (errorCode === 0) {
    // A batch without a producer id could not be recognized when it is sent again.
    if (producerId >= 0n && producerId <= Number.MAX_SAFE_INTEGER)
      return { producerId: Number(producerId), producerEpoch };
    const message = `unable to become an idempotent producer: ${producerId} is not a producer id`;
    throw new CliError(exitCodes.failure, message, { code: 'INVALID_PRODUCER_ID' });
  }
  throw kafkaError(errorCode, `unable to become an idempotent producer: ${kafkaErrorText(errorCode)}`, {
    hints: ['--acks 1 writes without idempotence'],
  });
}

/**
 * The identity after one that a partition has lost track of. A producer without transactions raises its epoch
 * itself (KIP-360): what is still on its way under the old epoch is refused once the new one has arrived.
 */
export async function nextIdentity(
  client: Client,
  current: ProducerIdentity,
  isFenced: boolean,
): Promise<ProducerIdentity> {
  if (isFenced || current.producerEpoch >= lastEpoch) return requestIdentity(client, current);
  return { ...current, producerEpoch: current.producerEpoch + 1 };
}
