import { api } from '../api.ts';
import { since, struct } from '../fields.ts';
import { array, int16, int32, string } from '../primitives.ts';

/** ListGroups (key 16): the groups of one coordinator. */
export const listGroups = api({
  name: 'ListGroups',
  key: 16,
  versions: [0, 5],
  flexibleFrom: 3,
  target: 'broker',
  repeatable: true,
  request: { statesFilter: since(4, array(string)), typesFilter: since(5, array(string)) },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: int16,
    groups: array(
      struct({ groupId: string, protocolType: string, groupState: since(4, string), groupType: since(5, string) }),
    ),
  },
});
