import type { ItemError } from '../errors.ts';
import type { Reference, SchemaType } from './registry.ts';

/** A schema that is not registered yet. */
export interface NewSchema {
  readonly type: SchemaType;
  readonly text: string;
  readonly references: readonly Reference[];
}

/** How to register a schema. */
export interface RegisterOptions {
  /** Whether the registry compares schemas without regard to their layout. */
  readonly normalize: boolean;
  /** The id and the version to use; only in the mode IMPORT. */
  readonly id?: number | undefined;
  readonly version?: number | undefined;
  /** Properties that newer registries store with the schema. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly dryRun: boolean;
}

/** A version of a subject. */
export interface VersionRow {
  readonly subject: string;
  readonly version: number;
  readonly id: number;
  readonly type: SchemaType;
}

/** What registering a schema did, or would do. */
export interface CreatedSchemaRow {
  readonly subject: string;
  /** Null in a dry run for a schema that would be new. */
  readonly version: number | null;
  readonly id: number | null;
  readonly type: SchemaType;
  readonly dry_run: boolean;
  /** In a dry run: whether the subject has this schema already. Null otherwise. */
  readonly exists: boolean | null;
}

/** A version of a subject with its schema. */
export interface SchemaRow extends VersionRow {
  readonly schema: string;
  readonly references: readonly Reference[];
  /** What the registry stores with the schema; null if that is nothing. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The rules for the data of the schema; null if there are none. */
  readonly rule_set: Readonly<Record<string, unknown>> | null;
}

/** A listed version, or the failure of a subject or version. */
export interface ListedSchemaRow {
  readonly subject: string;
  readonly version: number | null;
  readonly id: number | null;
  readonly type: SchemaType | null;
  /** Whether the version is soft-deleted; false unless deleted versions were asked for. */
  readonly deleted: boolean;
  readonly error: ItemError | null;
}

/** The result of a compatibility check. */
export interface CompatibilityRow {
  readonly subject: string;
  readonly version: number | 'latest';
  readonly compatible: boolean;
  /** The registry's reasons. */
  readonly messages: readonly string[];
}

/** A deleted version. */
export interface DeletedVersionRow {
  readonly subject: string;
  readonly version: number;
  readonly permanent: boolean;
  readonly dry_run: boolean;
}

/** A deleted subject. */
export interface DeletedSubjectRow {
  readonly subject: string;
  readonly versions_deleted: readonly number[];
  readonly permanent: boolean;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** Where a compatibility level or a mode is set. */
export type SettingSource = 'subject' | 'global';

/** A compatibility level; `subject` is null for the global one. */
export interface LevelRow {
  readonly subject: string | null;
  readonly level: string | null;
  /** Where the level is set: a subject without one has the global level. Null if that is unknown. */
  readonly source: SettingSource | null;
  readonly error: ItemError | null;
}

/** A mode; `subject` is null for the global one. */
export interface ModeRow {
  readonly subject: string | null;
  readonly mode: string | null;
  readonly source: SettingSource | null;
  readonly error: ItemError | null;
}

/** A changed compatibility level; after a reset, the level is the one that was removed. */
export interface ChangedLevelRow extends LevelRow {
  readonly dry_run: boolean;
}

/** A changed mode; after a reset, the mode is the one that was removed. */
export interface ChangedModeRow extends ModeRow {
  readonly dry_run: boolean;
}
