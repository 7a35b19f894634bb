import fc from 'fast-check';
import type { AbortedTransaction } from '../../../../src/kafka/streams/consume/aborted-transactions.ts';
import { batchBytes, markerBytes } from './control-batches.ts';

/** The actions of producers, in order. */
export type LogStep =
  /** A producer writes a batch in its transaction, which it opens if necessary. */
  | { readonly type: 'write'; readonly producer: number; readonly sizes: readonly number[] }
  /** A batch outside of transactions. */
  | { readonly type: 'plain'; readonly sizes: readonly number[] }
  | { readonly type: 'commit' | 'abort'; readonly producer: number };

/** Compaction of a batch; markers are removed only after the data of their transaction. */
export interface Thinning {
  /** Bit mask of the records that are kept. */
  readonly keep: number;
  /** A batch without records stays as a header. */
  readonly leavesHeader: boolean;
}

/** A record that a committed read must print, or a marker. */
export interface LogRecord {
  readonly offset: bigint;
  readonly value: string;
  readonly isMarker: boolean;
}

interface LogBatch {
  readonly base: bigint;
  readonly last: bigint;
  readonly bytes: Buffer;
  /** What a committed read prints of it. */
  readonly shown: readonly LogRecord[];
}

/** A partition on a broker: batches, and the index of aborted transactions in the order of their markers. */
export interface TransactionalLog {
  readonly batches: readonly LogBatch[];
  readonly abortedIndex: readonly (AbortedTransaction & { readonly lastOffset: bigint })[];
  readonly lastStableOffset: bigint;
  readonly end: bigint;
}

interface Transaction {
  readonly producerId: bigint;
  readonly first: bigint;
  outcome: 'open' | 'commit' | 'abort';
  /** Of the marker. */
  last: bigint;
}

interface Draft {
  readonly base: bigint;
  readonly transaction: Transaction | undefined;
  /** Undefined for a marker. */
  readonly sizes: readonly number[] | undefined;
}

/** Intentionally beyond 2^53, and one apart. */
const producerIds = [5n, 6n, 2n ** 60n, 2n ** 60n + 1n];

/** Steps of four producers that write, commit and abort in any order; in most logs no transaction stays open. */
export const anySteps: fc.Arbitrary<readonly LogStep[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: step('write') },
        { weight: 1, arbitrary: fc.record({ type: fc.constant('plain' as const), sizes: sizes() }) },
        { weight: 2, arbitrary: step('commit') },
        { weight: 3, arbitrary: step('abort') },
      ),
      { minLength: 1, maxLength: 60, size: 'max' },
    ),
    fc.option(fc.constantFrom<'commit' | 'abort'>('commit', 'abort'), { freq: 5 }),
  )
  .map(([steps, type]) => (type === null ? steps : [...steps, ...ending(type)]));

function ending(type: 'commit' | 'abort'): readonly LogStep[] {
  return producerIds.map((_, producer) => ({ type, producer }));
}

function sizes(): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat(40), { minLength: 1, maxLength: 4 });
}

function step(type: 'write' | 'commit' | 'abort'): fc.Arbitrary<LogStep> {
  const producer = fc.nat(producerIds.length - 1);
  return type === 'write'
    ? fc.record({ type: fc.constant(type), producer, sizes: sizes() })
    : fc.record({ type: fc.constant(type), producer });
}

/** Writes the log that results from the steps, compacted below its last stable offset. */
export function writeLog(steps: readonly LogStep[], thinnings: readonly Thinning[], base: bigint): TransactionalLog {
  const { drafts, end } = draftsOf(steps, base);
  const open = drafts.filter(({ transaction }) => transaction?.outcome === 'open').map((draft) => draft.base);
  const lastStableOffset = open.reduce((least, offset) => (offset < least ? offset : least), end);
  const alive = new Set<Transaction>();
  const batches: LogBatch[] = [];
  const abortedIndex: (AbortedTransaction & { readonly lastOffset: bigint })[] = [];
  for (const [at, draft] of drafts.entries()) {
    const thinning = draft.base < lastStableOffset ? thinnings[at % Math.max(thinnings.length, 1)] : undefined;
    const { transaction } = draft;
    if (transaction === undefined || draft.sizes !== undefined) {
      const batch = dataBatch(draft, thinning);
      if (batch === undefined) continue;
      batches.push(batch);
      if (transaction !== undefined && batch.bytes.readInt32BE(57) > 0) alive.add(transaction);
      continue;
    }
    const { producerId, first, last, outcome } = transaction;
    // Kafka keeps a marker and its index entry while the transaction has data.
    const isNeeded = alive.has(transaction);
    if (outcome === 'abort' && (isNeeded || thinning === undefined)) {
      abortedIndex.push({ producerId, firstOffset: first, lastOffset: last });
    }
    const marker = markerBatch(draft, transaction, isNeeded ? undefined : thinning);
    if (marker !== undefined) batches.push(marker);
  }
  return { batches, abortedIndex, lastStableOffset, end };
}

