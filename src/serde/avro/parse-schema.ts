import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../shape/object.ts';
import { excerpt } from '../json/excerpt.ts';
import { isArray, type JsonObject, type JsonValue, parseJson } from '../json/json-value.ts';
import { SchemaError, type SchemaSource } from '../schema.ts';
import { decimalOf } from './decimal.ts';
import {
  type AvroType,
  type Field,
  type FixedType,
  type NamedType,
  primitives,
  type RecordType,
  tagOf,
  type UnionType,
} from './model.ts';

/** Where the parser is in a schema. */
interface Context {
  readonly names: Names;
  /** Whether the schema must follow all rules, also those about what nobody needs to read and write values. */
  readonly isStrict: boolean;
  /** The records around the part. */
  readonly open: Set<AvroType>;
  /** The path of the part in the JSON, such as `$.fields[0]`. */
  readonly path: string;
  readonly namespace: string;
  readonly depth: number;
}

/** The most steps on the way to a part; a record inside a record is three steps deeper. */
const deepestSchema = 600;

/**
 * Parses an Avro schema with the schemas that it refers to, by the rules of Avro 1.12. Logical types never fail: what
 * is not valid is ignored, as the specification asks. What no reader or writer needs is checked only in a new schema:
 * registries have others, for example with a dash in the namespace, and give them out.
 * @throws SchemaError with the JSON path of the fault
 */
export function parseSchema({ text, references, isNew = false }: SchemaSource): AvroType {
  const names: Names = new Map();
  for (const { name, text: one } of references) parseText(one, { names, isStrict: false }, `reference "${name}": `);
  return parseText(text, { names, isStrict: isNew }, '');
}

function parseText(text: string, how: Pick<Context, 'names' | 'isStrict'>, before: string): AvroType {
  try {
    return parseType(jsonOf(text), { ...how, open: new Set(), path: '$', namespace: '', depth: 0 });
  } catch (error) {
    if (error instanceof SchemaError) throw new SchemaError(`${before}${error.message}`);
    throw error;
  }
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(Buffer.from(text)).value;
  } catch (error) {
    throw new SchemaError(`the schema is not JSON: ${(error as Error).message}`);
  }
}

function fail({ path }: Context, reason: string): never {
  throw new SchemaError(`${path}: ${reason}`);
}

function below(context: Context, step: string, namespace = context.namespace): Context {
  const { path, depth } = context;
  if (depth > deepestSchema) throw new SchemaError('the schema is nested too deep');
  return { ...context, path: `${path}${step}`, namespace, depth: depth + 1 };
}

function parseType(json: JsonValue | undefined, context: Context): AvroType {
  if (typeof json === 'string') return parseName(json, context);
  if (isArray(json)) return parseUnion(json, context);
  if (isObject(json)) return parseObject(json, context);
  return fail(context, json === undefined ? 'the type is missing' : 'a type is a name, an object or an array');
}

function parseName(name: string, context: Context): AvroType {
  if (isPrimitive(name)) return { kind: name };
  return refer(context.names, name, context.namespace) ?? fail(context, `unknown type ${excerpt(name)}`);
}

function parseUnion(json: readonly JsonValue[], context: Context): UnionType {
  const tags = new Set<string>();
  const branches = json.map((one, index) => {
    const inner = below(context, `[${index}]`);
    const branch = parseType(one, inner);
    if (branch.kind === 'union') return fail(inner, 'a union may not contain another one directly');
    const tag = tagOf(branch);
    if (tags.has(tag)) return fail(inner, `the union has ${tag} twice`);
    tags.add(tag);
    return branch;
  });
  return { kind: 'union', branches };
}

function parseObject(json: JsonObject, context: Context): AvroType {
  const { type } = json;
  if (typeof type !== 'string') {
    return fail(below(context, '.type'), type === undefined ? 'the type is missing' : 'the type of a type is a name');
  }
  switch (type) {
    case 'record':
    case 'error':
      return parseRecord(json, context);
    case 'enum':
      return parseEnum(json, context);
    case 'fixed':
      return parseFixed(json, context);
    case 'array':
      return { kind: 'array', items: parseType(json.items, below(context, '.items')) };
    case 'map':
      return { kind: 'map', values: parseType(json.values, below(context, '.values')) };
  }
  if (!isPrimitive(type)) return parseName(type, below(context, '.type'));
  const { logicalType } = json;
  const decimal = type === 'bytes' ? decimalOf(json) : undefined;
  return {
    kind: type,
    ...(typeof logicalType === 'string' ? { logicalType } : {}),
    ...(decimal === undefined ? {} : { decimal }),
  };
}

