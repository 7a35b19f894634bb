import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { list } from './list.ts';
import { update } from './update.ts';

/** `security user` */
export const user = noun({
  summary: 'Manage users that log in with SCRAM',
  commands: { create, list, update, delete: deleteCommand },
});
