import { isObject, valueAt } from './object.ts';
/** A JSON Schema (draft 2020-12), as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * What a value of an answer or of a result looks like, declared once. From it come its TypeScript type (`RowOf`), the
 * reading of answers (`read`) and the JSON Schema of the output. A list may have hundreds of thousands of rows, and
 * every command makes the shapes of its noun: reading needs no memory besides what it returns, and a schema is made
 * when it is asked for.
 */
export interface Shape<out T> {
  /** What the shape makes of a value; `Unfit` for one of another form. */
  readonly take: (value: unknown) => T | Unfit;
  /** Describes what `take` returns: lists and optional values are there, undeclared fields are not. */
  readonly schema: () => JsonSchema;
}

/** The type that a shape declares. */
export type RowOf<S> = S extends Shape<infer T> ? T : never;

/** What a reading returns for a value of another form, with the names on the way to what does not fit. */
export class Unfit {
  readonly way: readonly (string | number)[];

  constructor(way: readonly (string | number)[]) {
    this.way = way;
  }

  /** The same, seen from the object or the list that holds the value under a name. */
  in(...names: readonly (string | number)[]): Unfit {
    return new Unfit([...names, ...this.way]);
  }
}

const unfit = new Unfit([]);

/** A value does not have the shape that it is read by. */
export class Misfit extends Error {
  /** Where in the value, for example `results.0.p99`; empty for the whole value. */
  readonly place: string;

  constructor(place = '') {
    super('the value has another form');
    this.name = 'Misfit';
    this.place = place;
  }
}

/** Reads an unknown value by its shape. @throws Misfit for a value that has another form */
export function read<T>(shape: Shape<T>, value: unknown): T {
  const taken = shape.take(value);
  if (taken instanceof Unfit) throw new Misfit(taken.way.join('.'));
  return taken;
}

/** A shape whose values stay as they are. */
function plain<T>(isTaken: (value: unknown) => boolean, schema: JsonSchema): Shape<T> {
  return { take: (value) => (isTaken(value) ? (value as T) : unfit), schema: () => schema };
}

const isWhole = Number.isInteger as (value: unknown) => value is number;

/** Text. */
export const string: Shape<string> = plain((value) => typeof value === 'string', { type: 'string' });

/** Text with at least one character; with `maybe`, an empty one is null. */
export const filled: Shape<string> = plain((value) => typeof value === 'string' && value !== '', { type: 'string' });

/** Text that matches a pattern. */
export function matching(pattern: RegExp): Shape<string> {
  return plain((value) => typeof value === 'string' && pattern.test(value), { type: 'string' });
}

/** Text that is JSON. */
export const json: Shape<string> = annotated(string, { contentMediaType: 'application/json' });

/** `true` or `false`. */
export const truth: Shape<boolean> = plain((value) => typeof value === 'boolean', { type: 'boolean' });

/** A whole number that a JavaScript number holds, such as an id, a size or a count. */
export const whole: Shape<number> = plain(isWhole, { type: 'integer' });

/** A whole number from 0 on: of ids and offsets, servers send -1 for none, which `maybe` makes null. */
export const natural: Shape<number> = between(0, Number.POSITIVE_INFINITY);

/** A whole number from `least` to `most`. */
export function between(least: number, most: number): Shape<number> {
  return plain((value) => isWhole(value) && value >= least && value <= most, { type: 'integer' });
}

/** A whole number with all its digits: a bigint beyond 2^53. */
export const exact: Shape<number | bigint> = plain((value) => typeof value === 'bigint' || isWhole(value), {
  type: 'integer',
});

/** A 64-bit whole number, such as an offset or a timestamp, as a bigint. */
export const int64: Shape<bigint> = mapped(exact, BigInt);

/** A measured number, which may have decimals. */
export const measure: Shape<number> = plain(Number.isFinite, { type: 'number' });

/** Null. */
export const nothing: Shape<null> = plain((value) => value === null, { type: 'null' });

/** Any JSON value, as it is. */
export const anything: Shape<unknown> = plain(() => true, {});

/** An object with any fields, as it is. */
export const object: Shape<Readonly<Record<string, unknown>>> = plain(isObject, { type: 'object' });

/** One of a few words. */
export function word<const W extends string>(...words: readonly W[]): Shape<W> {
  const allowed: readonly unknown[] = words;
  return plain((value) => allowed.includes(value), { type: 'string', enum: words });
}

