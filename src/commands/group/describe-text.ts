import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { spaced } from '../../format/pieces.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { GroupDescription, GroupMember, GroupPartition } from '../../kafka/cluster/groups/group-rows.ts';

/** What to print of each group as text. */
export type Parts = 'summary and commits' | 'summary' | 'commits' | 'members' | 'lag per topic';

/** The summaries of groups, with an empty line between them. */
export function summaries(groups: readonly GroupDescription[], view: View): Iterable<string> {
  return spaced(groups, (group) => summary(group, view));
}

/** The chosen parts of each group, with an empty line between groups and parts. */
export function descriptions(groups: readonly GroupDescription[], parts: Parts, view: View): Iterable<string> {
  return spaced(groups, (group) => {
    const rows = parts === 'members' ? members(group.member_list, view) : commits(group.partitions, view);
    if (parts === 'commits') return rows;
    return [summary(group, view), ...(rows === '' ? [] : [rows])].join('\n');
  });
}

/** The lag of each topic; of several groups, with a column for the group. */
export function lagPerTopic(groups: readonly GroupDescription[], view: View): string {
  const several = groups.length > 1;
  const rows = groups.flatMap(({ group, partitions }) =>
    [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, own]): Cell[] => {
      const known = own.flatMap(({ lag }) => lag ?? []);
      const lag = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0n);
      return [...(several ? [group] : []), topic, lag];
    }),
  );
  return table([...(several ? ['group'] : []), 'topic', 'lag'], rows, view);
}

function summary(row: GroupDescription, view: View): string {
  const { group, type, coordinator, state, balancer, error } = row;
  const rows: [string, Cell][] = [
    ['GROUP', group],
    ['COORDINATOR', coordinator],
    ['STATE', state],
    ...(type === null || type === 'classic' ? [] : ([['TYPE', typeText(type)]] satisfies [string, Cell][])),
    ['BALANCER', balancer || '-'],
    ['MEMBERS', row.members],
    ['TOTAL-LAG', row.total_lag],
  ];
  if (error) rows.push(['ERROR', statusCell(error)]);
  return pairs(rows, view);
}

function typeText(type: string): string {
  return type === 'copy' ? 'copy (progress of weir topic copy, which has no lag)' : type;
}

function commits(rows: readonly GroupPartition[], view: View): string {
  if (rows.length === 0) return '';
  const columns: readonly Column<GroupPartition>[] = [
    ['topic', ({ topic }) => topic],
    ['partition', ({ partition }) => partition],
    ['current offset', (row) => row.current_offset],
    ['log start offset', (row) => row.log_start_offset],
    ['log end offset', (row) => row.log_end_offset],
    ['lag', ({ lag }) => lag],
    ['member id', (row) => row.member_id],
    ['instance id', (row) => row.instance_id, rows.some((row) => row.instance_id !== null)],
    ['client id', (row) => row.client_id],
    ['host', ({ host }) => addressOf(host)],
    errorColumn(rows),
  ];
  return columnTable(rows, columns, view);
}

function members(rows: readonly GroupMember[], view: View): string {
  if (rows.length === 0) return '';
  const columns: readonly Column<GroupMember>[] = [
    ['member id', (row) => row.member_id],
    ['instance id', (row) => row.instance_id, rows.some((row) => row.instance_id !== null)],
    ['client id', (row) => row.client_id],
    ['host', ({ host }) => addressOf(host)],
    ['assignment', ({ assignment }) => assignment.map(shareText).join(' ') || '-'],
  ];
  return columnTable(rows, columns, view);
}

/** Without the slash that Java writes before an address. */
function addressOf(host: string | null): string | null {
  return host?.replace(/^\//, '') ?? null;
}

/** For example `orders:0,1,2`, the form that `group offset-delete --topic` takes. */
function shareText({ topic, partitions }: GroupMember['assignment'][number]): string {
  return `${topic}:${partitions.join(',')}`;
}
