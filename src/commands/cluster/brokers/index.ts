import { noun } from '../../../cli/command.ts';
import { decommission } from './decommission.ts';
import { decommissionStatus } from './decommission-status.ts';
import { list } from './list.ts';
import { recommission } from './recommission.ts';

/** `cluster brokers` */
export const brokers = noun({
  summary: 'List brokers; decommission and recommission them',
  commands: { list, decommission, 'decommission-status': decommissionStatus, recommission },
});
