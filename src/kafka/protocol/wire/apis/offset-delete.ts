import { api } from '../api.ts';
import { optional, struct } from '../fields.ts';
import { array, int16, int32, string } from '../primitives.ts';

/** OffsetDelete (key 47). */
export const offsetDelete = api({
  name: 'OffsetDelete',
  key: 47,
  versions: [0, 0],
  flexibleFrom: 1,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  changes: true,
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
