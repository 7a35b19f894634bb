import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FieldOptions_JSType as JsType,
  FieldDescriptorProto_Label as Label,
  MessageOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { setFeature } from './features.ts';
import { readBracketOptions } from './options.ts';
import { type Tokens, takeDotted } from './tokens.ts';

const scalars: ReadonlyMap<string, Type> = new Map(
  Object.entries(Type).flatMap(([name, type]) =>
    typeof type === 'number' && !/GROUP|MESSAGE|ENUM/.test(name) ? [[name.toLowerCase(), type] as const] : [],
  ),
);
const mapKeys = /^(?:u?int|s?fixed|sint)(?:32|64)$|^bool$|^string$/;
const mostNumber = 536_870_911;
const reservedNumbers = [19_000, 19_999] as const;

/** Where fields are collected: a message, and the messages nested in the place of the field, for groups and maps. */
export interface FieldScope {
  readonly fields: FieldDescriptorProto[];
  readonly nested: DescriptorProto[];
  /** Whether the file is proto3, where `optional` adds a oneof. */
  readonly syntax: 'proto2' | 'proto3' | 'editions';
  /** Reads the body of a group, after its opening brace. */
  readonly readBody: (tokens: Tokens, into: DescriptorProto, depth: number) => void;
  readonly depth: number;
}

/** Reads one field, group or map and returns it. */
export function readField(tokens: Tokens, scope: FieldScope): FieldDescriptorProto {
  const isInMap = tokens.text === 'map' && tokens.kind === 'name';
  const label = readLabel(tokens, scope);
  const type = takeDotted(tokens, 'the type of a field');
  if (isInMap && tokens.skipIf('<')) return readMap(tokens, scope);
  if (type === 'group') return readGroup(tokens, scope, label);
  const field = create(FieldDescriptorProtoSchema, { ...typed(type), label: label ?? Label.OPTIONAL });
  readRest(tokens, field);
  if (label === Label.OPTIONAL && scope.syntax === 'proto3') field.proto3Optional = true;
  scope.fields.push(field);
  return field;
}

const labels: ReadonlyMap<string, Label> = new Map([
  ['optional', Label.OPTIONAL],
  ['required', Label.REQUIRED],
  ['repeated', Label.REPEATED],
]);

function readLabel(tokens: Tokens, { syntax }: FieldScope): Label | undefined {
  const label = labels.get(tokens.text);
  if (label === undefined) return undefined;
  if (label === Label.REQUIRED && syntax !== 'proto2') throw tokens.failAs(`"required" is not part of ${syntax}`);
  if (label === Label.OPTIONAL && syntax === 'editions') throw tokens.failAs('"optional" is not part of editions');
  tokens.next();
  return label;
}

function typed(type: string): { readonly type?: Type; readonly typeName?: string } {
  const scalar = scalars.get(type);
  return scalar === undefined ? { typeName: type } : { type: scalar };
}

/** Reads the name, number and options of a field, up to the semicolon. */
function readRest(tokens: Tokens, field: FieldDescriptorProto): void {
  readNameAndNumber(tokens, field);
  readFieldOptions(tokens, field);
  tokens.skip(';');
}

function readNameAndNumber(tokens: Tokens, field: FieldDescriptorProto): void {
  field.name = tokens.take('name', 'the name of a field');
  field.jsonName = jsonNameOf(field.name);
  tokens.skip('=');
  const number = Number(tokens.text);
  if (tokens.kind !== 'number' || !Number.isInteger(number)) throw tokens.fail('the number of a field');
  const isReserved = number >= reservedNumbers[0] && number <= reservedNumbers[1];
  if (number < 1 || number > mostNumber || isReserved) throw tokens.failAs(`${number} is not a valid field number`);
  field.number = number;
  tokens.next();
}

/** Returns the name of a field in JSON: `user_id` becomes `userId`. */
export function jsonNameOf(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}

function readFieldOptions(tokens: Tokens, field: FieldDescriptorProto): void {
  readBracketOptions(tokens, (name, { kind, text, bytes, words }) => {
    switch (name) {
      case 'default':
        field.defaultValue = defaultText(field, kind === 'string' ? bytes : text);
        break;
      case 'json_name':
        field.jsonName = text;
        break;
      case 'packed':
      case 'deprecated':
        optionsOf(field)[name] = text === 'true';
        break;
      case 'jstype':
        if (text === 'JS_STRING') optionsOf(field).jstype = JsType.JS_STRING;
        break;
      default:
        setFeature(tokens, optionsOf(field), { name, text, words });
    }
    if (field.options !== undefined && Object.keys(field.options).length === 1) delete field.options;
  });
}

function optionsOf(field: FieldDescriptorProto): NonNullable<FieldDescriptorProto['options']> {
  field.options ??= create(FieldOptionsSchema);
  return field.options;
}

/** Returns a default as descriptors write it: integers in decimal, bytes with escapes. */
function defaultText(field: FieldDescriptorProto, value: string | Buffer): string {
  if (typeof value !== 'string') return field.type === Type.BYTES ? escaped(value) : value.toString();
  if (field.type === Type.DOUBLE || field.type === Type.FLOAT)
    return value.replace(/f$/i, (end) => (/inf/i.test(value) ? end : ''));
  const sign = value.startsWith('-') ? '-' : '';
  const digits = value.slice(sign.length);
  if (/^0x/i.test(digits)) return `${sign}${BigInt(digits)}`;
  return /^0[0-7]+$/.test(digits) ? `${sign}${BigInt(`0o${digits}`)}` : value;
}

function escaped(bytes: Buffer): string {
  const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x22 && byte !== 0x27;
  return [...bytes]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`))
    .join('');
}

function readMap(tokens: Tokens, scope: FieldScope): FieldDescriptorProto {
  const key = tokens.take('name', 'the type of the keys');
  if (!mapKeys.test(key)) throw tokens.failAs(`"${key}" cannot be the type of the keys of a map`);
  tokens.skip(',');
  const value = takeDotted(tokens, 'the type of the values');
  tokens.skip('>');
  const field = create(FieldDescriptorProtoSchema, { type: Type.MESSAGE, label: Label.REPEATED });
  readRest(tokens, field);
  const camel = jsonNameOf(field.name);
  field.typeName = `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`;
  const half = (name: string, number: number, type: string) =>
    create(FieldDescriptorProtoSchema, { name, jsonName: name, number, label: Label.OPTIONAL, ...typed(type) });
  const entry = create(DescriptorProtoSchema, {
    name: field.typeName,
    field: [half('key', 1, key), half('value', 2, value)],
    options: create(MessageOptionsSchema, { mapEntry: true }),
  });
  scope.nested.push(entry);
  scope.fields.push(field);
  return field;
}

function readGroup(tokens: Tokens, scope: FieldScope, label: Label | undefined): FieldDescriptorProto {
  if (scope.syntax !== 'proto2') throw tokens.failAs(`groups are not part of ${scope.syntax}`);
  const field = create(FieldDescriptorProtoSchema, { type: Type.GROUP, label: label ?? Label.OPTIONAL });
  readNameAndNumber(tokens, field);
  const group = create(DescriptorProtoSchema, { name: field.name });
  field.typeName = field.name;
  field.name = field.name.toLowerCase();
  field.jsonName = jsonNameOf(field.name);
  readFieldOptions(tokens, field);
  tokens.skip('{');
  scope.nested.push(group);
  scope.readBody(tokens, group, scope.depth + 1);
  scope.fields.push(field);
  return field;
}
