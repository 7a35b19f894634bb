/** Appends a number that is not negative: seven bits a byte, the lowest first, and a bit that says whether more follow. */
export function pushNumber(bytes: number[], number: bigint): void {
  let left = number;
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  bytes.push(Number(left));
}

/** Reads the numbers. @throws if the bytes end within one, or one is too long */
export function* numbersIn(bytes: Buffer): Generator<bigint> {
  let [number, shift] = [0n, 0n];
  for (const byte of bytes) {
    if (shift > 63n) throw new Error('a number is too long');
    number |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte > 127) continue;
    yield number;
    [number, shift] = [0n, 0n];
  }
  if (shift > 0n) throw new Error('the list ends within a number');
}
