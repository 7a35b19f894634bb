import { type Fields, fieldsOf } from '../../net/json.ts';
import { Misfit, read, type Shape } from '../../shape/shape.ts';
import { badAnswer } from './answer-error.ts';

/**
 * Returns what reads an answer by a shape. It throws CliError that names the place that does not fit.
 * @param whole what the whole answer should be, for the error
 */
export function reader<T>(shape: Shape<T>, whole = 'object'): (body: unknown, what: string) => T {
  return (body, what) => {
    // A list that is left out is empty; an answer that is left out is none.
    if (body === undefined || body === null) throw badAnswer(what, whole);
    try {
      return read(shape, body);
    } catch (error) {
      throw error instanceof Misfit ? badAnswer(what, error.place || whole) : error;
    }
  };
}

/** Returns the items of an answer that is a list. @throws CliError if it is not one */
export function itemsOf(body: unknown, what: string, name = 'list'): readonly Fields[] {
  if (!Array.isArray(body)) throw badAnswer(what, name);
  return body.map(fieldsOf);
}

/**
 * Returns the items of a list in an object of an answer. The server leaves out lists that are empty.
 * @throws CliError if the object is not one, or the list is something else
 */
export function listIn(holder: unknown, name: string, what: string): readonly Fields[] {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) throw badAnswer(what, name);
  const value = fieldsOf(holder)[name];
  return value === undefined || value === null ? [] : itemsOf(value, what, name);
}

/** Returns a whole number that the answer must have. @throws CliError if it has none */
export function needNumber(fields: Fields, name: string, what: string): number {
  const value = fields[name];
  if (!isWhole(value)) throw badAnswer(what, name);
  return value;
}

/** Returns a text that the answer must have. @throws CliError if it has none */
export function needText(fields: Fields, name: string, what: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw badAnswer(what, name);
  return value;
}

/** Returns a boolean that the answer must have. @throws CliError if it has none */
export function needBoolean(fields: Fields, name: string, what: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw badAnswer(what, name);
  return value;
}

/** Returns a whole number, such as an id, a size or a count; `other` if there is none. */
export function numberOr<T>(value: unknown, other: T): number | T {
  return isWhole(value) ? value : other;
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

/** Returns a text; null if there is none. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the whole numbers of a list; other items are left out. */
export function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter(isWhole) : [];
}

/** Returns the texts of a list; other items are left out. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The name of a topic; topics outside of the namespace of Kafka topics have their namespace before it. */
export function kafkaName(namespace: string, topic: string): string {
  return namespace === 'kafka' ? topic : `${namespace}/${topic}`;
}

/** `kafka/topic/0` as `topic/0`; partitions outside of the namespace of Kafka topics keep it. */
export function partitionName(name: string): string {
  return name.replace(/^kafka\/(?=[^/]+\/\d+$)/, '');
}
