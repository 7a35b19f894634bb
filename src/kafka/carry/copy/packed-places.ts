import { numbersIn, pushNumber } from '../../../bytes/numbers.ts';

/** Up to where a source partition is copied. */
export interface Place {
  readonly partition: number;
  readonly offset: bigint;
  /** The leader epoch of the record before it; -1 if that is not known. */
  readonly epoch: number;
}

/**
 * Packs what one partition of the destination stores of other source partitions, as numbers: the distance of theirs, and
 * then, of each sequence without a gap, the gap before it, its length, and the offset and the epoch of each. The text is
 * never longer than that of greater offsets and epochs, or of more partitions.
 */
export function packPlaces(carrier: number, distance: number, places: readonly Place[]): string {
  const bytes: number[] = [];
  const push = (number: bigint | number): void => pushNumber(bytes, BigInt(number));
  push(distance);
  const sorted = places
    .map((place) => ({ ...place, index: (place.partition - carrier) / distance }))
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
export function unpackPlaces(carrier: number, text: string): readonly Place[] | undefined {
  const places: Place[] = [];
  try {
    const numbers = [...numbersIn(Buffer.from(text, 'base64url'))];
    let at = 0;
    const take = (): bigint => {
      const number = numbers[at];
      if (number === undefined) throw new Error('a number is missing');
      at += 1;
      return number;
    };
    const distance = Number(take());
    for (let index = 1; at < numbers.length; ) {
      index += Number(take());
      for (let left = take(); left > 0n; left -= 1n) {
        places.push({ partition: carrier + index * distance, offset: take(), epoch: Number(take()) - 1 });
        index += 1;
      }
    }
    return places;
  } catch {
    return undefined;
  }
}
