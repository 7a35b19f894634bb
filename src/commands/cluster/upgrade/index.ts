import { noun } from '../../../cli/command.ts';
import { finalize } from './finalize.ts';
import { status } from './status.ts';

/** `cluster upgrade` */
export const upgrade = noun({
  summary: 'Show and finalize an upgrade of the cluster',
  commands: { status, finalize },
});
