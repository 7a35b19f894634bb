import { type Binary, type Comparison, type Expression, isComparison, mirrored } from './syntax.ts';
import { areIncomparable } from './values.ts';
import { fieldNameOf, recordNameOf } from './walk-expression.ts';

/** Shows by the bytes of a key or value that an expression is not true. */
export interface Refuter {
  readonly field: 'key' | 'value';
  /** What it looks for: a name of a field with its quotes. */
  readonly name: string;
  /** Whether the expression may be true of a field that is left out because it is zero or empty. */
  readonly takesDefaults: boolean;
  /** Whether the bytes show it. They must not contain `\u`: with it, a name may be spelled differently. */
  refutes(bytes: Buffer, range: Range): boolean;
}

const escapedUnit = Buffer.from('\\u');

/** Whether there are escapes that may stand for any character. */
export function hasEscapes(bytes: Buffer, start: number, end: number): boolean {
  return bytes.subarray(start, end).includes(escapedUnit);
}

/**
 * Returns tests of bytes that save reading them as JSON; any of them may refute the expression. They look only at what
 * follows the name of a field that is compared with a constant, wherever it stands: in a match, something that compares
 * follows one of these names. Without the name they refute nothing, because a field that is missing is to be counted.
 */
export function refutersOf(expression: Expression): readonly Refuter[] {
  if (expression.kind !== 'binary') return [];
  const { operator, left, right } = expression;
  if (operator === '&&') return [...refutersOf(left), ...refutersOf(right)];
  if (operator === '||') {
    const others = refutersOf(right);
    return refutersOf(left).flatMap((one) => others.flatMap((other) => both(one, other)));
  }
  const one = comparison(expression);
  return one === undefined ? [] : [one];
}

function both(one: Refuter, other: Refuter): readonly Refuter[] {
  if (one.field !== other.field) return [];
  const refutes: Refuter['refutes'] = (bytes, range) => one.refutes(bytes, range) && other.refutes(bytes, range);
  const takesDefaults = one.takesDefaults || other.takesDefaults;
  return [{ field: one.field, name: `${one.name} and ${other.name}`, takesDefaults, refutes }];
}

function comparison({ operator, left, right }: Binary): Refuter | undefined {
  if (!isComparison(operator)) return undefined;
  return fieldTest(left, operator, right) ?? fieldTest(right, mirrored[operator], left);
}

/** A name that JSON spells in one way only, except for `\u`. */
const plainName = /^[ !#-.0-[\]-~]+$/;

function fieldTest(side: Expression, operator: Comparison, other: Expression): Refuter | undefined {
  if (side.kind !== 'field' && side.kind !== 'index') return undefined;
  const [field, name, constant] = [rootOf(side.of), fieldNameOf(side), constantIn(other)];
  if (field === undefined || name === undefined || constant === undefined || !plainName.test(name)) return undefined;
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality && typeof constant !== 'number') return undefined;
  const ending = Buffer.from(`${name}"`);
  const fails = (scalar: Scalar): boolean => !holds(operator, scalar, constant);
  const wanted: Wanted = { name: ending, skips: skipsOf(ending), fails };
  const takesDefaults =
    typeof constant === 'string' || !defaults.every((value) => areIncomparable(value, constant) || fails(value));
  return { field, name: `"${name}"`, takesDefaults, refutes: (bytes, range) => allFail(bytes, range, wanted) };
}

/** A value without others in it; texts have one character for each byte. */
type Scalar = string | number | boolean | null;

function constantIn(expression: Expression): Scalar | undefined {
  if (expression.kind !== 'constant') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined;
}

function holds(operator: Comparison, left: Scalar, right: Scalar): boolean {
  // What cannot be compared is left to the exact test, which counts it, and knows what numbers are written as text.
  if (areIncomparable(left, right)) return true;
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return true;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** What fields are that are left out; the first value of an enum may be any text. */
const defaults: readonly Scalar[] = [0, false, ''];

/** The key or value that an expression is, or is a part of. */
function rootOf(expression: Expression): 'key' | 'value' | undefined {
  const name = recordNameOf(expression);
  if (name !== undefined) return name === 'key' || name === 'value' ? name : undefined;
  return expression.kind === 'field' || expression.kind === 'index' ? rootOf(expression.of) : undefined;
}

interface Wanted {
  /** The name with the quote after it: before the name of a branch of a union, there may be a namespace. */
  readonly name: Buffer;
  /** How far the name may be away from its end, by the byte there (Boyer, Moore and Horspool). */
  readonly skips: Uint8Array;
  fails(scalar: Scalar): boolean;
}

const mostSkipped = 255;

function skipsOf(name: Buffer): Uint8Array {
  const skips = new Uint8Array(256).fill(Math.min(name.length, mostSkipped));
  const last = name.length - 1;
  for (let at = 0; at < last; at++) skips[name[at] as number] = Math.min(last - at, mostSkipped);
  return skips;
}

/** Where JSON is in bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
  /** Whether values may be in unions, with the name of their branch before them. */
  readonly hasUnions: boolean;
}

