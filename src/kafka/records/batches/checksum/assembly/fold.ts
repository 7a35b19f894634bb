/**
 * Multiplies polynomials over GF(2) modulo that of a checksum, 32 at once, by tables of half bytes, which `swizzle` looks
 * up 16 at a time. Compiled by AssemblyScript (`npm run generate`).
 */

/** The address of the 32 tables of 16 bytes: for each byte of a polynomial, its low and its high half, each byte of the product. */
export const tables: usize = 1024;
/** The address of 128 bytes that stand for all bytes so far. */
export const state: usize = 2048;
/** The address of the bytes to fold into the state. */
export const input: usize = 2176;

/** The products of the low and the high halves of one byte of 16 polynomials, for one byte of the result. */
function product(low: v128, high: v128, at: usize): v128 {
  return v128.xor(v128.swizzle(v128.load(at), low), v128.swizzle(v128.load(at + 64), high));
}

/** Folds blocks of 128 bytes up to `end` into the state. Each byte of 32 polynomials is in two vectors. */
export function fold(end: usize): void {
  const half = v128.splat<u8>(15);
  for (let column: usize = 0; column < 32; column += 16) {
    let a = v128.load(state + column);
    let b = v128.load(state + column + 32);
    let c = v128.load(state + column + 64);
    let d = v128.load(state + column + 96);
    for (let at = input + column; at < end; at += 128) {
      const al = v128.and(a, half);
      const ah = v128.and(v128.shr<u16>(a, 4), half);
      const bl = v128.and(b, half);
      const bh = v128.and(v128.shr<u16>(b, 4), half);
      const cl = v128.and(c, half);
      const ch = v128.and(v128.shr<u16>(c, 4), half);
      const dl = v128.and(d, half);
      const dh = v128.and(v128.shr<u16>(d, 4), half);
      a = v128.load(at);
      a = v128.xor(a, v128.xor(product(al, ah, tables), product(bl, bh, tables + 128)));
      a = v128.xor(a, v128.xor(product(cl, ch, tables + 256), product(dl, dh, tables + 384)));
      b = v128.load(at + 32);
      b = v128.xor(b, v128.xor(product(al, ah, tables + 16), product(bl, bh, tables + 144)));
      b = v128.xor(b, v128.xor(product(cl, ch, tables + 272), product(dl, dh, tables + 400)));
      c = v128.load(at + 64);
      c = v128.xor(c, v128.xor(product(al, ah, tables + 32), product(bl, bh, tables + 160)));
      c = v128.xor(c, v128.xor(product(cl, ch, tables + 288), product(dl, dh, tables + 416)));
      d = v128.load(at + 96);
      d = v128.xor(d, v128.xor(product(al, ah, tables + 48), product(bl, bh, tables + 176)));
      d = v128.xor(d, v128.xor(product(cl, ch, tables + 304), product(dl, dh, tables + 432)));
    }
    v128.store(state + column, a);
    v128.store(state + column + 32, b);
    v128.store(state + column + 64, c);
    v128.store(state + column + 96, d);
  }
}
