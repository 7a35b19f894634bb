import { api } from '../api.ts';
import { nullable, since, struct } from '../fields.ts';
import { array, bytes, int16, int32, string } from '../primitives.ts';

/** SyncGroup (key 14). */
export const syncGroup = api({
  name: 'SyncGroup',
  key: 14,
  versions: [0, 5],
  client: [1, 5],
  flexibleFrom: 4,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  held: true,
  request: {
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since(3, nullable(string)),
    protocolType: since(5, nullable(string)),
    protocolName: since(5, nullable(string)),
    assignments: array(struct({ memberId: string, assignment: bytes })),
  },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: int16,
    protocolType: since(5, nullable(string)),
    protocolName: since(5, nullable(string)),
    assignment: bytes,
  },
});
