import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** TxnOffsetCommit (key 28): offsets that are committed with a transaction. */
export const txnOffsetCommit = api({
  name: 'TxnOffsetCommit',
  key: 28,
  versions: [0, 5],
  flexibleFrom: 3,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    transactionalId: string,
    groupId: string,
    producerId: int64,
    producerEpoch: int16,
    generationId: since(3, int32, -1),
    memberId: since(3, string),
    groupInstanceId: since(3, nullable(string)),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            committedOffset: int64,
            committedLeaderEpoch: since(2, int32, -1),
            committedMetadata: nullable(string),
          }),
        ),
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    topics: array(struct({ name: string, partitions: array(struct({ partitionIndex: int32, errorCode: int16 })) })),
  },
});
