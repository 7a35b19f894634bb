import { command } from '../../../cli/command.ts';
import { count } from '../../../format/count.ts';
import { plainView } from '../../../format/view.ts';
import { nameOfAll, shortPartitions } from './changes.ts';
import {
  disabledArgs,
  disabledFlags,
  disabledResult,
  disabledTable,
  planDisabled,
  setDisabled,
} from './set-disabled.ts';

/** `cluster partitions disable` */
export const disable = command({
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
  result: disabledResult,
  namesAll: true,
  plan: (context, values) => planDisabled(context, values, true),
  confirm(_context, _values, plan) {
    const rows = plan.filter(({ status }) => status === 'OK');
    if (rows.length === 0) return null;
    return {
      question: `Disable ${count(rows.length, 'partition')} (${shortPartitions(rows)})`,
      name: nameOfAll(rows),
      preview: disabledTable(rows, plainView),
    };
  },
  dryRun: (_context, _values, rows) => rows.map((row) => ({ ...row, dry_run: true })),
  run: (context, values, rows) => setDisabled(context, values, rows),
  show: { text: disabledTable },
});
