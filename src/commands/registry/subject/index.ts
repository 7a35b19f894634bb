import { noun } from '../../../cli/command.ts';
import { deleteCommand } from './delete.ts';
import { list } from './list.ts';

/** `registry subject` */
export const subject = noun({ summary: 'List and delete subjects', commands: { list, delete: deleteCommand } });
