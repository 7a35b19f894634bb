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

/** Reads an unknown value by its shape. @throws Misfit for a value that has another form */
export function read<T>(shape: Shape<T>, value: unknown): T {
  const result = v.safeParse(shape, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ path = [] }] = result.issues;
  throw new Misfit(path.map(({ key }) => String(key)).join('.'));
}

/** Text. */
export const string: Shape<string> = v.string();

/** Text with at least one character; with `maybe`, an empty one is null. */
export const filled: Shape<string> = v.pipe(v.string(), v.nonEmpty());

/** Text that is JSON. */
export const json: Shape<string> = v.pipe(v.string(), v.metadata({ contentMediaType: 'application/json' }));

/** `true` or `false`. */
export const truth: Shape<boolean> = v.boolean();

/** A whole number that a JavaScript number holds, such as an id, a size or a count. */
export const whole: Shape<number> = v.pipe(v.number(), v.integer());

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
export const measure: Shape<number> = v.pipe(v.number(), v.finite());

/** Any JSON value, as it is. */
export const anything: Shape<unknown> = v.unknown();

/** An object with any fields, as it is. */
export const object: Shape<Readonly<Record<string, unknown>>> = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A whole number from `least` that fits an `int32`. */
export function int32From(least: number): Shape<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(2_147_483_647));
}

/** What `convert` makes of any value, and of null for one that is left out, read by a shape. */
export function converted<T>(convert: (value: unknown) => unknown, shape: Shape<T>): Shape<T> {
  return v.optional(v.pipe(v.unknown(), v.transform(convert), shape), null);
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
  return v.fallback(v.nullish(shape, null), null);
}

/** A list. Servers leave out lists that are empty. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return v.nullish(v.array(item), []);
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

/** The fields of a row, in the order of the output. */
export type Fields = Readonly<Record<string, Shape<unknown>>>;

type LeftOutKeys<F extends Fields> = { [K in keyof F]: F[K] extends LeftOut<unknown> ? K : never }[keyof F];

/** The type that the fields of a row declare. */
export type FieldsOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, LeftOutKeys<F>>]: RowOf<F[K]>;
} & { readonly [K in LeftOutKeys<F>]?: Exclude<RowOf<F[K]>, undefined> };

/** The shape of an object; its fields can be part of another: `row({ ...trimmed.fields, dry_run: truth })`. */
export interface Row<F extends Fields> extends Shape<FieldsOf<F>> {
  readonly fields: F;
}

/** An object. Fields that it does not declare are left out. */
export function row<const F extends Fields>(fields: F): Row<F> {
  return { ...notList(v.object(fields)), fields } as unknown as Row<F>;
}

/** The type of a row whose other fields are kept. */
export type OpenFieldsOf<F extends Fields> = FieldsOf<F> & { readonly [field: string]: unknown };

/** An object whose other fields are kept, for commands that print what they do not know. */
export function openRow<const F extends Fields>(fields: F): Shape<OpenFieldsOf<F>> {
  return notList(v.looseObject(fields)) as unknown as Shape<OpenFieldsOf<F>>;
}

/** Refuses lists, which are objects for valibot. */
function notList<T>(shape: Shape<T>): Shape<T> {
  const none = v.never();
  return {
    ...shape,
    '~run': (dataset, config) => (Array.isArray(dataset.value) ? none : shape)['~run'](dataset, config),
  } as Shape<T>;
}

/** The same shape with a sentence about it, such as its unit, for the JSON Schema and the documentation. */
export function described<T>(shape: Shape<T>, sentence: string): Shape<T> {
  return v.pipe(shape, v.description(sentence));
}
