import { nullable, optional, since, struct } from '../wire/fields.ts';
import { layout, type RequestOf, type ResponseOf } from '../wire/layout.ts';
import { array, int16, int32, int64, offset64, string } from '../wire/primitives.ts';

/** TxnOffsetCommit (key 28): offsets that are committed with a transaction. */
export const txnOffsetCommit = layout({
  name: 'TxnOffsetCommit',
  key: 28,
  min: 0,
  max: 5,
  flexibleFrom: 3,
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
            committedOffset: offset64,
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

/** A decoded TxnOffsetCommit request. */
export type TxnOffsetCommitRequest = RequestOf<typeof txnOffsetCommit>;
/** A TxnOffsetCommit response. */
export type TxnOffsetCommitResponse = ResponseOf<typeof txnOffsetCommit>;
