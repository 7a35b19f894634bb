import { command, optional } from '../../../cli/command.ts';
import { pathOfAll, resourceGroup } from '../../../cloud/cloud-rows.ts';
import { text } from '../../../kinds.ts';
import { fileFlag, readBody } from '../body.ts';
import { changed, changedText, wouldSend } from '../change.ts';
import { resourceGroupShape } from '../shapes.ts';

/** `cloud resource-group create` */
export const create = command({
  summary: 'Create a resource group',
  description:
    'Every network and cluster belongs to a resource group. The name must be unique in the organization (exit code 6).',
  examples: [
    ['A resource group', 'cloud resource-group create dev'],
    ['From a file', 'cloud resource-group create --file group.yaml'],
  ],
  apis: ['cloud'],
  args: { name: optional(text, 'NAME', 'name of the resource group') },
  flags: { file: fileFlag },
  changes: 'creates',
  result: changed(resourceGroup.row),
  async run(context, { name, file, dryRun }) {
    const body = await readBody(context, resourceGroupShape, { name, file });
    if (dryRun) return await wouldSend(context, 'POST', pathOfAll(resourceGroup), { body: { resource_group: body } });
    return await (await context.cloud()).createResourceGroup(body);
  },
  show: { text: changedText },
});
