import { noun } from '../../../../cli/command.ts';
import { start } from './start.ts';
import { status } from './status.ts';

/** `cluster storage restore` */
export const restore = noun({
  summary: 'Restore a whole cluster from object storage',
  aliases: ['recovery'],
  commands: { start, status },
});
