import { SchemaError } from '../schema.ts';
import { type NamedType, primitives } from './model.ts';

/** The types that are defined so far, by full name. */
export type Names = Map<string, NamedType>;

/**
 * A name, or the name of a symbol or field. The specification allows ASCII only, but Apache Avro for Java takes the
 * letters of any script, and so do registries.
 */
const simple = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Checks whether text is a name without dots. */
export function isSimpleName(text: string): boolean {
  return simple.test(text);
}

/** Checks whether text is a name in which dots may separate parts. */
export function isFullName(text: string): boolean {
  return text.split('.').every(isSimpleName);
}

/** Checks whether text is the name of a primitive type. */
export function isPrimitive(text: string): text is (typeof primitives)[number] {
  return (primitives as readonly string[]).includes(text);
}

/** Returns the full name of a name: one with a dot is full already. */
export function fullNameOf(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

/** Returns the part of a full name before the last dot. */
export function namespaceOf(fullName: string): string {
  return fullName.slice(0, Math.max(fullName.lastIndexOf('.'), 0));
}

/**
 * Defines a type, unless one has its name already, which is returned.
 * @throws SchemaError if the name belongs to a primitive type; in a namespace it may, as in Apache Avro for Java
 */
export function define(names: Names, type: NamedType, place: string): NamedType | undefined {
  if (isPrimitive(type.name)) throw new SchemaError(`${place}.name: "${type.name}" is the name of a primitive type`);
  const known = names.get(type.name);
  if (known === undefined) names.set(type.name, type);
  return known;
}

/** Returns the type that a name refers to from inside a namespace; undefined if none has it. */
export function refer(names: Names, name: string, namespace: string): NamedType | undefined {
  return names.get(fullNameOf(name, namespace)) ?? (name.includes('.') ? undefined : names.get(name));
}
