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
  sorted,
  string,
  whole,
} from '../../shape/shape.ts';
import { enumName } from '../client/proto-json.ts';
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
  /** How far the schema registry is copied, where the link uses its API. */
  schema_registry: at('status.schemaRegistrySyncStatus', converted(plainFields, maybe(object))),
});
export type ShadowLink = RowOf<typeof ShadowLink>;

/** The fields of an answer with the names of the protocol, and numbers as numbers. */
function plainFields(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    plainFields(one),
  ]);
  return Object.fromEntries(entries);
}

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
