import { nullable, optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, int64, offset64, string } from '../wire/primitives.ts';

/** DescribeProducers (key 61, KIP-664). */
export const describeProducers = layout({
  name: 'DescribeProducers',
  key: 61,
  min: 0,
  max: 0,
  flexibleFrom: 0,
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
                currentTxnStartOffset: offset64,
              }),
            ),
          }),
        ),
      }),
    ),
  },
});
