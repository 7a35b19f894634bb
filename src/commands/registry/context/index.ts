import { noun } from '../../../cli/command.ts';
import { list } from './list.ts';

/** `registry context` */
export const context = noun({ summary: 'List contexts', commands: { list } });
