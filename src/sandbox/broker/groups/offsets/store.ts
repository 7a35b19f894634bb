/** A committed offset. */
export interface Committed {
  readonly offset: number;
  readonly leaderEpoch: number;
  readonly metadata: string;
}

/** A partition by its topic's name. */
export interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** The offsets of one group: what is committed, and what waits for the end of a producer's transaction. */
export interface OffsetStore {
  get(partition: Partition): Committed | undefined;
  /** Every partition with a committed offset, or one that a transaction is about to commit. */
  partitions(): readonly Partition[];
  /** The topics among `partitions`. */
  topics(): readonly string[];
  put(partition: Partition, committed: Committed): void;
  delete(partition: Partition): void;
  putPending(producerId: number, partition: Partition, committed: Committed): void;
  /** Whether a transaction that is still open has an offset for it. */
  isPending(partition: Partition): boolean;
  /** Ends the transaction of a producer: what is pending becomes committed, or goes. */
  endTransaction(producerId: number, isCommitted: boolean): void;
  deleteTopic(topic: string): void;
  isEmpty(): boolean;
}

interface Kept extends Partition {
  readonly committed: Committed;
}

const keyOf = ({ topic, partition }: Partition): string => `${partition}/${topic}`;

/** No offsets yet. */
export function createOffsetStore(): OffsetStore {
  const committed = new Map<string, Kept>();
  const pending = new Map<number, Map<string, Kept>>();
  const all = (): Iterable<Map<string, Kept>> => [committed, ...pending.values()];
  const partitions = (): readonly Partition[] => {
    const found = new Map<string, Partition>();
    for (const kept of all()) for (const [key, { topic, partition }] of kept) found.set(key, { topic, partition });
    return [...found.values()];
  };
  return {
    get: (partition) => committed.get(keyOf(partition))?.committed,
    partitions,
    topics: () => [...new Set(partitions().map(({ topic }) => topic))],
    put: (partition, offset) => void committed.set(keyOf(partition), { ...partition, committed: offset }),
    delete(partition) {
      for (const kept of all()) kept.delete(keyOf(partition));
    },
    putPending(producerId, partition, offset) {
      const own = pending.get(producerId) ?? new Map<string, Kept>();
      pending.set(producerId, own);
      own.set(keyOf(partition), { ...partition, committed: offset });
    },
    isPending: (partition) => [...pending.values()].some((own) => own.has(keyOf(partition))),
    endTransaction(producerId, isCommitted) {
      const own = pending.get(producerId);
      pending.delete(producerId);
      if (isCommitted && own !== undefined) for (const [key, kept] of own) committed.set(key, kept);
    },
    deleteTopic(topic) {
      for (const kept of all()) for (const [key, one] of [...kept]) if (one.topic === topic) kept.delete(key);
    },
    isEmpty: () => partitions().length === 0,
  };
}
