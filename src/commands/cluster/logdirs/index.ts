import { noun } from '../../../cli/command.ts';
import { describe } from './describe.ts';

/** `cluster logdirs` */
export const logdirs = noun({ summary: 'Describe log directories and their sizes', commands: { describe } });
