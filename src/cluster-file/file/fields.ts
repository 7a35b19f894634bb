import { excerpt } from '../../format/excerpt.ts';
import { nearestName } from '../../serde/json/nearest-name.ts';
import { isObject } from '../../shape/object.ts';
import {
  annotated,
  type Fields,
  type FieldsOf,
  type JsonSchema,
  listOf,
  mapOf,
  type Row,
  row,
  type Shape,
  Unfit,
} from '../../shape/shape.ts';

/*
 * Shapes of what a person writes. Unlike those of answers, they refuse fields that they do not know, and report all that is
 * wrong, each with its reason.
 */

/** Something that is wrong in a document. */
export interface Fault {
  /** The names on the way to it. */
  readonly way: readonly (string | number)[];
  readonly why: string;
  /** Whether the name at the end of the way is wrong, and not its value. */
  readonly isName?: boolean;
  /** The part of a text, which is the value, that stands before what is wrong in it. */
  readonly before?: string;
}

/** All that is wrong with a value. */
export class Faults extends Unfit {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults[0]?.way ?? []);
    this.faults = faults;
  }

  override in(...names: readonly (string | number)[]): Faults {
    return new Faults(this.faults.map((fault) => ({ ...fault, way: [...names, ...fault.way] })));
  }
}

/** What is wrong with a value that does not fit its shape. */
export function faultsOf(unfit: Unfit, shape: Shape<unknown>): readonly Fault[] {
  return unfit instanceof Faults ? unfit.faults : [{ way: unfit.way, why: `expected ${expected(shape.schema())}` }];
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'fields',
  array: 'a list',
  null: 'null',
};

/** What a JSON Schema describes, in words. */
function expected(schema: JsonSchema): string {
  const { const: only, enum: words, anyOf, type, minimum, maximum, properties } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(words)) return words.join(' or ');
  if (Array.isArray(anyOf)) return anyOf.map(expected).join(' or ');
  if (Array.isArray(type)) return type.map((one) => typeNames[one] ?? one).join(' or ');
  const [name, ...others] = Object.keys(Object(properties));
  if (name !== undefined && others.length === 0) return `{${name}: …}`;
  const limits =
    minimum === undefined ? '' : maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
  return (typeNames[String(type)] ?? 'another value') + limits;
}

/** An object that has no other fields; all that is wrong in it is reported. */
export function fields<const F extends Fields>(given: F): Row<F> {
  const known = row(given);
  const entries = Object.entries(given) as [string, Shape<unknown>][];
  return {
    ...known,
    take(value) {
      if (!isObject(value)) return new Faults([{ way: [], why: 'expected fields' }]);
      const faults: Fault[] = [];
      const taken: Record<string, unknown> = {};
      for (const [name, shape] of entries) {
        const one = takeField(faults, name, shape, value[name]);
        if (one !== undefined) taken[name] = one;
      }
      for (const name of Object.keys(value).filter((one) => !Object.hasOwn(given, one)))
        faults.push({
          way: [name],
          why: unknownField(name, Object.keys(given)),
          isName: true,
        });
      return faults.length > 0 ? new Faults(faults) : (taken as FieldsOf<F>);
    },
  };
}

function unknownField(name: string, known: readonly string[]): string {
  return `unknown field; ${nearestOf(name, known)}the fields are ${known.join(', ')}`;
}

/** Asks whether one of the known names was meant, before a sentence that lists them; empty if none is close. */
export function nearestOf(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : `did you mean ${near}? `;
}

/** Takes a field, which may be left out if its shape says so; undefined if something is wrong, which is added. */
function takeField(faults: Fault[], name: string, shape: Shape<unknown>, value: unknown): unknown {
  if (value !== undefined) return takeInto(faults, name, shape, value);
  if (!('isLeftOut' in shape)) faults.push({ way: [], why: `the field "${name}" is missing` });
  return undefined;
}

/** An object with any names, whose values have one shape; null is one without names. */
export function byName<T>(
  item: Shape<T>,
  nameFault: (name: string) => string | undefined = () => undefined,
): Shape<Readonly<Record<string, T>>> {
  return {
    take(value) {
      if (value === null) return {};
      if (!isObject(value)) return new Faults([{ way: [], why: 'expected names, each with its fields' }]);
      const faults: Fault[] = [];
      const entries: [string, T][] = [];
      for (const [name, one] of Object.entries(value)) {
        const fault = nameFault(name);
        if (fault !== undefined) faults.push({ way: [name], why: fault, isName: true });
        const taken = takeInto(faults, name, item, one);
        if (taken !== undefined) entries.push([name, taken]);
      }
      return faults.length > 0 ? new Faults(faults) : Object.fromEntries(entries);
    },
    schema: () => ({ ...mapOf(item).schema(), type: ['object', 'null'] }),
  };
}

/** A list; null is one without items. */
export function items<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    take(value) {
      if (value === null) return [];
      if (!Array.isArray(value)) return new Faults([{ way: [], why: 'expected a list' }]);
      const faults: Fault[] = [];
      const taken = value.flatMap((one, at) => takeInto(faults, at, item, one) ?? []);
      return faults.length > 0 ? new Faults(faults) : (taken as T[]);
    },
    schema: () => ({ ...listOf(item).schema(), type: ['array', 'null'] }),
  };
}

/** Takes a value by its shape; undefined if something is wrong, which is added. */
function takeInto<T>(faults: Fault[], name: string | number, shape: Shape<T>, value: unknown): T | undefined {
  const taken = shape.take(value);
  if (!(taken instanceof Unfit)) return taken;
  for (const fault of faultsOf(taken, shape)) faults.push({ ...fault, way: [name, ...fault.way] });
  return undefined;
}

/** The shape with a rule of its own: `fault` says why a value that fits is wrong, or what in it. */
export function checked<T>(shape: Shape<T>, fault: (value: T) => string | Fault | undefined): Shape<T> {
  return {
    ...shape,
    take(value) {
      const taken = shape.take(value);
      if (taken instanceof Unfit) return taken;
      const found = fault(taken);
      if (found === undefined) return taken;
      return new Faults([typeof found === 'string' ? { way: [], why: found } : found]);
    },
  };
}

/** What `parse` makes of a value that has the shape; what it throws says why the value is wrong. */
export function parsed<T, U>(shape: Shape<T>, parse: (value: T) => U): Shape<U> {
  return {
    schema: shape.schema,
    take(value) {
      const taken = shape.take(value);
      if (taken instanceof Unfit) return taken;
      try {
        return parse(taken);
      } catch (error) {
        return new Faults([{ way: [], why: error instanceof Error ? error.message : String(error) }]);
      }
    },
  };
}

/** Null counts as an object without fields: `topics: {orders: }`. */
export function emptyIfNull<F extends Fields>(shape: Row<F>): Shape<FieldsOf<F>> {
  return {
    take: (value) => shape.take(value === null ? {} : value),
    schema: () => ({ ...shape.schema(), type: ['object', 'null'] }),
  };
}

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number): Shape<number> {
  const isTaken = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const whole: Shape<number> = {
    take(value) {
      if (isTaken(value)) return value;
      const text = typeof value === 'string' ? JSON.stringify(excerpt(value)) : String(value);
      const given = typeof value === 'object' ? '' : `, not ${text}`;
      return new Faults([{ way: [], why: `expected a whole number from ${least} to ${most}${given}` }]);
    },
    schema: () => ({ type: 'integer' }),
  };
  return annotated(whole, { minimum: least, maximum: most });
}
