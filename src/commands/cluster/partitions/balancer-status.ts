import { BalancerStatus } from '../../../admin/partitions/partition-rows.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, pairs } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { asUnsupported } from './changes.ts';

/** `cluster partitions balancer-status` */
export const balancerStatus = getCommand({
  summary: 'Show what the partition balancer does',
  description: `STATUS is "off", "ready" (nothing to do), "starting", "in_progress" (it moves partitions) or "stalled" (it should move
some, but cannot: a broker is down, or has no room). PARTITIONS-PENDING-RECOVERY counts those that wait for cluster partitions
unsafe-recover; the cluster names only some of them.`,
  examples: [
    ['Once', 'cluster partitions balancer-status'],
    ['For a script', 'cluster partitions balancer-status --format json'],
  ],
  apis: ['admin'],
  row: BalancerStatus,
  read: async (context) => (await context.admin()).balancerStatus().catch(asUnsupported('show the balancer')),
  text: statusText,
});

function statusText(row: BalancerStatus, view: View): string {
  const { unavailable_brokers: unavailable, over_disk_limit_brokers: full } = row;
  const pending: readonly (readonly [string, Cell])[] =
    row.pending_recovery === null
      ? []
      : [
          ['partitions pending recovery', row.pending_recovery],
          ...(row.pending_recovery_partitions.length === 0
            ? []
            : ([['some of them', row.pending_recovery_partitions]] as const)),
        ];
  const violations: readonly (readonly [string, Cell])[] =
    unavailable.length === 0 && full.length === 0
      ? []
      : [
          ['unavailable nodes', unavailable],
          ['over disk limit nodes', full],
        ];
  return pairs(
    [
      ['status', row.status === 'stalled' ? healthCell(row.status, 'bad') : row.status],
      ['seconds since last tick', row.seconds_since_last_tick],
      ['current reassignment count', row.current_reassignments],
      ...pending,
      ...violations,
    ],
    view,
  );
}
