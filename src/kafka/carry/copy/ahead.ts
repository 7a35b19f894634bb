import { exactOffset, type RecordCursor } from '../../records/batches/cursor.ts';
import { printedEpoch } from '../../streams/consume/epochs.ts';
import type { PartitionPosition } from '../../streams/consume/position.ts';
import type { OpenBatch } from '../writing.ts';

/**
 * What the destination has of a source partition behind the offset up to which it has everything: if records are spread
 * over partitions by their keys, one of these may refuse a record while the others take what follows.
 */
export interface Ahead {
  /** The number of partitions over which records are spread; with another number it says nothing. */
  readonly lanes: number;
  /** The leader epoch of the last of the records. Those that replace them after an unclean election have a greater one. */
  readonly epoch: number;
  /** The source offset up to which the partitions have their records. */
  readonly upTo: bigint;
  /** The same for those that have less. */
  readonly others: ReadonlyMap<number, bigint>;
}

/** Whether a partition of the destination has the record under the cursor. */
export function hasWritten({ epoch, upTo, others }: Ahead, cursor: RecordCursor, lane: number): boolean {
  if (cursor.magic !== 2 || cursor.leaderEpoch > epoch) return false;
  return exactOffset(cursor) < (others.get(lane) ?? upTo);
}

/** How far a source partition was read. */
interface Read {
  readonly position: PartitionPosition;
  /** The source offset up to which everything was handed to the writing. */
  readonly handed: bigint;
  /** How often it was read on at another offset. */
  readonly jumps: number;
}

/** The state of the destination after a failure. */
interface Failed {
  /** What it does not have of what was read. */
  readonly open: readonly Pick<OpenBatch, 'position' | 'partition' | 'from'>[];
  /** What it had when the run began. */
  readonly before: Ahead | undefined;
}

/** What the destination has of a source partition after a failure; undefined if that cannot be told by offsets. */
export function aheadOf({ position, handed, jumps }: Read, lanes: number, { open, before }: Failed): Ahead | undefined {
  const epoch = printedEpoch({ ...position, printed: handed });
  if (epoch < 0 || jumps > 0) return undefined;
  const missing = new Map<number, bigint>();
  for (const { position: openPosition, partition, from } of open) {
    const first = missing.get(partition);
    if (openPosition === position && (first === undefined || from < first)) missing.set(partition, from);
  }
  const earlier = before?.lanes === lanes && before.epoch === epoch ? before : undefined;
  const reached = Array.from({ length: lanes }, (_, lane) => {
    const now = missing.get(lane) ?? handed;
    const then = earlier?.others.get(lane) ?? earlier?.upTo ?? now;
    return then > now ? then : now;
  });
  const upTo = reached.reduce((most, one) => (one > most ? one : most), handed);
  const others = reached.flatMap((one, lane) => (one < upTo ? [[lane, one] as const] : []));
  return { lanes, epoch, upTo, others: new Map(others) };
}

/** The word for it in stored progress. */
export function encodeAhead(partition: number, { lanes, epoch, upTo, others }: Ahead): string {
  const less = [...others].map(([lane, offset]) => `,${lane}:${offset}`).join('');
  return `${partition}~${lanes}@${epoch}=${upTo}${less}`;
}

/** Reads the word; undefined for another one. */
export function decodeAhead(word: string): readonly [partition: number, ahead: Ahead] | undefined {
  const match = /^(\d+)~(\d+)@(\d+)=(\d+)((?:,\d+:\d+)*)$/.exec(word);
  if (match === null) return undefined;
  const [, partition, lanes, epoch, upTo = '', less = ''] = match;
  const others = [...less.matchAll(/(\d+):(\d+)/g)].map(
    ([, lane, offset = '']) => [Number(lane), BigInt(offset)] as const,
  );
  return [
    Number(partition),
    { lanes: Number(lanes), epoch: Number(epoch), upTo: BigInt(upTo), others: new Map(others) },
  ];
}
