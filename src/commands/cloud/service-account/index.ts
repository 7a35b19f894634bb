import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud service-account` */
export const serviceAccount = noun({
  summary: 'Create, list and delete accounts for programs',
  commands: { create, list, get, delete: deleteCommand },
});
