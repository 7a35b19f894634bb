/**
 * Packs and unpacks snappy elements and LZ4 blocks in WebAssembly, compiled by AssemblyScript (`npm run generate`) and
 * several times as fast as TypeScript, because it moves 16 bytes at once. The language looks like TypeScript; addresses
 * are numbers, and `load` and `store` are one instruction each and never leave this memory, whatever the input is. The
 * caller keeps `slack` bytes free after input and output, so that moves of 16 bytes need no check at the end.
 */

/** The table in which the packers keep the last position of each hash, 2 bytes each. */
const table: usize = 1024;
const hashBits: u32 = 14;
/** The address of unpacked bytes; the 64 KiB before it may contain the data that LZ4's linked blocks refer to. */
export const unpackedAt: usize = 131072;
/** The address of bytes to pack, at most 64 KiB. */
export const packFrom: usize = 65536;
/** The address of packed bytes. */
export const packedAt: usize = 196608;
/** The number of bytes after input and output that may be read and written. */
export const slack: usize = 64;

/** The kinds of damage in packed bytes, as negative results. */
const endsInLiteral: i32 = -1;
const tooLong: i32 = -2;
const endsInCopy: i32 = -3;
const badDistance: i32 = -4;

/** Moves `length` bytes, and up to 15 more. */
function move(target: usize, source: usize, length: usize): void {
  v128.store(target, v128.load(source));
  for (let i: usize = 16; i < length; i += 16) v128.store(target + i, v128.load(source + i));
}

/** Repeats `length` bytes from `distance` before `target`, and up to 15 more. */
function repeat(target: usize, distance: usize, length: usize): void {
  let from = target - distance;
  if (distance >= 16) {
    move(target, from, length);
    return;
  }
  const end = target + length;
  // The first `distance` bytes of each move are right, which is enough to double the length that can be repeated at
  // once.
  while (distance < 8) {
    store<u64>(target, load<u64>(from));
    target += distance;
    distance <<= 1;
    if (target >= end) return;
  }
  do {
    store<u64>(target, load<u64>(from));
    target += 8;
    from += 8;
  } while (target < end);
}

/** Unpacks all elements in `[source, sourceEnd)`; returns the number of bytes, or the kind of damage. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose checks each name a damage of their own
export function unpackSnappy(source: usize, sourceEnd: usize, targetEnd: usize): i32 {
  let src = source;
  let dst = unpackedAt;
  while (src < sourceEnd) {
    const tag = <u32>load<u8>(src++);
    const kind = tag & 3;
    let length = <usize>(tag >> 2) + 1;
    const word = load<u32>(src);
    if (kind === 0) {
      if (length > 60) {
        const extra = <u32>length - 60;
        length = <usize>(word & (u32.MAX_VALUE >> ((4 - extra) << 3))) + 1;
        src += extra;
        if (src > sourceEnd) return endsInLiteral;
        if (length === 0) return tooLong; // 2^32, which wraps
      }
      if (length > sourceEnd - src || length > targetEnd - dst) return tooLong;
      move(dst, src, length);
      src += length;
    } else {
      // The next kind cannot be predicted, so the first two are both computed and one is selected without a branch. The
      // third is for distances that are rarely written.
      const isNear = kind === 1;
      length = select<usize>(<usize>((tag >> 2) & 7) + 4, length, isNear);
      let distance = select<usize>(<usize>(((tag >> 5) << 8) | (word & 255)), <usize>(word & 0xffff), isNear);
      src += kind;
      if (kind === 3) {
        distance = <usize>word;
        src += 1;
      }
      if (src > sourceEnd) return endsInCopy;
      // Distance 0 wraps around and is too large.
      if (distance - 1 >= dst - unpackedAt || length > targetEnd - dst) return badDistance;
      repeat(dst, distance, length);
    }
    dst += length;
  }
  return <i32>(dst - unpackedAt);
}

/**
 * Unpacks one block in `[source, sourceEnd)`, whose copies reach back to `oldest`; returns the number of bytes, or the
 * kind of damage.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose checks each name a damage of their own
export function unpackLz4(source: usize, sourceEnd: usize, targetEnd: usize, oldest: usize): i32 {
  let src = source;
  let dst = unpackedAt;
  while (src < sourceEnd) {
    const token = <u32>load<u8>(src++);
    let length = <usize>(token >> 4);
    if (length === 15) {
      let more: u32;
      do {
        more = src < sourceEnd ? <u32>load<u8>(src++) : 0;
        length += more;
      } while (more === 255);
    }
    if (length > sourceEnd - src) return endsInLiteral;
    if (length > targetEnd - dst) return tooLong;
    move(dst, src, length);
    src += length;
    dst += length;
    if (src >= sourceEnd) return <i32>(dst - unpackedAt);
    const distance = <usize>load<u16>(src);
    src += 2;
    if (src > sourceEnd) return endsInCopy;
    length = <usize>(token & 15) + 4;
    if (length === 19) {
      let more: u32;
      do {
        more = src < sourceEnd ? <u32>load<u8>(src++) : 0;
        length += more;
      } while (more === 255);
    }
    if (distance - 1 >= dst - oldest) return badDistance;
    if (length > targetEnd - dst) return tooLong;
    repeat(dst, distance, length);
    dst += length;
  }
  return endsInCopy;
}

/** Returns how many bytes at `a` and `b` are equal, up to `end` for `b`. */
function matchLength(a: usize, b: usize, end: usize): usize {
  const from = b;
  while (b + 8 <= end) {
    const differing = load<u64>(a) ^ load<u64>(b);
    if (differing !== 0) return b - from + <usize>(ctz(differing) >> 3);
    a += 8;
    b += 8;
  }
  while (b < end && load<u8>(a) === load<u8>(b)) {
    a++;
    b++;
  }
  return b - from;
}

