import { doubleText, floatText } from '../number-text.ts';

/**
 * Writers of numbers for generated code. They write into a view without checking for room (24 bytes are always enough,
 * 30 for floating point) and return the position after the text. Numbers go in and out as small integers, since V8
 * would allocate memory for any other number that crosses a call.
 */

/** For 0 to 999: the digits, first one in the low byte, and their count in the high byte. */
export const lead = Int32Array.from({ length: 1000 }, (_, value) => packed(String(value)));
/** The same with leading zeros. */
const three = Int32Array.from({ length: 1000 }, (_, value) => packed(String(value).padStart(3, '0')));
/** The number of digits in `three` without the zeros at its end. */
const kept = Uint8Array.from({ length: 1000 }, (_, value) =>
  value === 0 ? 0 : String(value).padStart(3, '0').replace(/0+$/, '').length,
);

/** For the first byte of a zigzag varint that has only one: its text like in `lead`. */
export const smallIntegers = Int32Array.from({ length: 128 }, (_, byte) => packed(String((byte >>> 1) ^ -(byte & 1))));

/** Packs up to three characters. */
function packed(text: string): number {
  return Buffer.from(text).reduce((all, byte, index) => all | (byte << (8 * index)), text.length << 24);
}

const minus = 0x2d;

/** Writes an integer from 0 to 2^31 - 1. */
function writeWhole(view: DataView, at: number, value: number): number {
  if (value < 1e3) return writeLead(view, at, value);
  const thousands = (value / 1e3) | 0;
  const rest = three[value - thousands * 1e3] as number;
  if (value < 1e6) {
    const next = writeLead(view, at, thousands);
    view.setInt32(next, rest, true);
    return next + 3;
  }
  const next = thousands < 1e6 ? writeMillions(view, at, thousands) : writeWhole(view, at, thousands);
  view.setInt32(next, rest, true);
  return next + 3;
}

function writeMillions(view: DataView, at: number, thousands: number): number {
  const millions = (thousands / 1e3) | 0;
  const next = writeLead(view, at, millions);
  view.setInt32(next, three[thousands - millions * 1e3] as number, true);
  return next + 3;
}

function writeLead(view: DataView, at: number, value: number): number {
  const word = lead[value] as number;
  view.setInt32(at, word, true);
  return at + (word >>> 24);
}

/** Writes nine digits. */
function writeNine(view: DataView, at: number, value: number): number {
  const millions = (value / 1e6) | 0;
  const rest = value - millions * 1e6;
  const thousands = (rest / 1e3) | 0;
  view.setInt32(at, three[millions] as number, true);
  view.setInt32(at + 3, three[thousands] as number, true);
  view.setInt32(at + 6, three[rest - thousands * 1e3] as number, true);
  return at + 9;
}

/** Writes an integer from 0 to 2^53. */
function writeLarge(view: DataView, at: number, value: number): number {
  if (value < 0x7fffffff) return writeWhole(view, at, value | 0);
  const upper = Math.floor(value / 1e9);
  return writeNine(view, writeWhole(view, at, upper | 0), (value - upper * 1e9) | 0);
}

/** Writes a 32-bit integer. */
export function writeInt(view: DataView, at: number, value: number): number {
  if (value >= 0) return writeWhole(view, at, value);
  view.setInt8(at, minus);
  return value === -0x80000000 ? writeLarge(view, at + 1, 0x80000000) : writeWhole(view, at + 1, -value);
}

/** Writes an integer of up to 2^53 in size, of which the sign is given. */
export function writeSigned(view: DataView, at: number, size: number, isNegative: boolean): number {
  if (!isNegative) return writeLarge(view, at, size);
  view.setInt8(at, minus);
  return writeLarge(view, at + 1, size);
}

/** Writes ASCII text. */
export function writeAscii(view: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  return at + text.length;
}

/** Up to this value every multiple of a millionth is the only one with its digits that stands for its double. */
const mostMillionths = 1e15;

/** Writes the double at `from` like `doubleText`: integers and numbers of up to six decimals without a detour. */
export function writeDouble(source: DataView, from: number, view: DataView, at: number): number {
  const value = source.getFloat64(from, true);
  const whole = value | 0;
  if (whole === value && whole !== 0) return writeInt(view, at, whole);
  const size = Math.abs(value);
  const millionths = Math.round(size * 1e6);
  // A decimal of at most 15 digits is the shortest that stands for its double. The sign of zero needs the slow way.
  if (millionths / 1e6 === size && millionths < mostMillionths && millionths > 0) {
    return writeMillionths(view, at, millionths, value < 0);
  }
  return writeAscii(view, at, doubleText(value));
}

/** Writes the float at `from` like `floatText`. */
export function writeFloat(source: DataView, from: number, view: DataView, at: number): number {
  const value = source.getFloat32(from, true);
  const size = Math.abs(value);
  const scale = size < 1 ? 1e6 : size < 10 ? 1e5 : size < 100 ? 1e4 : size < 1e3 ? 1e3 : 1e2;
  const scaled = Math.round(size * scale);
  // The same with six digits for a float.
  if (scaled < 1e6 && scaled > 0 && Math.fround(scaled / scale) === size) {
    return writeMillionths(view, at, scaled * (1e6 / scale), value < 0);
  }
  return writeAscii(view, at, floatText(value));
}

function writeMillionths(view: DataView, at: number, millionths: number, isNegative: boolean): number {
  const whole = Math.floor(millionths / 1e6);
  const rest = (millionths - whole * 1e6) | 0;
  const next = writeSigned(view, at, whole, isNegative);
  if (rest === 0) return next;
  const high = (rest / 1e3) | 0;
  const low = rest - high * 1e3;
  view.setUint8(next, 0x2e);
  view.setInt32(next + 1, three[high] as number, true);
  view.setInt32(next + 4, three[low] as number, true);
  return next + 1 + (low === 0 ? (kept[high] as number) : 3 + (kept[low] as number));
}
