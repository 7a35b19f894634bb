import {
  arrayOf,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  type Schema,
  string,
  wordOf,
} from '../../cli/output/schema.ts';
import { columnTable, errorColumn } from '../../format/columns.ts';
import { showDuration } from '../../format/duration.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { GroupLagRow, LagTick, Trend } from '../../kafka/group-admin/lag-rows.ts';

const number: Schema = { type: 'number' };

/** The JSON of one tick of `group lag`. */
export const lagSchema: Schema = object({
  tick: integerSchema,
  time: string,
  status: wordOf('running', 'done', 'above_limit', 'unknown_lag', 'not_zero', 'failed'),
  groups: arrayOf(
    object({
      group: string,
      state: nullable(string),
      members: nullable(integerSchema),
      lag: nullable(integerSchema),
      read_rate: nullable(number),
      write_rate: nullable(number),
      trend: nullable(wordOf('growing', 'shrinking', 'steady', 'stalled')),
      seconds_to_zero: nullable(number),
      age_seconds: nullable(integerSchema),
      topics: arrayOf(object({ topic: string, lag: nullable(integerSchema) })),
      error: itemErrorSchema,
    }),
  ),
});

/** A table of groups; with `wide`, a table of their topics below it. Later ticks begin with an empty line. */
export function lagText(tick: LagTick, view: View, wide: boolean): string {
  const { groups } = tick;
  const isWatched = tick.status === 'running' || tick.tick > 0;
  const own = columnTable(
    groups,
    [
      ['time', () => tick.time, isWatched],
      ['group', ({ group }) => group],
      ['state', ({ state }) => state],
      ['members', ({ members }) => members],
      ['lag', (row) => row.lag],
      ['age', (row) => seconds(row.age_seconds), groups.some((row) => row.age_seconds !== null)],
      ['read/s', (row) => rate(row.read_rate), isWatched],
      ['written/s', (row) => rate(row.write_rate), isWatched],
      ['trend', ({ trend }) => trendCell(trend), isWatched],
      ['zero in', (row) => seconds(row.seconds_to_zero), isWatched],
      errorColumn(groups),
    ],
    view,
  );
  const parts = [...(tick.tick > 0 ? [''] : []), own, ...(wide ? [topicTable(groups, view)] : [])];
  return parts.join('\n');
}

function topicTable(groups: readonly GroupLagRow[], view: View): string {
  const rows = groups.flatMap(({ group, topics }) => topics.map(({ topic, lag }): Cell[] => [group, topic, lag]));
  return table(['group', 'topic', 'lag'], rows, view);
}

function rate(value: number | null): Cell {
  return value === null ? null : value.toFixed(1);
}

function seconds(value: number | null): Cell {
  return value === null ? null : showDuration(BigInt(Math.ceil(value)) * 1_000_000_000n);
}

function trendCell(trend: Trend | null): Cell {
  if (trend === null) return null;
  return healthCell(trend, trend === 'stalled' ? 'bad' : trend === 'growing' ? 'pending' : 'good');
}
