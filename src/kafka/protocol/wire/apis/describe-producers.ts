import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** DescribeProducers (key 61, KIP-664). */
export const describeProducers = api({
  name: 'DescribeProducers',
  key: 61,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'leader',
  repeatable: true,
  request: { topics: array(struct({ name: string, partitionIndexes: array(int32) })) },
  response: {
    throttleTimeMs: optional(int32),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            errorMessage: nullable(string),
            activeProducers: array(
              struct({
                producerId: int64,
                producerEpoch: int32,
                lastSequence: int32,
                lastTimestamp: int64,
                coordinatorEpoch: int32,
                currentTxnStartOffset: int64,
              }),
            ),
          }),
        ),
      }),
    ),
  },
});
