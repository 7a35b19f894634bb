import { api } from '../api.ts';
import { optional, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** DeleteRecords (key 21); offset -1 stands for the high watermark. */
export const deleteRecords = api({
  name: 'DeleteRecords',
  key: 21,
  versions: [0, 2],
  flexibleFrom: 2,
  target: 'leader',
  repeatable: true,
  changes: true,
  request: {
    topics: array(struct({ name: string, partitions: array(struct({ partitionIndex: int32, offset: int64 })) })),
    timeoutMs: int32,
  },
  response: {
    throttleTimeMs: optional(int32),
    topics: array(
      struct({
        name: string,
        partitions: array(struct({ partitionIndex: int32, lowWatermark: int64, errorCode: int16 })),
      }),
    ),
  },
});
