import { itemError } from '../shape/item-error.ts';
import {
  always,
  described,
  either,
  int32From,
  listOf,
  maybe,
  object,
  type RowOf,
  row,
  string,
  truth,
  whole,
  word,
} from '../shape/shape.ts';

/** The format of a schema, as registries spell it. */
export const schemaType = word('AVRO', 'PROTOBUF', 'JSON');

/** The formats of schemas that weir can use, as registries spell them. */
export type SchemaType = RowOf<typeof schemaType>;

/** The version of a schema; `latest` is the newest one that is not deleted. */
export type SchemaVersion = number | 'latest';

/** What a schema refers to: another schema of the registry, under the name that the schema uses for it. */
export const reference = row({ name: string, subject: string, version: either(int32From(1), always(-1)) });

/** What a schema refers to: another schema of the registry, under the name that the schema uses for it. */
export type Reference = RowOf<typeof reference>;

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

/** Where a schema is registered: a version of a subject. */
export const place = row({ subject: string, version: int32From(1) });

/** Where a schema is registered: a version of a subject. */
export type Place = RowOf<typeof place>;

/** A version of a subject. */
export const versionRow = row({ ...place.fields, id: int32From(0), type: schemaType });

/** A version of a subject. */
export type VersionRow = RowOf<typeof versionRow>;

/** What registering a schema did, or would do. */
export const createdSchema = row({
  subject: string,
  version: described(maybe(whole), 'null in a dry run for a schema that would be new'),
  id: maybe(whole),
  type: schemaType,
  dry_run: truth,
  exists: described(maybe(truth), 'in a dry run, whether the subject has this schema already; null otherwise'),
});

/** What registering a schema did, or would do. */
export type CreatedSchemaRow = RowOf<typeof createdSchema>;

/** A version of a subject with its schema. */
export const schemaRow = row({
  ...versionRow.fields,
  schema: string,
  references: listOf(row({ name: string, subject: string, version: whole })),
  metadata: described(maybe(object), 'what the registry stores with the schema'),
  rule_set: described(maybe(object), 'the rules for the data of the schema'),
});

/** A version of a subject with its schema. */
export type SchemaRow = RowOf<typeof schemaRow>;

/** A listed version, or the failure of a subject or version. */
export const listedSchema = row({
  subject: string,
  version: maybe(whole),
  id: maybe(whole),
  type: maybe(schemaType),
  deleted: described(truth, 'whether the version is soft-deleted; false unless deleted versions were asked for'),
  error: itemError,
});

/** A listed version, or the failure of a subject or version. */
export type ListedSchemaRow = RowOf<typeof listedSchema>;

/** The result of a compatibility check. */
export const compatibilityRow = row({
  subject: string,
  version: either(whole, always('latest')),
  compatible: truth,
  messages: described(listOf(string), 'the reasons of the registry'),
});

/** The result of a compatibility check. */
export type CompatibilityRow = RowOf<typeof compatibilityRow>;

/** A deleted version. */
export const deletedVersion = row({ subject: string, version: whole, permanent: truth, dry_run: truth });

/** A deleted version. */
export type DeletedVersionRow = RowOf<typeof deletedVersion>;

/** A deleted subject. */
export const deletedSubject = row({
  subject: string,
  versions_deleted: listOf(whole),
  permanent: truth,
  dry_run: truth,
  error: itemError,
});

/** A deleted subject. */
export type DeletedSubjectRow = RowOf<typeof deletedSubject>;

/** What all rows about a setting have in common. */
const setting = {
  subject: described(maybe(string), 'null for the global setting'),
  source: described(maybe(word('subject', 'global')), 'a subject without a setting of its own has the global one'),
};

/** Where a compatibility level or a mode is set. */
export type SettingSource = 'subject' | 'global';

/** A compatibility level. */
export const levelRow = row({ ...setting, level: maybe(string), error: itemError });

/** A compatibility level. */
export type LevelRow = RowOf<typeof levelRow>;

/** A mode. */
export const modeRow = row({ ...setting, mode: maybe(string), error: itemError });

/** A mode. */
export type ModeRow = RowOf<typeof modeRow>;

/** A changed compatibility level; after a reset, the level is the one that was removed. */
export const changedLevel = row({ ...levelRow.fields, dry_run: truth });

/** A changed compatibility level; after a reset, the level is the one that was removed. */
export type ChangedLevelRow = RowOf<typeof changedLevel>;

/** A changed mode; after a reset, the mode is the one that was removed. */
export const changedMode = row({ ...modeRow.fields, dry_run: truth });

/** A changed mode; after a reset, the mode is the one that was removed. */
export type ChangedModeRow = RowOf<typeof changedMode>;
