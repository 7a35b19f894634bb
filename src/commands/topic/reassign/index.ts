import { noun } from '../../../cli/command.ts';
import { cancel } from './cancel.ts';
import { execute } from './execute.ts';
import { list } from './list.ts';
import { plan } from './plan.ts';
import { wait } from './wait.ts';

/** `topic reassign` */
export const reassign = noun({
  summary: 'Move the replicas of partitions to other brokers',
  commands: { plan, execute, list, wait, cancel },
});
