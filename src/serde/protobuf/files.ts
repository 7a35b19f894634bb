import {
  create,
  createFileRegistry,
  type DescExtension,
  type DescMessage,
  type FileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { MissingReferenceError, SchemaError, type SchemaSource } from '../schema.ts';
import { builtInFile } from './built-in.ts';
import { jsonNameOf } from './language/fields.ts';
import { readFile } from './language/file.ts';
import { addNames, type Names, resolveNames } from './language/names.ts';

/** A schema with all its files. */
export interface Files {
  readonly registry: FileRegistry;
  /** The message types of the schema itself, not of its references, in the order of the text. */
  readonly messages: readonly DescMessage[];
  /** Whether the type comes from a file that weir brings along, so that the rules of well-known types apply. */
  isBuiltIn(message: DescMessage): boolean;
  /** Returns the extensions of a message type, in all files. */
  extensionsOf(message: DescMessage): readonly DescExtension[];
}

/** The name of the schema itself among the files; no import can have it. */
const ownName = '';

/**
 * Reads a schema and everything that it imports. Each text is a .proto file, or base64 of a FileDescriptorProto, which
 * registries return for schemas that were registered that way.
 * @throws SchemaError if a text is not valid, or an import is missing
 */
export function readFiles(source: SchemaSource): Files {
  try {
    return collect(source);
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    throw new SchemaError(`invalid Protobuf schema: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function collect(source: SchemaSource): Files {
  const references = new Map(source.references.map(({ name, text }) => [name, text]));
  const collected: Collected = { references, names: new Map(), file: [], builtIn: new Set(), state: new Map() };
  addFile(collected, ownName, readText(source.text, ownName));
  const { file, builtIn } = collected;
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const messages = registry.getFile(ownName)?.messages ?? [];
  const extensions = extensionsByType(registry);
  return {
    registry,
    messages,
    isBuiltIn: (message) => builtIn.has(message.file.proto.name),
    extensionsOf: (message) => extensions.get(message) ?? [],
  };
}

/** The files of a schema so far. */
interface Collected {
  readonly references: ReadonlyMap<string, string>;
  readonly names: Names;
  readonly file: FileDescriptorProto[];
  readonly builtIn: Set<string>;
  readonly state: Map<string, 'open' | 'done'>;
}

/** Adds a file after those that it imports. */
function addFile(collected: Collected, path: string, proto: FileDescriptorProto): void {
  const { references, names, state } = collected;
  state.set(path, 'open');
  for (const wanted of proto.dependency) {
    if (state.get(wanted) === 'open') throw new SchemaError(`"${wanted}" imports itself`);
    if (state.has(wanted)) continue;
    const text = references.get(wanted);
    if (text === undefined) collected.builtIn.add(wanted);
    addFile(collected, wanted, text === undefined ? builtIn(wanted) : readText(text, wanted, wanted));
  }
  for (const message of proto.messageType) distinguishJsonNames(message);
  addNames(names, proto);
  resolveNames(names, proto);
  collected.file.push(proto);
  state.set(path, 'done');
}

/** A schema can have tens of thousands of message types, and as many extensions. */
function extensionsByType(registry: FileRegistry): ReadonlyMap<DescMessage, readonly DescExtension[]> {
  const extensions = [...registry].filter((one) => one.kind === 'extension');
  return Map.groupBy(extensions, ({ extendee }) => extendee);
}

function builtIn(path: string): FileDescriptorProto {
  const file = builtInFile(path);
  if (file !== undefined) return file;
  throw new MissingReferenceError(`the schema imports "${path}", which is not one of its references`, path);
}

function readText(text: string, name: string, shownAs?: string): FileDescriptorProto {
  if (!/^[A-Za-z\d+/\s]+={0,2}\s*$/.test(text)) return readFile(text, name, shownAs);
  const proto = fromBinary(FileDescriptorProtoSchema, Buffer.from(text, 'base64'));
  for (const message of proto.messageType) completeNames(message);
  proto.name = name;
  return proto;
}

/** Sets what a compiler sets but a descriptor may lack, and refuses what would make fields ambiguous. */
function completeNames({ name, field, nestedType }: DescriptorProto): void {
  const seen = new Set<string | number>();
  for (const one of field) {
    if (one.jsonName === '') one.jsonName = jsonNameOf(one.name);
    if (one.number < 1 || seen.has(one.number))
      throw new SchemaError(`message ${name} uses the field number ${one.number} twice`);
    if (seen.has(one.name)) throw new SchemaError(`message ${name} has the field "${one.name}" twice`);
    seen.add(one.number).add(one.name);
  }
  for (const nested of nestedType) completeNames(nested);
}

/**
 * Fields whose names in JSON would be the same, such as `user_id` and `userId`, which proto2 allows, keep their own names
 * there: decoded records would otherwise have a key twice, and JSON would be encoded as the wrong field.
 */
function distinguishJsonNames({ field, nestedType }: DescriptorProto): void {
  const uses = new Map<string, number>();
  for (const { name, jsonName } of field) {
    for (const one of new Set([name, jsonName])) uses.set(one, (uses.get(one) ?? 0) + 1);
  }
  for (const one of field) if ((uses.get(one.jsonName) ?? 0) > 1) one.jsonName = one.name;
  for (const nested of nestedType) distinguishJsonNames(nested);
}
