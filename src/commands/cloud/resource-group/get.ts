import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { resourceGroup } from '../../../cloud/cloud-rows.ts';
import { readOne, resourceGroups } from '../find-id.ts';
import { resourceGroupWord } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud resource-group get` */
export const get = getCommand({
  summary: 'Show a resource group',
  examples: [
    ['By its id', 'cloud resource-group get 897e76ad-64d5-4314-9d81-7383fa14100d'],
    ['As data', 'cloud resource-group get 897e76ad-64d5-4314-9d81-7383fa14100d --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(resourceGroupWord, 'ID', 'id or name of the resource group') },
  row: resourceGroup.row,
  read: (context, { id }) => readOne(context, resourceGroups, id),
  text: detail,
});
