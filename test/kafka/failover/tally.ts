/** One record as weir printed it. */
export interface Printed {
  readonly partition: number;
  readonly offset: number;
  /** Its number in the producer's input. */
  readonly key: number;
}

/** Counts what weir prints with `-f '%p %o %k\n'`, over all members of a group. */
export interface Tally {
  /** In the order of printing. */
  readonly printed: readonly Printed[];
  /** How many different keys were printed. */
  readonly distinct: number;
  /** A function that receives the output of one command in arbitrary pieces. */
  reader(): (text: string) => void;
  /** Resolves with the first record of every partition whose key is this or a later one. */
  passed(key: number): Promise<readonly Printed[]>;
  /** Resolves when that many different keys were printed. */
  reached(keys: number): Promise<void>;
}

interface Waiting {
  isOver(record: Printed | undefined): boolean;
  resolve(): void;
}

/** A tally of a topic with that many partitions. */
export function createTally(partitions: number): Tally {
  const printed: Printed[] = [];
  const keys = new Set<number>();
  let waiting: Waiting[] = [];
  function take(line: string): void {
    const [partition = -1, offset = -1, key = -1] = line.split(' ').map(Number);
    const record = { partition, offset, key };
    printed.push(record);
    keys.add(key);
    if (waiting.length > 0) wake(record);
  }
  function wake(record: Printed | undefined): void {
    const over = waiting.filter((one) => one.isOver(record));
    waiting = waiting.filter((one) => !over.includes(one));
    for (const one of over) one.resolve();
  }
  function wait(isOver: Waiting['isOver']): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ isOver, resolve });
    wake(undefined);
    return promise;
  }
  return {
    printed,
    get distinct() {
      return keys.size;
    },
    reader() {
      let rest = '';
      return (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) take(line);
      };
    },
    async passed(from) {
      const first = new Map<number, Printed>();
      await wait((record) => {
        if (record !== undefined && record.key >= from && !first.has(record.partition)) {
          first.set(record.partition, record);
        }
        return first.size === partitions;
      });
      return [...first.values()];
    },
    reached: (wanted) => wait(() => keys.size >= wanted),
  };
}

/** The keys that were printed more than once. */
export function repeated({ printed }: Tally): readonly number[] {
  const counts = new Map<number, number>();
  for (const { key } of printed) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key);
}

/** Keys that were printed out of order, by partition. */
export function outOfOrder({ printed }: Tally): readonly Printed[] {
  const last = new Map<number, number>();
  return printed.filter(({ partition, key }) => {
    const before = last.get(partition) ?? -1;
    last.set(partition, Math.max(before, key));
    return key < before;
  });
}
