/** A JSON Schema (draft 2020-12), as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/**
 * What a value of an answer or of a result looks like, declared once. From it come its TypeScript type (`RowOf`), the
 * reading of answers and the JSON Schema of the output.
 */
export interface Shape<T> {
  /** Reads an unknown value. @throws Misfit for a value that has another form */
  readonly read: (value: unknown) => T;
  readonly schema: Schema;
}

/** The type that a shape declares. */
export type RowOf<S> = S extends Shape<infer T> ? T : never;

/** A value does not have the shape that it is read by. */
export class Misfit extends Error {
  /** Where in the value, from the inside out. */
  readonly path: (string | number)[] = [];

  constructor() {
    super('the value has another form');
    this.name = 'Misfit';
  }

  /** For example `results.0.p99`; empty for the whole value. */
  get place(): string {
    return this.path.toReversed().join('.');
  }
}

function plain<T>(type: string, isIt: (value: unknown) => boolean): Shape<T> {
  return {
    schema: { type },
    read(value) {
      if (!isIt(value)) throw new Misfit();
      return value as T;
    },
  };
}

/** Text. */
export const text = plain<string>('string', (value) => typeof value === 'string');

/** Text with at least one character; with `maybe`, an empty one is null. */
export const filled = plain<string>('string', (value) => typeof value === 'string' && value !== '');

/** `true` or `false`. */
export const truth = plain<boolean>('boolean', (value) => typeof value === 'boolean');

/** A whole number that a JavaScript number holds, such as an id, a size or a count. */
export const whole = plain<number>('integer', Number.isInteger);

/** A whole number with all its digits: a bigint beyond 2^53. */
export const exact = plain<number | bigint>('integer', (value) => typeof value === 'bigint' || Number.isInteger(value));

/** A measured number, which may have decimals. */
export const measure = plain<number>('number', Number.isFinite);

/** One of a few words. */
export function word<const W extends string>(...words: readonly W[]): Shape<W> {
  const known: ReadonlySet<unknown> = new Set(words);
  return { ...plain<W>('string', (value) => known.has(value)), schema: { type: 'string', enum: words } };
}

/** The shape, or null: for what an answer leaves out, sends as null, or sends in another form. */
export function maybe<T>({ read, schema }: Shape<T>): Shape<T | null> {
  return {
    schema: { anyOf: [schema, { type: 'null' }] },
    read(value) {
      if (value === undefined || value === null) return null;
      try {
        return read(value);
      } catch (error) {
        if (error instanceof Misfit) return null;
        throw error;
      }
    },
  };
}

/** A list. Servers leave out lists that are empty. */
export function many<T>({ read, schema }: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: schema },
    read(value) {
      if (value === undefined || value === null) return [];
      if (!Array.isArray(value)) throw new Misfit();
      const rows: T[] = [];
      let at = 0;
      try {
        for (; at < value.length; at++) rows.push(read(value[at]));
      } catch (error) {
        throw within(error, at);
      }
      return rows;
    },
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** An object. Fields that it does not declare are left out. */
export function row<F extends Fields>(fields: F): Shape<{ readonly [K in keyof F]: RowOf<F[K]> }> {
  const names = Object.keys(fields);
  const readers = Object.values(fields).map(({ read }) => read);
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    schema: { type: 'object', properties, required: names, additionalProperties: false },
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misfit();
      const given = value as Readonly<Record<string, unknown>>;
      const own: Record<string, unknown> = {};
      let at = 0;
      try {
        for (; at < names.length; at++) {
          const name = names[at] as string;
          own[name] = readers[at]?.(given[name]);
        }
      } catch (error) {
        throw within(error, names[at] ?? '');
      }
      return own as { readonly [K in keyof F]: RowOf<F[K]> };
    },
  };
}

function within(error: unknown, place: string | number): unknown {
  if (error instanceof Misfit) error.path.push(place);
  return error;
}

/** The same shape with a sentence about it, such as its unit, for the JSON Schema and the documentation. */
export function described<T>({ read, schema }: Shape<T>, description: string): Shape<T> {
  return { read, schema: { ...schema, description } };
}
