import { create } from '@bufbuild/protobuf';
import {
  Edition,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { setFeature } from './features.ts';
import { placeInFile, readEnum, readExtend, readMessage, skipVisibility } from './messages.ts';
import { readOptionLine, readStrings } from './options.ts';
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
