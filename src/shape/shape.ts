import * as v from 'valibot';

/**
 * What a value of an answer or of a result looks like, declared once. From it come its TypeScript type (`RowOf`), the
 * reading of answers (`read`) and the JSON Schema of the output (`jsonSchemaOf`).
 */
export type Shape<T> = v.GenericSchema<unknown, T>;

/** The type that a shape declares. */
export type RowOf<S> = S extends Shape<infer T> ? T : never;

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

/** The value that a shape makes of another one; `unfit` for one of another form. */
type Take = (value: unknown) => unknown;

const unfit = Symbol('a value of another form');

/**
 * The quick readers of shapes. They do not say what is wrong, and so need no memory besides what they return: a list may
 * have hundreds of thousands of rows. valibot reads again what does not fit, and names the place.
 */
const takers = new WeakMap<Shape<unknown>, Take>();

/** The shape, with a quick reader. */
function quick<S extends Shape<unknown>>(shape: S, take: Take): S {
  takers.set(shape, take);
  return shape;
}

/** The quick reader of a shape whose values stay as they are. */
function only(isTaken: (value: unknown) => boolean): Take {
  return (value) => (isTaken(value) ? value : unfit);
}

function takerOf(shape: Shape<unknown>): Take {
  return (
    takers.get(shape) ??
    ((value) => {
      const result = v.safeParse(shape, value, { abortEarly: true });
      return result.success ? result.output : unfit;
    })
  );
}

/** Reads an unknown value by its shape. @throws Misfit for a value that has another form */
export function read<T>(shape: Shape<T>, value: unknown): T {
  const taken = takers.get(shape)?.(value) ?? unfit;
  if (taken !== unfit) return taken as T;
  const result = v.safeParse(shape, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ path = [] }] = result.issues;
  throw new Misfit(path.map(({ key }) => String(key)).join('.'));
}

/** Text. */
export const string: Shape<string> = quick(
  v.string(),
  only((value) => typeof value === 'string'),
);

/** Text with at least one character; with `maybe`, an empty one is null. */
export const filled: Shape<string> = v.pipe(v.string(), v.nonEmpty());

/** Text that matches a pattern. */
export function matching(pattern: RegExp): Shape<string> {
  return v.pipe(v.string(), v.regex(pattern));
}

/** Text that is JSON. */
export const json: Shape<string> = annotated(string, { contentMediaType: 'application/json' });

/** `true` or `false`. */
export const truth: Shape<boolean> = quick(
  v.boolean(),
  only((value) => typeof value === 'boolean'),
);

/** A whole number that a JavaScript number holds, such as an id, a size or a count. */
export const whole: Shape<number> = quick(v.pipe(v.number(), v.integer()), only(Number.isInteger));

/** A whole number from 0 on: of ids and offsets, servers send -1 for none, which `maybe` makes null. */
export const natural: Shape<number> = quick(
  v.pipe(v.number(), v.integer(), v.minValue(0)),
  only((value) => Number.isInteger(value) && (value as number) >= 0),
);

/** A whole number from `least` to `most`. */
export function between(least: number, most: number): Shape<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
}

/** A whole number with all its digits: a bigint beyond 2^53. */
export const exact: Shape<number | bigint> = v.custom<number | bigint>(
  (value) => typeof value === 'bigint' || Number.isInteger(value),
);

/** A 64-bit whole number, such as an offset or a timestamp, as a bigint. */
export const int64: Shape<bigint> = v.pipe(
  exact,
  v.transform((value) => BigInt(value)),
);

/** A measured number, which may have decimals. */
export const measure: Shape<number> = quick(v.pipe(v.number(), v.finite()), only(Number.isFinite));

/** Null. */
export const nothing: Shape<null> = v.null();

/** Any JSON value, as it is. */
export const anything: Shape<unknown> = v.unknown();

