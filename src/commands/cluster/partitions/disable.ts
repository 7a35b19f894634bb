import { change } from '../../../cli/forms/change.ts';
import { count } from '../../../format/count.ts';
import { nameOfAll, shortPartitions } from './changes.ts';
import { DisabledPartition, disabledArgs, disabledFlags, planDisabled, setDisabled } from './set-disabled.ts';

/** `cluster partitions disable` */
export const disable = change({
  summary: 'Disable partitions: nobody can read or write them',
  description: `A disabled partition has no leader, until cluster partitions enable. Its data is kept. Use this if a partition harms its
brokers. Lists the partitions before it asks. A partition that cannot be disabled does not affect the others.`,
  examples: [
    ['Two partitions of a topic', 'cluster partitions disable orders -p 0,1'],
    ['Two partitions', 'cluster partitions disable -p orders/0 -p orders/1'],
    ['Show what would be disabled', 'cluster partitions disable orders --all --dry-run'],
  ],
  apis: ['admin'],
  args: disabledArgs,
  flags: disabledFlags,
  changes: 'destroys',
  namesAll: true,
  noun: 'partition',
  item: DisabledPartition,
  plan: (context, values) => planDisabled(context, values, true),
  asks: (partitions) => ({
    question: `Disable ${count(partitions.length, 'partition')} (${shortPartitions(partitions)})`,
    name: nameOfAll(partitions),
  }),
  previews: true,
  apply: (context, partitions) => setDisabled(context, partitions),
  notNeeded: 'already disabled',
});
