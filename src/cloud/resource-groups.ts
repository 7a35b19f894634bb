import type { Api } from './api/api.ts';
import { isMissing } from './api/api-error.ts';
import { lostGroup } from './api/lost-answer.ts';
import { answerOf, getOne, listAll, listsOf, pathOfAll, pathOfOne } from './api/resources.ts';
import type { Cloud } from './cloud.ts';
import { resourceGroup } from './cloud-rows.ts';

type Calls = Pick<Cloud, 'createResourceGroup' | 'listResourceGroups' | 'getResourceGroup' | 'deleteResourceGroup'>;

/** The calls for resource groups. */
export function openResourceGroupCalls(api: Api): Calls {
  return {
    listResourceGroups: (filters = {}) => listAll(api, resourceGroup, filters),
    getResourceGroup: (id) => getOne(api, resourceGroup, id),
    async createResourceGroup(fields) {
      const sentAt = Date.now();
      const made = await api.change({
        doing: `create the resource group "${fields.name}"`,
        method: 'POST',
        path: pathOfAll(resourceGroup),
        body: { resource_group: fields },
        read: answerOf(resourceGroup),
        look: () => lostGroup(listsOf(api), fields, sentAt),
      });
      // Only the id is guaranteed in the response.
      return made.name === '' ? { ...made, name: String(fields.name) } : made;
    },
    async deleteResourceGroup(id) {
      await api.change<'gone'>({
        doing: `delete the resource group ${id}`,
        method: 'DELETE',
        path: pathOfOne(resourceGroup, id),
        read: () => 'gone',
        look: () =>
          getOne(api, resourceGroup, id).then(
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
