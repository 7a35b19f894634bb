import { type Arena, appendAscii, reserve } from '../../../bytes/arena.ts';
import { appendDecimal } from '../../../bytes/decimal.ts';
import { type NumberLayout, numberLayouts } from './number-layouts.ts';

/** Writes 64-bit numbers in one of the formats of number verbs. */
export interface NumberFormat {
  /** Writes an integer of at most 2^53. */
  write(arena: Arena, value: number): void;
  /** Writes any 64-bit integer. */
  writeExact(arena: Arena, value: bigint): void;
}

/** Writes a number given as two 32-bit halves. */
type WriteHalves = (arena: Arena, high: number, low: number) => void;

const two32 = 4294967296;

function fromHalves(writeHalves: WriteHalves): NumberFormat {
  return {
    write: (arena, value) => writeHalves(arena, Math.floor(value / two32) | 0, value | 0),
    writeExact: (arena, value) =>
      writeHalves(arena, Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))),
  };
}

/** Signed decimal digits. */
export const decimal: NumberFormat = {
  write: appendDecimal,
  writeExact: (arena, value) => appendAscii(arena, value.toString()),
};

const hexDigits = Buffer.from('0123456789abcdef');

function fixedHex(digits: number): NumberFormat {
  return fromHalves((arena, high, low) => {
    reserve(arena, digits);
    for (let left = digits - 1; left >= 0; left--) {
      const half = left >= 8 ? high : low;
      arena.bytes[arena.length++] = hexDigits[(half >>> ((left & 7) * 4)) & 15] as number;
    }
  });
}

const minimalHex = fromHalves((arena, high, low) => {
  const text =
    high === 0 ? (low >>> 0).toString(16) : (high >>> 0).toString(16) + (low >>> 0).toString(16).padStart(8, '0');
  appendAscii(arena, text);
});

function binary(bytes: number, isBig: boolean): NumberFormat {
  return fromHalves((arena, high, low) => {
    reserve(arena, bytes);
    for (let index = 0; index < bytes; index++) {
      const byteIndex = isBig ? bytes - 1 - index : index;
      const half = byteIndex >= 4 ? high : low;
      arena.bytes[arena.length++] = (half >>> ((byteIndex & 3) * 8)) & 255;
    }
  });
}

const bool = fromHalves((arena, high, low) => appendAscii(arena, (high | low) === 0 ? 'false' : 'true'));
/** Returns the format for a modifier such as `hex16` or `big32`; undefined for an unknown word. */
export function numberFormat(modifier: string): NumberFormat | undefined {
  const layout = numberLayouts.get(modifier);
  return layout && formatOf(layout);
}

function formatOf(layout: NumberLayout): NumberFormat {
  if (layout.as === 'decimal') return decimal;
  if (layout.as === 'bool') return bool;
  if (layout.as === 'binary') return binary(layout.bytes, layout.isBig);
  return layout.digits === undefined ? minimalHex : fixedHex(layout.digits);
}
