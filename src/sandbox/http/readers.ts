import { isObject } from '../../shape/object.ts';

/** What is wrong with one field of a request. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** A request whose fields do not have the form that they must have. */
export class Invalid extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ field, description }) => `${field}: ${description}`).join('; '));
    this.violations = violations;
  }
}

/** Reads a JSON value that must have a certain form; `at` is its place, empty for the body. @throws Invalid */
export type Reader<T> = (value: unknown, at: string) => T;

/** The rule for a text. */
export interface TextRule {
  readonly pattern: RegExp;
  readonly description: string;
}

/** Reads a text. */
export const text: Reader<string> = (value, at) => {
  if (typeof value === 'string') return value;
  throw wrong(at, value, 'must be a text');
};

/** Reads a text that is not empty, and matches the rule. */
export function filled(rule?: TextRule): Reader<string> {
  return (value, at) => {
    const content = text(value === '' ? undefined : value, at);
    if (rule === undefined || rule.pattern.test(content)) return content;
    throw wrong(at, value, rule.description);
  };
}

/** Reads a whole number from 0. */
export const integer: Reader<number> = (value, at) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(at, value, 'must be a whole number from 0');
};

/** Reads a boolean. */
export const boolean: Reader<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw wrong(at, value, 'must be a boolean');
};

/** Reads any JSON value that is present. */
export const anything: Reader<unknown> = (value, at) => {
  if (value !== undefined) return value;
  throw wrong(at, value, 'must be a value');
};

/** Reads one of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value, at) => {
    const name = filled()(value, at);
    const match = words.find((word) => word === name);
    if (match !== undefined) return match;
    throw wrong(at, value, `unknown value "${name}", not one of ${words.join(', ')}`);
  };
}

/** Reads a list of items of the same form. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw wrong(at, value, 'must be a list');
    return value.map((one, index) => item(one, `${at}[${index}]`));
  };
}

/** Reads a value that may be missing. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : reader(value, at));
}

/** Reads an object with any keys, whose values have the same form. */
export function mapOf<T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isObject(value)) throw wrong(at, value, 'must be an object');
    return readAll(Object.entries(value).map(([key, one]) => [key, () => item(one, fieldIn(at, key))]));
  };
}

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Read<F extends Fields> = { readonly [Key in keyof F]: ReturnType<F[Key]> };

/**
 * Reads an object with these keys.
 * @param others keys that it may have as well, and that are not read
 */
export function object<F extends Fields>(fields: F, others: readonly string[] = []): Reader<Read<F>> {
  return (value, at) => {
    if (!isObject(value)) throw wrong(at, value, 'must be an object');
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key) && !others.includes(key));
    return readAll([
      ...Object.entries(fields).map(([key, reader]) => [key, () => reader(value[key], fieldIn(at, key))] as const),
      ...unknown.map((key) => [key, () => refuse(fieldIn(at, key), 'unknown field')] as const),
    ]) as Read<F>;
  };
}

/** The place of a field of what is at a place. */
export function fieldIn(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** Refuses one field. @throws Invalid */
export function refuse(field: string, description: string): never {
  throw new Invalid([{ field, description }]);
}

/** Reads all fields, and refuses all that are wrong together. */
function readAll<T>(fields: readonly (readonly [name: string, read: () => T])[]): Readonly<Record<string, T>> {
  const violations: Violation[] = [];
  const entries: (readonly [string, T])[] = [];
  for (const [name, read] of fields) {
    try {
      entries.push([name, read()]);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      violations.push(...error.violations);
    }
  }
  if (violations.length > 0) throw new Invalid(violations);
  return Object.fromEntries(entries);
}

function wrong(at: string, value: unknown, description: string): Invalid {
  const isMissing = value === undefined || value === null;
  return new Invalid([{ field: at || 'body', description: isMissing ? 'is required' : description }]);
}
