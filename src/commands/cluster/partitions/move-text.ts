import { printable } from '../../../format/printable.ts';
import { sections } from '../../../format/sections.ts';
import { showSize } from '../../../format/size.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { MoveRow } from './move-status.ts';

/** How to show moves in text. */
export interface MoveStyle {
  /** Whether to show what each broker does. */
  readonly isDetailed: boolean;
  /** Whether sizes have units. */
  readonly isHuman: boolean;
}

const headers = ['namespace topic', 'partition', 'moving from', 'moving to', 'completion %', 'partition size'];

/** The moves in progress and, in detail, the work of each broker. */
export function movesText(
  rows: readonly MoveRow[],
  view: View,
  { isDetailed, isHuman }: MoveStyle = { isDetailed: false, isHuman: false },
): string {
  const bytes = (size: number): Cell => (isHuman ? showSize(size) : size);
  const cells = rows.map((row): Cell[] => [
    ...[`${row.namespace}/${row.topic}`, row.partition, row.old_replicas, row.new_replicas, row.completion_percent],
    ...[bytes(row.size), bytes(row.bytes_moved), bytes(row.bytes_left)],
  ]);
  const moves = {
    title: 'partition movements',
    body: table([...headers, 'bytes moved', 'bytes remaining'], cells, view),
  };
  if (!isDetailed) return moves.body;
  const work = rows.map((row) => workText(row, view)).join('\n');
  return sections([moves, { title: 'reconciliation statuses', body: work }], view);
}

function workText({ namespace, topic, partition, reconciliation }: MoveRow, view: View): string {
  const cells = reconciliation.flatMap(({ broker, operations }) =>
    operations.map((one): Cell[] => [broker, one.core, one.type, one.retry_number, one.revision, one.status]),
  );
  const title = `${printable(`${namespace}/${topic}/${partition}`)}\n`;
  return title + table(['node id', 'core', 'type', 'retry number', 'revision', 'status'], cells, view);
}
