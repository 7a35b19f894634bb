import { command, one } from '../../../cli/command.ts';
import { pathOfOne, resourceGroup } from '../../../cloud/cloud-rows.ts';
import { changed, changedText, type Gone, wouldSend } from '../change.ts';
import { idOf } from '../find-id.ts';
import { identifier } from '../kinds.ts';

/** `cloud resource-group delete` */
export const deleteCommand = command({
  summary: 'Delete a resource group',
  description: 'Delete its clusters and networks first; otherwise this fails with exit code 6.',
  examples: [
    ['By its id', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d'],
    ['Without a prompt', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d --yes'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the resource group') },
  changes: 'destroys',
  result: changed(resourceGroup.row),
  async plan(context, { id: word }) {
    const id = await idOf(context, 'resource group', word);
    const { name } = await (await context.cloud()).getResourceGroup(id);
    return { id, name };
  },
  confirm: (_context, _values, { id, name }) => ({ question: `Delete the resource group "${name}" (${id})`, name }),
  dryRun: (context, _values, { id, name }) =>
    wouldSend(context, 'DELETE', pathOfOne(resourceGroup, id), { target: name }),
  async run(context, _values, { id, name }) {
    await (await context.cloud()).deleteResourceGroup(id);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  show: { text: changedText },
});
