import { showCompact, showCompactSize } from '../../format/compact.ts';
import { partitionName } from '../../format/partition-name.ts';
import { healthCell } from '../../format/style.ts';
import type { Cell } from '../../format/table.ts';
import { showElapsed } from '../../format/time.ts';
import {
  type BrokerLoad,
  type GroupLoad,
  type Overview,
  type PartitionLag,
  type PartitionLoad,
  sumOfRates,
  sumOfSizes,
  type TopicLoad,
} from '../../kafka/cluster/overview/overview-rows.ts';
import type { History, Series } from './history.ts';

/** What a row is sorted by; null comes last. */
export type SortValue = string | number | bigint | null;

/** A column of a table. */
export interface Column<R> {
  readonly header: string;
  value(row: R): SortValue;
  /** What is shown instead of the value; a series is drawn as a sparkline. */
  cell?(row: R, history: History): Cell | { readonly series: Series };
  /** The usual width (default: that of the header); the first column and sparklines take what is left. */
  readonly width?: number;
  /** Which columns a narrow screen leaves out: the largest first. The first column is always there. */
  readonly rank?: number;
  readonly align?: 'left' | 'right';
}

/** A table of the live view: how its rows are found, named and shown. */
export interface Table<R> {
  /** In the plural, for messages. */
  readonly items: string;
  rows(overview: Overview): readonly R[];
  /** Names a row, for the selection. */
  key(row: R): string;
  /** What a filter searches. */
  names(row: R): readonly string[];
  /** Whether something is wrong with the row. */
  isBad(row: R): boolean;
  readonly columns: readonly [Column<R>, ...Column<R>[]];
  /** The headers of the columns that the rows are sorted by at first: by the first one in which something is known. */
  readonly sortedBy: readonly [string, ...string[]];
}

function bytes(value: number | bigint | null): Cell {
  return value === null ? null : showCompactSize(Number(value));
}

function amount(value: number | bigint | null): Cell {
  return value === null ? null : showCompact(Number(value));
}

/** When the lag will be gone, or why that cannot be said. */
function zeroIn({ trend, seconds_to_zero: seconds, lag }: Pick<GroupLoad, 'trend' | 'seconds_to_zero' | 'lag'>): Cell {
  if (trend === 'stalled') return healthCell('stalled', 'bad');
  if (seconds !== null && lag !== 0n) return showElapsed(Math.ceil(seconds) * 1000);
  return trend === 'growing' && lag !== 0n ? healthCell('growing', 'pending') : null;
}

function secondsToZero({ trend, seconds_to_zero: seconds }: Pick<GroupLoad, 'trend' | 'seconds_to_zero'>): SortValue {
  return trend === 'stalled' || trend === 'growing' ? Number.POSITIVE_INFINITY : seconds;
}

/** A column of numbers, which are shown in fewer digits than they have. */
function numbers<K extends string, V extends SortValue>(
  header: string,
  key: K,
  show: (value: V) => Cell,
  place: { readonly rank: number; readonly width?: number },
) {
  type Row = Readonly<Record<K, V>>;
  return {
    header,
    value: (row: Row) => row[key],
    cell: (row: Row) => show(row[key]),
    align: 'right',
    ...place,
  } as const;
}

/** What is written per second, of topics, partitions and brokers. */
const written = [
  numbers('RECORDS/S', 'record_rate', amount, { rank: 1 }),
  numbers('BYTES/S', 'byte_rate', bytes, { width: 8, rank: 2 }),
  numbers('SIZE', 'size', bytes, { width: 7, rank: 3 }),
] as const;

/** How far groups are behind, as a whole and in partitions. */
const lagColumn = numbers('LAG', 'lag', amount, { width: 6, rank: 1 });
const rates = [
  numbers('READ/S', 'read_rate', amount, { width: 7, rank: 4 }),
  numbers('WRITTEN/S', 'write_rate', amount, { rank: 5 }),
] as const;
const behind = [
  {
    header: 'ZERO-IN',
    value: secondsToZero,
    cell: (row: Pick<PartitionLag, 'lag' | 'trend' | 'seconds_to_zero'>) => zeroIn(row),
    width: 8,
    rank: 2,
    align: 'right',
  },
  ...rates,
] as const;

/** The topics. */
export const topicTable: Table<TopicLoad> = {
  items: 'topics',
  rows: ({ topics }) => topics,
  key: ({ topic }) => topic,
  names: ({ topic }) => [topic],
  isBad: ({ error }) => error !== null,
  sortedBy: ['BYTES/S', 'RECORDS/S'],
  columns: [
    { header: 'TOPIC', value: ({ topic }) => topic },
    ...written,
    { header: 'PARTS', value: (row) => row.partitions, rank: 5, align: 'right' },
    {
      header: 'TREND',
      value: (row) => row.record_rate,
      cell: ({ topic }, history) => ({ series: history.topics.get(topic) ?? [] }),
      width: 8,
      rank: 4,
      align: 'right',
    },
  ],
};

/** The groups. */
export const groupTable: Table<GroupLoad> = {
  items: 'groups',
  rows: ({ groups }) => groups,
  key: ({ group }) => group,
  names: ({ group }) => [group],
  isBad: ({ error }) => error !== null,
  sortedBy: ['LAG'],
  columns: [
    { header: 'GROUP', value: ({ group }) => group },
    lagColumn,
    {
      header: 'TREND',
      value: (row) => row.lag,
      cell: ({ group }, history) => ({ series: history.groups.get(group) ?? [] }),
      width: 8,
      rank: 3,
      align: 'right',
    },
    ...behind,
    { header: 'MEMBERS', value: (row) => row.members, rank: 6, align: 'right' },
    { header: 'STATE', value: (row) => row.state, width: 11, rank: 7 },
  ],
};

