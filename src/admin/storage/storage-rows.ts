import {
  anything,
  at,
  filled,
  listOf,
  mapped,
  maybe,
  orElse,
  type RowOf,
  read,
  row,
  sorted,
  string,
  truth,
  whole,
} from '../../shape/shape.ts';

/** A topic in object storage that can be mounted. */
export const MountableTopic = row({
  topic: string,
  namespace: at('ns', orElse(string, 'kafka')),
  /** Tells topics of the same name apart, for example `orders/67f5505a-32f1-4677-bcad-3c75a1a702a6/10`. */
  topic_location: string,
});
export type MountableTopic = RowOf<typeof MountableTopic>;

/** A topic by its namespace (`kafka` for topics of Kafka clients) and name. */
const TopicReference = row({ ns: orElse(string, 'kafka'), topic: string });
export type TopicReference = RowOf<typeof TopicReference>;

/** A topic of a mount; the alias is the name that it gets, null if it keeps its name. */
const MigratedTopic = row({ source: at('source_topic_reference', TopicReference), alias: maybe(TopicReference) });
export type MigratedTopic = RowOf<typeof MigratedTopic>;

/** Topics of a mount have a source; those of an unmount are plain references. */
const migratedTopic = mapped(anything, (topic): MigratedTopic => {
  const isMounted = typeof topic === 'object' && topic !== null && 'source_topic_reference' in topic;
  return isMounted ? read(MigratedTopic, topic) : { source: read(TopicReference, topic), alias: null };
});

/** A mount or unmount to start. */
export interface NewMigration extends MigratedTopic {
  readonly type: 'inbound' | 'outbound';
}

/** A mount (`inbound`) or unmount (`outbound`) of topics. */
export const Migration = row({
  id: whole,
  /**
   * `planned`, `preparing`, `prepared`, `executing`, `executed`, `cut_over`, `finished`; `canceling`, `cancelled`;
   * `deleted`.
   */
  state: string,
  type: at('migration.migration_type', string),
  /** None if it is about consumer groups only. */
  topics: at('migration.topics', listOf(migratedTopic)),
  /** Whether it goes on by itself, as mounts and unmounts do; null if the server does not say. */
  advances: at('migration.auto_advance', maybe(truth)),
  /** In milliseconds since the epoch; null if the server does not say. */
  created: at('created_timestamp', maybe(whole)),
  completed: at('completed_timestamp', maybe(whole)),
});
export type Migration = RowOf<typeof Migration>;

/** The download of a topic during a restore, in partitions. */
const restoredTopic = row({
  topic: at(
    'topic_namespace',
    mapped(string, (name) => name.replace(/^kafka\//, '')),
  ),
  pending: at('pending_downloads', orElse(whole, 0)),
  successful: at('successful_downloads', orElse(whole, 0)),
  failed: at('failed_downloads', orElse(whole, 0)),
});

/** A restore of the cluster from object storage. */
export const RestoreState = row({
  /** `inactive` if none is running; otherwise the step that it is at, or `failed`. */
  state: mapped(string, (state) => state.replace(/^recovery_stage::/, '')),
  /** Why the last restore has failed, or what the running one has met. */
  reason: at('error', maybe(filled)),
  /** Sorted by name; none if the server does not list them. */
  topics: at(
    'topic_download_counts',
    sorted(listOf(restoredTopic), (a, b) => (a.topic < b.topic ? -1 : 1)),
  ),
});
export type RestoreState = RowOf<typeof RestoreState>;
