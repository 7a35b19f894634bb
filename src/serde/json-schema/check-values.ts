import { isArray, type JsonValue } from '../json/json-value.ts';
import { keyOf } from './equality.ts';
import type { Part } from './part.ts';
import {
  anyKind,
  type Check,
  fail,
  ofArray,
  ofBoolean,
  ofNull,
  ofNumber,
  ofObject,
  ofString,
  type Run,
} from './run.ts';

const kinds: Readonly<Record<string, number>> = {
  null: ofNull,
  boolean: ofBoolean,
  number: ofNumber,
  integer: ofNumber,
  string: ofString,
  array: ofArray,
  object: ofObject,
};

/** Adds the checks for any kind of value: `type`, `const` and `enum`. */
export function addValueChecks(part: Part): void {
  const { type, const: constant, enum: values } = part.schema;
  if (type !== undefined) addType(part, isArray(type) ? type.map(String) : [String(type)]);
  if (part.draft >= 6 && constant !== undefined) {
    addOneOf(part, [constant], () => JSON.stringify(constant));
  }
  if (isArray(values)) addOneOf(part, values, () => listed(values));
}

function addType(part: Part, types: readonly string[]): void {
  const allowed = new Set(types.map((type) => kinds[type]));
  const expected = types.join(' or ');
  const others = anyKind.filter((kind) => !allowed.has(kind));
  part.add(others, (value, run) => fail(run, value, expected));
  if (!types.includes('integer') || types.includes('number')) return;
  // A number such as 1e400 is infinite for JavaScript only.
  const isInteger = (value: number) => Number.isInteger(value) || !Number.isFinite(value);
  part.add([ofNumber], (value: number, run) => isInteger(value) || fail(run, value, expected));
}

function addOneOf(part: Part, values: readonly JsonValue[], expected: () => string): void {
  const keys = new Set(values.map((value) => keyOf(value)));
  const check: Check = (value, run: Run) => keys.has(keyOf(value, run)) || fail(run, value, expected);
  part.add(anyKind, check);
}

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 10).map((value) => JSON.stringify(value));
  return `one of ${shown.join(', ')}${values.length > 10 ? ' and others' : ''}`;
}
