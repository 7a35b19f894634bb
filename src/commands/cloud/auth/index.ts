import { noun } from '../../../cli/command.ts';
import { deleteCommand } from './delete.ts';
import { list } from './list.ts';
import { token } from './token.ts';
import { use } from './use.ts';

/** `cloud auth` */
export const auth = noun({
  summary: 'Manage the logins kept on this machine; print the token',
  commands: { list, use, delete: deleteCommand, token },
});
