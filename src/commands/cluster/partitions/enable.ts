import { change } from '../../../cli/forms/change.ts';
import { DisabledPartition, disabledArgs, disabledFlags, planDisabled, setDisabled } from './set-disabled.ts';

/** `cluster partitions enable` */
export const enable = change({
  summary: 'Enable partitions that were disabled',
  description: `The cluster elects leaders for them. A partition that cannot be enabled does not affect the others.`,
  examples: [
    ['Two partitions of a topic', 'cluster partitions enable orders -p 0,1'],
    ['All partitions of a topic', 'cluster partitions enable orders --all'],
    ['Show what would be enabled', 'cluster partitions enable orders --all --dry-run'],
  ],
  apis: ['admin'],
  args: disabledArgs,
  flags: disabledFlags,
  changes: 'alters',
  noun: 'partition',
  item: DisabledPartition,
  plan: (context, values) => planDisabled(context, values, false),
  apply: (context, partitions) => setDisabled(context, partitions),
  notNeeded: 'already enabled',
});
