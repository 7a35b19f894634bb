import type { WaitOptions } from '../../net/poll.ts';

/** A topic in object storage that can be mounted. */
export interface MountableTopic {
  readonly topic: string;
  readonly namespace: string;
  /** Tells topics of the same name apart, for example `orders/67f5505a-32f1-4677-bcad-3c75a1a702a6/10`. */
  readonly topic_location: string;
}

/** A topic by its namespace (`kafka` for topics of Kafka clients) and name. */
export interface TopicReference {
  readonly ns: string;
  readonly topic: string;
}

/** A topic that a migration mounts or unmounts. */
export interface MigratedTopic {
  readonly source: TopicReference;
  /** The name that it gets; null if it keeps its name. */
  readonly alias: TopicReference | null;
}

/** A mount or unmount to start. */
export interface NewMigration extends MigratedTopic {
  readonly type: 'inbound' | 'outbound';
}

/** A mount (`inbound`) or unmount (`outbound`) of topics. */
export interface Migration {
  readonly id: number;
  /**
   * `planned`, `preparing`, `prepared`, `executing`, `executed`, `cut_over`, `finished`; `canceling`, `cancelled`;
   * `deleted`.
   */
  readonly state: string;
  readonly type: string;
  readonly topics: readonly MigratedTopic[];
  /** Whether it goes on by itself, as mounts and unmounts do; null if the server does not say. */
  readonly advances: boolean | null;
  /** In milliseconds since the epoch; null if the server does not say. */
  readonly created: number | null;
  readonly completed: number | null;
}

/** The download of a topic during a restore, in partitions. */
export interface RestoredTopic {
  readonly topic: string;
  readonly pending: number;
  readonly successful: number;
  readonly failed: number;
}

/** A restore of the cluster from object storage. */
export interface RestoreState {
  /** `inactive` if none is running; otherwise the step that it is at, or `failed`. */
  readonly state: string;
  readonly error: string | null;
  /** Sorted by name; none if the server does not list them. */
  readonly topics: readonly RestoredTopic[];
}

/** The calls about mounts, unmounts and restores. */
export interface StorageCalls {
  /** The topics in object storage that can be mounted, sorted by namespace, name and location. */
  mountableTopics(): Promise<readonly MountableTopic[]>;
  /** The mounts and unmounts that the cluster knows of, sorted by id. */
  migrations(): Promise<readonly Migration[]>;
  /** A mount or unmount. @throws ApiError (404, exit 3) for an unknown id */
  migration(id: number): Promise<Migration>;
  /**
   * Mounts or unmounts a topic.
   * @param before the migrations that there were before, so that the new one is found even if the answer with its id is
   * lost
   * @returns the id of the migration
   */
  startMigration(wanted: NewMigration, before: readonly Migration[]): Promise<number>;
  /** Cancels a mount or unmount. */
  cancelMigration(id: number): Promise<void>;
  /**
   * Polls until a mount or unmount is finished.
   * @throws CliError (exit 6) if it is canceled, (exit 3) if it is deleted, (exit 5) on a timeout
   */
  waitForMigration(id: number, options: WaitOptions<Migration>): Promise<Migration>;
  /**
   * Polls until a mount or unmount is canceled.
   * @throws CliError (exit 6) if it has finished instead, (exit 5) on a timeout
   */
  waitForCancel(id: number, options: WaitOptions<Migration>): Promise<Migration>;
  /** How many partitions a topic has; undefined if it does not exist. */
  partitionCount(topic: TopicReference): Promise<number | undefined>;
  /** Starts to restore the cluster from object storage. @throws ApiError (409, exit 6) if a restore is running */
  startRestore(): Promise<void>;
  /** How far the restore is. */
  restoreState(): Promise<RestoreState>;
  /**
   * Polls until no restore is running.
   * @throws CliError (exit 1) if it has failed, (exit 5) on a timeout
   */
  waitForRestore(options: WaitOptions<RestoreState>): Promise<RestoreState>;
}