/** Returns the full name of a definition. */
function nameOf({ name, namespace }: JsonObject, context: Context): string {
  if (typeof name !== 'string')
    return fail(below(context, '.name'), name === undefined ? 'the name is missing' : 'not text');
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    return fail(below(context, '.namespace'), 'not text');
  }
  const space = namespace ?? context.namespace;
  // A leading dot stands for no namespace at all.
  const full = name.startsWith('.') ? name.slice(1) : fullNameOf(name, space);
  if (context.isStrict ? !isFullName(full) : full === '') {
    const isSpace = isSimpleName(name);
    return fail(below(context, isSpace ? '.namespace' : '.name'), `invalid name ${excerpt(isSpace ? space : name)}`);
  }
  return full;
}

/** Aliases are of no interest to a reader without a schema of its own. */
function checkAliases({ aliases }: JsonObject, context: Context): void {
  if (aliases === undefined || !context.isStrict) return;
  const inner = below(context, '.aliases');
  if (!isArray(aliases)) fail(inner, 'not an array');
  for (const [index, alias] of (aliases as readonly JsonValue[]).entries()) {
    if (typeof alias !== 'string' || !isFullName(alias)) {
      fail(below(inner, `[${index}]`), `invalid name ${excerpt(alias)}`);
    }
  }
}

function parseRecord(json: JsonObject, context: Context): RecordType {
  const name = nameOf(json, context);
  const record: RecordType = { kind: 'record', name, fields: [] };
  const earlier = define(context.names, record, context.path);
  context.open.add(record);
  checkAliases(json, context);
  const inner = below(context, '.fields', namespaceOf(name));
  if (!isArray(json.fields)) return fail(inner, json.fields === undefined ? 'the fields are missing' : 'not an array');
  const seen = new Set<string>();
  for (const [index, one] of json.fields.entries()) {
    const at = below(inner, `[${index}]`);
    const field = parseField(one, at);
    if (seen.has(field.name)) fail(at, `the record has the field "${field.name}" twice`);
    seen.add(field.name);
    record.fields.push(field);
  }
  context.open.delete(record);
  return earlier === undefined ? record : sameAs(earlier, record, context);
}

/**
 * Returns the type that has the name already, if the definitions are the same: schemas that several others contain come
 * with each of them.
 */
function sameAs<T extends NamedType>(earlier: NamedType, again: T, context: Context): T {
  if (!context.open.has(earlier) && isSame(earlier, again)) return earlier as T;
  return fail(below(context, '.name'), `"${again.name}" is defined twice`);
}

/** Compares definitions; the types inside that have names are known already, and the same ones if they are equal. */
function isSame(one: AvroType, other: AvroType): boolean {
  if (one === other) return true;
  if (one.kind === 'record' && other.kind === 'record') {
    return (
      one.fields.length === other.fields.length &&
      one.fields.every((field, at) => isSameField(field, other.fields[at] as Field))
    );
  }
  if (one.kind === 'union' && other.kind === 'union') {
    const { branches } = other;
    return (
      one.branches.length === branches.length &&
      one.branches.every((branch, at) => isSamePart(branch, branches[at] as AvroType))
    );
  }
  if (one.kind === 'array' && other.kind === 'array') return isSamePart(one.items, other.items);
  if (one.kind === 'map' && other.kind === 'map') return isSamePart(one.values, other.values);
  return isDeepStrictEqual(one, other);
}

function isSamePart(one: AvroType, other: AvroType): boolean {
  return 'name' in one || 'name' in other ? one === other : isSame(one, other);
}

function isSameField(one: Field, other: Field): boolean {
  return one.name === other.name && isDeepStrictEqual(one.fallback, other.fallback) && isSamePart(one.type, other.type);
}

const orders: readonly (JsonValue | undefined)[] = [undefined, 'ascending', 'descending', 'ignore'];

