import type { Deadline } from '../deadline.ts';
import type { Address } from '../net/address.ts';
import type { HttpTrace } from '../net/http.ts';
import type { Credentials } from '../net/json-api/call.ts';
import type { TlsOptions } from '../net/tls.ts';
import type {
  ChangedLevelRow,
  ChangedModeRow,
  CompatibilityRow,
  CreatedSchemaRow,
  DeletedSubjectRow,
  DeletedVersionRow,
  LevelRow,
  ListedSchemaRow,
  ModeRow,
  NewSchema,
  Reference,
  RegisterOptions,
  SchemaRow,
  SchemaType,
  SchemaVersion,
  VersionRow,
} from './registry-rows.ts';

/** A schema by its id. */
export interface StoredSchema {
  readonly id: number;
  readonly type: SchemaType;
  readonly text: string;
  readonly references: readonly Reference[];
  /** The context that its references are in, such as `:.staging:`; left out for the default one. */
  readonly context?: string;
}

/** A schema as a version of a subject. */
export interface SubjectSchema extends StoredSchema {
  readonly subject: string;
  readonly version: number;
}

/** A schema with the texts of all its references, each once; a text comes after those that it refers to. */
export interface ResolvedSchema {
  readonly type: SchemaType;
  readonly text: string;
  readonly references: readonly { readonly name: string; readonly text: string }[];
}

/** The options of the registry client, built from the configuration in `client-options/registry.ts`. */
export interface RegistryOptions {
  /** Tried in this order when a connection fails. */
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly credentials: Credentials | undefined;
  /** Whether an address that nobody answers at ends the command at once (default), or is retried. */
  readonly firstContact?: 'stop' | 'retry';
  /** Where schemas are kept between commands; undefined means in memory only. */
  readonly cacheDirectory: string | undefined;
  /** The environment, used only for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly deadline: Deadline;
  warn(line: string): void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
}

/** The subjects to delete. */
interface DeleteSubjects {
  readonly subjects: readonly string[];
  readonly permanent: boolean;
  readonly dryRun: boolean;
}

/** The version to delete. */
interface DeleteVersion {
  readonly subject: string;
  readonly version: number;
  readonly permanent: boolean;
  readonly dryRun: boolean;
}

/** How to look for a schema. */
interface FindOptions {
  readonly normalize: boolean;
  /** Whether deleted versions count. */
  readonly deleted: boolean;
}

/**
 * The schema registry client. Every call applies the limits, retries what is safe to repeat, and fails with a
 * `RegistryError` if the registry refuses it, which has exit code 3 for something that does not exist.
 */
export interface Registry {
  /** Returns a schema by its id in the default context. Answers are kept, because ids do not change their meaning. */
  schemaById(id: number): Promise<StoredSchema>;
  /** Returns a schema by its GUID, which records with their schema in a header have; its id is -1. Nothing is kept. */
  schemaByGuid(guid: string): Promise<StoredSchema>;
  /** Returns a version of a subject that is not deleted. */
  schemaOfVersion(subject: string, version: SchemaVersion): Promise<SubjectSchema>;
  /**
   * Fetches everything that a schema refers to, also indirectly.
   * @throws CliError (exit 1) for references in a circle, and for absurdly deep or numerous ones
   */
  withReferences(schema: StoredSchema): Promise<ResolvedSchema>;
  /** Does the same for a schema that is not registered under its subject yet. */
  withReferencesOfNew(subject: string, schema: NewSchema): Promise<ResolvedSchema>;

  /** The names of the subjects, sorted. */
  subjects(deleted: boolean): Promise<readonly string[]>;
  /** The names of the contexts, sorted; not every registry has them. */
  contexts(): Promise<readonly string[]>;
  /** One row for each version of the subjects, or for a failure. */
  listSchemas(subjects: readonly string[], deleted: boolean): Promise<readonly ListedSchemaRow[]>;
  /** Deletes subjects. Permanently deleting one first soft-deletes it, if it is not yet. */
  deleteSubjects(request: DeleteSubjects): Promise<readonly DeletedSubjectRow[]>;
  /** Deletes one version of a subject, in the same way. */
  deleteVersion(request: DeleteVersion): Promise<DeletedVersionRow>;

  /**
   * Registers a schema; a dry run only tells whether it exists.
   * @throws CliError (exit 6) if it is not compatible with earlier versions
   */
  register(subject: string, schema: NewSchema, options: RegisterOptions): Promise<CreatedSchemaRow>;
  /** Finds the version of a subject that has a schema. */
  findSchema(subject: string, schema: NewSchema, options: FindOptions): Promise<SchemaRow>;
  readVersion(subject: string, version: SchemaVersion, deleted: boolean): Promise<SchemaRow>;
  /**
   * The versions of all subjects that have a schema id, sorted.
   * @param subject says in which context the id is
   */
  usesOfId(id: number, deleted: boolean, subject?: string): Promise<readonly SchemaRow[]>;
  checkCompatibility(subject: string, version: SchemaVersion, schema: NewSchema): Promise<CompatibilityRow>;
  /** The versions that refer to a version of a subject, sorted. */
  referencesTo(subject: string, version: SchemaVersion, deleted: boolean): Promise<readonly VersionRow[]>;

  /** The compatibility levels of subjects, and of the registry for undefined, in this order. */
  levels(scopes: readonly (string | undefined)[]): Promise<readonly LevelRow[]>;
  setLevels(
    scopes: readonly (string | undefined)[],
    level: string,
    dryRun: boolean,
  ): Promise<readonly ChangedLevelRow[]>;
  /** Removes the levels of subjects, so that the global level applies; the rows have the removed levels. */
  resetLevels(subjects: readonly string[], dryRun: boolean): Promise<readonly ChangedLevelRow[]>;
  /** The modes of subjects, and of the registry for undefined, in this order. */
  modes(scopes: readonly (string | undefined)[]): Promise<readonly ModeRow[]>;
  setModes(
    scopes: readonly (string | undefined)[],
    mode: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<readonly ChangedModeRow[]>;
  /** Removes the modes of subjects, so that the global mode applies; the rows have the removed modes. */
  resetModes(subjects: readonly string[], dryRun: boolean): Promise<readonly ChangedModeRow[]>;

  /** Closes all connections immediately. */
  close(): void;
}
