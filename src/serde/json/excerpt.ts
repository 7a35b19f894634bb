import { isObject } from '../../shape/object.ts';
import { isArray, type JsonValue } from './json-value.ts';

/** Shows JSON in a message: the first characters of text, numbers as they are, containers only by their sort. */
export function excerpt(value: JsonValue | undefined): string {
  const most = 40;
  if (value === undefined) return 'nothing';
  if (isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  // JSON has no word for it: the text had a number such as 1e400.
  if (value === Number.POSITIVE_INFINITY) return 'above 1.8e308';
  if (value === Number.NEGATIVE_INFINITY) return 'below -1.8e308';
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value);
  return JSON.stringify(value.length > most ? `${value.slice(0, most - 1)}…` : value);
}

/** Says what a value is: its sort and the beginning of its text. */
export function describeValue(value: JsonValue | undefined): string {
  if (typeof value === 'string') return `string ${excerpt(value)}`;
  return typeof value === 'number' || typeof value === 'bigint' ? `number ${excerpt(value)}` : excerpt(value);
}
