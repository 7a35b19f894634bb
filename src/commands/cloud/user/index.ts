import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';

/** `cloud user` */
export const user = noun({ summary: 'Show users of the organization', commands: { get } });
