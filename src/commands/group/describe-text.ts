import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
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
    const rows =
      parts === 'members'
        ? tableIfAny(group.member_list, memberColumns, view)
        : tableIfAny(group.partitions, commitColumns, view);
    if (parts === 'commits') return rows;
    return [summary(group, view), ...(rows === '' ? [] : [rows])].join('\n');
  });
}

/** The lag of each topic; of several groups, with a column for the group. */
export function lagPerTopic(groups: readonly GroupDescription[], view: View): string {
  const several = groups.length > 1;
  const rows = groups.flatMap(({ group, partitions }) =>
    [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, rows]): Cell[] => {
      const lags = rows.flatMap(({ lag }) => lag ?? []);
      const lag = lags.length === 0 ? null : lags.reduce((sum, one) => sum + one, 0n);
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

function tableIfAny<R>(rows: readonly R[], columns: readonly Column<R>[], view: View): string {
  return rows.length === 0 ? '' : tableOf(rows, columns, view);
}

function typeText(type: string): string {
  return type === 'copy' ? 'copy (progress of weir topic copy, which has no lag)' : type;
}

type Client = Pick<GroupPartition, 'instance_id' | 'member_id' | 'host'>;

const memberId: Column<Client> = ['member id', ({ member_id }) => (member_id === null ? null : { id: member_id })];

const instanceId: Column<Client> = [
  'instance id',
  (row) => row.instance_id,
  (rows) => rows.some((row) => row.instance_id !== null),
];

/** Without the slash that Java writes before an address. */
const host: Column<Client> = ['host', (row) => row.host?.replace(/^\//, '')];

const commitColumns: readonly Column<GroupPartition>[] = [
  'topic',
  'partition',
  'current_offset',
  'log_start_offset',
  'log_end_offset',
  'lag',
  memberId,
  instanceId,
  'client_id',
  host,
  errorIfAny(),
];

const memberColumns: readonly Column<GroupMember>[] = [
  memberId,
  instanceId,
  'client_id',
  host,
  ['assignment', ({ assignment }) => assignment.map(shareText).join(' ') || '-'],
];

/** For example `orders:0,1,2`, the form that `group offset-delete --topic` takes. */
function shareText({ topic, partitions }: GroupMember['assignment'][number]): string {
  return `${topic}:${partitions.join(',')}`;
}
