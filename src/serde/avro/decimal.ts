import type { JsonObject } from '../json/json-value.ts';

/** A decimal: bytes that are an integer, with a point that stands before the last digits. */
export interface Decimal {
  /** The most digits. */
  readonly precision: number;
  /** The digits after the point. */
  readonly scale: number;
}

/** More bytes than this are no number that anybody writes; they are shown as bytes. */
const mostBytes = 64;
const mostDigits = 154;

/**
 * Returns the decimal that a type is annotated as; undefined if there is none or, as the specification asks, an invalid one.
 * @param size the bytes of a fixed
 */
export function decimalOf(json: JsonObject, size = mostBytes): Decimal | undefined {
  const { logicalType, precision, scale = 0 } = json;
  if (logicalType !== 'decimal' || typeof precision !== 'number' || typeof scale !== 'number') return undefined;
  if (!Number.isInteger(precision) || !Number.isInteger(scale)) return undefined;
  const room = Math.floor(Math.log10(2) * (8 * size - 1));
  const isValid = precision > 0 && scale >= 0 && scale <= precision && precision <= Math.min(room, mostDigits);
  return isValid ? { precision, scale } : undefined;
}

/** Returns the number in bytes, with all digits; undefined if they are too many, or none. */
export function decimalIn(bytes: Buffer, start: number, length: number, scale: number): string | undefined {
  if (length === 0 || length > mostBytes) return undefined;
  const hex = bytes.toString('hex', start, start + length);
  return withPoint(BigInt.asIntN(length * 8, BigInt(`0x${hex}`)), scale);
}

/** Returns an integer with a point before its last digits. */
export function withPoint(unscaled: bigint, scale: number): string {
  const isNegative = unscaled < 0n;
  const digits = String(isNegative ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${isNegative ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** Returns the bytes of an integer, the highest first, in two's complement: as few as possible, or `size`. */
export function bytesOf(unscaled: bigint, size?: number): Buffer {
  let length = size ?? 1;
  if (size === undefined) while (BigInt.asIntN(length * 8, unscaled) !== unscaled) length++;
  return Buffer.from(
    BigInt.asUintN(length * 8, unscaled)
      .toString(16)
      .padStart(length * 2, '0'),
    'hex',
  );
}
