import { nullable, optional, since } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { int16, int32, int64, string } from '../wire/primitives.ts';

/** InitProducerId (key 22); version 5 may answer TRANSACTION_ABORTABLE (KIP-890). */
export const initProducerId = layout({
  name: 'InitProducerId',
  key: 22,
  min: 0,
  max: 5,
  flexibleFrom: 2,
  request: {
    transactionalId: nullable(string),
    transactionTimeoutMs: int32,
    producerId: since(3, int64, -1n),
    producerEpoch: since(3, int16, -1),
  },
  response: { throttleTimeMs: optional(int32), errorCode: int16, producerId: int64, producerEpoch: int16 },
});
