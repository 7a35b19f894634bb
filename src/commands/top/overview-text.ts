import { showCompact, showCompactSize } from '../../format/compact.ts';
import { sections } from '../../format/sections.ts';
import { statusText } from '../../format/status.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { Overview } from '../../kafka/overview/overview-rows.ts';
import { arrange } from './arrange.ts';
import { noHistory } from './history.ts';
import { brokerTable, groupTable, partitionTable, type Table, topicTable } from './tables.ts';

/** One reading as tables below each other, each in the order of the live view. */
export function overviewText(overview: Overview, view: View): string {
  return sections(
    [
      { title: 'cluster', body: summary(overview, view) },
      { title: 'brokers', body: rowsOf(brokerTable, overview, view) },
      { title: 'topics', body: rowsOf(topicTable, overview, view) },
      { title: 'groups', body: rowsOf(groupTable, overview, view) },
      { title: 'slowest partitions', body: rowsOf(partitionTable, overview, view) },
    ],
    view,
  );
}

function summary({ time, health, errors, ...overview }: Overview, view: View): string {
  const { record_rate: records, byte_rate: bytes, size, lag } = overview;
  const isHealthy = health.is_healthy;
  return pairs(
    [
      ['time', time],
      ['healthy', healthCell(String(isHealthy), isHealthy ? 'good' : 'bad')],
      ...(isHealthy ? [] : [['reasons', health.unhealthy_reasons] satisfies [string, Cell]]),
      ['records/s', records === null ? null : showCompact(records)],
      ['bytes/s', bytes === null ? null : showCompactSize(bytes)],
      ['size', size === null ? null : showCompactSize(Number(size))],
      ['lag', lag],
      ...errors.map(({ part, error }): [string, Cell] => [`${part} error`, healthCell(statusText(error), 'bad')]),
    ],
    view,
  );
}

/** A table without its sparklines, which need more than one reading. */
function rowsOf<R>(shown: Table<R>, overview: Overview, view: View): string {
  const { heads, rows } = arrange(shown, overview, { sorting: undefined, filter: '' });
  const columns = heads.map(({ header }, at) => ({ header, at })).filter(({ header }) => header !== 'TREND');
  return table(
    columns.map(({ header }) => header),
    rows.map((row) => columns.map(({ at }) => row.cell(at, noHistory) as Cell)),
    view,
  );
}
