import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  Edition,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  EnumOptionsSchema,
  EnumValueDescriptorProtoSchema,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileOptionsSchema,
  MessageOptionsSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { setFeature } from './features.ts';
import { type FieldScope, readField } from './fields.ts';
import { readBracketOptions, readOptionLine, readStrings } from './options.ts';
import { type Tokens, takeDotted, tokensOf } from './tokens.ts';

type Syntax = 'proto2' | 'proto3' | 'editions';

const editions: ReadonlyMap<string, Edition> = new Map([
  ['2023', Edition.EDITION_2023],
  ['2024', Edition.EDITION_2024],
  ['2026', Edition.EDITION_2026],
]);

/**
 * Reads a .proto text into a descriptor. Types of fields are as written; `resolveNames` finds them. Services are
 * skipped: nothing in a topic depends on them.
 * @throws SchemaError with the line and column; `shownAs` is the file to name in it, undefined for the schema itself
 */
export function readFile(text: string, name: string, shownAs?: string): FileDescriptorProto {
  const tokens = tokensOf(text, shownAs);
  const file = create(FileDescriptorProtoSchema, { name });
  const syntax = readSyntax(tokens, file);
  while (tokens.kind !== 'end') readDeclaration(tokens, file, syntax);
  return file;
}

function readSyntax(tokens: Tokens, file: FileDescriptorProto): Syntax {
  const isEdition = tokens.text === 'edition';
  if (tokens.kind !== 'name' || (!isEdition && tokens.text !== 'syntax')) return 'proto2';
  tokens.next();
  tokens.skip('=');
  const version = readStrings(tokens).toString();
  tokens.skip(';');
  if (isEdition) {
    const edition = editions.get(version);
    if (edition === undefined) throw tokens.failAs(`edition "${version}" is not supported`);
    file.syntax = 'editions';
    file.edition = edition;
    return 'editions';
  }
  if (version !== 'proto2' && version !== 'proto3') throw tokens.failAs(`syntax "${version}" is not supported`);
  if (version === 'proto3') file.syntax = version;
  return version;
}

function readDeclaration(tokens: Tokens, file: FileDescriptorProto, syntax: Syntax): void {
  if (tokens.skipIf(';')) return;
  skipVisibility(tokens, syntax);
  if (tokens.skipIf('package')) {
    file.package = takeDotted(tokens, 'the name of a package');
    tokens.skip(';');
  } else if (tokens.skipIf('import')) readImport(tokens, file);
  else if (tokens.skipIf('option')) {
    readOptionLine(tokens, (name, value) => {
      const options = file.options ?? create(FileOptionsSchema);
      setFeature(tokens, options, { name, ...value });
      if (options.features !== undefined) file.options = options;
    });
  } else if (tokens.skipIf('message')) file.messageType.push(readMessage(tokens, syntax));
  else if (tokens.skipIf('enum')) file.enumType.push(readEnum(tokens));
  else if (tokens.skipIf('extend')) readExtend(tokens, placeInFile(file.extension, file.messageType, syntax));
  else if (tokens.skipIf('service')) skipService(tokens);
  else throw tokens.fail('"message", "enum" or another declaration');
}

function readImport(tokens: Tokens, file: FileDescriptorProto): void {
  const isOption = tokens.skipIf('option');
  const isPublic = tokens.skipIf('public');
  if (!isPublic) tokens.skipIf('weak');
  const path = readStrings(tokens).toString();
  tokens.skip(';');
  if (isOption || file.dependency.includes(path)) return;
  if (isPublic) file.publicDependency.push(file.dependency.length);
  file.dependency.push(path);
}

function skipService(tokens: Tokens): void {
  tokens.take('name', 'the name of a service');
  tokens.skip('{');
  let depth = 1;
  do {
    if (tokens.kind === 'end') throw tokens.fail('"}"');
    if (tokens.kind === 'sign' && tokens.text === '{') depth++;
    if (tokens.kind === 'sign' && tokens.text === '}') depth--;
    tokens.next();
  } while (depth > 0);
}

/** How deep messages may be nested in the text; protoc's own limit is of the same size. */
const mostNesting = 64;

/** Reads `message Name { … }` after the word `message`. */
function readMessage(tokens: Tokens, syntax: Syntax, depth = 0): DescriptorProto {
  const message = create(DescriptorProtoSchema, { name: tokens.take('name', 'the name of a message') });
  tokens.skip('{');
  bodyReader(syntax)(tokens, message, depth);
  return message;
}

function bodyReader(syntax: Syntax): FieldScope['readBody'] {
  const readBody: FieldScope['readBody'] = (tokens, message, depth) => {
    if (depth > mostNesting) throw tokens.failAs(`messages are nested more than ${mostNesting} deep`);
    const scope: FieldScope = { fields: message.field, nested: message.nestedType, syntax, readBody, depth };
    while (!tokens.skipIf('}')) readMember(tokens, message, scope);
    addSyntheticOneofs(message);
    refuseTwice(tokens, message);
  };
  return readBody;
}

