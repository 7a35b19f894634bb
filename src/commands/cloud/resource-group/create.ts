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
  plan: (context, values) => readBody(context, resourceGroupShape, values),
  dryRun: (context, _values, body) =>
    wouldSend(context, 'POST', pathOfAll(resourceGroup), { body: { resource_group: body } }),
  run: async (context, _values, body) => (await context.cloud()).createResourceGroup(body),
  show: { text: changedText },
});
