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
export const mountableTopic = row({
  topic: string,
  namespace: at('ns', orElse(string, 'kafka')),
  /** Tells topics of the same name apart, for example `orders/67f5505a-32f1-4677-bcad-3c75a1a702a6/10`. */
  topic_location: string,
});

/** A topic in object storage that can be mounted. */
export type MountableTopic = RowOf<typeof mountableTopic>;

/** A topic by its namespace (`kafka` for topics of Kafka clients) and name. */
const topicReference = row({ ns: orElse(string, 'kafka'), topic: string });

/** A topic by its namespace (`kafka` for topics of Kafka clients) and name. */
export type TopicReference = RowOf<typeof topicReference>;

/** A topic of a mount; the alias is the name that it gets, null if it keeps its name. */
const mountedTopic = row({ source: at('source_topic_reference', topicReference), alias: maybe(topicReference) });

/** A topic that a migration mounts or unmounts. */
export type MigratedTopic = RowOf<typeof mountedTopic>;

/** Topics of a mount have a source; those of an unmount are plain references. */
const migratedTopic = mapped(anything, (topic): MigratedTopic => {
  const isMounted = typeof topic === 'object' && topic !== null && 'source_topic_reference' in topic;
  return isMounted ? read(mountedTopic, topic) : { source: read(topicReference, topic), alias: null };
});

/** A mount or unmount to start. */
export interface NewMigration extends MigratedTopic {
  readonly type: 'inbound' | 'outbound';
}

/** A mount (`inbound`) or unmount (`outbound`) of topics. */
export const migration = row({
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

/** A mount (`inbound`) or unmount (`outbound`) of topics. */
export type Migration = RowOf<typeof migration>;

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
export const restoreState = row({
  /** `inactive` if none is running; otherwise the step that it is at, or `failed`. */
  state: mapped(string, (state) => state.replace(/^recovery_stage::/, '')),
  error: maybe(filled),
  /** Sorted by name; none if the server does not list them. */
  topics: at(
    'topic_download_counts',
    sorted(listOf(restoredTopic), (a, b) => (a.topic < b.topic ? -1 : 1)),
  ),
});

/** A restore of the cluster from object storage. */
export type RestoreState = RowOf<typeof restoreState>;
