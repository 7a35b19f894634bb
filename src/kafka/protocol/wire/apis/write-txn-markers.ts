import { api } from '../api.ts';
import { struct } from '../fields.ts';
import { array, boolean, int16, int32, int64, string } from '../primitives.ts';

/** WriteTxnMarkers (key 27) (KIP-98, KIP-664); the answer has no throttle time. */
export const writeTxnMarkers = api({
  name: 'WriteTxnMarkers',
  key: 27,
  versions: [1, 1],
  flexibleFrom: 1,
  target: 'leader',
  // A second abort marker would end a transaction that the producer has started since.
  repeatable: false,
  changes: true,
  request: {
    markers: array(
      struct({
        producerId: int64,
        producerEpoch: int16,
        transactionResult: boolean,
        topics: array(
          struct({
            name: string,
            partitionIndexes: array(int32),
          }),
        ),
        coordinatorEpoch: int32,
      }),
    ),
  },
  response: {
    markers: array(
      struct({
        producerId: int64,
        topics: array(
          struct({
            name: string,
            partitions: array(
              struct({
                partitionIndex: int32,
                errorCode: int16,
              }),
            ),
          }),
        ),
      }),
    ),
  },
});
