import { byName } from '../../format/order.ts';
import { isObject } from '../../shape/object.ts';
import {
  at,
  converted,
  described,
  filled,
  int64,
  listOf,
  maybe,
  object,
  orElse,
  type RowOf,
  row,
  type Shape,
  sorted,
  string,
  whole,
} from '../../shape/shape.ts';
import { enumName, int64Text, timestamp } from '../client/proto-json.ts';
import type { LinkConfig } from './link-words.ts';

/** Work that a broker does for a link. */
export const LinkTask = row({
  name: string,
  broker: at('brokerId', orElse(whole, 0)),
  shard: orElse(whole, 0),
  /** `ACTIVE`, `PAUSED`, `LINK_UNAVAILABLE`, `NOT_RUNNING` or `FAULTED`; newer versions may have others. */
  state: enumName('TASK_STATE_'),
  reason: maybe(filled),
});
export type LinkTask = RowOf<typeof LinkTask>;

const partitionFields = row({
  partition: whole,
  source_last_stable_offset: maybe(int64),
  source_high_watermark: maybe(int64),
  high_watermark: maybe(int64),
  lag: described(maybe(int64), 'records that the source had when the link last heard of it, and this cluster has not'),
});

/** How far a partition is copied; null for what the link does not know yet, or no longer. */
export const ShadowPartition = converted((answer) => {
  if (!isObject(answer)) return answer;
  const source = offsetOf(answer.sourceHighWatermark);
  const here = offsetOf(answer.highWatermark);
  return {
    partition: Number(answer.partitionId ?? 0),
    source_last_stable_offset: offsetOf(answer.sourceLastStableOffset),
    source_high_watermark: source,
    high_watermark: here,
    lag: source === null || here === null ? null : source > here ? source - here : 0n,
  };
}, partitionFields);
export type ShadowPartition = RowOf<typeof ShadowPartition>;

/** An offset of an answer, whose 64 bits are text; null for -1, which it has for none. */
function offsetOf(given: unknown): bigint | null {
  const text = String(given ?? 0);
  return /^\d+$/.test(text) ? BigInt(text) : null;
}

/** A topic that a link copies. */
export const ShadowTopic = row({
  name: string,
  source_topic: at('sourceTopicName', maybe(string)),
  /**
   * `ACTIVE`, `FAULTED`, `PAUSED`, `FAILING_OVER`, `FAILED_OVER`, `PROMOTING` or `PROMOTED`; newer versions may have
   * others.
   */
  state: at('status.state', enumName('SHADOW_TOPIC_STATE_')),
  partitions: at(
    'status.partitionInformation',
    sorted(listOf(ShadowPartition), (a, b) => a.partition - b.partition),
  ),
});
export type ShadowTopic = RowOf<typeof ShadowTopic>;

/** The fields of what one copying of the schema registry did, which are below `path`. */
function syncFields(path: string) {
  return {
    start_time: at(`${path}startTime`, timestamp),
    finish_time: at(`${path}finishTime`, timestamp),
    subject_versions_changed: at(`${path}subjectVersionsChanged`, int64Text),
    compatibility_configs_changed: at(`${path}compatibilityConfigsChanged`, int64Text),
    modes_changed: at(`${path}modesChanged`, int64Text),
    unsupported_features_removed: at(`${path}unsupportedFeaturesRemoved`, int64Text),
    errors: at(`${path}errors`, int64Text),
  };
}

const begunSync = emptyUnless(({ startTime }) => Date.parse(String(startTime)) > 0, row(syncFields('')));

/**
 * How far the schema registry is copied. The server writes every field: a copying that does not run has no type, and one
 * that never ran began at the epoch (redpanda commit 1b95a07c: bazel/pbgen/main.go:1311).
 */
export const RegistrySync = row({
  selected_source_subjects: at('inventory.selectedSourceSubjects', int64Text),
  selected_source_subject_versions: at('inventory.selectedSourceSubjectVersions', int64Text),
  destination_subjects: at('inventory.destinationSubjects', int64Text),
  destination_subject_versions: at('inventory.destinationSubjectVersions', int64Text),
  /** Null unless one runs. */
  current_sync: at(
    'currentSync',
    emptyUnless(
      ({ syncType }) => syncType !== 'SCHEMA_REGISTRY_SYNC_TYPE_UNSPECIFIED',
      row({
        /** `FULL` or `TAIL`; newer versions may have others. */
        type: at('syncType', enumName('SCHEMA_REGISTRY_SYNC_TYPE_')),
        ...syncFields('summary.'),
      }),
    ),
  ),
  /** Null before the first. */
  last_full_sync: at('lastFullSync', begunSync),
  /** Null before the first of the broker that copies. */
  totals_since_task_start: at('totalsSinceTaskStart', begunSync),
  last_error_message: at('lastErrorMessage', maybe(filled)),
});

/** A shape of an object; null for one that stands for none. */
function emptyUnless<T>(
  isThere: (answer: Readonly<Record<string, unknown>>) => boolean,
  shape: Shape<T>,
): Shape<T | null> {
  return converted((answer) => (isObject(answer) && isThere(answer) ? answer : null), maybe(shape));
}

/** A shadow link, as the Admin API returns it. */
export const ShadowLink = row({
  name: string,
  uid: string,
  /** `ACTIVE` or `PAUSED`; newer versions may have others. */
  state: at('status.state', enumName('SHADOW_LINK_STATE_')),
  /** As it is in the answer; `linkConfig` makes the form of a file of it. */
  configurations: orElse(object, {}),
  tasks: at('status.taskStatuses', listOf(LinkTask)),
  topics: at('status.shadowTopics', sorted(listOf(ShadowTopic), byName)),
  /** The topic properties that the link copies. */
  synced_topic_properties: at('status.syncedShadowTopicProperties', listOf(string)),
  /** How far the schema registry is copied, where the link uses its API; otherwise zeros. */
  schema_registry: at('status.schemaRegistrySyncStatus', maybe(RegistrySync)),
});
export type ShadowLink = RowOf<typeof ShadowLink>;

/** What an update of a link sends. */
export interface LinkUpdate {
  /** The link as it was read. */
  readonly current: ShadowLink;
  /** The whole configuration that it gets. */
  readonly config: LinkConfig;
  /** The sections that change. */
  readonly sections: readonly string[];
}

/** A deletion of a link. */
export interface LinkDeletion {
  readonly name: string;
  /** Whether topics that are still copied are failed over. */
  readonly force: boolean;
}

/** A failover of one topic of a link, or of all. */
export interface Failover {
  readonly name: string;
  readonly topic: string | undefined;
  /** The topics that fail over. */
  readonly topics: readonly string[];
}
