import { printable } from '../../../format/printable.ts';
import { sections } from '../../../format/sections.ts';
import { showSize } from '../../../format/size.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { DecommissionStatus } from './decommission-status.ts';

/** How to show the progress of a decommission in text. */
export interface StatusStyle {
  /** Whether to show the bytes moved and remaining. */
  readonly isDetailed: boolean;
  /** Whether sizes have units. */
  readonly isHuman: boolean;
}

const plain: StatusStyle = { isDetailed: false, isHuman: false };

/** How far a decommission is: a sentence, or what has no place and what moves. */
export function progressText(status: DecommissionStatus, view: View, style: StatusStyle = plain): string {
  const { id, membership, without_place: failures, replicas } = status;
  if (membership === 'active') return `Broker ${id} is not being decommissioned.\n`;
  if (membership === 'removed') return `Broker ${id} has left the cluster.\n`;
  const bytes = (size: number): Cell => (style.isHuman ? showSize(size) : size);
  const rows = replicas.map((one): Cell[] => [
    ...[withNamespace(one.topic, 1), one.partition, one.to, one.completion_percent, bytes(one.size)],
    ...(style.isDetailed ? [bytes(one.bytes_moved), bytes(one.bytes_left)] : []),
  ]);
  const headers = ['namespace topic', 'partition', 'moving to', 'completion %', 'partition size'];
  const all = style.isDetailed ? [...headers, 'bytes moved', 'bytes remaining'] : headers;
  const failed = {
    title: 'allocation failures',
    body: failures.map((name) => `${printable(withNamespace(name, 2))}\n`).join(''),
  };
  const moving = { title: 'decommission progress', body: table(all, rows, view) };
  return sections(failures.length === 0 ? [moving] : [failed, moving], view, 'always');
}

/** Topics of Kafka clients are in the namespace `kafka`. @param parts how many parts the name has without one */
function withNamespace(name: string, parts: number): string {
  return name.split('/').length === parts ? `kafka/${name}` : name;
}
