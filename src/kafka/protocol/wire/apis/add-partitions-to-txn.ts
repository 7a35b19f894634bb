import { api } from '../api.ts';
import { optional, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** AddPartitionsToTxn (key 24) in the versions that clients send; later versions are for brokers (KIP-890). */
export const addPartitionsToTxn = api({
  name: 'AddPartitionsToTxn',
  key: 24,
  versions: [0, 3],
  flexibleFrom: 3,
  target: ({ v3AndBelowTransactionalId: transactionalId }) => ({ transactionalId }),
  repeatable: true,
  request: {
    v3AndBelowTransactionalId: string,
    v3AndBelowProducerId: int64,
    v3AndBelowProducerEpoch: int16,
    v3AndBelowTopics: array(struct({ name: string, partitions: array(int32) })),
  },
  response: {
    throttleTimeMs: optional(int32),
    resultsByTopicV3AndBelow: array(
      struct({
        name: string,
        resultsByPartition: array(struct({ partitionIndex: int32, partitionErrorCode: int16 })),
      }),
    ),
  },
});
