import { isArray, type JsonObject, type JsonValue } from '../../../serde/json/json-value.ts';
import { branchAt, isBranch } from '../../../serde/natural.ts';
import type { RecordView } from './record-view.ts';

/** More steps than an expression needs for a large record; one step takes some nanoseconds. */
const mostSteps = 2_000_000;

/** Counts work; returns false if the record has used up what it may take. */
export function spend(view: RecordView, steps: number): boolean {
  view.steps += steps;
  return view.steps <= mostSteps;
}

/** The reason for a record that would take too long. */
export const tooManySteps = { reason: 'the expression takes too many steps' };

/** Checks whether a value is a map. */
export function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/**
 * Takes the field of the value that was read last. The name of the branch of a union means the value itself, unless the
 * value has a field of this name.
 */
export function fieldOf(view: RecordView, value: JsonValue, name: string): JsonValue | undefined {
  if (isMap(value) && Object.hasOwn(value, name)) {
    view.branch = branchAt(value, name);
    return value[name];
  }
  if (!isBranch(view.branch, name)) return undefined;
  view.branch = undefined;
  return value;
}

/** Checks whether a value is a number. */
export function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

const [least, largest] = [-(2n ** 63n), 2n ** 63n - 1n];

/** An integer as a number where that is exact; undefined if it has more than 64 bits. */
export function integerOf(value: bigint): number | bigint | undefined {
  if (value < least || value > largest) return undefined;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** What a value is, for reasons. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

/** Whether two values are a number, text, true or false, but not of the same kind: neither equal nor different. */
export function areIncomparable(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === typeof right || typeof left === 'object' || typeof right === 'object') return false;
  return !(isNumber(left) && isNumber(right));
}

/**
 * Compares two values: numbers by what they are worth, lists and maps element by element, values of different kinds as
 * different. Undefined if that takes too many steps.
 */
export function equals(view: RecordView, left: JsonValue, right: JsonValue): boolean | undefined {
  if (isNumber(left) && isNumber(right)) return order(left, right) === 0;
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(view, left, right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (!spend(view, 1)) return undefined;
  if (isArray(left)) return isArray(right) && equalLists(view, left, right);
  return !isArray(right) && equalMaps(view, left, right);
}

function equalTexts(view: RecordView, left: string, right: string): boolean | undefined {
  if (left.length !== right.length) return false;
  return spend(view, left.length >> 8) ? left === right : undefined;
}

function equalLists(view: RecordView, left: readonly JsonValue[], right: readonly JsonValue[]): boolean | undefined {
  if (left.length !== right.length) return false;
  return spend(view, left.length) ? allEqual(view, left.entries(), right) : undefined;
}

function equalMaps(view: RecordView, left: JsonObject, right: JsonObject): boolean | undefined {
  const entries = Object.entries(left);
  const names = Object.keys(right).length;
  // Taking them apart is work as well, even if the first ones differ.
  if (!spend(view, entries.length + names)) return undefined;
  return entries.length === names && allEqual(view, entries, right);
}

function allEqual(
  view: RecordView,
  entries: Iterable<readonly [number | string, JsonValue]>,
  others: readonly JsonValue[] | JsonObject,
): boolean | undefined {
  for (const [name, value] of entries) {
    if (!Object.hasOwn(others, name)) return false;
    const other = (others as Readonly<Record<string | number, JsonValue>>)[name] as JsonValue;
    const same = equals(view, value, other);
    if (same !== true) return same;
  }
  return true;
}

/** Compares numbers, texts (by code points) or booleans; undefined if they cannot be compared. */
export function order(left: JsonValue, right: JsonValue): number | undefined {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return orderTexts(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  return undefined;
}

/** UTF-16 orders surrogates before the last characters of the basic plane; code points do not. */
function orderTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
