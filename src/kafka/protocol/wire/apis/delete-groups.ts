import { api } from '../api.ts';
import { optional, struct } from '../fields.ts';
import { array, int16, int32, string } from '../primitives.ts';

/** DeleteGroups (key 42). */
export const deleteGroups = api({
  name: 'DeleteGroups',
  key: 42,
  versions: [0, 2],
  flexibleFrom: 2,
  target: 'coordinator',
  // The answer to a second request would report the groups as unknown.
  repeatable: false,
  changes: true,
  request: { groupsNames: array(string) },
  response: { throttleTimeMs: optional(int32), results: array(struct({ groupId: string, errorCode: int16 })) },
});
