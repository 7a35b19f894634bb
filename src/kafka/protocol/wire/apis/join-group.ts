import { api } from '../api.ts';
import { compileFields, nullable, since, struct } from '../fields.ts';
import { array, boolean, bytes, int16, int32, string } from '../primitives.ts';

/** JoinGroup (key 11). */
export const joinGroup = api({
  name: 'JoinGroup',
  key: 11,
  versions: [2, 9],
  flexibleFrom: 6,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  held: true,
  timeoutMs: ({ rebalanceTimeoutMs }) => rebalanceTimeoutMs,
  request: {
    groupId: string,
    sessionTimeoutMs: int32,
    rebalanceTimeoutMs: int32,
    memberId: string,
    groupInstanceId: since(5, nullable(string)),
    protocolType: string,
    protocols: array(struct({ name: string, metadata: bytes })),
    reason: since(8, nullable(string)),
  },
  response: {
    throttleTimeMs: since(2, int32),
    errorCode: int16,
    generationId: int32,
    protocolType: since(7, nullable(string)),
    protocolName: nullable(string, 7),
    leader: string,
    skipAssignment: since(9, boolean),
    memberId: string,
    members: array(struct({ memberId: string, groupInstanceId: since(5, nullable(string)), metadata: bytes })),
  },
});

/** What the metadata of a consumer begins with, in every version of ConsumerProtocolSubscription. */
export const subscriptionHead = compileFields(
  { version: int16, topics: array(string), userData: nullable(bytes) },
  0,
  false,
);
