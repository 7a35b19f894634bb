import { command } from '../../../cli/command.ts';
import {
  disabledArgs,
  disabledFlags,
  disabledResult,
  disabledTable,
  planDisabled,
  setDisabled,
} from './set-disabled.ts';

/** `cluster partitions enable` */
export const enable = command({
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
  result: disabledResult,
  plan: (context, values) => planDisabled(context, values, false),
  dryRun: (_context, _values, rows) => rows.map((row) => ({ ...row, dry_run: true })),
  run: (context, values, rows) => setDisabled(context, values, rows),
  show: { text: disabledTable },
});
