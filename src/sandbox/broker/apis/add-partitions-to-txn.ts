import { optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, int64, string } from '../wire/primitives.ts';

/** AddPartitionsToTxn (key 24) in the versions that clients send; later versions are for brokers (KIP-890). */
export const addPartitionsToTxn = layout({
  name: 'AddPartitionsToTxn',
  key: 24,
  min: 0,
  max: 3,
  flexibleFrom: 3,
  request: {
    transactionalId: string,
    producerId: int64,
    producerEpoch: int16,
    topics: array(struct({ name: string, partitions: array(int32) })),
  },
  response: {
    throttleTimeMs: optional(int32),
    results: array(struct({ name: string, results: array(struct({ partitionIndex: int32, errorCode: int16 })) })),
  },
});
