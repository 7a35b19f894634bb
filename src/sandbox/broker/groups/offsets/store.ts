/** A committed offset. */
interface Committed {
  readonly offset: number;
  readonly leaderEpoch: number;
  readonly metadata: string;
  /** The id of the topic, in case another one has taken its name. */
  readonly topicId: string;
}

/** A partition, identified by its topic's name. */
export interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** A producer in one of its epochs. */
export interface Producer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/** The offsets of one group: committed ones, and pending ones of open transactions. */
export interface OffsetStore {
  get(partition: Partition): Committed | undefined;
  /** Lists the partitions with a committed or pending offset. */
  partitions(): readonly Partition[];
  /** Lists the topics of `partitions`. */
  topics(): readonly string[];
  put(partition: Partition, committed: Committed): void;
  delete(partition: Partition): void;
  /** Stores a pending offset; false when a later epoch of the producer is known. */
  putPending(producer: Producer, partition: Partition, committed: Committed): boolean;
  /** Checks whether an open transaction has an offset for the partition. */
  isPending(partition: Partition): boolean;
  /** Ends the transaction of a producer: commits or discards its pending offsets. */
  endTransaction(producer: Producer, isCommitted: boolean): void;
  /** Removes the offsets of topics that no longer exist with this name and id. */
  retain(isThere: (topic: string, topicId: string) => boolean): void;
  isEmpty(): boolean;
}

interface StoredOffset extends Partition {
  readonly committed: Committed;
}

const keyOf = ({ topic, partition }: Partition): string => `${partition}/${topic}`;

/** Creates an empty store. */
export function createOffsetStore(): OffsetStore {
  const committed = new Map<string, StoredOffset>();
  const pending = new Map<bigint, Map<string, StoredOffset>>();
  const epochs = new Map<bigint, number>();
  const all = (): Iterable<Map<string, StoredOffset>> => [committed, ...pending.values()];
  const partitions = (): readonly Partition[] => {
    const partitions = new Map<string, Partition>();
    for (const offsets of all())
      for (const [key, { topic, partition }] of offsets) partitions.set(key, { topic, partition });
    return [...partitions.values()];
  };
  return {
    get: (partition) => committed.get(keyOf(partition))?.committed,
    partitions,
    topics: () => [...new Set(partitions().map(({ topic }) => topic))],
    put: (partition, offset) => void committed.set(keyOf(partition), { ...partition, committed: offset }),
    delete(partition) {
      for (const offsets of all()) offsets.delete(keyOf(partition));
    },
    putPending({ producerId, producerEpoch }, partition, offset) {
      if (producerEpoch < (epochs.get(producerId) ?? producerEpoch)) return false;
      epochs.set(producerId, producerEpoch);
      const producerOffsets = pending.get(producerId) ?? new Map<string, StoredOffset>();
      pending.set(producerId, producerOffsets);
      producerOffsets.set(keyOf(partition), { ...partition, committed: offset });
      return true;
    },
    isPending: (partition) => [...pending.values()].some((own) => own.has(keyOf(partition))),
    endTransaction({ producerId, producerEpoch }, isCommitted) {
      epochs.set(producerId, producerEpoch);
      const producerOffsets = pending.get(producerId);
      pending.delete(producerId);
      if (isCommitted && producerOffsets !== undefined)
        for (const [key, offsets] of producerOffsets) committed.set(key, offsets);
    },
    retain(isThere) {
      for (const offsets of all()) {
        for (const [key, one] of [...offsets]) if (!isThere(one.topic, one.committed.topicId)) offsets.delete(key);
      }
    },
    isEmpty: () => partitions().length === 0,
  };
}
