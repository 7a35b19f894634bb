import { PartitionStorage } from '../../admin/partitions/partition-rows.ts';
import { one, toggle } from '../../cli/command.ts';
import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { CliError, itemErrorOf } from '../../errors.ts';
import { sections } from '../../format/sections.ts';
import { showSize } from '../../format/size.ts';
import { type Cell, pairs } from '../../format/table.ts';
import { showElapsed } from '../../format/time.ts';
import type { View } from '../../format/view.ts';
import { itemError } from '../../shape/item-error.ts';
import { described, listOf, maybe, type RowOf, row, string, whole } from '../../shape/shape.ts';
import { topicName } from './topic-name.ts';

/** The storage of a partition; without an error, its `mode` is known. */
const StoredPartition = row({
  partition: whole,
  ...PartitionStorage.fields,
  mode: maybe(string),
  error: itemError,
});
type StoredPartition = RowOf<typeof StoredPartition>;

/** The storage of a topic. */
const TopicStorage = row({
  topic: string,
  /** How many replicas each partition has. */
  replicas: whole,
  /** That of the first partition; null if none is known. */
  mode: maybe(string),
  /** The age of the newest upload of any partition, in milliseconds. */
  last_upload_ms: maybe(described(whole, 'milliseconds ago')),
  partitions: listOf(StoredPartition),
});
type TopicStorage = RowOf<typeof TopicStorage>;

/** `topic describe-storage` */
export const describeStorage = getCommand({
  summary: 'Describe the tiered storage of a topic: sizes, offsets and uploads',
  description: `Without a section flag, prints the summary and the sizes. CLOUD-STORAGE-MODE is, for example, "disabled", "write_only",
"read_only", "full", "read_replica" or "cloud_topic". Sizes are in bytes, and LAST-UPLOAD is the age of the newest upload in
milliseconds, unless -H is given. A partition whose storage cannot be read has the reason in its row and does not affect the
others. Each partition is asked for at its leader.`,
  examples: [
    ['Mode and sizes', 'topic describe-storage orders -H'],
    ['Offsets in object storage and on local disks', 'topic describe-storage orders -o'],
    ['All sections, for a script', 'topic describe-storage orders --format json'],
  ],
  apis: ['admin'],
  args: { topic: one(topicName, 'TOPIC', 'name of the topic') },
  flags: {
    printAll: toggle({ short: 'a', help: 'print all sections' }),
    printSummary: toggle({ short: 's', help: 'print the section SUMMARY' }),
    printOffset: toggle({ short: 'o', help: 'print the section OFFSETS' }),
    printSize: toggle({ short: 'z', help: 'print the section SIZE' }),
    printSync: toggle({ short: 'y', help: 'print the section SYNC' }),
    humanReadable: toggle({ short: 'H', help: 'print sizes like 1.7GB and ages like 3m05s in text' }),
  },
  row: TopicStorage,
  async read(context, { topic }) {
    const admin = await context.admin();
    const states = await admin.partitionsOf({ namespace: 'kafka', topic });
    const numbers = states.map(({ partition }) => partition);
    const storage = await admin.storageOf(topic, states);
    const partitions = numbers.map((partition, at) => rowOf(partition, storage[at]));
    return describedStorage(topic, states[0]?.replicas.length ?? 0, partitions);
  },
  text(row, view, { printAll, printSummary, printOffset, printSize, printSync, humanReadable: isHuman }) {
    const isDefault = ![printAll, printSummary, printOffset, printSize, printSync].includes(true);
    return storageText(row, view, {
      isHuman,
      summary: printAll || printSummary || isDefault,
      offsets: printAll || printOffset,
      sizes: printAll || printSize || isDefault,
      sync: printAll || printSync,
    });
  },
});

const unknown = Object.fromEntries(Object.keys(PartitionStorage.fields).map((key) => [key, null])) as {
  readonly [K in keyof PartitionStorage]: null;
};

function rowOf(partition: number, storage: PartitionStorage | CliError | undefined): StoredPartition {
  if (storage instanceof CliError) return { partition, ...unknown, error: itemErrorOf(storage) };
  return { partition, ...unknown, ...storage, error: null };
}

/** Which sections to print, and whether sizes and ages have units. */
interface StorageStyle {
  readonly isHuman: boolean;
  readonly summary: boolean;
  readonly offsets: boolean;
  readonly sizes: boolean;
  readonly sync: boolean;
}

/** Sums up the storage of the partitions of a topic. */
function describedStorage(topic: string, replicas: number, partitions: readonly StoredPartition[]): TopicStorage {
  const ages = partitions
    .flatMap((one) => [one.last_segment_upload_ms, one.last_manifest_upload_ms])
    .filter((age) => age !== null);
  const mode = partitions.find((one) => one.mode !== null)?.mode ?? null;
  return { topic, replicas, mode, last_upload_ms: least(ages), partitions };
}

function least(ages: readonly number[]): number | null {
  return ages.reduce<number | null>((least, age) => (least === null || age < least ? age : least), null);
}

/** The storage of a topic in sections. */
function storageText(row: TopicStorage, view: View, style: StorageStyle): string {
  const age = (ms: number | null): Cell => {
    if (ms === null) return null;
    return style.isHuman ? showElapsed(ms) : `${ms}ms`;
  };
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

type StorageColumn = Column<StoredPartition>;

const offsetColumns: readonly StorageColumn[] = [
  ['cloud start', (row) => row.cloud_start_offset],
  ['cloud last', (row) => row.cloud_last_offset],
  ['local start', (row) => row.local_start_offset],
  ['local last', (row) => row.local_last_offset],
];

function sizeColumns(bytes: (size: number | null) => Cell): readonly StorageColumn[] {
  return [
    ['cloud bytes', (row) => bytes(row.cloud_bytes)],
    ['local bytes', (row) => bytes(row.local_bytes)],
    ['total bytes', (row) => bytes(row.total_bytes)],
    'cloud_segments',
    'local_segments',
  ];
}

function syncColumns({ mode }: TopicStorage, age: ShowAge): readonly StorageColumn[] {
  return [
    ['last segment upload', (row) => age(row.last_segment_upload_ms)],
    ['last manifest upload', (row) => age(row.last_manifest_upload_ms)],
    'metadata_update_pending',
    ['last manifest sync', (row) => age(row.last_manifest_sync_ms), () => mode === 'read_replica'],
  ];
}

function rows({ partitions }: TopicStorage, columns: readonly StorageColumn[], view: View): string {
  return tableOf(partitions, ['partition', ...columns, errorIfAny()], view);
}
