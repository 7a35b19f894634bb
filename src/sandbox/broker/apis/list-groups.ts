import { since, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, string } from '../wire/primitives.ts';

/** ListGroups (key 16): the groups of one coordinator. */
export const listGroups = layout({
  name: 'ListGroups',
  key: 16,
  min: 0,
  max: 5,
  flexibleFrom: 3,
  request: { statesFilter: since(4, array(string)), typesFilter: since(5, array(string)) },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: int16,
    groups: array(
      struct({ groupId: string, protocolType: string, groupState: since(4, string), groupType: since(5, string) }),
    ),
  },
});
