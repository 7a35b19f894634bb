import type { JsonValue } from '../json/json-value.ts';
import type { Decimal } from './decimal.ts';

/** The primitive types of Avro. */
export const primitives = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const;

/** A primitive type, with the logical type that annotates it. */
export interface PrimitiveType {
  readonly kind: (typeof primitives)[number];
  readonly logicalType?: string | undefined;
  readonly decimal?: Decimal | undefined;
}

/** A field of a record. */
export interface Field {
  readonly name: string;
  readonly type: AvroType;
  /** The default as the schema writes it; undefined without one. */
  readonly fallback: JsonValue | undefined;
  /** Where the schema has the field, such as `$.fields[2]`. */
  readonly path: string;
}

/** A record; an error of a protocol is one, too. */
export interface RecordType {
  readonly kind: 'record';
  readonly name: string;
  /** Filled while the schema is parsed, since a record may contain itself. */
  readonly fields: Field[];
}

/** An enum. */
export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  readonly symbols: readonly string[];
}

/** Bytes of a fixed size. */
export interface FixedType {
  readonly kind: 'fixed';
  readonly name: string;
  readonly size: number;
  readonly decimal?: Decimal | undefined;
}

/** An array. */
export interface ArrayType {
  readonly kind: 'array';
  readonly items: AvroType;
}

/** A map with text as keys. */
export interface MapType {
  readonly kind: 'map';
  readonly values: AvroType;
}

/** A union. */
export interface UnionType {
  readonly kind: 'union';
  readonly branches: readonly AvroType[];
}

/** A type that has a full name. */
export type NamedType = RecordType | EnumType | FixedType;

/** Any type. */
export type AvroType = PrimitiveType | NamedType | ArrayType | MapType | UnionType;

/** The most levels of values inside one another that are read or written. */
export const deepest = 1000;

/** Returns the name of a type as it is the key of a value in a union: its full name, or its kind. */
export function tagOf(type: AvroType): string {
  return 'name' in type ? type.name : type.kind;
}

/** Describes a type for a message. */
export function describe(type: AvroType): string {
  if (type.kind === 'record') return `record ${type.name}`;
  if (type.kind === 'fixed') return `fixed ${type.name} of ${type.size} ${type.size === 1 ? 'byte' : 'bytes'}`;
  if (type.kind === 'enum') return `enum ${type.name} (${listed(type.symbols)})`;
  if (type.kind === 'union') return `union of ${listed(type.branches.map(tagOf))}`;
  return type.kind;
}

/** Lists the first few words. */
function listed(words: readonly string[]): string {
  const most = 10;
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown}, … ${words.length - most} more` : shown;
}
