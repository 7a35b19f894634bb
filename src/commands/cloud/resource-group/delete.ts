import { command, one } from '../../../cli/command.ts';
import { changeOutput, type Gone, plan } from '../change.ts';
import { idOf } from '../find-id.ts';
import { identifier } from '../identifier.ts';
import { resourceGroupView } from '../views.ts';

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
  async confirm(context, { id: word }) {
    const id = await idOf(context, 'resource group', word);
    const { name } = await (await context.cloud()).getResourceGroup(id);
    return { question: `Delete the resource group "${name}" (${id})`, name };
  },
  async run(context, { id: word, dryRun }) {
    const cloud = await context.cloud();
    const id = await idOf(context, 'resource group', word);
    const { name } = await cloud.getResourceGroup(id);
    if (dryRun) return await plan(context, 'DELETE', `/v1/resource-groups/${encodeURIComponent(id)}`, { target: name });
    await cloud.deleteResourceGroup(id);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  output: changeOutput(resourceGroupView),
});
