import type { Coder, NullableType, Type } from './primitives.ts';
import { append, createSink, reserve, type Sink, writeUvarint, written } from './sink.ts';
import { readUvarint, type Source, spend, take } from './source.ts';

/** A field that the writer may omit, in which case its `absent` value is written. */
export interface OptionalField<Read, Written = Read> extends Type<Read, Written | undefined> {
  readonly optional: true;
  /** The versions that have the field, inclusive. */
  readonly from: number;
  readonly to: number;
  /** The tag of a tagged field; undefined for a regular field. */
  readonly tag?: number;
}

/** The fields of a structure, in protocol order. */
export type Fields = Readonly<Record<string, Type<unknown, never>>>;

/** The object that reading a list of fields produces. */
export type ReadOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Type<infer Read, never> ? Read : never };

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F];
type WrittenValue<T> = T extends Type<unknown, infer Written> ? Written : never;

/** The object that is written as a list of fields. */
export type WrittenOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: WrittenValue<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: WrittenValue<F[K]> };

interface Span {
  readonly from: number;
  readonly to: number;
  readonly tag?: number;
}

function spanned<Read, Written>(type: Type<Read, Written>, span: Span, absent: Read): OptionalField<Read, Written> {
  return {
    optional: true,
    ...span,
    absent,
    describe: type.describe,
    // The coder of the structure passes `absent` in place of undefined.
    compile: (version, flexible) => type.compile(version, flexible) as Coder<Read, Written | undefined>,
  };
}

/** A field that exists since a version; older requests read as `absent`, by default the type's empty value. */
export function since<Read, Written>(
  from: number,
  type: Type<Read, Written>,
  absent: Read = type.absent,
): OptionalField<Read, Written> {
  return spanned(type, { from, to: Number.POSITIVE_INFINITY }, absent);
}

/** A field that exists up to and including a version. */
export function until<Read, Written>(
  to: number,
  type: Type<Read, Written>,
  absent: Read = type.absent,
): OptionalField<Read, Written> {
  return spanned(type, { from: 0, to }, absent);
}

/** A field of the versions `[from, to]`, inclusive. */
export function between<Read, Written>(
  [from, to]: readonly [from: number, to: number],
  type: Type<Read, Written>,
  absent: Read = type.absent,
): OptionalField<Read, Written> {
  return spanned(type, { from, to }, absent);
}

/** A field of every version that the writer may omit. */
export function optional<Read, Written>(
  type: Type<Read, Written>,
  absent: Read = type.absent,
): OptionalField<Read, Written> {
  return spanned(type, { from: 0, to: Number.POSITIVE_INFINITY }, absent);
}

/** A tagged field, which reads as undefined when missing and is not written when undefined. */
export function tagged<Read, Written>(
  tag: number,
  from: number,
  type: Type<Read, Written>,
): OptionalField<Read | undefined, Written | undefined> {
  const field = spanned(type, { from, to: Number.POSITIVE_INFINITY, tag }, type.absent);
  return { ...field, absent: undefined };
}

/** A type that is nullable since a version, with undefined for null. Older versions write undefined as empty. */
export function nullable<Read, Written>(
  type: NullableType<Read, Written>,
  from = 0,
): OptionalField<Read | undefined, Written | undefined> {
  return {
    optional: true,
    from: 0,
    to: Number.POSITIVE_INFINITY,
    absent: undefined,
    describe: (version, flexible) => `${type.describe(version, flexible)}${version >= from ? '?' : ''}`,
    compile(version, flexible) {
      if (version >= from) return type.compileNullable(version, flexible);
      const { read, write } = type.compile(version, flexible);
      return { read, write: (sink, value) => write(sink, value ?? (type.absent as unknown as Written)) };
    },
  };
}

/** A structure, for example as an item of a list. A nullable structure is preceded by a byte. */
export function struct<F extends Fields>(fields: F): NullableType<ReadOf<F>, WrittenOf<F>> {
  const compile = (version: number, flexible: boolean) => compileFields(fields, version, flexible);
  return {
    compile,
    describe: (version, flexible) => describeFields(fields, version, flexible),
    // A structure has no empty value, so a versioned structure needs an explicit one.
    absent: {} as ReadOf<F>,
    compileNullable(version, flexible) {
      const coder = compile(version, flexible);
      return {
        read: (source) => (source.buffer.readInt8(take(source, 1)) < 0 ? undefined : coder.read(source)),
        write(sink, value) {
          const at = reserve(sink, 1);
          sink.buffer.writeInt8(value === undefined ? -1 : 1, at);
          if (value !== undefined) coder.write(sink, value);
        },
      };
    },
  };
}

