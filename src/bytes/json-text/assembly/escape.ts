/**
 * Escapes the content of JSON strings in WebAssembly, compiled by AssemblyScript (`npm run generate`). Addresses are
 * numbers; `load` and `store` are one instruction each and never leave this memory, whatever the input is. The caller
 * keeps `slack` bytes free after input and output, so that moves of 16 bytes need no check at the end.
 */

/**
 * For 8 bytes, indexed by the bits of those that get a backslash: the target of each byte, and the backslashes (256 ×
 * 32).
 */
const shuffles: usize = 1024;
/** For each byte: its replacement of up to 6 bytes, and the length of that in the last byte (256 × 8). */
const replacements: usize = 9216;
/** The address of the bytes of the string. */
export const sourceAt: usize = 16384;
/** The number of bytes after input and output that may be read and written. */
export const slack: usize = 64;
/** The most bytes that one byte can become. */
export const mostPerByte: usize = 6;

/** The first byte of U+2028 and U+2029. */
const separatorLead: u32 = 0xe2;

/** Fills the tables; must be called once, before anything else. */
export function prepare(): void {
  for (let mask: usize = 0; mask < 256; mask++) prepareShuffle(mask);
  for (let byte: usize = 0; byte < 256; byte++) {
    const row = replacements + (byte << 3);
    store<u64>(row, byte);
    store<u8>(row + 7, 1);
    if (byte >= 0x20) continue;
    // \u00XX
    const low = <u32>byte & 15;
    store<u32>(row, 0x3030755c);
    store<u8>(row + 4, 0x30 + <u32>(byte >> 4));
    store<u8>(row + 5, low < 10 ? 0x30 + low : 0x57 + low);
    store<u8>(row + 7, 6);
  }
  prepareShort(0x08, 0x62);
  prepareShort(0x09, 0x74);
  prepareShort(0x0a, 0x6e);
  prepareShort(0x0c, 0x66);
  prepareShort(0x0d, 0x72);
  prepareShort(0x22, 0x22);
  prepareShort(0x5c, 0x5c);
}

/** An index above 15 gives 0, to which the backslash is added. */
function prepareShuffle(mask: usize): void {
  const row = shuffles + (mask << 5);
  v128.store(row, i8x16.splat(-1));
  v128.store(row + 16, i8x16.splat(0));
  let to: usize = 0;
  for (let from: usize = 0; from < 8; from++) {
    if ((mask >> from) & 1) store<u8>(row + 16 + to++, 0x5c);
    store<u8>(row + to++, from);
  }
}

/** Sets the replacement of a byte to a backslash and a letter. */
function prepareShort(byte: usize, letter: u32): void {
  const row = replacements + (byte << 3);
  store<u64>(row, 0x5c | (letter << 8));
  store<u8>(row + 7, 2);
}

/** Writes the replacement of the byte at `src`; returns the number of bytes written. */
function replace(dst: usize, src: usize): usize {
  const row = load<u64>(replacements + ((<usize>load<u8>(src)) << 3));
  store<u64>(dst, row);
  return <usize>(row >> 56);
}

/** Whether U+2028 or U+2029 begins at `src`. */
function isSeparator(src: usize, end: usize): boolean {
  return src + 3 <= end && (load<u32>(src) & 0xfeffff) === 0xa880e2;
}

/** Writes 8 bytes with a backslash before each that has its bit in `mask`; returns the number of bytes written. */
function spread(dst: usize, bytes: v128, mask: u32): usize {
  const row = shuffles + ((<usize>mask) << 5);
  v128.store(dst, v128.or(i8x16.swizzle(bytes, v128.load(row)), v128.load(row + 16)));
  return 8 + <usize>popcnt(mask);
}

/** The bits of all bytes that were escaped one by one, and where the next byte after them is. */
let tail: u32 = 0;
let next: usize = 0;

/** Writes the bytes from `src` to `stop` one by one, a separator whole; returns the end of the output. */
function escapeEach(src: usize, stop: usize, dst: usize, end: usize): usize {
  while (src < stop) {
    const byte = <u32>load<u8>(src);
    tail |= byte;
    if (byte === separatorLead && isSeparator(src, end)) {
      store<u32>(dst, 0x3032755c);
      store<u16>(dst + 4, load<u8>(src + 2) === 0xa9 ? 0x3932 : 0x3832);
      dst += 6;
      src += 3;
      continue;
    }
    dst += replace(dst, src);
    src += 1;
  }
  next = src;
  return dst;
}

/**
 * Writes the bytes from `sourceAt` to `end` to `target` as they appear inside a JSON string. Returns the number of
 * bytes written, or the complement of that number if some bytes are not ASCII; then the caller must check whether they
 * are UTF-8.
 */
export function escapeText(end: usize, target: usize): i32 {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const space = i8x16.splat(0x20);
  // Indexed by the byte: b, t, n, f and r for those that have a letter.
  const letters = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 0x62, 0x74, 0x6e, 0, 0x66, 0x72, 0, 0);
  const leads = i8x16.splat(<i8>separatorLead);
  let seen = i8x16.splat(0);
  tail = 0;
  let src = sourceAt;
  let dst = target;
  while (src < end) {
    const left = end - src;
    if (left >= 16) {
      let bytes = v128.load(src);
      seen = v128.or(seen, bytes);
      let rare = v128.or(i8x16.lt_u(bytes, space), i8x16.eq(bytes, leads));
      let escaped = v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes));
      if (!v128.any_true(v128.or(rare, escaped))) {
        v128.store(dst, bytes);
        src += 16;
        dst += 16;
        continue;
      }
      if (v128.any_true(rare)) {
        // Line ends and tabs become letters, which get a backslash like quotes.
        const letter = i8x16.swizzle(letters, bytes);
        const hasLetter = i8x16.ne(letter, i8x16.splat(0));
        bytes = v128.or(v128.andnot(bytes, hasLetter), letter);
        escaped = v128.or(escaped, hasLetter);
        rare = v128.andnot(rare, hasLetter);
      }
      if (!v128.any_true(rare)) {
        const mask = <u32>i8x16.bitmask(escaped);
        dst += spread(dst, bytes, mask & 255);
        dst += spread(dst, i64x2.shuffle(bytes, bytes, 1, 1), mask >> 8);
        src += 16;
        continue;
      }
    }
    // The last few bytes, and blocks with a rare byte, are written one by one.
    dst = escapeEach(src, src + min<usize>(left, 16), dst, end);
    src = next;
  }
  const written = <i32>(dst - target);
  return v128.any_true(i8x16.lt_s(seen, i8x16.splat(0))) || tail >= 0x80 ? ~written : written;
}
