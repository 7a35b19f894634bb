import { api } from '../api.ts';
import { nullable, since } from '../fields.ts';
import { int16, int32, string } from '../primitives.ts';

/** Heartbeat (key 12). */
export const heartbeat = api({
  name: 'Heartbeat',
  key: 12,
  versions: [0, 4],
  client: [1, 4],
  flexibleFrom: 4,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since(3, nullable(string)),
  },
  response: { throttleTimeMs: since(1, int32), errorCode: int16 },
});
