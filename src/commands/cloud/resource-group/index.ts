import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud resource-group` */
export const resourceGroup = noun({
  summary: 'Create, list and delete resource groups',
  aliases: ['namespace', 'ns'],
  commands: { create, list, get, delete: deleteCommand },
});
