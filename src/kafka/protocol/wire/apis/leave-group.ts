import { api } from '../api.ts';
import { nullable, since, struct, until } from '../fields.ts';
import { array, int16, int32, string } from '../primitives.ts';

/** LeaveGroup (key 13): one member, or several since version 3. */
export const leaveGroup = api({
  name: 'LeaveGroup',
  key: 13,
  versions: [0, 5],
  client: [1, 5],
  flexibleFrom: 4,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    groupId: string,
    memberId: until(2, string),
    members: since(
      3,
      array(struct({ memberId: string, groupInstanceId: nullable(string), reason: since(5, nullable(string)) })),
    ),
  },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: int16,
    members: since(3, array(struct({ memberId: string, groupInstanceId: nullable(string), errorCode: int16 }))),
  },
});
