import { type DescEnum, type DescExtension, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { numberFor, textFor, variedText } from '../example-names.ts';
import type { JsonValue } from '../json/json-value.ts';
import { below, pick, type Random } from '../random.ts';
import { SchemaError } from '../schema.ts';
import type { Files } from './files.ts';
import { longTypes } from './plans.ts';

/** Enough to show every field of a schema made by people. */
const mostFields = 500;
/** Required fields are shown even beyond that, but those of messages within messages could double with every level. */
const mostRequired = 10_000;
/** Deeper messages are left out, as encoders refuse them. */
const deepest = 100;

interface Budget {
  readonly files: Files;
  fields: number;
  /** Undefined if the example is always the same. */
  readonly random: Random | undefined;
}

/**
 * Returns JSON with a value for every field, and for one field of each oneof. Messages within themselves are left out.
 * @param random chooses values, fields of oneofs, numbers of items, and which optional fields are there
 * @throws SchemaError if the required fields alone are too many
 */
export function exampleOf(files: Files, type: DescMessage, random?: Random): string {
  return JSON.stringify(message({ files, fields: mostFields, random }, type, []), null, 2);
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
  const special = budget.files.isBuiltIn(type) ? wellKnownValue(type, budget.random) : undefined;
  if (special !== undefined) return special;
  const open = [...outer, type];
  const left = otherOneofs(type, budget.random);
  const entries: [string, JsonValue][] = [];
  for (const field of type.fields) {
    if (left.has(field) || (field.oneof !== undefined && left.has(field.oneof))) continue;
    if (!hasRoom(budget, field, open)) continue;
    budget.fields--;
    if (budget.fields < -mostRequired) throw new SchemaError('the schema is too large for an example');
    // The other fields of the oneof are left out.
    if (field.oneof !== undefined) left.add(field.oneof);
    entries.push([field.jsonName, fieldValue(budget, field, open)]);
  }
  return Object.fromEntries(entries);
}

/** Returns the value of a type whose JSON has a form of its own; undefined for others. */
function wellKnownValue({ typeName, fields }: DescMessage, random: Random | undefined): JsonValue | undefined {
  const value = Object.hasOwn(wellKnown, typeName) ? wellKnown[typeName] : undefined;
  if (value !== undefined) return typeof value === 'string' && random !== undefined ? variedText(value, random) : value;
  return /^google\.protobuf\.\w+Value$/.test(typeName) ? scalar(fields[0]?.scalar, '', random) : undefined;
}

/** Whether a field is shown: optional ones as long as there is room, messages unless they are too deep. */
function hasRoom({ fields }: Budget, { presence, message: type }: DescField, open: readonly DescMessage[]): boolean {
  if (presence !== Presence.LEGACY_REQUIRED && fields <= 0) return false;
  return type === undefined || (open.length < deepest && !open.includes(type));
}

/** Returns the fields of oneofs that were not chosen; none without `random`, where the first field that ends is shown. */
function otherOneofs({ oneofs }: DescMessage, random: Random | undefined): Set<unknown> {
  if (random === undefined) return new Set();
  return new Set(
    oneofs.flatMap(({ fields }) => {
      const chosen = pick(fields, random);
      return fields.filter((field) => field !== chosen);
    }),
  );
}

const mostItems = 3;

function fieldValue(budget: Budget, field: DescField, open: readonly DescMessage[]): JsonValue {
  const { random } = budget;
  const count = random === undefined ? 1 : below(random, mostItems + 1);
  if (field.fieldKind === 'list') return Array.from({ length: count }, () => single(budget, field, open));
  if (field.fieldKind !== 'map') return single(budget, field, open);
  const keys = Array.from({ length: count }, (_, index) => mapKey(field.mapKey, index));
  return Object.fromEntries(keys.map((key) => [key, single(budget, field, open)]));
}

function mapKey(type: ScalarType, index: number): string {
  if (type === ScalarType.STRING) return index === 0 ? 'key' : `key${index + 1}`;
  return type === ScalarType.BOOL ? String(index === 0) : String(index + 1);
}

function single(budget: Budget, field: DescField | DescExtension, open: readonly DescMessage[]): JsonValue {
  if (field.message !== undefined) return message(budget, field.message, open);
  return field.enum === undefined
    ? scalar(field.scalar, field.name, budget.random)
    : enumValue(field.enum, budget.random);
}

/** The first value is often one for "unspecified". */
function enumValue({ typeName, values }: DescEnum, random: Random | undefined): JsonValue {
  if (typeName === 'google.protobuf.NullValue') return null;
  const chosen = pick(values.slice(values.length > 1 ? 1 : 0), random);
  return chosen?.name ?? 0;
}

function scalar(type: ScalarType | undefined, name: string, random: Random | undefined): JsonValue {
  if (type === ScalarType.STRING) return random === undefined ? 'text' : textFor(name, random);
  if (type === ScalarType.BYTES) {
    return random === undefined ? 'Ynl0ZXM=' : Buffer.from(textFor(name, random)).toString('base64');
  }
  if (type === ScalarType.BOOL) return random === undefined || random() < 0.5;
  const isFraction = type === ScalarType.DOUBLE || type === ScalarType.FLOAT;
  const number = random === undefined ? 1.5 : randomNumber(name, random, isFraction);
  if (isFraction) return number;
  const isLong = type !== undefined && longTypes.has(type);
  const whole = Math.trunc(number);
  return isLong ? String(whole) : whole % 2 ** 31;
}

/** Whole numbers are not negative: some types have no sign. */
function randomNumber(name: string, random: Random, isFraction: boolean): number {
  const number = Number(numberFor(name, random) ?? (random() * 1000).toFixed(1));
  return isFraction ? number : Math.abs(number);
}
