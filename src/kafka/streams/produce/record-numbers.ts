/**
 * Which records of the input: the first and the last number of each run, in order, counted from 1. A flat list, because
 * records with keys alternate between batches and a run may be a single record.
 */
export type RecordNumbers = number[];

/** A run of records: the numbers of the first and the last. */
export type NumberRange = readonly [first: number, last: number];

/** Adds that many records from `first` on; numbers only grow. */
export function addNumbers(numbers: RecordNumbers, first: number, count: number): void {
  if (count <= 0) return;
  const last = first + count - 1;
  if (numbers.length > 0 && numbers[numbers.length - 1] === first - 1) numbers[numbers.length - 1] = last;
  else numbers.push(first, last);
}

/** Merges the numbers of several batches into ranges in ascending order. */
export function rangesOf(all: Iterable<readonly number[]>): readonly NumberRange[] {
  const pairs: NumberRange[] = [];
  for (const numbers of all) {
    for (let at = 0; at + 1 < numbers.length; at += 2) pairs.push([numbers[at] as number, numbers[at + 1] as number]);
  }
  const ranges: [number, number][] = [];
  for (const [first, last] of pairs.sort(([one], [other]) => one - other)) {
    const before = ranges.at(-1);
    if (before !== undefined && before[1] === first - 1) before[1] = last;
    else ranges.push([first, last]);
  }
  return ranges;
}

/** Returns the number of records in the ranges. */
export function countOf(ranges: readonly NumberRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
