import { at, filled, listOf, maybe, type RowOf, row, sorted, string, truth, unless, whole } from '../shape/shape.ts';
import { enumName, int64Text } from './client/proto-json.ts';

/** How far the translation of a partition and its commits to the catalog are. */
const IcebergPartition = row({
  partition: unless(0, whole),
  /** The last offset written to Parquet; null if nothing is. */
  last_translated_offset: at('lastTranslatedOffset', maybe(int64Text)),
  /** The last offset committed to the catalog; null if nothing is. */
  last_committed_offset: at('lastCommittedOffset', maybe(int64Text)),
  /** The number of offsets that are written but not committed. */
  commit_lag: at('commitLag', int64Text),
});

const IcebergTopic = row({
  topic: string,
  /** `LIVE`, `CLOSED` (deleted, but its last files are still committed) or `PURGED`. */
  lifecycle_state: at('lifecycleState', enumName('ICEBERG_LIFECYCLE_STATE_')),
  partitions: sorted(listOf(IcebergPartition), (a, b) => a.partition - b.partition),
});
export type IcebergTopic = RowOf<typeof IcebergTopic>;

/** The Iceberg catalog as the broker that was asked reaches it, and the topics translated for it. */
export const IcebergStatus = row({
  catalog: row({
    reachable: unless(false, truth),
    /** For example `io_error` or `timedout`. */
    error_code: at('errorCode', maybe(filled)),
    error_message: at('errorMessage', maybe(filled)),
  }),
  topics: sorted(listOf(IcebergTopic), (a, b) => (a.topic < b.topic ? -1 : 1)),
});
export type IcebergStatus = RowOf<typeof IcebergStatus>;
