import { nullable, since } from '../wire/fields.ts';
import { layout, type RequestOf } from '../wire/layout.ts';
import { int16, int32, string } from '../wire/primitives.ts';

/** Heartbeat (key 12). */
export const heartbeat = layout({
  name: 'Heartbeat',
  key: 12,
  min: 0,
  max: 4,
  flexibleFrom: 4,
  request: {
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since(3, nullable(string)),
  },
  response: { throttleTimeMs: since(1, int32), errorCode: int16 },
});

/** A decoded Heartbeat request. */
export type HeartbeatRequest = RequestOf<typeof heartbeat>;
