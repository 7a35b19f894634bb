import type { JsonValue } from './json/json-value.ts';

/** Names the branch of a union that a value in a list or map came from, by its place there. */
const branches = Symbol('branches');

/** The values of fields that a map lacks because it leaves them out. */
const defaults = Symbol('defaults');

/** A list or map whose values can be replaced. */
export interface Container {
  [name: string | number]: JsonValue;
  [branches]?: Map<string | number, string>;
  [defaults]?: ReadonlyMap<string, JsonValue>;
}

/** Replaces the value at a place in a list or map by what it stands for; does nothing if there is none. */
export type Replace = (container: Container, name: string | number) => void;

/** What decoded JSON stands for, where the JSON of a format only writes it down. */
export interface Natural {
  /**
   * Replaces the `value` of the holder: the value of a union comes without the name of its branch around it, and numbers
   * that are written as text are numbers. Takes note of the values of fields that are left out.
   */
  readonly apply: Replace;
  /**
   * Returns the JSON of all texts that may be values of fields which are left out; undefined if no field is.
   */
  readonly leftOut?: () => string;
}

/** Where `Natural` finds the value. */
export const naturalPlace = 'value';

/** Returns the list or map at a place; undefined if something else is there. */
export function containerAt(container: Container, name: string | number): Container | undefined {
  const value = Object.hasOwn(container, name) ? container[name] : undefined;
  return typeof value === 'object' && value !== null ? (value as unknown as Container) : undefined;
}

/** Replaces every value of the list or map at a place. */
export function replaceEach(replace: Replace): Replace {
  return (container, name) => {
    const inner = containerAt(container, name);
    if (inner === undefined) return;
    if (Array.isArray(inner)) for (let at = 0; at < inner.length; at++) replace(inner, at);
    else for (const one of Object.keys(inner)) replace(inner, one);
  };
}

/** Takes note of the branch that the value at a place came from. */
export function noteBranch(container: Container, name: string | number, branch: string): void {
  container[branches] ??= new Map();
  container[branches].set(name, branch);
}

/** Returns the branch of a union that the value at a place came from; undefined if it was in no union. */
export function branchAt(container: JsonValue, name: string | number): string | undefined {
  if (typeof container !== 'object' || container === null) return undefined;
  return (container as unknown as Container)[branches]?.get(name);
}

/** Takes note of the values of the fields that a map may lack. */
export function noteDefaults(container: Container, values: ReadonlyMap<string, JsonValue>): void {
  container[defaults] = values;
}

/** Returns the value of a field that a map lacks; undefined if the field is missing. */
export function defaultAt(container: JsonValue, name: string): JsonValue | undefined {
  if (typeof container !== 'object' || container === null) return undefined;
  return (container as unknown as Container)[defaults]?.get(name);
}

/** Checks whether `name` means a branch: its full name, or that without the namespace. */
export function isBranch(branch: string | undefined, name: string): boolean {
  return branch !== undefined && (branch === name || branch.endsWith(`.${name}`));
}
