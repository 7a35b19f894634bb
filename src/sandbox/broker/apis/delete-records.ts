import { optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, offset64, string } from '../wire/primitives.ts';

/** DeleteRecords (key 21); offset -1 stands for the high watermark. */
export const deleteRecords = layout({
  name: 'DeleteRecords',
  key: 21,
  min: 0,
  max: 2,
  flexibleFrom: 2,
  request: {
    topics: array(struct({ name: string, partitions: array(struct({ partitionIndex: int32, offset: offset64 })) })),
    timeoutMs: int32,
  },
  response: {
    throttleTimeMs: optional(int32),
    topics: array(
      struct({
        name: string,
        partitions: array(struct({ partitionIndex: int32, lowWatermark: offset64, errorCode: int16 })),
      }),
    ),
  },
});
