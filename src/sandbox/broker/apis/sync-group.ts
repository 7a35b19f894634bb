import { nullable, since, struct } from '../wire/fields.ts';
import { layout, type RequestOf, type ResponseOf } from '../wire/layout.ts';
import { array, bytes, int16, int32, string } from '../wire/primitives.ts';

/** SyncGroup (key 14). */
export const syncGroup = layout({
  name: 'SyncGroup',
  key: 14,
  min: 0,
  max: 5,
  flexibleFrom: 4,
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

/** A decoded SyncGroup request; only the leader's has assignments. */
export type SyncGroupRequest = RequestOf<typeof syncGroup>;
/** A SyncGroup response. */
export type SyncGroupResponse = ResponseOf<typeof syncGroup>;

/** Builds the response to a failed SyncGroup. */
export function syncError(errorCode: number): SyncGroupResponse {
  return { errorCode, assignment: new Uint8Array() };
}