/** Exactly this value. */
export function always<const V extends string | number | boolean>(value: V): Shape<V> {
  return plain((given) => given === value, { const: value });
}

/** What `convert` makes of any value, and of null for one that is left out, read by a shape. */
export function converted<T>(convert: (value: unknown) => unknown, shape: Shape<T>): Shape<T> {
  return { take: (value) => shape.take(convert(value === undefined ? null : value)), schema: shape.schema };
}

/** The shape, or null: for what an answer leaves out, sends as null, or sends in another form. */
export function maybe<T>(shape: Shape<T>): Shape<T | null> {
  return {
    take(value) {
      const taken = value === undefined || value === null ? null : shape.take(value);
      return taken instanceof Unfit ? null : taken;
    },
    schema: () => ({ anyOf: [shape.schema(), { type: 'null' }] }),
  };
}

/** The shape, or another value: for what an answer leaves out, sends as null, or sends in another form. */
export function orElse<T>(shape: Shape<T>, other: T): Shape<T> {
  return {
    take(value) {
      const taken = shape.take(value);
      return taken instanceof Unfit ? other : taken;
    },
    schema: shape.schema,
  };
}

/** The shape, or `otherwise` for what an answer leaves out or sends as null. */
export function unless<T>(otherwise: T, shape: Shape<T>): Shape<T> {
  return {
    take: (value) => (value === undefined || value === null ? otherwise : shape.take(value)),
    schema: shape.schema,
  };
}

/** A list. Servers leave out lists that are empty. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    take(value) {
      if (value === undefined || value === null) return [];
      if (!Array.isArray(value)) return unfit;
      const items: T[] = [];
      for (const one of value) {
        const taken = item.take(one);
        if (taken instanceof Unfit) return taken.in(items.length);
        items.push(taken);
      }
      return items;
    },
    schema: () => ({ type: 'array', items: item.schema() }),
  };
}

/** A list of what has the shape: other items are left out, and what is not a list is empty. */
export function fitting<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    take: (value) =>
      Array.isArray(value) ? value.map(item.take).filter((one): one is T => !(one instanceof Unfit)) : [],
    schema: listOf(item).schema,
  };
}

/** A list in an order of its own. */
export function sorted<T>(list: Shape<readonly T[]>, order: (a: T, b: T) => number): Shape<readonly T[]> {
  return mapped(list, (items) => items.toSorted(order));
}

/** What a function makes of a value that has the shape; the JSON Schema stays that of the shape. */
export function mapped<T, U>(shape: Shape<T>, change: (value: T) => U): Shape<U> {
  return {
    take(value) {
      const taken = shape.take(value);
      return taken instanceof Unfit ? taken : change(taken);
    },
    schema: shape.schema,
  };
}

/** One of several shapes: the first that fits. */
export function either<const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<RowOf<S[number]>> {
  return {
    take(value) {
      for (const shape of shapes) {
        const taken = shape.take(value);
        if (!(taken instanceof Unfit)) return taken as RowOf<S[number]>;
      }
      return unfit;
    },
    schema: () => alternatives(shapes.map((shape) => shape.schema())),
  };
}

/** Alternatives that are nothing but different types are a list of types. */
function alternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const types = schemas.map((schema) => (Object.keys(schema).length === 1 ? schema.type : undefined));
  const isShort = !types.includes(undefined) && new Set(types).size === types.length;
  return isShort ? { type: types } : { anyOf: schemas };
}

/** An object with any keys, whose values have one shape. */
export function mapOf<T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return {
    take(value) {
      if (!isObject(value)) return unfit;
      const entries = new Map<string, T>();
      for (const [key, one] of Object.entries(value)) {
        const taken = item.take(one);
        if (taken instanceof Unfit) return taken.in(key);
        entries.set(key, taken);
      }
      return Object.fromEntries(entries);
    },
    schema: () => ({ type: 'object', ...(item !== anything && { additionalProperties: item.schema() }) }),
  };
}

/** A field that may be left out of its row. */
export interface LeftOut<T> extends Shape<T | undefined> {
  readonly isLeftOut: true;
}

/** A field that may be left out of its row, also in the output. */
export function leftOut<T>(shape: Shape<T>): LeftOut<T> {
  return {
    isLeftOut: true,
    take: (value) => (value === undefined ? undefined : shape.take(value)),
    schema: shape.schema,
  };
}