type Values = Record<string, unknown>;
interface NamedCoder {
  readonly name: string;
  readonly coder: Coder<unknown>;
  /** What is written if the writer omits the field. */
  readonly absent: unknown;
}
interface Compiled {
  readonly plain: readonly NamedCoder[];
  /** The fields that a message may lack, with the values to read instead. */
  readonly missing: readonly { readonly name: string; readonly absent: unknown }[];
  readonly tagged: ReadonlyMap<number, NamedCoder>;
}

/** Compiles the coder of a list of fields for one version. */
export function compileFields<F extends Fields>(
  fields: F,
  version: number,
  flexible: boolean,
): Coder<ReadOf<F>, WrittenOf<F>> {
  const { plain, missing, tagged } = sortFields(fields, version, flexible);
  const whole = {
    read(source: Source): Values {
      const values: Values = {};
      for (const { name, coder } of plain) values[name] = coder.read(source);
      for (const { name, absent } of missing) values[name] = absent;
      if (flexible) readTags(source, values, tagged);
      return values;
    },
    write(sink: Sink, values: Values): void {
      for (const { name, coder, absent } of plain) {
        const value = values[name];
        coder.write(sink, value === undefined ? absent : value);
      }
      if (flexible) writeTags(sink, values, tagged);
    },
  };
  return whole as unknown as Coder<ReadOf<F>, WrittenOf<F>>;
}

function spanOf(type: Type<unknown, never>): Partial<Span> & { readonly isThere: (version: number) => boolean } {
  const { from = 0, to = Number.POSITIVE_INFINITY, ...rest } = type as Partial<Span>;
  return { ...rest, from, to, isThere: (version) => version >= from && version <= to };
}

function sortFields(fields: Fields, version: number, flexible: boolean): Compiled {
  const plain: NamedCoder[] = [];
  const missing: { readonly name: string; readonly absent: unknown }[] = [];
  const tagged: [number, NamedCoder][] = [];
  for (const [name, type] of Object.entries(fields)) {
    const { tag, isThere } = spanOf(type);
    const coder = type.compile(version, flexible) as Coder<unknown>;
    const named: NamedCoder = { name, coder, absent: 'optional' in type ? type.absent : undefined };
    if (isThere(version) && tag === undefined) plain.push(named);
    else missing.push({ name, absent: type.absent });
    if (isThere(version) && tag !== undefined) tagged.push([tag, named]);
  }
  return { plain, missing, tagged: new Map(tagged.toSorted(([a], [b]) => a - b)) };
}

/** The fields of a version in words: `{name:string? partitions:[int32]}`. */
export function describeFields(fields: Fields, version: number, flexible: boolean): string {
  const there = Object.entries(fields)
    .map(([name, type]) => ({ name, type, ...spanOf(type) }))
    .filter(({ isThere }) => isThere(version))
    .toSorted((a, b) => (a.tag ?? -1) - (b.tag ?? -1));
  const words = there.map(({ name, type, tag }) => {
    const field = `${name}:${type.describe(version, flexible)}`;
    return tag === undefined ? field : `${tag}=${field}`;
  });
  return `{${words.join(' ')}${flexible ? ' tags' : ''}}`;
}

function readTags(source: Source, values: Values, tagged: ReadonlyMap<number, NamedCoder>): void {
  for (let left = readUvarint(source); left > 0; left -= 1) {
    const tag = readUvarint(source);
    const size = readUvarint(source);
    const end = take(source, size) + size;
    const { name, coder } = tagged.get(tag) ?? {};
    // Every connection begins with tagged fields that nothing depends on: one of another size must not prevent it.
    if (name === undefined || coder === undefined || (coder.size ?? size) !== size) continue;
    spend(source, 1);
    const inner: Source = { buffer: source.buffer.subarray(0, end), at: end - size, items: source.items };
    values[name] = coder.read(inner);
    source.items = inner.items;
  }
}

function writeTags(sink: Sink, values: Values, tagged: ReadonlyMap<number, NamedCoder>): void {
  if (tagged.size === 0) {
    writeUvarint(sink, 0);
    return;
  }
  const present = [...tagged].filter(([, { name }]) => values[name] !== undefined);
  writeUvarint(sink, present.length);
  for (const [tag, { name, coder }] of present) {
    const content = createSink();
    coder.write(content, values[name]);
    writeUvarint(sink, tag);
    writeUvarint(sink, content.at);
    append(sink, written(content));
  }
}
