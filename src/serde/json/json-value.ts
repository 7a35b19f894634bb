import { isUtf8 } from 'node:buffer';

/** Parsed JSON. An integer that a number cannot hold exactly is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object; every key is a property of its own, `__proto__` too. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Checks whether a value is an array. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Parsed JSON text. */
export interface ParsedJson {
  readonly value: JsonValue;
  /** The number of keys in the text, which is larger than in the value if an object has a key twice. */
  readonly keys: number;
}

/** The error for text that is nested too deep to be parsed. */
export class DeepJsonError extends SyntaxError {}

/**
 * Parses JSON text in UTF-8, with exact integers.
 * @param sources gets what each number exactly is, if any has more digits than JavaScript holds: `1067e-2`; empty if two
 *   that differ are the same number to JavaScript
 * @throws SyntaxError if the text is not JSON or not UTF-8, or too deep
 */
export function parseJson(json: Buffer, sources?: Map<number, string>): ParsedJson {
  if (!isUtf8(json)) throw new SyntaxError('it is not UTF-8');
  const { keys, depth, hasLargeNumber, hasLongFraction } = scan(json);
  if (depth > deepestJson) throw new DeepJsonError(`it is nested deeper than ${deepestJson} levels`);
  const text = json.toString();
  const isExact = hasLargeNumber || (hasLongFraction && sources !== undefined);
  return { value: isExact ? parseExactly(text, sources) : JSON.parse(text), keys };
}

/** Far more than values need that are nested as deep as schemas allow; it protects the stack. */
const deepestJson = 1000;
/** Below this number of digits every integer is exact. */
const exactDigits = 16;

interface Scanned {
  readonly keys: number;
  readonly depth: number;
  readonly hasLargeNumber: boolean;
  readonly hasLongFraction: boolean;
}

/**
 * Counts the keys and levels, and finds numbers that `JSON.parse` may round to another integer: those with many digits
 * before the point, or a positive exponent. The text need not be JSON.
 */
function scan(json: Buffer): Scanned {
  let [keys, level, depth] = [0, 0, 0];
  let [hasLargeNumber, hasLongFraction] = [false, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === 0x22) at = endOfString(json, at);
    else if (byte === 0x3a) keys++;
    else if (byte === 0x7b || byte === 0x5b) depth = Math.max(depth, ++level);
    else if (byte === 0x7d || byte === 0x5d) level--;
    else if (isDigit(byte)) {
      const end = endOfNumber(json, at);
      hasLargeNumber ||= isLarge(json, at, end);
      hasLongFraction ||= end - at > exactDigits;
      at = end - 1;
    }
  }
  return { keys, depth, hasLargeNumber, hasLongFraction };
}

/** Returns the position of the closing quote. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  for (; at < json.length && json[at] !== 0x22; at++) if (json[at] === 0x5c) at++;
  return at;
}

const inNumbers: ReadonlySet<number> = new Set(Buffer.from('0123456789.eE+-'));

function endOfNumber(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length && inNumbers.has(json[at] as number)) at++;
  return at;
}

function isLarge(json: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && isDigit(json[at])) at++;
  if (at - start >= exactDigits) return true;
  for (; at < end; at++) if (((json[at] as number) | 0x20) === 0x65) return json[at + 1] !== 0x2d;
  return false;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Parses with the source of each number, which takes several times as long. */
function parseExactly(text: string, sources?: Map<number, string>): JsonValue {
  // The declarations of TypeScript lack the third parameter.
  const revive = (_: string, value: JsonValue, context?: { readonly source?: string }): JsonValue => {
    if (typeof value !== 'number') return value;
    const source = context?.source ?? '';
    if (sources !== undefined) {
      const exact = exactly(source);
      sources.set(value, (sources.get(value) ?? exact) === exact ? exact : '');
    }
    return Number.isSafeInteger(value) ? value : (integerOf(source) ?? value);
  };
  return JSON.parse(text, revive);
}

/** Returns the one spelling of all sources that mean the same number: `1067e-2`. */
function exactly(source: string): string {
  const { sign, digits, exponent } = partsOf(source);
  return digits === '' ? '0' : `${sign}${digits}e${exponent}`;
}

/** Splits a number into digits without zeros at either end, and the power of ten that they are multiplied with. */
function partsOf(source: string): { readonly sign: string; readonly digits: string; readonly exponent: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return { sign, digits, exponent: Number(exponent) - fraction.length + all.length - digits.length };
}

/** More digits are not needed: the range of long ends at 19. */
const mostDigits = 40;

/**
 * Returns the integer that the source of a number stands for, times a power of ten; undefined if that is a fraction or
 * has too many digits.
 */
export function integerOf(source: string, scale = 0, most = mostDigits): bigint | undefined {
  const { sign, digits, exponent } = partsOf(source);
  if (digits === '') return source.includes('0') ? 0n : undefined;
  const zeros = exponent + scale;
  return zeros < 0 || digits.length + zeros > most ? undefined : BigInt(`${sign}${digits}${'0'.repeat(zeros)}`);
}