function parseField(json: JsonValue, context: Context): Field {
  if (!isObject(json)) return fail(context, 'a field is an object');
  const { name, type, order } = json;
  if (typeof name !== 'string' || (context.isStrict && !isSimpleName(name))) {
    const reason = name === undefined ? 'the name is missing' : `invalid name ${excerpt(name)}`;
    return fail(below(context, '.name'), reason);
  }
  if (context.isStrict && !orders.includes(order))
    fail(below(context, '.order'), 'not ascending, descending or ignore');
  return { name, type: parseType(type, below(context, '.type')), fallback: json.default, path: context.path };
}

function parseEnum(json: JsonObject, context: Context): AvroType {
  const name = nameOf(json, context);
  checkAliases(json, context);
  const inner = below(context, '.symbols');
  if (!isArray(json.symbols))
    return fail(inner, json.symbols === undefined ? 'the symbols are missing' : 'not an array');
  const seen = new Set<string>();
  const symbols: string[] = [];
  for (const [index, symbol] of json.symbols.entries()) {
    const at = below(inner, `[${index}]`);
    if (typeof symbol !== 'string' || (context.isStrict && !isSimpleName(symbol)))
      return fail(at, `invalid symbol ${excerpt(symbol)}`);
    if (context.isStrict && seen.has(symbol)) return fail(at, `the enum has the symbol "${symbol}" twice`);
    seen.add(symbol);
    symbols.push(symbol);
  }
  const fallback = json.default;
  if (context.isStrict && fallback !== undefined && !(typeof fallback === 'string' && seen.has(fallback))) {
    return fail(below(context, '.default'), 'not one of the symbols');
  }
  const type: NamedType = { kind: 'enum', name, symbols };
  const earlier = define(context.names, type, context.path);
  return earlier === undefined ? type : sameAs(earlier, type, context);
}

/** The largest size of a fixed: that of a byte array in Java. */
const largestFixed = 2 ** 31 - 1;

function parseFixed(json: JsonObject, context: Context): FixedType {
  const name = nameOf(json, context);
  checkAliases(json, context);
  const { size } = json;
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > largestFixed) {
    return fail(below(context, '.size'), size === undefined ? 'the size is missing' : 'not a number of bytes');
  }
  const decimal = decimalOf(json, size);
  const named: FixedType = { kind: 'fixed', name, size, ...(decimal === undefined ? {} : { decimal }) };
  const earlier = define(context.names, named, context.path);
  return earlier === undefined ? named : sameAs(earlier, named, context);
}

/** The types that are defined so far, by full name. */
type Names = Map<string, NamedType>;

/**
 * A name, or the name of a symbol or field. The specification allows ASCII only, but Apache Avro for Java takes the
 * letters of any script, and so do registries.
 */
const simple = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Checks whether text is a name without dots. */
function isSimpleName(text: string): boolean {
  return simple.test(text);
}

/** Checks whether text is a name in which dots may separate parts. */
function isFullName(text: string): boolean {
  return text.split('.').every(isSimpleName);
}

/** Checks whether text is the name of a primitive type. */
function isPrimitive(text: string): text is (typeof primitives)[number] {
  return (primitives as readonly string[]).includes(text);
}

/** Returns the full name of a name: one with a dot is full already. */
function fullNameOf(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

/** Returns the part of a full name before the last dot. */
function namespaceOf(fullName: string): string {
  return fullName.slice(0, Math.max(fullName.lastIndexOf('.'), 0));
}

/**
 * Defines a type, unless one has its name already, which is returned.
 * @throws SchemaError if the name belongs to a primitive type; in a namespace it may, as in Apache Avro for Java
 */
function define(names: Names, type: NamedType, path: string): NamedType | undefined {
  if (isPrimitive(type.name)) throw new SchemaError(`${path}.name: "${type.name}" is the name of a primitive type`);
  const earlier = names.get(type.name);
  if (earlier === undefined) names.set(type.name, type);
  return earlier;
}

/** Returns the type that a name refers to from inside a namespace; undefined if none has it. */
function refer(names: Names, name: string, namespace: string): NamedType | undefined {
  return names.get(fullNameOf(name, namespace)) ?? (name.includes('.') ? undefined : names.get(name));
}
