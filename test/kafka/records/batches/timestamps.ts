import fc from 'fast-check';

/** 64-bit timestamps, including those near the limits of numbers, dates and 64 bits. */
const edges = [0n, 2n ** 31n, 2n ** 52n, 2n ** 53n, 8_640_000_000_000_000n, 2n ** 62n, 2n ** 63n - 8n];
export const anyInt64: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 1_622_505_600_000n, max: 1_622_505_699_999n }),
  fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -7, max: 7 }), fc.boolean())
    .map(([edge, more, isNegative]) => (isNegative ? -edge : edge) + BigInt(more)),
);
/** Close timestamps, whose difference is small even if they are large. */
export const closeTimes = fc
  .tuple(anyInt64, fc.array(fc.integer({ min: -9000, max: 9000 }), { minLength: 1, maxLength: 40 }))
  .map(([base, more]) => more.map((delta) => BigInt.asIntN(64, base + BigInt(delta))));

/** As the cursor and the parser return them: numbers where those are exact. */
export const anyTimestamp: fc.Arbitrary<number | bigint> = anyInt64.map((value) =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value,
);
