import { nullable, since, struct, until } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, string } from '../wire/primitives.ts';

/** LeaveGroup (key 13): one member, or several since version 3. */
export const leaveGroup = layout({
  name: 'LeaveGroup',
  key: 13,
  min: 0,
  max: 5,
  flexibleFrom: 4,
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
