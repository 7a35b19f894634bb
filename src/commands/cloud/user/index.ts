import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

/** `cloud user` */
export const user = noun({ summary: 'Show the users of the organization', commands: { list, get } });