function readMember(tokens: Tokens, message: DescriptorProto, scope: FieldScope): void {
  if (tokens.skipIf(';')) return;
  skipVisibility(tokens, scope.syntax);
  if (tokens.skipIf('message')) message.nestedType.push(readMessage(tokens, scope.syntax, scope.depth + 1));
  else if (tokens.skipIf('enum')) message.enumType.push(readEnum(tokens));
  else if (tokens.skipIf('oneof')) readOneof(tokens, message, scope);
  else if (tokens.skipIf('extend')) readExtend(tokens, { ...scope, fields: message.extension });
  else if (tokens.skipIf('option')) {
    readOptionLine(tokens, (name, value) => {
      const options = create(MessageOptionsSchema);
      setFeature(tokens, options, { name, ...value });
      if (options.features !== undefined) message.options = options;
    });
  } else if (tokens.skipIf('extensions') || tokens.skipIf('reserved')) skipRanges(tokens);
  else readField(tokens, scope);
}

/** Skips the word before a message or enum that says whether other files may use it (edition 2024). */
function skipVisibility(tokens: Tokens, syntax: Syntax): void {
  if (syntax === 'editions') void (tokens.skipIf('export') || tokens.skipIf('local'));
}

/** Ranges concern only the writers of schemas; which numbers are extensions follows from the extensions. */
function skipRanges(tokens: Tokens): void {
  while (!tokens.skipIf(';')) {
    if (tokens.kind === 'end' || tokens.text === '{' || tokens.text === '}') throw tokens.fail('";"');
    if (tokens.text === '[' && tokens.kind === 'sign') readBracketOptions(tokens, () => undefined);
    else tokens.next();
  }
}

function readOneof(tokens: Tokens, message: DescriptorProto, scope: FieldScope): void {
  const index = message.oneofDecl.length;
  message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: tokens.take('name', 'the name of a oneof') }));
  tokens.skip('{');
  while (!tokens.skipIf('}')) {
    if (tokens.skipIf(';')) continue;
    if (tokens.skipIf('option')) readOptionLine(tokens, () => undefined);
    else if (['optional', 'required', 'repeated', 'map'].includes(tokens.text))
      throw tokens.fail('a field without a label');
    else readField(tokens, scope).oneofIndex = index;
  }
}

/** Reads `extend Name { … }` after the word `extend`. */
function readExtend(tokens: Tokens, scope: FieldScope): void {
  const extendee = takeDotted(tokens, 'the name of the extended message');
  tokens.skip('{');
  while (!tokens.skipIf('}')) if (!tokens.skipIf(';')) readField(tokens, scope).extendee = extendee;
}

/** Returns the place for the extensions and their groups of a whole file. */
function placeInFile(fields: FieldDescriptorProto[], nested: DescriptorProto[], syntax: Syntax): FieldScope {
  return { fields, nested, syntax, readBody: bodyReader(syntax), depth: 0 };
}

function addSyntheticOneofs({ field, oneofDecl }: DescriptorProto): void {
  const names = new Set([...oneofDecl, ...field].map(({ name }) => name));
  for (const one of field.filter(({ proto3Optional }) => proto3Optional)) {
    let name = one.name.startsWith('_') ? `X${one.name}` : `_${one.name}`;
    while (names.has(name)) name = `X${name}`;
    names.add(name);
    one.oneofIndex = oneofDecl.length;
    oneofDecl.push(create(OneofDescriptorProtoSchema, { name }));
  }
}

function refuseTwice(tokens: Tokens, { name, field }: DescriptorProto): void {
  const seen = new Set<string | number>();
  for (const one of field) {
    if (seen.has(one.number)) throw tokens.failAs(`message ${name} uses the field number ${one.number} twice`);
    if (seen.has(one.name)) throw tokens.failAs(`message ${name} has the field "${one.name}" twice`);
    seen.add(one.number).add(one.name);
  }
}

/** Reads `enum Name { … }` after the word `enum`. */
function readEnum(tokens: Tokens): EnumDescriptorProto {
  const result = create(EnumDescriptorProtoSchema, { name: tokens.take('name', 'the name of an enum') });
  tokens.skip('{');
  while (!tokens.skipIf('}')) {
    if (tokens.skipIf(';')) continue;
    if (tokens.skipIf('option')) {
      readOptionLine(tokens, (name, value) => {
        const options = result.options ?? create(EnumOptionsSchema);
        setFeature(tokens, options, { name, ...value });
        if (name === 'allow_alias') options.allowAlias = value.text === 'true';
        if (name === 'allow_alias' || options.features !== undefined) result.options = options;
      });
    } else if (tokens.skipIf('reserved')) skipRanges(tokens);
    else result.value.push(readEnumValue(tokens));
  }
  if (result.value.length === 0) throw tokens.failAs(`enum ${result.name} has no values`);
  return result;
}

function readEnumValue(tokens: Tokens): EnumDescriptorProto['value'][number] {
  const name = tokens.take('name', 'the name of a value');
  tokens.skip('=');
  const sign = tokens.skipIf('-') ? -1 : 1;
  const number = sign * Number(tokens.text);
  if (tokens.kind !== 'number' || (number | 0) !== number) throw tokens.fail('a number of 32 bits');
  tokens.next();
  readBracketOptions(tokens, () => undefined);
  tokens.skip(';');
  return create(EnumValueDescriptorProtoSchema, { name, number });
}