const [quote, backslash, colon, point] = [0x22, 0x5c, 0x3a, 0x2e];

/** Whether the name is there, and fails wherever it is. Bytes that are no JSON have no fields, so that nothing is lost. */
function allFail(bytes: Buffer, range: Range, { name, skips, fails }: Wanted): boolean {
  const { start, end } = range;
  const last = name.length - 1;
  let isThere = false;
  // Before the name is a quote at least.
  for (let at = start + last + 1; at < end; ) {
    const byte = bytes[at] as number;
    if (byte === quote && isNameAt(bytes, at - last, name)) {
      const from = valueAt(bytes, at + 1, end);
      // Otherwise it is a text that is equal to the name.
      if (from >= 0) {
        if (!failsAt(bytes, from, range, fails)) return false;
        isThere ||= bytes[at - last - 1] === quote;
      }
    }
    at += skips[byte] as number;
  }
  return isThere;
}

function failsAt(bytes: Buffer, at: number, range: Range, fails: Wanted['fails']): boolean {
  const plain = scalarAt(bytes, at, range.end);
  const scalar = plain === undefined ? branchScalarAt(bytes, at, range) : plain;
  return scalar !== undefined && fails(scalar);
}

function isNameAt(bytes: Buffer, at: number, name: Buffer): boolean {
  const before = bytes[at - 1];
  return (before === quote || before === point) && isAt(bytes, at, name);
}

function isAt(bytes: Buffer, at: number, name: Buffer): boolean {
  for (let index = 0; index < name.length; index++) if (bytes[at + index] !== name[index]) return false;
  return true;
}

/** The position of the value that follows a name; -1 if it is not a name. */
function valueAt(bytes: Buffer, after: number, end: number): number {
  const at = skipSpace(bytes, after, end);
  return bytes[at] === colon && at < end ? skipSpace(bytes, at + 1, end) : -1;
}

function skipSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const words: readonly (readonly [Buffer, boolean | null])[] = [
  [Buffer.from('true'), true],
  [Buffer.from('false'), false],
  [Buffer.from('null'), null],
];

/** The branches of unions that have a scalar. */
const branches = ['string', 'int', 'long', 'float', 'double', 'boolean'].map((name) => Buffer.from(`{"${name}":`));

/** Reads a value with the name of its branch around it; undefined for anything else. */
function branchScalarAt(bytes: Buffer, at: number, { end, hasUnions }: Range): Scalar | undefined {
  const branch = hasUnions ? branches.find((one) => isAt(bytes, at, one)) : undefined;
  // A union has null without a name.
  return branch === undefined ? undefined : (scalarAt(bytes, at + branch.length, end) ?? undefined);
}

/** Reads a value; undefined for lists, maps, texts with escapes, and numbers that are not simple. */
function scalarAt(bytes: Buffer, at: number, end: number): Scalar | undefined {
  const byte = bytes[at];
  if (byte === quote) return textAt(bytes, at + 1, end);
  if (byte === 0x2d || (byte !== undefined && byte >= 0x30 && byte <= 0x39)) return numberAt(bytes, at, end);
  return words.find(
    ([word]) => bytes[at] === word[0] && isAt(bytes, at, word) && isEnd(bytes, at + word.length, end),
  )?.[1];
}

function textAt(bytes: Buffer, start: number, end: number): string | undefined {
  let at = start;
  while (at < end && bytes[at] !== quote && bytes[at] !== backslash) at++;
  return at < end && bytes[at] === quote ? bytes.toString('latin1', start, at) : undefined;
}

/** So many digits, and so many places after the point, are exact in a number. */
const exactDigits = 15;

function numberAt(bytes: Buffer, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === 0x2d;
  let at = isNegative ? start + 1 : start;
  let [whole, digits, point] = [0, 0, -1];
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      whole = whole * 10 + byte - 0x30;
      digits += 1;
    } else if (byte === 0x2e && point < 0) point = digits;
    else break;
  }
  if (digits === 0 || digits > exactDigits || !isEnd(bytes, at, end)) return undefined;
  const size = point < 0 ? whole : whole / 10 ** (digits - point);
  return isNegative ? -size : size;
}

/** Whether a value ends here. */
function isEnd(bytes: Buffer, at: number, end: number): boolean {
  const byte = bytes[at];
  return at >= end || byte === 0x2c || byte === 0x7d || byte === 0x5d || isSpace(byte);
}
