import { noun, optional } from '../../cli/command.ts';
import { pathOfAll, resourceGroup as resource } from '../../cloud/cloud-rows.ts';
import { text } from '../../kinds.ts';
import { fileFlag, readBody } from './body.ts';
import { cloudChange } from './change.ts';
import { resourceGroups } from './find-id.ts';
import { resourceGroupWord } from './kinds.ts';
import { deleteResource, getResource, listResources } from './resource-verbs.ts';
import { resourceGroupShape } from './shapes.ts';
import { resourceGroupView } from './views.ts';

const verbs = {
  resource,
  findable: resourceGroups,
  word: [resourceGroupWord, 'id or name of the resource group'],
} as const;

const create = cloudChange({
  summary: 'Create a resource group',
  description:
    'Every network and cluster belongs to a resource group. The name must be unique in the organization (exit code 6).',
  examples: [
    ['A resource group', 'cloud resource-group create dev'],
    ['From a file', 'cloud resource-group create --file group.yaml'],
  ],
  args: { name: optional(text, 'NAME', 'name of the resource group') },
  flags: { file: fileFlag },
  changes: 'creates',
  resource,
  plan: (context, values) => readBody(context, resourceGroupShape, values),
  request: (body) => ({ method: 'POST', path: pathOfAll(resource), body: { resource_group: body } }),
  apply: async (context, body) => (await context.cloud()).createResourceGroup(body),
});

/** `cloud resource-group` */
export const resourceGroup = noun({
  summary: 'Create, list and delete resource groups',
  aliases: ['namespace', 'ns'],
  commands: {
    create,
    list: listResources(resourceGroupView, {
      summary: 'List the resource groups',
      examples: [
        ['All resource groups', 'cloud resource-group list'],
        ['As data', 'cloud resource-group list --format json'],
      ],
      read: (cloud) => cloud.listResourceGroups(),
    }),
    get: getResource(verbs, {
      examples: [
        ['By its id', 'cloud resource-group get 897e76ad-64d5-4314-9d81-7383fa14100d'],
        ['As data', 'cloud resource-group get 897e76ad-64d5-4314-9d81-7383fa14100d --format json'],
      ],
    }),
    delete: deleteResource(
      verbs,
      {
        description: 'Delete its clusters and networks first; otherwise this fails with exit code 6.',
        examples: [
          ['By its id', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d'],
          ['Without a prompt', 'cloud resource-group delete 897e76ad-64d5-4314-9d81-7383fa14100d --yes'],
        ],
      },
      (cloud, id) => cloud.deleteResourceGroup(id),
    ),
  },
});
