/**
 * Repeats `length` bytes from `distance` before `at`, as LZ77 copies do: source and target may
 * overlap, in which case the last `distance` bytes repeat.
 */
export function copyBack(output: Buffer, at: number, distance: number, length: number): void {
  const from = at - distance;
  if (length <= 24) {
    for (let i = 0; i < length; i++) output[at + i] = output[from + i] as number;
    return;
  }
  if (distance >= length) {
    output.copyWithin(at, from, from + length);
    return;
  }
  if (distance === 1) {
    output.fill(output[from] as number, at, at + length);
    return;
  }
  // Each round doubles what is there to copy from.
  let done = 0;
  let period = distance;
  while (done < length) {
    const piece = Math.min(period, length - done);
    output.copyWithin(at + done, from, from + piece);
    done += piece;
    period += piece;
  }
}
