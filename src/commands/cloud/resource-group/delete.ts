import { command, one } from '../../../cli/command.ts';
import { pathOfOne, resourceGroup } from '../../../cloud/cloud-rows.ts';
import { changed, changedText, type Gone, wouldSend } from '../change.ts';
import { confirmDeletion, findDoomed, resourceGroups } from '../find-id.ts';
import { resourceGroupWord } from '../kinds.ts';

/** `cloud resource-group delete` */
export const deleteCommand = command({
  summary: 'Delete a resource group',
  description: 'Delete its clusters and networks first; otherwise this fails with exit code 6.',
  examples: [
    ['By its id', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d'],
    ['Without a prompt', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d --yes'],
  ],
  apis: ['cloud'],
  args: { id: one(resourceGroupWord, 'ID', 'id or name of the resource group') },
  changes: 'destroys',
  result: changed(resourceGroup.row),
  plan: (context, { id }) => findDoomed(context, resourceGroups, id),
  confirm: (_context, _values, doomed) => confirmDeletion('resource group', doomed),
  dryRun: (context, _values, { id, name }) =>
    wouldSend(context, 'DELETE', pathOfOne(resourceGroup, id), { target: name || id }),
  async run(context, _values, { id, name }) {
    await (await context.cloud()).deleteResourceGroup(id);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  show: { text: changedText },
});
