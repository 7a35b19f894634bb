import { noun } from '../../../cli/command.ts';
import { contextFlags } from '../../schema-context.ts';
import { deleteCommand } from './delete.ts';
import { list } from './list.ts';

/** `registry subject` */
export const subject = noun({
  summary: 'List and delete subjects',
  flags: contextFlags,
  commands: { list, delete: deleteCommand },
});
