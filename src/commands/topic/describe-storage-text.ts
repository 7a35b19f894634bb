import { type Column as ColumnOf, columnTable, errorColumn } from '../../format/columns.ts';
import { sections } from '../../format/sections.ts';
import { showSize } from '../../format/size.ts';
import { type Cell, pairs } from '../../format/table.ts';
import { showElapsed } from '../../format/time.ts';
import type { View } from '../../format/view.ts';
import type { PartitionStorageRow, TopicStorage } from './describe-storage.ts';

/** Which sections to print, and whether sizes and ages have units. */
export interface StorageStyle {
  readonly isHuman: boolean;
  readonly summary: boolean;
  readonly offsets: boolean;
  readonly sizes: boolean;
  readonly sync: boolean;
}

/** Sums up the storage of the partitions of a topic. */
export function describedStorage(
  topic: string,
  replicas: number,
  partitions: readonly PartitionStorageRow[],
): TopicStorage {
  const ages = partitions
    .flatMap((one) => [one.last_segment_upload_ms, one.last_manifest_upload_ms])
    .filter((age) => age !== null);
  const mode = partitions.find((one) => one.mode !== null)?.mode ?? null;
  return { topic, replicas, mode, last_upload_ms: ages.length === 0 ? null : Math.min(...ages), partitions };
}

/** The storage of a topic in sections. */
export function storageText(row: TopicStorage, view: View, style: StorageStyle): string {
  const age = (ms: number | null): Cell => (ms === null || !style.isHuman ? ms : showElapsed(ms));
  const bytes = (size: number | null): Cell => (size === null || !style.isHuman ? size : showSize(size));
  const parts = [
    ...(style.summary ? [{ title: 'summary', body: summary(row, age, view) }] : []),
    ...(style.offsets ? [{ title: 'offsets', body: rows(row, offsetColumns, view) }] : []),
    ...(style.sizes ? [{ title: 'size', body: rows(row, sizeColumns(bytes), view) }] : []),
    ...(style.sync ? [{ title: 'sync', body: rows(row, syncColumns(row, age), view) }] : []),
  ];
  return sections(parts, view);
}

type ShowAge = (ms: number | null) => Cell;

function summary({ topic, partitions, replicas, mode, last_upload_ms: ms }: TopicStorage, age: ShowAge, view: View) {
  return pairs(
    [
      ['name', topic],
      ['partitions', partitions.length],
      ['replicas', replicas],
      ['cloud storage mode', mode],
      ['last upload', age(ms)],
    ],
    view,
  );
}

type Column = ColumnOf<PartitionStorageRow>;

const offsetColumns: readonly Column[] = [
  ['cloud start', (row) => row.cloud_start_offset],
  ['cloud last', (row) => row.cloud_last_offset],
  ['local start', (row) => row.local_start_offset],
  ['local last', (row) => row.local_last_offset],
];

function sizeColumns(bytes: (size: number | null) => Cell): readonly Column[] {
  return [
    ['cloud bytes', (row) => bytes(row.cloud_bytes)],
    ['local bytes', (row) => bytes(row.local_bytes)],
    ['total bytes', (row) => bytes(row.total_bytes)],
    ['cloud segments', (row) => row.cloud_segments],
    ['local segments', (row) => row.local_segments],
  ];
}

function syncColumns({ mode }: TopicStorage, age: ShowAge): readonly Column[] {
  return [
    ['last segment upload', (row) => age(row.last_segment_upload_ms)],
    ['last manifest upload', (row) => age(row.last_manifest_upload_ms)],
    ['metadata update pending', (row) => row.metadata_update_pending],
    ...(mode === 'read_replica'
      ? ([['last manifest sync', (row) => age(row.last_manifest_sync_ms)]] as const satisfies readonly Column[])
      : []),
  ];
}

function rows({ partitions }: TopicStorage, columns: readonly Column[], view: View): string {
  const own: Column = ['partition', ({ partition }) => partition];
  return columnTable(partitions, [own, ...columns, errorColumn(partitions)], view);
}
