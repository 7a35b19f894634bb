import { isObject } from '../../shape/object.ts';
import { isArray, type JsonValue } from '../json/json-value.ts';
import type { AvroType, FixedType, PrimitiveType, RecordType } from './model.ts';
import { floatingOf, isBytes, isInt, isLong } from './write-scalars.ts';

/**
 * Checks whether a branch of a union can take a value without a tag. Only the value itself and the keys of an object
 * count, not what is inside, so that nested unions cannot make this slow.
 */
export function takes(type: AvroType, value: JsonValue): boolean {
  switch (type.kind) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'int':
      return isInt(value);
    case 'long':
      return isLong(value);
    case 'float':
    case 'double':
      return floatingOf(value) !== undefined;
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return isBytes(value) || isDecimal(type, value);
    case 'fixed':
      return (isBytes(value) && value.length === type.size) || isDecimal(type, value);
    case 'enum':
      return typeof value === 'string' && type.symbols.includes(value);
    case 'array':
      return isArray(value);
    case 'map':
      return isObject(value);
    case 'record':
      return isObject(value) && hasFields(type, Object.keys(value));
    case 'union':
      return false;
  }
}

function isDecimal({ decimal }: PrimitiveType | FixedType, value: JsonValue): boolean {
  return decimal !== undefined && (typeof value === 'number' || typeof value === 'bigint');
}

function hasFields({ fields }: RecordType, keys: readonly string[]): boolean {
  const given = new Set(keys);
  const known = fields.filter(({ name }) => given.has(name)).length;
  return known === given.size && fields.every(({ name, fallback }) => given.has(name) || fallback !== undefined);
}
