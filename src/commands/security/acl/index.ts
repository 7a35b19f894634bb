import { noun } from '../../../cli/command.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { explain } from './explain.ts';
import { list } from './list.ts';

/** `security acl` */
export const acl = noun({
  summary: 'Manage who may do what (access control lists)',
  commands: { create, list, delete: deleteCommand, explain },
});
