import type { LinkTask, ShadowLink, ShadowTopic } from '../../admin/shadow/link-rows.ts';
import { type Column, tableOf } from '../../cli/forms/columns.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, pairs } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { isIndependent, totalLag } from './lag.ts';

/** The name, the id and the state of a link, a line each. */
export function overviewText({ name, uid, state }: Pick<ShadowLink, 'name' | 'uid' | 'state'>, view: View): string {
  return pairs(
    [
      ['name', name],
      ['uid', uid],
      ['state', stateCell(state)],
    ],
    view,
  );
}

/** What brokers do for a link. */
export function taskTable(tasks: readonly LinkTask[], view: View): string {
  return tableOf(tasks, ['name', 'broker', ['state', ({ state }) => stateCell(state)], 'reason'], view);
}

/** How far the partitions of topics are copied, a line each. */
export function topicTable(topics: readonly ShadowTopic[], view: View): string {
  const lines = topics.flatMap((topic) =>
    topic.partitions.length === 0 ? [topic] : topic.partitions.map((one) => ({ ...topic, partitions: [one] })),
  );
  const first: readonly Column<ShadowTopic>[] = [
    ['topic', ({ name }) => name],
    ['state', ({ state }) => stateCell(state)],
  ];
  return tableOf(lines, [...first, ...partitionColumns()], view);
}

/** A topic, or some partitions of one. */
type Copied = Pick<ShadowTopic, 'state' | 'partitions'>;

/** The columns about the partitions of a line: one, several without lag, or none, if the link reports none. */
export function partitionColumns<R extends Copied>(): readonly Column<R>[] {
  const only = ({ partitions }: Copied) => (partitions.length === 1 ? partitions[0] : undefined);
  return [
    [
      'partition',
      (line) => only(line)?.partition ?? (line.partitions.length === 0 ? null : `${line.partitions.length} partitions`),
    ],
    ['source high watermark', (line) => only(line)?.source_high_watermark ?? null],
    ['high watermark', (line) => only(line)?.high_watermark ?? null],
    ['lag', lagCell],
  ];
}

/** The lag of a line; of a topic that is no copy any more, the one that it had. */
function lagCell(line: Copied): Cell {
  const { partitions } = line;
  if (partitions.length === 0 && isIndependent(line)) return null;
  return totalLag([{ state: null, partitions }]) ?? healthCell('unknown', 'pending');
}

/** A state, colored where it needs attention. */
export function stateCell(state: string | null): Cell {
  if (state === null || state === 'ACTIVE' || state === 'FAILED_OVER' || state === 'PROMOTED') return state;
  return healthCell(state, state === 'FAULTED' || state === 'LINK_UNAVAILABLE' ? 'bad' : 'pending');
}
