import { noun } from '../../../cli/command.ts';
import { finalize } from './finalize.ts';
import { status } from './status.ts';

/** `cluster upgrade` */
export const upgrade = noun({
  summary: 'Finalize an upgrade of the cluster that waits for it',
  commands: { status, finalize },
});
