import { api } from '../api.ts';
import { nullable, optional, since } from '../fields.ts';
import { int16, int32, int64, string } from '../primitives.ts';

/** InitProducerId (key 22); version 5 may answer TRANSACTION_ABORTABLE (KIP-890). */
export const initProducerId = api({
  name: 'InitProducerId',
  key: 22,
  versions: [0, 5],
  client: [0, 4],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  request: {
    transactionalId: nullable(string),
    transactionTimeoutMs: int32,
    producerId: since(3, int64, -1n),
    producerEpoch: since(3, int16, -1),
  },
  response: { throttleTimeMs: optional(int32), errorCode: int16, producerId: int64, producerEpoch: int16 },
});
