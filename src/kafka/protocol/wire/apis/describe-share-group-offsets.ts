import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int16, int32, int64, string, uuid } from '../primitives.ts';

/** DescribeShareGroupOffsets (key 90, KIP-932, since Kafka 4.1). */
export const describeShareGroupOffsets = api({
  name: 'DescribeShareGroupOffsets',
  key: 90,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  request: {
    groups: array(
      struct({
        groupId: string,
        topics: nullable(
          array(
            struct({
              topicName: string,
              partitions: array(int32),
            }),
          ),
        ),
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    groups: array(
      struct({
        groupId: string,
        topics: array(
          struct({
            topicName: string,
            topicId: uuid,
            partitions: array(
              struct({
                partitionIndex: int32,
                startOffset: int64,
                leaderEpoch: int32,
                errorCode: int16,
                errorMessage: nullable(string),
              }),
            ),
          }),
        ),
        errorCode: int16,
        errorMessage: nullable(string),
      }),
    ),
  },
});
