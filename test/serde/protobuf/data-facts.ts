import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FeatureSet,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FieldOptions_JSType as JsType,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { unescaped } from '../../../src/serde/protobuf/language/tokens.ts';

/** Everything of a descriptor that decides about data and its JSON, in lines that can be compared. */
export function dataFacts(file: FileDescriptorProto): readonly string[] {
  return [
    `syntax ${file.syntax} ${file.edition} package ${file.package}${features(file.options)}`,
    ...file.messageType.flatMap((one) => messageFacts(one, '')),
    ...file.enumType.flatMap((one) => enumFacts(one, '')),
    ...file.extension.map((one) => fieldFacts(one, '')),
  ];
}

function messageFacts(message: DescriptorProto, scope: string): readonly string[] {
  const name = `${scope}.${message.name}`;
  const { options } = message;
  const jsonNames = withOwnNames(message.field);
  return [
    `message ${name}${options?.mapEntry ? ' map' : ''}${features(options)}`,
    `oneofs ${message.oneofDecl.map((one) => one.name).join()}`,
    ...message.field.map((one, at) => fieldFacts(one, name, jsonNames[at])),
    ...message.extension.map((one) => fieldFacts(one, name)),
    ...message.nestedType.flatMap((one) => messageFacts(one, name)),
    ...message.enumType.flatMap((one) => enumFacts(one, name)),
  ];
}

/** The names in JSON; those that would be the same twice are the fields' own, in weir. */
function withOwnNames(fields: readonly FieldDescriptorProto[]): readonly string[] {
  const uses = new Map<string, number>();
  for (const { name, jsonName } of fields) {
    for (const one of new Set([name, jsonName])) uses.set(one, (uses.get(one) ?? 0) + 1);
  }
  return fields.map(({ name, jsonName }) => ((uses.get(jsonName) ?? 0) > 1 ? name : jsonName));
}

function fieldFacts(field: FieldDescriptorProto, scope: string, jsonName = field.jsonName): string {
  const { name, number, label, type, typeName, extendee, defaultValue, oneofIndex, proto3Optional, options } = field;
  const isFloat = type === Type.DOUBLE || type === Type.FLOAT;
  const bytes = type === Type.BYTES ? unescaped(defaultValue).toString('hex') : defaultValue;
  const value = isFloat ? String(Number(defaultValue)) : bytes;
  const own = { number, label: Label[label], type: Type[type], typeName, extendee, jsonName, value };
  const packed = options !== undefined && isSet(options, 'packed') ? options.packed : undefined;
  const jstype = options?.jstype === JsType.JS_STRING;
  return `${scope}.${name} ${JSON.stringify({ ...own, oneofIndex: Object.hasOwn(field, 'oneofIndex') ? oneofIndex : null, proto3Optional, packed, jstype })}${features(options)}`;
}

function isSet(message: object, name: string): boolean {
  return Object.hasOwn(message, name);
}

function enumFacts(one: EnumDescriptorProto, scope: string): readonly string[] {
  const alias = one.options?.allowAlias ? ' alias' : '';
  return [
    `enum ${scope}.${one.name}${alias}${features(one.options)} ${one.value.map(({ name, number }) => `${name}=${number}`).join()}`,
  ];
}

const relevant = [
  'fieldPresence',
  'enumType',
  'repeatedFieldEncoding',
  'utf8Validation',
  'messageEncoding',
  'jsonFormat',
] as const;

function features(options: { readonly features?: FeatureSet | undefined } | undefined): string {
  const set = options?.features;
  if (set === undefined) return '';
  const known = relevant.filter((name) => Object.hasOwn(set, name)).map((name) => `${name}:${set[name]}`);
  return known.length === 0 ? '' : ` {${known.join()}}`;
}