/** An object with any fields, as it is. */
export const object: Shape<Readonly<Record<string, unknown>>> = quick(
  v.custom<Readonly<Record<string, unknown>>>(isObject),
  only(isObject),
);

/** What `convert` makes of any value, and of null for one that is left out, read by a shape. */
export function converted<T>(convert: (value: unknown) => unknown, shape: Shape<T>): Shape<T> {
  const take = takerOf(shape);
  return quick(v.optional(v.pipe(v.unknown(), v.transform(convert), shape), null), (value) =>
    take(convert(value === undefined ? null : value)),
  );
}

/** One of a few words. */
export function word<const W extends string>(...words: readonly W[]): Shape<W> {
  return v.picklist(words);
}

/** Exactly this value. */
export function always<const V extends string | number | boolean>(value: V): Shape<V> {
  return v.literal(value);
}

/** The shape, or null: for what an answer leaves out, sends as null, or sends in another form. */
export function maybe<T>(shape: Shape<T>): Shape<T | null> {
  const take = takerOf(shape);
  return quick(v.fallback(v.nullish(shape, null), null), (value) => {
    const found = value === undefined || value === null ? null : take(value);
    return found === unfit ? null : found;
  });
}

/** The shape, or another value: for what an answer leaves out, sends as null, or sends in another form. */
export function orElse<T>(shape: Shape<T>, other: T): Shape<T> {
  const take = takerOf(shape);
  return quick(v.fallback(shape, other), (value) => {
    const found = take(value);
    return found === unfit ? other : found;
  });
}

/** The shape, or `otherwise` for what an answer leaves out or sends as null. */
export function unless<T>(otherwise: T, shape: Shape<T>): Shape<T> {
  return v.nullish(shape, otherwise) as unknown as Shape<T>;
}

/** A list. Servers leave out lists that are empty. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  const take = takerOf(item);
  return quick(v.nullish(v.array(item), []), (value) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return unfit;
    const items: unknown[] = [];
    for (const one of value) {
      const found = take(one);
      if (found === unfit) return unfit;
      items.push(found);
    }
    return items;
  });
}

/** A list of what has the shape: other items are left out, and what is not a list is empty. */
export function fitting<T>(item: Shape<T>): Shape<readonly T[]> {
  const take = takerOf(item);
  const takeList: Take = (value) => (Array.isArray(value) ? value.map(take).filter((one) => one !== unfit) : []);
  const list = { ...v.array(item), '~run': ({ value }) => ({ typed: true, value: takeList(value) }) } as Shape<
    readonly T[]
  >;
  return quick(list, takeList);
}

/** A list in an order of its own. */
export function sorted<T>(list: Shape<readonly T[]>, order: (a: T, b: T) => number): Shape<readonly T[]> {
  return mapped(list, (items) => items.toSorted(order));
}

/** What a function makes of a value that has the shape; the JSON Schema stays that of the shape. */
export function mapped<T, U>(shape: Shape<T>, change: (value: T) => U): Shape<U> {
  const take = takerOf(shape);
  return quick(v.pipe(shape, v.transform(change)), (value) => {
    const found = take(value);
    return found === unfit ? unfit : change(found as T);
  });
}

/** One of several shapes: the first that fits. */
export function either<const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<RowOf<S[number]>> {
  return v.union(shapes) as unknown as Shape<RowOf<S[number]>>;
}

/** An object with any keys, whose values have one shape. */
export function mapOf<T>(value: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return v.record(v.string(), value);
}

/** A field that may be left out of its row. */
export interface LeftOut<T> extends Shape<T | undefined> {
  readonly isLeftOut: true;
}

