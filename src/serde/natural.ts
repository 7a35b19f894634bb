import type { JsonValue } from './json/json-value.ts';

/** Names the branch of a union that a value in a list or map came from, by its place there. */
const branches = Symbol('branches');

/** A list or map whose values can be replaced. */
export interface Container {
  [name: string | number]: JsonValue;
  [branches]?: Map<string | number, string>;
}

/** Replaces the value at a place in a list or map by what it stands for; does nothing if there is none. */
export type Replace = (container: Container, name: string | number) => void;

/**
 * Replaces the `value` of decoded JSON by what it stands for, where the JSON of a format only writes it down: the value of
 * a union without the name of its branch around it, numbers that are written as text as numbers.
 */
export type Natural = (holder: Container) => void;

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

/** Checks whether `name` means a branch: its full name, or that without the namespace. */
export function isBranch(branch: string | undefined, name: string): boolean {
  return branch !== undefined && (branch === name || branch.endsWith(`.${name}`));
}
