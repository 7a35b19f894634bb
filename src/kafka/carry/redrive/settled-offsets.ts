import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { numbersIn, pushNumber } from '../../../bytes/numbers.ts';

/** Offsets from one on, up to another. */
interface Run {
  from: bigint;
  to: bigint;
}

/** The offsets of a partition that need not be looked at again: their records were sent, or are gone. */
export interface SettledOffsets {
  /** Everything below is settled. */
  readonly floor: bigint;
  /** Nothing from here on is settled. */
  readonly ceiling: bigint;
  has(offset: bigint): boolean;
  /** Adds the offsets from `from` up to `to`. */
  add(from: bigint, to: bigint): void;
  /** Forgets one offset. */
  remove(offset: bigint): void;
  /** Forgets the offsets from `from` on. */
  cut(from: bigint): void;
  /** The settled offsets above the floor as text: without letters that separate words. */
  encode(): string;
}

/** The size of the longest list that is read, in bytes; brokers store much less. */
const mostBytes = 1 << 24;

/** Creates a set in which everything below `floor` is settled, and what `text` says. @throws if that is not readable */
export function createSettledOffsets(floor: bigint, text = ''): SettledOffsets {
  let below = floor;
  /** In order, without two that touch; all above `below`. */
  const runs = decode(floor, text);

  /** The index of the first run that ends at or after an offset. */
  function indexOf(offset: bigint): number {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.to ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function add(from: bigint, to: bigint): void {
    if (to <= from) return;
    const first = indexOf(from);
    const merged = { from, to };
    let after = first;
    for (let run = runs[after]; run !== undefined && run.from <= to; run = runs[after]) {
      merged.from = least(merged.from, run.from);
      merged.to = most(merged.to, run.to);
      after += 1;
    }
    runs.splice(first, after - first, merged);
    for (let [lowest] = runs; lowest !== undefined && lowest.from <= below; [lowest] = runs) {
      below = most(below, lowest.to);
      runs.shift();
    }
  }

  return {
    get floor() {
      return below;
    },
    get ceiling() {
      return runs.at(-1)?.to ?? below;
    },
    has: (offset) => offset < below || (runs[indexOf(offset + 1n)]?.from ?? offset + 1n) <= offset,
    add,
    remove(offset) {
      if (offset < below) {
        if (offset + 1n < below) runs.unshift({ from: offset + 1n, to: below });
        below = offset;
        return;
      }
      const at = indexOf(offset + 1n);
      const run = runs[at];
      if (run === undefined || run.from > offset) return;
      const halves = [
        { from: run.from, to: offset },
        { from: offset + 1n, to: run.to },
      ];
      runs.splice(at, 1, ...halves.filter(({ from, to }) => from < to));
    },
    cut(from) {
      below = least(below, from);
      const [cut] = runs.splice(indexOf(from));
      if (cut !== undefined && cut.from < from) runs.push({ from: cut.from, to: from });
    },
    encode: () => encode(below, runs),
  };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** The distances between the ends of all runs, packed. */
function encode(floor: bigint, runs: readonly Run[]): string {
  const bytes: number[] = [];
  let last = floor;
  for (const { from, to } of runs) {
    pushNumber(bytes, from - last);
    pushNumber(bytes, to - from);
    last = to;
  }
  return bytes.length === 0 ? '' : deflateRawSync(Buffer.from(bytes)).toString('base64url');
}

function decode(floor: bigint, text: string): Run[] {
  if (text === '') return [];
  const bytes = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: mostBytes });
  const runs: Run[] = [];
  let last = floor;
  let from: bigint | undefined;
  for (const distance of numbersIn(bytes)) {
    last += distance;
    if (from === undefined) from = last;
    else {
      runs.push({ from, to: last });
      from = undefined;
    }
  }
  if (from !== undefined) throw new Error('the list ends within a run');
  return runs;
}
