import { type DescEnum, type DescExtension, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { JsonValue } from '../json/json-value.ts';
import { SchemaError } from '../schema.ts';
import type { Files } from './files.ts';

/** Enough to show every field of a schema made by people. */
const mostFields = 500;
/** Required fields are shown even beyond that, but those of messages within messages could double with every level. */
const mostRequired = 10_000;
/** Deeper messages are left out, as encoders refuse them. */
const deepest = 100;

interface Budget {
  readonly files: Files;
  fields: number;
}

/**
 * Returns JSON with a value for every field, and for one field of each oneof. Messages within themselves are left out.
 * @throws SchemaError if the required fields alone are too many
 */
export function exampleOf(files: Files, type: DescMessage): string {
  return JSON.stringify(message({ files, fields: mostFields }, type, []), null, 2);
}

const wellKnown: Readonly<Record<string, JsonValue>> = {
  'google.protobuf.Timestamp': '2026-01-31T12:00:00Z',
  'google.protobuf.Duration': '1.5s',
  'google.protobuf.FieldMask': 'name,displayName',
  'google.protobuf.Struct': { key: 'text' },
  'google.protobuf.ListValue': ['text', 1],
  'google.protobuf.Value': 'text',
  'google.protobuf.Any': {},
};

function message(budget: Budget, type: DescMessage, outer: readonly DescMessage[]): JsonValue {
  if (budget.files.isBuiltIn(type)) {
    const known = Object.hasOwn(wellKnown, type.typeName) ? wellKnown[type.typeName] : undefined;
    if (known !== undefined) return known;
    if (/^google\.protobuf\.\w+Value$/.test(type.typeName)) return scalar(type.fields[0]?.scalar);
  }
  const open = [...outer, type];
  const shown = new Set<unknown>();
  const entries: [string, JsonValue][] = [];
  for (const field of type.fields) {
    const isRequired = field.presence === Presence.LEGACY_REQUIRED;
    const isOtherOfOneof = field.oneof !== undefined && shown.has(field.oneof);
    if (isOtherOfOneof || (!isRequired && budget.fields <= 0)) continue;
    if (field.message !== undefined && (open.length >= deepest || open.includes(field.message))) continue;
    budget.fields--;
    if (budget.fields < -mostRequired) throw new SchemaError('the schema is too large for an example');
    if (field.oneof !== undefined) shown.add(field.oneof);
    entries.push([field.jsonName, fieldValue(budget, field, open)]);
  }
  return Object.fromEntries(entries);
}

function fieldValue(budget: Budget, field: DescField, open: readonly DescMessage[]): JsonValue {
  const value = single(budget, field, open);
  if (field.fieldKind === 'list') return [value];
  if (field.fieldKind !== 'map') return value;
  const key = field.mapKey === ScalarType.STRING ? 'key' : String(scalar(field.mapKey));
  return Object.fromEntries([[key, value]]);
}

function single(budget: Budget, field: DescField | DescExtension, open: readonly DescMessage[]): JsonValue {
  if (field.message !== undefined) return message(budget, field.message, open);
  return field.enum === undefined ? scalar(field.scalar) : enumValue(field.enum);
}

/** The first value is often one for "unspecified". */
function enumValue({ typeName, values }: DescEnum): JsonValue {
  if (typeName === 'google.protobuf.NullValue') return null;
  return (values[1] ?? values[0])?.name ?? 0;
}

const longTypes: readonly (ScalarType | undefined)[] = [
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
];

function scalar(type: ScalarType | undefined): JsonValue {
  if (type === ScalarType.STRING) return 'text';
  if (type === ScalarType.BYTES) return 'Ynl0ZXM=';
  if (type === ScalarType.BOOL) return true;
  if (type === ScalarType.DOUBLE || type === ScalarType.FLOAT) return 1.5;
  return longTypes.includes(type) ? '1' : 1;
}