const client: Column<PartitionLag> = {
  header: 'CLIENT',
  value: (row) => row.client_id,
  width: 12,
  rank: 7,
};
const leader: Column<PartitionLag> = {
  header: 'LEADER',
  value: (row) => row.leader,
  cell: (row) => (row.leader === null ? healthCell('none', 'bad') : row.leader),
  rank: 6,
  align: 'right',
};

/** The partitions that groups are furthest behind in. */
export const partitionTable: Table<PartitionLag> = {
  items: 'partitions behind',
  rows: (overview) => overview.slowest_partitions,
  key: (row) => `${row.group} ${partitionName(row)}`,
  names: ({ group, topic }) => [group, topic],
  isBad: (row) => row.leader === null,
  sortedBy: ['LAG'],
  columns: [
    { header: 'PARTITION', value: (row) => partitionName(row) },
    { header: 'GROUP', value: (row) => row.group, width: 16, rank: 3 },
    lagColumn,
    ...behind,
    leader,
    client,
  ],
};

/** The brokers. */
export const brokerTable: Table<BrokerLoad> = {
  items: 'brokers',
  rows: ({ brokers }) => brokers,
  key: ({ broker }) => String(broker),
  names: () => [],
  isBad: ({ status }) => status === 'down',
  sortedBy: ['BROKER'],
  columns: [
    {
      header: 'BROKER',
      value: ({ broker }) => broker,
      cell: ({ broker, host, port }) => (host === null ? String(broker) : `${broker} ${host}:${port}`),
    },
    {
      header: 'STATUS',
      value: ({ status }) => status,
      cell: ({ status }) => healthCell(status, status === 'up' ? 'good' : 'bad'),
      rank: 1,
    },
    ...written,
    { header: 'LEADERS', value: (row) => row.leaders, rank: 4, align: 'right' },
    { header: 'REPLICAS', value: (row) => row.replicas, rank: 5, align: 'right' },
    { header: 'RACK', value: (row) => row.rack, width: 10, rank: 6 },
  ],
};

/** The partitions of one topic. */
export function topicPartitions(topic: string): Table<PartitionLoad> {
  return {
    items: 'partitions',
    rows: ({ topics }) => topics.find((one) => one.topic === topic)?.partition_list ?? [],
    key: ({ partition }) => String(partition),
    names: ({ partition }) => [String(partition)],
    isBad: ({ leader: id, isr, replicas }) => id < 0 || (isr !== null && isr.length < replicas.length),
    sortedBy: ['PARTITION'],
    columns: [
      { header: 'PARTITION', value: (row) => row.partition },
      {
        header: 'LEADER',
        value: (row) => row.leader,
        cell: ({ leader: id }) => (id < 0 ? healthCell('none', 'bad') : id),
        rank: 3,
        align: 'right',
      },
      {
        header: 'IN-SYNC',
        value: ({ isr, replicas }) => (isr === null ? null : isr.length - replicas.length),
        cell({ isr, replicas }) {
          if (isr === null) return null;
          return healthCell(`${isr.length}/${replicas.length}`, isr.length < replicas.length ? 'bad' : 'good');
        },
        rank: 4,
        align: 'right',
      },
      ...written.map((column) => ({ ...column, rank: column.header === 'SIZE' ? 5 : column.rank })),
      { header: 'END', value: (row) => row.end, width: 12, rank: 6, align: 'right' },
    ],
  };
}

/** How far one group is behind in one topic. */
type TopicReader = Pick<PartitionLag, 'group' | 'lag' | 'read_rate' | 'write_rate'>;

/** The groups that read one topic. */
export function topicGroups(topic: string): Table<TopicReader> {
  return {
    items: 'groups',
    rows: ({ groups }) => groups.flatMap((group) => readerOf(group, topic)),
    key: ({ group }) => group,
    names: ({ group }) => [group],
    isBad: () => false,
    sortedBy: ['LAG'],
    columns: [{ header: 'GROUP', value: ({ group }) => group }, lagColumn, ...rates],
  };
}

/** The sums of the partitions of a topic that a group reads. */
function readerOf(group: GroupLoad, topic: string): readonly TopicReader[] {
  const rows = group.partition_list.filter((row) => row.topic === topic);
  if (rows.length === 0) return [];
  return [
    {
      group: group.group,
      lag: sumOfSizes(rows.map(({ lag }) => lag)),
      read_rate: sumOfRates(rows.map((row) => row.read_rate)),
      write_rate: sumOfRates(rows.map((row) => row.write_rate)),
    },
  ];
}

/** The partitions that one group reads. */
export function groupPartitions(group: string): Table<PartitionLag> {
  return {
    ...partitionTable,
    rows: ({ groups }) => groups.find((one) => one.group === group)?.partition_list ?? [],
    key: (row) => partitionName(row),
    names: ({ topic }) => [topic],
    columns: [
      { header: 'PARTITION', value: (row) => partitionName(row) },
      lagColumn,
      ...behind,
      {
        header: 'COMMITTED',
        value: (row) => row.committed_offset,
        width: 12,
        rank: 7,
        align: 'right',
      },
      leader,
      { ...client, rank: 3 },
    ],
  };
}
