/** A rate of one broker: what weir set, and what was set before. */
export interface RateChange {
  readonly broker: number;
  /** One of `rateKeys`. */
  readonly key: string;
  /** Null: it was not set on the broker. */
  readonly old: string | null;
  readonly set: string;
}

/** The replicas that weir added to a list of one topic, as `PARTITION:BROKER`; empty if all were in it already. */
export interface ListChange {
  readonly topic: string;
  /** One of `replicaKeys`. */
  readonly key: string;
  readonly added: readonly string[];
}

/** The throttles that weir has set in a cluster and not yet removed. */
export interface ThrottleRecord {
  readonly rates: readonly RateChange[];
  readonly lists: readonly ListChange[];
}

/** The record of one cluster, held exclusively. */
export interface ThrottleBook {
  readonly record: ThrottleRecord;
  /** Replaces the record. */
  save(record: ThrottleRecord): Promise<void>;
}

/** Remembers throttles from one command to the next, so that what was there before can be restored. */
export interface ThrottleMemory {
  /**
   * Runs `work` with the record of a cluster, which no other weir changes until then.
   * @param purpose `set` before throttles are set, which must be remembered; `restore` otherwise
   */
  hold<T>(
    cluster: string | undefined,
    purpose: 'set' | 'restore',
    work: (book: ThrottleBook) => Promise<T>,
  ): Promise<T>;
}

/** How to limit the copying of replicas. */
export interface Throttle {
  /** What each broker may send and receive, in bytes per second. */
  readonly rate: number;
  readonly memory: ThrottleMemory;
}
