import { optional, struct } from '../wire/fields.ts';
import { layout, type RequestOf, type ResponseOf } from '../wire/layout.ts';
import { array, int16, int32, string } from '../wire/primitives.ts';

/** OffsetDelete (key 47). */
export const offsetDelete = layout({
  name: 'OffsetDelete',
  key: 47,
  min: 0,
  max: 0,
  flexibleFrom: 1,
  request: {
    groupId: string,
    topics: array(struct({ name: string, partitions: array(struct({ partitionIndex: int32 })) })),
  },
  response: {
    errorCode: int16,
    throttleTimeMs: optional(int32),
    topics: array(struct({ name: string, partitions: array(struct({ partitionIndex: int32, errorCode: int16 })) })),
  },
});

/** A decoded OffsetDelete request. */
export type OffsetDeleteRequest = RequestOf<typeof offsetDelete>;
/** An OffsetDelete response. */
export type OffsetDeleteResponse = ResponseOf<typeof offsetDelete>;
