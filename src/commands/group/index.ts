import { noun } from '../../cli/command.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { lag } from './lag.ts';
import { list } from './list.ts';
import { offsetDelete } from './offset-delete.ts';
import { seek } from './seek.ts';

/** `group` */
export const group = noun({
  summary: 'Manage consumer groups and their offsets; show their lag',
  aliases: ['g'],
  commands: { list, describe, lag, seek, delete: deleteCommand, 'offset-delete': offsetDelete },
});
