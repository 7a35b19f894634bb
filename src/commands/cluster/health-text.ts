import {
  arrayOf,
  booleanSchema,
  integerSchema,
  nullable,
  object,
  type Schema,
  string,
  wordOf,
} from '../../cli/output/schema.ts';
import { sections } from '../../format/sections.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, showCell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { ClusterHealth } from '../../kafka/cluster/health-rows.ts';

/** How many partitions a line of text lists; JSON lists all of them. */
const longestList = 128;

/** The JSON of `cluster health`. */
export const healthSchema: Schema = object({
  is_healthy: booleanSchema,
  unhealthy_reasons: arrayOf(
    wordOf(
      'no_elected_controller',
      'nodes_down',
      'offline_partitions',
      'leaderless_partitions',
      'under_replicated_partitions',
    ),
  ),
  controller_id: nullable(integerSchema),
  all_nodes: arrayOf(integerSchema),
  nodes_down: arrayOf(integerSchema),
  partition_count: integerSchema,
  offline_partitions: arrayOf(string),
  offline_count: integerSchema,
  leaderless_partitions: arrayOf(string),
  leaderless_count: integerSchema,
  under_replicated_partitions: arrayOf(string),
  under_replicated_count: integerSchema,
});

/** The health as names and values under a title. */
export function healthText(health: ClusterHealth, view: View): string {
  const { is_healthy: isHealthy, controller_id: controller } = health;
  const rows: (readonly [name: string, value: Cell])[] = [
    ['Healthy:', healthCell(String(isHealthy), isHealthy ? 'good' : 'bad')],
    ['Unhealthy reasons:', health.unhealthy_reasons],
    ['Controller ID:', controller],
    ['All nodes:', health.all_nodes],
    ['Nodes down:', listCell(health.nodes_down, health.nodes_down.length)],
    ['Partitions checked:', health.partition_count],
    [`Offline partitions (${health.offline_count}):`, listCell(health.offline_partitions, health.offline_count)],
    [
      `Leaderless partitions (${health.leaderless_count}):`,
      listCell(health.leaderless_partitions, health.leaderless_count),
    ],
    [
      `Under-replicated partitions (${health.under_replicated_count}):`,
      listCell(health.under_replicated_partitions, health.under_replicated_count),
    ],
  ];
  const body = table([], rows, { ...view, noHeaders: true });
  return sections([{ title: 'cluster health overview', body }], view, 'always');
}

function listCell(items: readonly (string | number)[], count: number): Cell {
  if (count === 0) return [];
  const shown = count > longestList ? [...items.slice(0, longestList), '...truncated'] : items;
  return healthCell(showCell(shown), 'bad');
}