/** A field that may be left out of its row, also in the output. */
export function leftOut<T>(shape: Shape<T>): LeftOut<T> {
  return { ...v.optional(shape), isLeftOut: true };
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
  const take = takerOf(shape);
  const entries = entriesOf({ [name]: shape });
  const inner = {
    ...shape,
    '~run': ({ value }, config) => {
      if (!isObject(value)) return never['~run']({ value }, config);
      const found = readFields(entries, value, config);
      return found.issues === undefined ? { typed: true, value: take(value[name]) as T } : found;
    },
  } as Shape<T>;
  return quick(inner, (value) => (isObject(value) ? take(value[name]) : unfit));
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
  const shape = v.object(Object.fromEntries(entries.map((entry) => [entry.name, entry.shape])));
  const own = {
    ...shape,
    fields,
    '~run': ({ value }, config) =>
      isObject(value) ? readFields(entries, value, config) : never['~run']({ value }, config),
  } as Row<F>;
  return quick(own, (value) => (isObject(value) ? takeFields(entries, value) : unfit));
}

interface Entry {
  readonly name: string;
  readonly shape: Shape<unknown>;
  readonly source: string;
  readonly way: readonly string[];
  readonly take: Take;
}

function entriesOf(fields: Fields): readonly Entry[] {
  return Object.entries(fields).map(([name, field]) => {
    if ('source' in field) {
      const { source, shape } = field;
      return { name, shape, source, way: source.split('.'), take: takerOf(shape) };
    }
    return { name, shape: field, source: name, way: [name], take: takerOf(field) };
  });
}

function takeFields(entries: readonly Entry[], input: Readonly<Record<string, unknown>>): unknown {
  const value: Record<string, unknown> = {};
  for (const { name, source, way, take } of entries) {
    const found = take(way.length === 1 ? input[source] : foundAt(input, way));
    if (found === unfit) return unfit;
    if (found !== undefined) value[name] = found;
  }
  return value;
}

/** Refuses every value. */
const never: Shape<unknown> = v.never();

type Run = Shape<unknown>['~run'];

/** Reads the fields of an object, and names the one that does not fit. */
function readFields(
  entries: readonly Entry[],
  input: Readonly<Record<string, unknown>>,
  config: Parameters<Run>[1],
): ReturnType<Run> {
  const value: Record<string, unknown> = {};
  for (const { name, shape, source, way } of entries) {
    const found = shape['~run']({ value: way.length === 1 ? input[source] : foundAt(input, way) }, config);
    if (found.issues !== undefined) {
      const item = { type: 'object', origin: 'value', input, key: source, value: found.value } as const;
      const [first, ...rest] = found.issues.map((issue) => ({ ...issue, path: [item, ...(issue.path ?? [])] }));
      return { typed: false, value, issues: [first, ...rest] } as ReturnType<Run>;
    }
    if (found.value !== undefined) value[name] = found.value;
  }
  return { typed: true, value };
}

function foundAt(input: Readonly<Record<string, unknown>>, way: readonly string[]): unknown {
  return way.reduce((inner: unknown, name) => (isObject(inner) ? inner[name] : undefined), input);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The known fields of a row whose other fields are kept. */
export type OpenFields = Readonly<Record<string, Shape<unknown>>>;

/** The type of a row whose other fields are kept. */
export type OpenFieldsOf<F extends OpenFields> = FieldsOf<F> & { readonly [field: string]: unknown };

/** An object whose other fields are kept, for commands that print what they do not know. */
export function openRow<const F extends OpenFields>(fields: F): Shape<OpenFieldsOf<F>> {
  const shape = v.looseObject(fields);
  return {
    ...shape,
    '~run': ({ value }, config) => (isObject(value) ? shape : never)['~run']({ value }, config),
  } as Shape<OpenFieldsOf<F>>;
}

/** The same shape with a sentence about it, such as its unit, for the JSON Schema and the documentation. */
export function described<T>(shape: Shape<T>, description: string): Shape<T> {
  return annotated(shape, { description });
}

/** The same shape with keywords of the JSON Schema that readers do not need. */
export function annotated<T>(shape: Shape<T>, keywords: Readonly<Record<string, string | number>>): Shape<T> {
  return quick(v.pipe(shape, v.metadata({ ...keywords })), takerOf(shape));
}
