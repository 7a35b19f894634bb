import type { ItemError } from '../errors.ts';
import { itemError } from '../shape/item-error.ts';
import {
  always,
  anything,
  either,
  listOf,
  mapOf,
  maybe,
  type RowOf,
  row,
  string,
  truth,
  whole,
  word,
} from '../shape/shape.ts';

/** The formats of schemas that weir can use, as registries spell them. */
export const SchemaType = word('AVRO', 'PROTOBUF', 'JSON');
export type SchemaType = RowOf<typeof SchemaType>;

/** The version of a schema; `latest` is the newest one that is not deleted. */
export type SchemaVersion = number | 'latest';

/**
 * What a schema refers to: another schema of the registry, under the name that the schema uses for it. The version -1 is
 * the latest one.
 */
export const Reference = row({ name: string, subject: string, version: whole });
export type Reference = RowOf<typeof Reference>;

/** A schema that is not registered yet. */
export interface NewSchema {
  readonly type: SchemaType;
  readonly text: string;
  readonly references: readonly Reference[];
}

/** A schema by its id. */
export interface StoredSchema extends NewSchema {
  readonly id: number;
  /** The context that its references are in, such as `:.staging:`; left out for the default one. */
  readonly context?: string;
}

/** A schema as a version of a subject. */
export interface SubjectSchema extends StoredSchema {
  readonly subject: string;
  readonly version: number;
}

/** A schema with the texts of all its references, each once; a text comes after those that it refers to. */
export const ResolvedSchema = row({
  type: SchemaType,
  text: string,
  references: listOf(row({ name: string, text: string })),
});
export type ResolvedSchema = RowOf<typeof ResolvedSchema>;

/** How to register a schema. */
export interface RegisterOptions {
  /** Whether the registry compares schemas without regard to their layout. */
  readonly normalize: boolean;
  /** The id and the version to use; only in the mode IMPORT. */
  readonly id?: number | undefined;
  readonly version?: number | undefined;
  /** Properties that newer registries store with the schema. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A version of a subject. */
export const SubjectVersion = row({ subject: string, version: whole, id: whole, type: SchemaType });
export type SubjectVersion = RowOf<typeof SubjectVersion>;

/** A version of a subject with its schema. */
export const RegisteredSchema = row({
  ...SubjectVersion.fields,
  schema: string,
  references: listOf(Reference),
  /** What the registry stores with the schema; null if that is nothing. */
  metadata: maybe(mapOf(anything)),
  /** The rules for the data of the schema; null if there are none. */
  rule_set: maybe(mapOf(anything)),
});
export type RegisteredSchema = RowOf<typeof RegisteredSchema>;

/** A listed version, or the failure of a subject or version. */
export const ListedSchema = row({
  subject: string,
  version: maybe(whole),
  id: maybe(whole),
  type: maybe(SchemaType),
  /** Whether the version is soft-deleted; false unless deleted versions were asked for. */
  deleted: truth,
  error: itemError,
});
export type ListedSchema = RowOf<typeof ListedSchema>;

/** The result of a compatibility check. */
export const CompatibilityCheck = row({
  subject: string,
  version: either(whole, always('latest')),
  compatible: truth,
  /** The registry's reasons. */
  messages: listOf(string),
  /** The compatibility level of the subject; null if the registry does not say. */
  level: maybe(string),
});
export type CompatibilityCheck = RowOf<typeof CompatibilityCheck>;

/** An ACL of the registry, with the fields of those that brokers keep. */
export interface RegistryAcl {
  readonly principal: string;
  readonly host: string;
  /** `REGISTRY` or `SUBJECT`. */
  readonly resource_type: string;
  /** The name of a subject, or empty for the registry. */
  readonly resource_name: string;
  readonly resource_pattern_type: string;
  readonly operation: string;
  readonly permission: string;
}

/** What a subject has, and which of its versions is the declared schema. */
export interface SubjectState {
  readonly subject: string;
  /** The newest version that is not deleted; null for none. */
  readonly latest: RegisteredSchema | null;
  /** The compatibility level of its own; null for none. */
  readonly level: string | null;
  /** The version that has the declared schema, even if it is written otherwise; null for none. */
  readonly same: number | null;
  /** The versions of the subjects that the declared schema follows, by subject. */
  readonly followed: ReadonlyMap<string, number>;
  /** The number of the next version: deleted ones keep theirs. */
  readonly next: number;
  readonly error: ItemError | null;
}
