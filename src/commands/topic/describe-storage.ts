import type { PartitionStorage } from '../../admin/partitions/partition-rows.ts';
import { command, one, toggle } from '../../cli/command.ts';
import { CliError, type ItemError } from '../../errors.ts';
import { itemRefusal } from '../cluster/partitions/changes.ts';
import { describedStorage, storageText } from './describe-storage-text.ts';
import { topicName } from './topic-name.ts';

/** The storage of a partition; without an error, its `mode` is known. */
export interface PartitionStorageRow extends Omit<PartitionStorage, 'mode'> {
  readonly partition: number;
  readonly mode: string | null;
  readonly error: ItemError | null;
}

/** The storage of a topic. */
export interface TopicStorage {
  readonly topic: string;
  /** How many replicas each partition has. */
  readonly replicas: number;
  /** That of the first partition; null if none is known. */
  readonly mode: string | null;
  /** The age of the newest upload of any partition, in milliseconds. */
  readonly last_upload_ms: number | null;
  readonly partitions: readonly PartitionStorageRow[];
}

const offset = nullable(integerSchema);

/** `topic describe-storage` */
export const describeStorage = command({
  summary: 'Describe the tiered storage of a topic: sizes, offsets and uploads',
  description: `Without a section flag, prints the summary and the sizes. CLOUD-STORAGE-MODE is "disabled", "write_only", "read_only", "full"
or "read_replica". Sizes are in bytes, and LAST-UPLOAD is
the age of the newest upload in milliseconds, unless -H is given. A partition whose storage cannot be read has the reason in
its row and does not affect the others. Each partition is asked for at its leader.`,
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
  changes: 'reads',
  async run(context, { topic }): Promise<TopicStorage> {
    const admin = await context.admin();
    const found = await admin.partitionsOf({ namespace: 'kafka', topic });
    const numbers = found.map(({ partition }) => partition);
    const storage = await admin.storageOf(topic, numbers);
    const partitions = numbers.map((partition, at) => rowOf(partition, storage[at]));
    return describedStorage(topic, found[0]?.replicas.length ?? 0, partitions);
  },
  output: {
    schema: object({
      topic: string,
      replicas: integerSchema,
      mode: nullable(string),
      last_upload_ms: nullable(integerSchema),
      partitions: arrayOf(
        object({
          partition: integerSchema,
          mode: nullable(string),
          ...{ cloud_start_offset: offset, cloud_last_offset: offset },
          ...{ local_start_offset: offset, local_last_offset: offset },
          ...{ cloud_bytes: offset, local_bytes: offset, total_bytes: offset },
          ...{ cloud_segments: offset, local_segments: offset },
          ...{ last_segment_upload_ms: offset, last_manifest_upload_ms: offset, last_manifest_sync_ms: offset },
          metadata_update_pending: nullable(booleanSchema),
          error: itemErrorSchema,
        }),
      ),
    }),
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
  },
});

const unknown = {
  ...{ mode: null, cloud_start_offset: null, cloud_last_offset: null, local_start_offset: null },
  ...{ local_last_offset: null, cloud_bytes: null, local_bytes: null, total_bytes: null, cloud_segments: null },
  ...{ local_segments: null, last_segment_upload_ms: null, last_manifest_upload_ms: null },
  ...{ last_manifest_sync_ms: null, metadata_update_pending: null },
};

function rowOf(partition: number, storage: PartitionStorage | CliError | undefined): PartitionStorageRow {
  const isKnown = storage !== undefined && !(storage instanceof CliError);
  if (isKnown) return { partition, ...storage, error: null };
  return { partition, ...unknown, error: itemRefusal(storage) };
}
