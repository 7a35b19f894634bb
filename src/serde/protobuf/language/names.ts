import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { SchemaError } from '../../schema.ts';

/** What a full name stands for. */
export type Names = Map<string, 'message' | 'enum' | 'package'>;

/**
 * Adds the names of a file.
 * @throws SchemaError if a name is taken
 */
export function addNames(names: Names, file: FileDescriptorProto): void {
  const parts = file.package === '' ? [] : file.package.split('.');
  for (const at of parts.keys()) {
    const name = parts.slice(0, at + 1).join('.');
    if ((names.get(name) ?? 'package') !== 'package') throw new SchemaError(`package ${name} has the name of a type`);
    names.set(name, 'package');
  }
  addTypes(names, file.package, { messages: file.messageType, enums: file.enumType });
}

interface Types {
  readonly messages: readonly DescriptorProto[];
  readonly enums: readonly EnumDescriptorProto[];
}

function addTypes(names: Names, scope: string, { messages, enums }: Types): void {
  for (const { name } of enums) add(names, within(scope, name), 'enum');
  for (const { name, nestedType, enumType } of messages) {
    const full = within(scope, name);
    add(names, full, 'message');
    addTypes(names, full, { messages: nestedType, enums: enumType });
  }
}

function add(names: Names, name: string, kind: 'message' | 'enum'): void {
  if (names.has(name)) throw new SchemaError(`${name} is defined twice`);
  names.set(name, kind);
}

function within(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`;
}

/**
 * Replaces the types of all fields of a file as they are written by full names with a leading dot, and sets their kind.
 * @throws SchemaError if a type is not defined
 */
export function resolveNames(names: Names, file: FileDescriptorProto): void {
  for (const field of file.extension) resolveField(names, file.package, field);
  for (const message of file.messageType) resolveMessage(names, file.package, message);
}

function resolveMessage(names: Names, scope: string, message: DescriptorProto): void {
  const full = within(scope, message.name);
  for (const field of message.field) resolveField(names, full, field);
  for (const field of message.extension) resolveField(names, full, field);
  for (const nested of message.nestedType) resolveMessage(names, full, nested);
}

function resolveField(names: Names, scope: string, field: FieldDescriptorProto): void {
  if (field.extendee !== '') field.extendee = `.${find(names, scope, field.extendee)}`;
  if (field.typeName === '') return;
  const full = find(names, scope, field.typeName);
  field.typeName = `.${full}`;
  if (field.type !== Type.GROUP) field.type = names.get(full) === 'enum' ? Type.ENUM : Type.MESSAGE;
}

/** Finds a type from the innermost scope outwards; the first part of the name decides the scope, as in C++. */
function find(names: Names, scope: string, written: string): string {
  const undefinedType = () => new SchemaError(`type "${written}" is not defined, used in ${scope}`);
  if (written.startsWith('.')) {
    if (isType(names, written.slice(1))) return written.slice(1);
    throw undefinedType();
  }
  const [first = ''] = written.split('.', 1);
  const isPart = first !== written;
  for (let at = scope; ; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const full = within(at, written);
    if (isType(names, full)) return full;
    const outer = isPart ? names.get(within(at, first)) : undefined;
    // A package of the same first name further in does not hide one further out, unlike a message.
    if (outer === 'message' || at === '') throw undefinedType();
  }
}

function isType(names: Names, name: string): boolean {
  const kind = names.get(name);
  return kind === 'message' || kind === 'enum';
}
