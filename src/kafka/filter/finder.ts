import type { Need } from './needs.ts';

/** Looks for bytes in a batch of records. */
export interface Finder {
  /** Begins with the bytes from `start` to `end`. */
  begin(bytes: Buffer, start: number, end: number): void;
  /** Returns the position of the next hit at or after `from`; -1 if there is none. */
  next(from: number): number;
}

interface Search {
  readonly bytes: Buffer;
  /** The position of the next hit in the batch; Infinity if there is none. */
  hit: number;
}

/** Creates a finder for the first of several alternatives. */
export function createFinder(need: Need): Finder {
  const searches: readonly Search[] = need.map((bytes) => ({ bytes: sharpened(bytes), hit: 0 }));
  let batch: Buffer = Buffer.alloc(0);
  let offset = 0;
  const look = (search: Search, from: number): void => {
    const found = batch.indexOf(search.bytes, from - offset);
    search.hit = found < 0 ? Number.POSITIVE_INFINITY : found + offset;
  };
  return {
    begin(bytes, start, end) {
      batch = bytes.subarray(start, end);
      offset = start;
      for (const search of searches) look(search, start);
    },
    next(from) {
      let first = Number.POSITIVE_INFINITY;
      for (const search of searches) {
        if (search.hit < from) look(search, from);
        if (search.hit < first) first = search.hit;
      }
      return first === Number.POSITIVE_INFINITY ? -1 : first;
    },
  };
}

/** Whether one of the alternatives is in `bytes` from `start` to `end`. */
export function containsOne(need: Need, bytes: Buffer, start: number, end: number): boolean {
  const part = bytes.subarray(start, end);
  return need.some((one) => part.includes(one));
}

/** So many bytes of a text are as rare as all of it. */
const enoughBytes = 6;

/**
 * Cuts common bytes from the beginning: the search looks for the first byte with fast instructions, and slowly at what
 * follows it. Quotes, for example, are everywhere in JSON.
 */
function sharpened(bytes: Buffer): Buffer {
  let best = 0;
  for (let at = 1; at <= bytes.length - enoughBytes; at++) {
    if (commonness(bytes[at] as number) < commonness(bytes[best] as number)) best = at;
  }
  return bytes.subarray(best);
}

/** Bytes by how common they are in records, the rarest first: what is not listed is in between. */
const rare = Buffer.from('~`^|<>;#$%&!?*=@+QZXJKVWYq()');
const common = Buffer.from('BFGHMPULDxjzkvwNTISROCAEygpfbmu9876543cdhl210srnioat_-.,/: {}[]\\e"');

const commonnessOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const among = common.indexOf(byte);
  if (among >= 0) return 128 + among;
  return rare.includes(byte) ? rare.indexOf(byte) : 100;
});

function commonness(byte: number): number {
  return commonnessOf[byte] as number;
}
