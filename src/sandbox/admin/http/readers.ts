import { isObject } from '../../http/reply.ts';
import { badRequest } from './admin-error.ts';

/** Reads a JSON value that must have a certain form; `at` names it in errors. @throws AdminError 400 */
export type Reader<T> = (value: unknown, at: string) => T;

/** Parses the body of a request as JSON of a certain form. @throws AdminError 400 */
export function readJson<T>({ bytes }: { readonly bytes: Buffer }, reader: Reader<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw badRequest(`unable to parse the body as JSON: ${(error as Error).message}`);
  }
  return reader(value, 'body');
}

/** Reads a text. */
export const text: Reader<string> = (value, at) => {
  if (typeof value === 'string') return value;
  throw wrong(at, value, 'a string');
};

/** Reads a whole number from 0. */
export const integer: Reader<number> = (value, at) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(at, value, 'a whole number from 0');
};

/** Reads a boolean. */
export const boolean: Reader<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw wrong(at, value, 'a boolean');
};

/** Reads any JSON value that is present. */
export const anything: Reader<unknown> = (value, at) => {
  if (value !== undefined) return value;
  throw wrong(at, value, 'a value');
};

/** Reads one of these words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value, at) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw wrong(at, value, `one of ${words.join(', ')}`);
  };
}

/** Reads a list of items of the same form. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw wrong(at, value, 'an array');
    return value.map((one, index) => item(one, `${at}[${index}]`));
  };
}

/** Reads a value that may be missing. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : reader(value, at));
}

/** Reads an object with exactly these keys. */
export function object<Shape extends Readonly<Record<string, Reader<unknown>>>>(
  shape: Shape,
): Reader<{ readonly [Key in keyof Shape]: ReturnType<Shape[Key]> }> {
  return (value, at) => {
    if (!isObject(value)) throw wrong(at, value, 'an object');
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
    if (unknown !== undefined) throw badRequest(`${at} has an unknown field "${unknown}"`);
    const read = Object.entries(shape).map(([key, reader]) => [key, reader(value[key], `${at}.${key}`)]);
    return Object.fromEntries(read) as { readonly [Key in keyof Shape]: ReturnType<Shape[Key]> };
  };
}

function wrong(at: string, value: unknown, expected: string): Error {
  return badRequest(value === undefined ? `${at} is missing` : `${at} must be ${expected}`);
}
