/** The product of two polynomials modulo that of CRC-32C; the highest bit stands for x^0. */
export function times(left: number, right: number): number {
  let product = 0;
  let shifted = right;
  for (let bit = 31; bit >= 0; bit--) {
    if ((left >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ 0x82f63b78 : shifted >>> 1;
  }
  return product;
}

/** The remainder of a power of x. */
export function power(exponent: number): number {
  let result = 1 << 31;
  // x
  let square = 1 << 30;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, square);
    square = times(square, square);
  }
  return result;
}
