import type { JsonValue } from '../json/json-value.ts';
import type { Resource } from './library.ts';

/** One validation under way. */
export interface Run {
  /** The steps that are left; each schema that is applied to a value takes one or more. */
  left: number;
  /** The last failure. */
  failure: Failure | undefined;
  /** The keys and indexes from the value of the failure outwards. */
  readonly path: (string | number)[];
  /** The resources that were entered and not left, for dynamic references. */
  readonly scope: Resource[];
}

/** Why a value is not valid. */
export interface Failure {
  readonly value: JsonValue | undefined;
  readonly expected: string | (() => string);
  /** What was found, unless that is the value. */
  readonly found?: string;
}

/** The parts of one object or array that schemas were applied to, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  readonly keys: Set<string>;
  /** So many items from the first one on. */
  items: number;
  readonly others: Set<number>;
}

/** Checks a value; a failure is noted in the run. */
export type Check<Value = JsonValue> = (value: Value, run: Run, seen: Seen | undefined) => boolean;

/** The kinds of values, as indexes of the checks of a schema. */
export const [ofNull, ofBoolean, ofNumber, ofString, ofArray, ofObject] = [0, 1, 2, 3, 4, 5] as const;

/** The kinds of values, all of them. */
export const anyKind: readonly number[] = [ofNull, ofBoolean, ofNumber, ofString, ofArray, ofObject];

/** A compiled schema. */
export interface Node {
  /** The checks by kind of value, filled while the schema is compiled. */
  readonly checks: readonly Check[][];
  /** Checks that need to know what the other ones have seen. */
  readonly last: Check[];
  /** The resource that the schema is in, if references depend on how it was reached. */
  readonly entered: Resource | undefined;
}

/** Thrown when a value takes too many steps. */
export class TooManySteps extends Error {}

/** Thrown when it depends on a pattern that cannot be matched in a bounded time whether a value is valid. */
export class Undecided extends Error {}

/** Notes a failure; returns false for the check to return. */
export function fail(run: Run, value: JsonValue | undefined, expected: string | (() => string), found?: string): false {
  run.failure = found === undefined ? { value, expected } : { value, expected, found };
  run.path.length = 0;
  return false;
}

/** Takes so many steps. @throws TooManySteps */
export function spend(run: Run, steps: number): void {
  run.left -= steps;
  if (run.left < 0) throw new TooManySteps();
}

/** Applies a schema to a value. */
export function apply(node: Node, value: JsonValue, run: Run, seen: Seen | undefined): boolean {
  if (--run.left < 0) throw new TooManySteps();
  if (node.last.length === 0 && node.entered === undefined) return all(node.checks[kindOf(value)], value, run, seen);
  const { length } = run.scope;
  if (node.entered !== undefined && run.scope[length - 1] !== node.entered) run.scope.push(node.entered);
  const isValid =
    node.last.length === 0 ? all(node.checks[kindOf(value)], value, run, seen) : track(node, value, run, seen);
  run.scope.length = length;
  return isValid;
}

/** Applies a schema to a part of a value. */
export function applyTo(node: Node, value: JsonValue, step: string | number, run: Run): boolean {
  if (apply(node, value, run, undefined)) return true;
  run.path.push(step);
  return false;
}

function all(checks: readonly Check[] = [], value: JsonValue, run: Run, seen: Seen | undefined): boolean {
  for (let at = 0; at < checks.length; at++) if (!(checks[at] as Check)(value, run, seen)) return false;
  return true;
}

function track(node: Node, value: JsonValue, run: Run, seen: Seen | undefined): boolean {
  const marks = unseen();
  if (!all(node.checks[kindOf(value)], value, run, marks) || !all(node.last, value, run, marks)) return false;
  if (seen !== undefined) merge(seen, marks, run);
  return true;
}

function kindOf(value: JsonValue): number {
  if (typeof value === 'string') return ofString;
  if (typeof value === 'number') return ofNumber;
  if (typeof value === 'boolean') return ofBoolean;
  if (value === null) return ofNull;
  return Array.isArray(value) ? ofArray : ofObject;
}

/** Returns what was seen before anything was. */
export function unseen(): Seen {
  return { keys: new Set(), items: 0, others: new Set() };
}

/** Adds what another schema has seen. */
export function merge(seen: Seen, other: Seen, run: Run): void {
  spend(run, other.keys.size + other.others.size);
  for (const key of other.keys) seen.keys.add(key);
  for (const index of other.others) seen.others.add(index);
  seen.items = Math.max(seen.items, other.items);
}
