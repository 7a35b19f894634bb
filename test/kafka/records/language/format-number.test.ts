import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena, takeBytes } from '../../../../src/bytes/arena.ts';
import { numberFormat } from '../../../../src/kafka/records/language/format-number.ts';
import { numberLayouts } from '../../../../src/kafka/records/language/number-layouts.ts';

/** What a modifier prints, from its description, with BigInt. */
function slow(modifier: string, value: bigint): Buffer {
  const raw = BigInt.asUintN(64, value);
  const width = Number(/\d+$/.exec(modifier)?.[0] ?? 0);
  if (modifier === 'bool') return Buffer.from(String(value !== 0n));
  if (modifier === 'hex') return Buffer.from(raw.toString(16));
  if (modifier.startsWith('hex'))
    return Buffer.from(
      raw
        .toString(16)
        .padStart(16, '0')
        .slice(-width / 4),
    );
  const big = Buffer.alloc(8);
  big.writeBigUInt64BE(raw);
  if (modifier === 'byte') return big.subarray(7);
  if (modifier.startsWith('big')) return big.subarray(8 - width / 8);
  if (modifier.startsWith('little')) return Buffer.from(big.subarray(8 - width / 8)).reverse();
  return Buffer.from(value.toString());
}

const edges = [
  0,
  1,
  9,
  10,
  99,
  100,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  1e9 - 1,
  1e9,
  1e9 + 1,
  1e10,
  1e15,
  1e18 / 1024,
  Number.MAX_SAFE_INTEGER,
];
const numbers = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.nat(2000),
  fc.constantFrom(...edges, ...edges.map((edge) => -edge)),
);
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe.each([...numberLayouts.keys()])('the number format %s', (modifier) => {
  const format = numberFormat(modifier);
  const arena = createArena();

  test('prints numbers as its description says', () => {
    const property = fc.property(numbers.map(Math.trunc), (value) => {
      format?.write(arena, value);
      expect(takeBytes(arena)).toEqual(slow(modifier, BigInt(value)));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('prints all 64 bits exactly', () => {
    const property = fc.property(wide, (value) => {
      format?.writeExact(arena, value);
      expect(takeBytes(arena)).toEqual(slow(modifier, value));
    });
    fc.assert(property, { numRuns: 300 });
  });
});
