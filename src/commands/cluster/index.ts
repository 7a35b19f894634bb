import { noun } from '../../cli/command.ts';
import { info } from './info.ts';

/** `cluster` */
export const cluster = noun({ summary: 'Inspect the cluster', commands: { info } });
