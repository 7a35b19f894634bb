import type { BatchStamp } from './produced-batch.ts';

/** A batch in a log. */
export interface Entry extends BatchStamp {
  readonly values: readonly string[];
  readonly base: number;
}

interface Producer {
  epoch: number;
  last: number;
  /** The last batches, at most five. */
  readonly window: Entry[];
}

/** The result of an append. */
export interface Appended {
  readonly code: number;
  readonly base: number;
}

/** Offsets begin here, so that an invented one is noticed. */
export const firstOffset = 1_000;

const mask = 0x7fffffff;

/** A partition: its leader's log and producer state (Kafka 2.5 and later; `isStrict`: earlier). */
export class ModelPartition {
  entries: Entry[] = [];
  /** 0 to 2; -1: none. */
  leader = 0;
  /** The last leader, even while there is none. */
  lastLeader = 0;
  /** Entries that every replica has. */
  replicated = 0;
  /** Fewer replicas are in sync than must be. */
  isShort = false;
  readonly producers = new Map<bigint, Producer>();
  /** Values whose acknowledgement reached the client. */
  readonly told = new Set<string>();
  /** Values that were acknowledged before the log lost them. */
  readonly lost = new Set<string>();
  private readonly isStrict: boolean;

  constructor(isStrict: boolean) {
    this.isStrict = isStrict;
  }

  get end(): number {
    const last = this.entries.at(-1);
    return last === undefined ? firstOffset : last.base + last.values.length;
  }

  /** As UnifiedLog and ProducerStateManager append for an idempotent producer. */
  append(batch: BatchStamp, values: readonly string[]): Appended {
    if (batch.producerId < 0n) return this.write(batch, values);
    const known = this.producers.get(batch.producerId);
    if (known === undefined) {
      if (this.isStrict && batch.sequence !== 0) return { code: 59, base: -1 };
      return this.write(batch, values);
    }
    if (batch.producerEpoch < known.epoch) return { code: 47, base: -1 };
    if (batch.producerEpoch > known.epoch) {
      return batch.sequence === 0 ? this.write(batch, values) : { code: 45, base: -1 };
    }
    const same = known.window.find(({ sequence, records }) => sequence === batch.sequence && records === batch.records);
    if (same !== undefined) return { code: 0, base: same.base };
    return batch.sequence === ((known.last + 1) & mask) ? this.write(batch, values) : { code: 45, base: -1 };
  }

  private write(batch: BatchStamp, values: readonly string[]): Appended {
    const { producerId, producerEpoch, sequence, records } = batch;
    const entry: Entry = { producerId, producerEpoch, sequence, records, values, base: this.end };
    this.entries.push(entry);
    if (producerId >= 0n) this.remember(entry);
    return { code: 0, base: entry.base };
  }

  private remember(entry: Entry): void {
    const known = this.producers.get(entry.producerId);
    const isSame = known !== undefined && known.epoch === entry.producerEpoch;
    const producer = isSame ? known : { epoch: entry.producerEpoch, last: -1, window: [] };
    producer.last = (entry.sequence + entry.records - 1) & mask;
    producer.window.push(entry);
    if (producer.window.length > 5) producer.window.shift();
    this.producers.set(entry.producerId, producer);
  }

  /** Makes another replica, with that many entries, the leader; it remembers `window` batches per producer (a snapshot keeps one). */
  elect(leader: number, length: number, window: number): void {
    for (const { values } of this.entries.slice(length)) {
      for (const value of values) if (this.told.has(value)) this.lost.add(value);
    }
    this.entries = this.entries.slice(0, length);
    this.replicated = Math.min(this.replicated, length);
    this.leader = leader;
    this.lastLeader = leader;
    this.producers.clear();
    for (const entry of this.entries) if (entry.producerId >= 0n) this.remember(entry);
    for (const producer of this.producers.values()) producer.window.splice(0, producer.window.length - window);
  }
}