/** Returns the slot in the table for the 4 bytes at `at`. */
function slotOf4(at: usize): usize {
  return table + ((<usize>((load<u32>(at) * 0x9e3779b1) >> (32 - hashBits))) << 1);
}

/** Returns the slot in the table for the 5 bytes at `at`. */
function slotOf5(at: usize): usize {
  return table + ((<usize>(((load<u64>(at) << 24) * 0x9e3779b97f) >> (64 - hashBits))) << 1);
}

function writeLiteral(target: usize, source: usize, length: usize): usize {
  const value = <u32>length - 1;
  let dst = target;
  if (value < 60) {
    store<u8>(dst, value << 2);
    dst += 1;
  } else if (value < 256) {
    store<u16>(dst, (60 << 2) | (value << 8));
    dst += 2;
  } else {
    store<u32>(dst, (61 << 2) | (value << 8));
    dst += 3;
  }
  move(dst, source, length);
  return dst + length;
}

/** Writes a copy of any length: an element takes at most 64 bytes, and at least 4 if it is short. */
function writeCopy(target: usize, distance: u32, length: u32): usize {
  let dst = target;
  for (; length >= 68; length -= 64) {
    store<u32>(dst, (63 << 2) | 2 | (distance << 8));
    dst += 3;
  }
  if (length > 64) {
    store<u32>(dst, (59 << 2) | 2 | (distance << 8));
    dst += 3;
    length -= 60;
  }
  if (length >= 12 || distance >= 2048) {
    store<u32>(dst, ((length - 1) << 2) | 2 | (distance << 8));
    return dst + 3;
  }
  store<u16>(dst, ((distance >> 8) << 5) | ((length - 4) << 2) | 1 | ((distance & 255) << 8));
  return dst + 2;
}

/**
 * Packs the bytes from `packFrom` to `sourceEnd` as elements, greedily, with one candidate per hash; returns the number
 * of bytes.
 */
export function packSnappy(sourceEnd: usize): usize {
  memory.fill(table, 0, 2 << hashBits);
  const last = sourceEnd - 15;
  let at = packFrom + 1;
  let anchor = packFrom;
  let dst = packedAt;
  // The steps grow while nothing matches, so that data that does not shrink takes little time.
  let misses: u32 = 32;
  while (at < last) {
    const slot = slotOf4(at);
    const candidate = packFrom + <usize>load<u16>(slot);
    store<u16>(slot, <u32>(at - packFrom));
    if (load<u32>(candidate) !== load<u32>(at)) {
      at += misses++ >> 5;
      continue;
    }
    misses = 32;
    if (at > anchor) dst = writeLiteral(dst, anchor, at - anchor);
    const length = matchLength(candidate + 4, at + 4, sourceEnd) + 4;
    dst = writeCopy(dst, <u32>(at - candidate), <u32>length);
    at += length;
    anchor = at;
    if (at < last) store<u16>(slotOf4(at - 1), <u32>(at - 1 - packFrom));
  }
  if (anchor < sourceEnd) dst = writeLiteral(dst, anchor, sourceEnd - anchor);
  return dst - packedAt;
}

/** Writes the part of a length that does not fit into its token. */
function writeRest(target: usize, value: usize): usize {
  let dst = target;
  for (; value >= 255; value -= 255) store<u8>(dst++, 255);
  store<u8>(dst, <u32>value);
  return dst + 1;
}

/**
 * Packs the bytes from `packFrom` to `sourceEnd` as one block in the same way; returns the number of bytes, or 0 if it
 * does not fit before `targetEnd`.
 */
export function packLz4(sourceEnd: usize, targetEnd: usize): usize {
  memory.fill(table, 0, 2 << hashBits);
  // The format requires the last 5 bytes to be literals, and no match to begin within the last 12.
  const last = sourceEnd - 12;
  let at = packFrom + 1;
  let anchor = packFrom;
  let dst = packedAt;
  let misses: u32 = 64;
  while (at < last) {
    const slot = slotOf5(at);
    const candidate = packFrom + <usize>load<u16>(slot);
    store<u16>(slot, <u32>(at - packFrom));
    if (load<u32>(candidate) !== load<u32>(at)) {
      at += misses++ >> 6;
      continue;
    }
    misses = 64;
    const count = at - anchor;
    const more = matchLength(candidate + 4, at + 4, sourceEnd - 5);
    if (count + (count >> 7) + (more >> 7) + 8 > targetEnd - dst) return 0;
    store<u8>(dst++, <u32>((min<usize>(count, 15) << 4) | min<usize>(more, 15)));
    if (count >= 15) dst = writeRest(dst, count - 15);
    move(dst, anchor, count);
    dst += count;
    store<u16>(dst, <u32>(at - candidate));
    dst += 2;
    if (more >= 15) dst = writeRest(dst, more - 15);
    at += more + 4;
    anchor = at;
    if (at < last) store<u16>(slotOf5(at - 2), <u32>(at - 2 - packFrom));
  }
  const count = sourceEnd - anchor;
  if (count + (count >> 7) + 8 > targetEnd - dst) return 0;
  store<u8>(dst++, <u32>(min<usize>(count, 15) << 4));
  if (count >= 15) dst = writeRest(dst, count - 15);
  move(dst, anchor, count);
  return dst + count - packedAt;
}
