const hashBits = 14;

/** For each hash of 4 bytes, where in the piece of at most 64 KiB they were seen last; the packers clear it first. */
export const lastSeen = new Uint16Array(1 << hashBits);

/** The place in `lastSeen` of 4 bytes read as a number. */
export function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
}

/** How many bytes from `b` on are those from `a` on, before `end`. */
export function matchLength(view: DataView, a: number, b: number, end: number): number {
  let length = 0;
  for (const last = end - 4 - b; length <= last; length += 4) {
    const differing = view.getInt32(a + length, true) ^ view.getInt32(b + length, true);
    // The lowest bit that differs, in bytes.
    if (differing !== 0) return length + ((31 - Math.clz32(differing & -differing)) >>> 3);
  }
  while (b + length < end && view.getUint8(a + length) === view.getUint8(b + length)) length++;
  return length;
}

/** Copies a literal; short ones as 16 bytes where both sides have them. */
export function copyLiteral(
  { view, bytes }: { readonly view: DataView; readonly bytes: Buffer },
  { start, end }: { readonly start: number; readonly end: number },
  target: DataView,
  at: number,
): void {
  const length = end - start;
  if (length <= 16 && start + 16 <= view.byteLength && at + 16 <= target.byteLength) {
    target.setBigUint64(at, view.getBigUint64(start, true), true);
    target.setBigUint64(at + 8, view.getBigUint64(start + 8, true), true);
  } else {
    new Uint8Array(target.buffer, target.byteOffset + at, length).set(bytes.subarray(start, end));
  }
}