/** A field that has another name in answers than in the row. */
export interface At<T> {
  /** Its name in answers, or the names on the way to it, with dots between them. */
  readonly source: string;
  readonly shape: Shape<T>;
}

/** A field that answers have under another name, or inside another object: `draining: at('status.draining', truth)`. */
export function at<T>(source: string, shape: Shape<T>): At<T> {
  return { source, shape };
}

/** What an answer has in a field of an object of which nothing else is read. */
export function inside<T>(name: string, shape: Shape<T>): Shape<T> {
  return {
    take(value) {
      if (!isObject(value)) return unfit;
      const taken = shape.take(value[name]);
      return taken instanceof Unfit ? taken.in(name) : taken;
    },
    schema: shape.schema,
  };
}

/** The fields of a row, in the order of the output. */
export type Fields = Readonly<Record<string, Shape<unknown> | At<unknown>>>;

type FieldOf<F> = F extends At<infer T> ? T : RowOf<F>;

type LeftOutKeys<F extends Fields> = { [K in keyof F]: F[K] extends LeftOut<unknown> ? K : never }[keyof F];

/** The type that the fields of a row declare. */
export type FieldsOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, LeftOutKeys<F>>]: FieldOf<F[K]>;
} & { readonly [K in LeftOutKeys<F>]?: Exclude<FieldOf<F[K]>, undefined> };

/** The shape of an object; its fields can be part of another: `row({ ...trimmed.fields, dry_run: truth })`. */
export interface Row<F extends Fields> extends Shape<FieldsOf<F>> {
  readonly fields: F;
}

/** An object. Fields that it does not declare are left out. */
export function row<const F extends Fields>(fields: F): Row<F> {
  const entries = entriesOf(fields);
  return {
    fields,
    take: (value) => (isObject(value) ? (takeFields(entries, value) as FieldsOf<F> | Unfit) : unfit),
    schema: () => schemaOf(entries, false),
  };
}

/** The known fields of a row whose other fields are kept. */
export type LooseFields = Readonly<Record<string, Shape<unknown>>>;

/** The type of a row whose other fields are kept. */
export type LooseFieldsOf<F extends LooseFields> = FieldsOf<F> & { readonly [field: string]: unknown };

/** An object whose other fields are kept, for commands that print what they do not know. */
export function looseRow<const F extends LooseFields>(fields: F): Shape<LooseFieldsOf<F>> {
  const entries = entriesOf(fields);
  return {
    take(value) {
      if (!isObject(value)) return unfit;
      const taken = takeFields(entries, value);
      if (taken instanceof Unfit) return taken;
      const others = Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name));
      return { ...taken, ...Object.fromEntries(others) } as LooseFieldsOf<F>;
    },
    schema: () => schemaOf(entries, true),
  };
}

interface Entry {
  readonly name: string;
  readonly shape: Shape<unknown>;
  /** The names on the way to it in an answer. */
  readonly way: readonly string[];
}

function entriesOf(fields: Fields): readonly Entry[] {
  return Object.entries(fields).map(([name, field]) =>
    'source' in field
      ? { name, shape: field.shape, way: field.source.split('.') }
      : { name, shape: field, way: [name] },
  );
}

function takeFields(entries: readonly Entry[], input: Readonly<Record<string, unknown>>): object {
  const value: Record<string, unknown> = {};
  for (const { name, shape, way } of entries) {
    const [first = ''] = way;
    const taken = shape.take(way.length === 1 ? input[first] : valueAt(input, way));
    if (taken instanceof Unfit) return taken.in(...way);
    if (taken !== undefined) value[name] = taken;
  }
  return value;
}

function schemaOf(entries: readonly Entry[], hasOthers: boolean): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, shape }) => [name, shape.schema()])),
    required: entries.filter(({ shape }) => !('isLeftOut' in shape)).map(({ name }) => name),
    additionalProperties: hasOthers,
  };
}

/** The same shape with a sentence about it, such as its unit, for the JSON Schema and the documentation. */
export function described<T>(shape: Shape<T>, description: string): Shape<T> {
  return annotated(shape, { description });
}

/** The same shape with keywords of the JSON Schema that readers do not need. */
export function annotated<T>(shape: Shape<T>, keywords: JsonSchema): Shape<T> {
  return { ...shape, schema: () => ({ ...shape.schema(), ...keywords }) };
}
