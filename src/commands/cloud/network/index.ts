import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud network` */
export const network = noun({
  summary: 'Create, list and delete networks',
  commands: { create, list, get, delete: deleteCommand },
});
