import { noun } from '../../../cli/command.ts';
import { list } from './list.ts';

/** `cloud region` */
export const region = noun({ summary: 'List the regions of cloud providers', commands: { list } });
