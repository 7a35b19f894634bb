import type { Health } from '../../admin/brokers/broker-rows.ts';
import { sections } from '../../format/sections.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, showCell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { ShownHealth } from '../../kafka/cluster/brokers/health-rows.ts';

/** How many partitions a line of text lists; JSON lists all of them. */
const longestList = 128;

/** What the Admin API reports, without what only the brokers know. */
export function healthOfAdmin(health: Health): ShownHealth {
  return {
    is_healthy: health.healthy,
    unhealthy_reasons: health.reasons,
    controller_id: health.controller,
    all_nodes: ids(health.brokers),
    nodes_down: ids(health.down),
    nodes_in_recovery_mode: ids(health.in_recovery_mode),
    high_disk_usage_nodes: health.high_disk_usage && ids(health.high_disk_usage),
    partition_count: null,
    offline_partitions: null,
    offline_count: null,
    leaderless_partitions: health.leaderless.toSorted(),
    leaderless_count: health.leaderless_count,
    under_replicated_partitions: health.under_replicated.toSorted(),
    under_replicated_count: health.under_replicated_count,
  };
}

function ids(list: readonly number[]): readonly number[] {
  return list.toSorted((a, b) => a - b);
}

/** A name and its value. */
export type Row = readonly [name: string, value: Cell];

/** The health as names and values under a title, without what is not known. */
export function healthText(health: ShownHealth, view: View): string {
  const { is_healthy: isHealthy, controller_id: controller } = health;
  const { nodes_in_recovery_mode: recovering, partition_count: checked } = health;
  const rows: readonly Row[] = [
    ['Healthy:', healthyCell(isHealthy)],
    ['Unhealthy reasons:', health.unhealthy_reasons],
    ['Controller ID:', controller],
    ['All nodes:', health.all_nodes],
    ['Nodes down:', listCell(health.nodes_down, health.nodes_down.length)],
    ...listRow('Nodes in recovery mode', recovering),
    ...listRow('Nodes with high disk usage', health.high_disk_usage_nodes),
    ...(checked === null ? [] : [['Partitions checked:', checked] satisfies Row]),
    ...listRow('Offline partitions', health.offline_partitions, health.offline_count),
    ...listRow('Leaderless partitions', health.leaderless_partitions, health.leaderless_count),
    ...listRow('Under-replicated partitions', health.under_replicated_partitions, health.under_replicated_count),
  ];
  const body = table([], rows, { ...view, noHeaders: true });
  return sections([{ title: 'cluster health overview', body }], view, 'always');
}

/** Whether the cluster is healthy, if that is known. */
export function healthyCell(isHealthy: boolean | null): Cell {
  return isHealthy === null
    ? healthCell('not known', 'pending')
    : healthCell(String(isHealthy), isHealthy ? 'good' : 'bad');
}

/** A list, with its count in the name if there is one; no row if it is not known. */
export function listRow(
  name: string,
  items: readonly (string | number)[] | null,
  count?: number | null,
): readonly Row[] {
  if (items === null) return [];
  return [[count == null ? `${name}:` : `${name} (${count}):`, listCell(items, count ?? items.length)]];
}

/** The list may be shorter than the count: the Admin API cuts long lists. */
function listCell(items: readonly (string | number)[], count: number): Cell {
  if (count === 0) return [];
  const first = items.slice(0, longestList);
  const shown = count > first.length ? [...first, '...truncated'] : first;
  return healthCell(showCell(shown), 'bad');
}
