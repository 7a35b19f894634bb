import { pathOf } from '../net/json-api/call.ts';
import type { Api } from './api/api.ts';
import { isMissing } from './api/api-error.ts';
import { listsOf } from './api/lists.ts';
import { lostGroup } from './api/lost-answer.ts';
import { readResourceGroup } from './api/read-row.ts';
import type { Cloud } from './cloud.ts';

const root = '/v1/resource-groups';

type Calls = Pick<Cloud, 'createResourceGroup' | 'listResourceGroups' | 'getResourceGroup' | 'deleteResourceGroup'>;

/** The calls for resource groups. */
export function openResourceGroupCalls(api: Api): Calls {
  const lists = listsOf(api);
  const at = (id: string): string => `${root}${pathOf`/${id}`}`;
  return {
    listResourceGroups: (filters = {}) => lists.resourceGroups(filters),
    getResourceGroup: async (id) =>
      readResourceGroup(await api.get({ doing: `read the resource group ${id}`, path: at(id) })),
    async createResourceGroup(fields) {
      const sentAt = Date.now();
      const made = await api.change({
        doing: `create the resource group "${fields.name}"`,
        method: 'POST',
        path: root,
        body: { resource_group: fields },
        read: readResourceGroup,
        look: () => lostGroup(lists, fields, sentAt),
      });
      // Only the id is guaranteed in the response.
      return made.name === '' ? { ...made, name: String(fields.name) } : made;
    },
    async deleteResourceGroup(id) {
      await api.change<'gone'>({
        doing: `delete the resource group ${id}`,
        method: 'DELETE',
        path: at(id),
        read: () => 'gone',
        look: () =>
          api.get({ doing: `read the resource group ${id}`, path: at(id) }).then(
            () => undefined,
            (error: unknown) => {
              if (isMissing(error)) return 'gone';
              throw error;
            },
          ),
      });
    },
  };
}
