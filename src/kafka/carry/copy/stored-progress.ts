import { numbersIn, pushNumber } from '../../../bytes/numbers.ts';
import { copyMark } from '../../cluster/groups/descriptions.ts';
import type { StoredOffset } from '../stored-offsets.ts';
import { type Ahead, decodeAhead, encodeAhead } from './ahead.ts';

/**
 * A copy keeps its progress in a group of the destination, because a transaction there can include it, and the cluster
 * removes it together with the topic. A group stores offsets only for partitions that the cluster has: the offset of
 * source partition N is stored for partition N of the destination topic, or, if that has fewer partitions, in the
 * metadata of one of them.
 */
export interface Progress {
  /** The ids of the topics that it is about; '' where brokers report none. */
  readonly sourceId: string;
  readonly targetId: string;
  /** The name of the source and its cluster (see `sourceName`), where the name of the group does not say it. */
  readonly origin?: string | undefined;
  /** How far each partition of the source is copied. */
  readonly partitions: ReadonlyMap<number, CopiedPartition>;
}

/** How far a source partition is copied. */
export interface CopiedPartition {
  /** The source offset up to which the destination has everything. */
  readonly offset: bigint;
  /** The leader epoch of the record before it, which tells whether the log was cut since; -1 when unknown. */
  readonly epoch: number;
  /** What of the records behind it the destination has as well. */
  readonly ahead?: Ahead | undefined;
}

/** Kafka's default for `offset.metadata.max.bytes`. */
export const metadataBytes = 4_096;
/** The mark of the metadata's form. */
const form = `${copyMark}2`;
/** These stand in front of the origin, the epoch of the partition itself, and what is stored of others. */
const marks = { origin: 'of:', epoch: '@', others: '+' };

/** The name of a topic in a cluster, in one word. */
export function sourceName(topic: string, clusterId: string | undefined): string {
  return `${encodeURIComponent(clusterId ?? '')}:${topic}`;
}

/** The partition of the destination that stores the progress of a source partition. */
export function carrierOf(partition: number, partitions: number): number {
  return partition % partitions;
}

/** Puts progress into the offsets of a topic with so many partitions. */
export function encodeProgress(topic: string, progress: Progress, partitions: number): readonly StoredOffset[] {
  const { sourceId, targetId, origin } = progress;
  const head = [form, sourceId || '-', targetId || '-', ...(origin === undefined ? [] : [marks.origin + origin])];
  const byCarrier = Map.groupBy(progress.partitions, ([partition]) => carrierOf(partition, partitions));
  return [...byCarrier].map(([carrier, entries]) => {
    const others = entries.filter(([partition]) => partition !== carrier);
    const { offset = 0n, epoch = -1 } = progress.partitions.get(carrier) ?? {};
    let metadata = [
      ...head,
      ...(epoch < 0 ? [] : [`${marks.epoch}${epoch}`]),
      ...(others.length === 0 ? [] : [marks.others + packOthers(carrier, partitions, others)]),
    ].join(' ');
    for (const [partition, { offset: reached, ahead }] of entries) {
      if (ahead === undefined || ahead.upTo <= reached) continue;
      const longer = `${metadata} ${encodeAhead(partition, ahead)}`;
      // Without what is behind an offset, some records are copied again.
      if (longer.length <= metadataBytes) metadata = longer;
    }
    return { topic, partition: carrier, offset, metadata };
  });
}

/** Reads progress from the offsets of a topic; undefined for an offset that no copy has stored. */
export function decodeProgress({ partition, offset, metadata }: StoredOffset): Progress | undefined {
  const [mark, sourceId = '-', targetId = '-', ...words] = metadata.split(' ');
  if (mark !== form || offset < 0n) return undefined;
  const after = (sign: string): string | undefined => words.find((word) => word.startsWith(sign))?.slice(sign.length);
  const packed = after(marks.others);
  const others = packed === undefined ? [] : unpackOthers(partition, packed);
  if (others === undefined) return undefined;
  const aheads = new Map(words.flatMap((word) => [decodeAhead(word)].filter((one) => one !== undefined)));
  const all: readonly Entry[] = [[partition, { offset, epoch: Number(after(marks.epoch) ?? -1) }], ...others];
  return {
    sourceId: sourceId === '-' ? '' : sourceId,
    targetId: targetId === '-' ? '' : targetId,
    origin: after(marks.origin),
    partitions: new Map(all.map(([one, copied]) => [one, { ...copied, ahead: aheads.get(one) }])),
  };
}

type Entry = readonly [partition: number, copied: CopiedPartition];

/**
 * Packs what one partition of the destination stores of other source partitions, as numbers: the distance of theirs, and
 * then, of each sequence without a gap, the gap before it, its length, and the offset and the epoch of each. The text is
 * never longer than that of greater offsets and epochs, or of more partitions.
 */
function packOthers(carrier: number, distance: number, entries: readonly Entry[]): string {
  const bytes: number[] = [];
  const push = (number: bigint | number): void => pushNumber(bytes, BigInt(number));
  push(distance);
  const sorted = entries
    .map(([partition, copied]) => ({ ...copied, index: (partition - carrier) / distance }))
    .sort((a, b) => a.index - b.index);
  let next = 1;
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at]?.index ?? 0;
    let count = 1;
    while (sorted[at + count]?.index === first + count) count += 1;
    push(first - next);
    push(count);
    for (const { offset, epoch } of sorted.slice(at, at + count)) {
      push(offset);
      push(epoch + 1);
    }
    next = first + count;
    at += count;
  }
  return Buffer.from(bytes).toString('base64url');
}

/** Reads it again; undefined if that is not what it is. */
function unpackOthers(carrier: number, text: string): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  try {
    const all = [...numbersIn(Buffer.from(text, 'base64url'))];
    let at = 0;
    const take = (): bigint => {
      const number = all[at];
      if (number === undefined) throw new Error('a number is missing');
      at += 1;
      return number;
    };
    const distance = Number(take());
    for (let index = 1; at < all.length; ) {
      index += Number(take());
      for (let left = take(); left > 0n; left -= 1n) {
        entries.push([carrier + index * distance, { offset: take(), epoch: Number(take()) - 1 }]);
        index += 1;
      }
    }
    return entries;
  } catch {
    return undefined;
  }
}
