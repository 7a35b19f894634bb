import { noun } from '../../cli/command.ts';
import { config } from './config/index.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { describe } from './describe.ts';
import { failover } from './failover.ts';
import { list } from './list.ts';
import { status } from './status.ts';
import { update } from './update.ts';

/** `shadow` */
export const shadow = noun({
  summary: 'Copy topics from another cluster for disaster recovery (Redpanda)',
  commands: { config, create, list, describe, status, update, failover, delete: remove },
});
