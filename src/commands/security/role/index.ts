import { noun } from '../../../cli/command.ts';
import { assign } from './assign.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { list } from './list.ts';
import { unassign } from './unassign.ts';

/** `security role` */
export const role = noun({
  summary: 'Manage roles: permissions that users share (Redpanda)',
  aliases: ['access', 'roles'],
  commands: { create, list, describe, assign, unassign, delete: deleteCommand },
});
