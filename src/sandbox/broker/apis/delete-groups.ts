import { optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, string } from '../wire/primitives.ts';

/** DeleteGroups (key 42). */
export const deleteGroups = layout({
  name: 'DeleteGroups',
  key: 42,
  min: 0,
  max: 2,
  flexibleFrom: 2,
  request: { groupsNames: array(string) },
  response: { throttleTimeMs: optional(int32), results: array(struct({ groupId: string, errorCode: int16 })) },
});