function draftsOf(steps: readonly LogStep[], base: bigint) {
  const open = new Map<bigint, Transaction>();
  const drafts: Draft[] = [];
  let end = base;
  for (const one of steps) {
    if (one.type === 'plain') {
      drafts.push({ base: end, transaction: undefined, sizes: one.sizes });
      end += BigInt(one.sizes.length);
      continue;
    }
    const producerId = producerIds[one.producer] ?? 0n;
    const known = open.get(producerId);
    if (one.type === 'write') {
      const transaction: Transaction = known ?? { producerId, first: end, outcome: 'open', last: end };
      open.set(producerId, transaction);
      drafts.push({ base: end, transaction, sizes: one.sizes });
      end += BigInt(one.sizes.length);
    } else if (known !== undefined) {
      open.delete(producerId);
      known.outcome = one.type;
      known.last = end;
      drafts.push({ base: end, transaction: known, sizes: undefined });
      end += 1n;
    }
  }
  return { drafts, end };
}

function dataBatch({ base, transaction, sizes = [] }: Draft, thinning?: Thinning): LogBatch | undefined {
  const all = sizes.map((size, delta) => ({ delta, key: null, value: Buffer.from('v'.repeat(size)) }));
  const records = all.filter(({ delta }) => thinning === undefined || ((thinning.keep >> delta) & 1) === 1);
  if (records.length === 0 && thinning?.leavesHeader !== true) return undefined;
  const lastOffsetDelta = sizes.length - 1;
  const producerId = transaction?.producerId ?? -1n;
  const isTransactional = transaction !== undefined;
  const isShown = transaction === undefined || transaction.outcome === 'commit';
  return {
    base,
    last: base + BigInt(lastOffsetDelta),
    bytes: batchBytes({ base, lastOffsetDelta, producerId, isTransactional, isControl: false, records }),
    shown: (isShown ? records : []).map(({ delta, value }) => ({
      ...{ offset: base + BigInt(delta), value: value.toString(), isMarker: false },
    })),
  };
}

function markerBatch({ base }: Draft, transaction: Transaction, thinning?: Thinning): LogBatch | undefined {
  const { producerId, outcome } = transaction;
  const type = outcome === 'abort' ? 'abort' : 'commit';
  if (thinning === undefined || (thinning.keep & 1) === 1) {
    const shown = [{ offset: base, value: type, isMarker: true }];
    return { base, last: base, bytes: markerBytes(base, producerId, type), shown };
  }
  if (!thinning.leavesHeader) return undefined;
  const empty = { base, lastOffsetDelta: 0, producerId, isTransactional: true, isControl: true, records: [] };
  return { base, last: base, bytes: batchBytes(empty), shown: [] };
}

/** A committed fetch as Kafka answers it. */
export interface CommittedAnswer {
  /** The first batch complete, the last one cut at the size limit. */
  readonly records: Buffer;
  readonly abortedTransactions: readonly AbortedTransaction[];
  /** The offset after the last whole batch. */
  readonly to: bigint;
  /** What a reader must print of the complete batches. */
  readonly shown: readonly LogRecord[];
}

/**
 * Answers a committed fetch: batches from the one that holds the offset, `size` bytes of them. The list has the
 * transactions that end at the offset or later and begin before the end of what is sent, which the broker only
 * knows roughly (`slack` offsets too far).
 */
export function answerFetch(log: TransactionalLog, offset: bigint, size: number, slack: bigint): CommittedAnswer {
  const stable = log.batches.filter(({ base, last }) => base < log.lastStableOffset && last >= offset);
  const whole: LogBatch[] = [];
  let length = 0;
  for (const batch of stable) {
    if (whole.length > 0 && length + batch.bytes.length > size) break;
    whole.push(batch);
    length += batch.bytes.length;
  }
  const to = (whole.at(-1)?.last ?? offset - 1n) + 1n;
  const sent = Math.max(size, whole[0]?.bytes.length ?? 0);
  return {
    records: Buffer.concat(stable.map(({ bytes }) => bytes)).subarray(0, sent),
    abortedTransactions: log.abortedIndex
      .filter(({ firstOffset, lastOffset }) => lastOffset >= offset && firstOffset < to + slack)
      .map(({ producerId, firstOffset }) => ({ producerId, firstOffset })),
    to,
    shown: whole.flatMap(({ shown }) => shown).filter((record) => record.offset >= offset),
  };
}
