import type { Clock } from '../clock.ts';
import { CliError, exitCodes, invalidError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { pathOf } from '../net/json-api/call.ts';
import { always, between, either, listOf, Misfit, maybe, read, row, string, unless } from '../shape/shape.ts';
import { type Api, calls, versionAdvice } from './api.ts';
import { contextOf } from './context-words.ts';
import { resolveReferences } from './references.ts';
import {
  type NewSchema,
  Reference,
  ResolvedSchema,
  SchemaType,
  type SchemaVersion,
  type StoredSchema,
  type SubjectSchema,
} from './rows.ts';
import { createKnownSchemas, type KnownId, type SchemaCache } from './schema-cache.ts';

const maxInt32 = 2_147_483_647;

/** A schema id. */
export const schemaId = between(0, maxInt32);

/** The number of a version. */
export const versionNumber = between(1, maxInt32);

/** The answer for a schema id. Registries leave out the type of Avro schemas. */
const storedAnswer = row({
  schema: string,
  schemaType: unless('', string),
  references: listOf(row({ ...Reference.fields, version: either(versionNumber, always(-1)) })),
  subject: maybe(string),
});

/** The answer for a version of a subject. */
const versionAnswer = row({ subject: string, version: versionNumber, id: schemaId });

/** Stands for the id of a schema that was asked for by its GUID: answers need not have one. */
const withoutId = -1;

/** The parts that reading schemas needs. */
interface SchemaParts {
  readonly api: Api;
  readonly clock: Pick<Clock, 'now'>;
  readonly cache: SchemaCache | undefined;
}

/** The calls that read schemas, with what they remember. */
export function createSchemaCalls({ api, clock, cache }: SchemaParts) {
  const byId = createKnownSchemas<StoredSchema>(clock, ({ text }) => text.length);
  const resolved = createKnownSchemas<ResolvedSchema>(clock, ({ text, references }) =>
    references.reduce((sum, one) => sum + one.text.length, text.length),
  );

  async function fetchById(id: number, context: string): Promise<StoredSchema> {
    const cached = storedIn(cache, id, context);
    if (cached !== undefined) return cached;
    const schema = await fetchSchema(api, id, context);
    const { text, type, references } = schema;
    await cache?.put(nameOf('id', id, context), { schema: text, schemaType: type, references });
    return schema;
  }

  async function fetchResolved(schema: StoredSchema): Promise<ResolvedSchema> {
    const cached = resolvedIn(cache, schema);
    if (cached !== undefined) return cached;
    const references = await resolve(schema);
    await cache?.put(nameOf('references', schema.id, schema.context), references);
    return references;
  }

  /** What a stored schema refers to may have been deleted since, which does not change its meaning. */
  function resolve(schema: StoredSchema): Promise<ResolvedSchema> {
    return resolveReferences(schema, ({ subject, version }) =>
      readSubjectVersion(api, subject, version === -1 ? 'latest' : version, true),
    );
  }

  return {
    /**
     * Returns a schema by its id. Answers are kept, because ids do not change their meaning.
     * @param context that of the id, such as `:.staging:`; '' for the default one
     */
    async schemaById(id: number, context = ''): Promise<StoredSchema> {
      if (!Number.isInteger(id) || id < 0 || id > maxInt32)
        throw invalidError(`invalid schema id ${id}`, { target: String(id) });
      return await byId.get(knownId(id, context), () => fetchById(id, context));
    },
    /** Returns a schema by its GUID, which records with their schema in a header have; its id is -1. Nothing is kept. */
    schemaByGuid: (guid: string): Promise<StoredSchema> =>
      api.call(
        calls.get(
          `read the schema with the GUID ${guid}`,
          pathOf`/schemas/guids/${guid}`,
          (body, what) => readStored(withoutId, body, what),
          { form: '"schema"' },
        ),
      ),
    /** Returns a version of a subject that is not deleted. */
    schemaOfVersion: (subject: string, version: SchemaVersion) => readSubjectVersion(api, subject, version),
    /**
     * Fetches everything that a schema refers to, also indirectly.
     * @throws CliError (exit 1) for references in a circle, and for absurdly deep or numerous ones
     */
    async withReferences(schema: StoredSchema): Promise<ResolvedSchema> {
      const { id, type, text, references, context } = schema;
      if (references.length === 0) return { type, text, references: [] };
      if (id === withoutId) return await resolve(schema);
      return await resolved.get(knownId(id, context), () => fetchResolved(schema));
    },
    /** Does the same for a schema that is not registered under its subject yet. */
    withReferencesOfNew: (subject: string, { type, text, references }: NewSchema): Promise<ResolvedSchema> =>
      resolve({ id: withoutId, type, text, references, context: contextOf(subject) }),
  };
}

/** Reads a schema by its id. @param context that of the id, such as `:.staging:`; '' for the default one */
export function fetchSchema(api: Api, id: number, context: string): Promise<StoredSchema> {
  return api.call(
    calls.get(
      `read the schema with the id ${id}${context && ` in the context ${context.slice(1, -1)}`}`,
      pathOf`/schemas/ids/${id}`,
      (body, what) => readStored(id, body, what, context),
      { form: '"schema"', query: { subject: context === '' ? undefined : context } },
    ),
  );
}

/** Reads one version of a subject. */
export function readSubjectVersion(
  api: Api,
  subject: string,
  version: SchemaVersion,
  deleted = false,
): Promise<SubjectSchema> {
  return readVersionAs(api, { subject, version, deleted }, readVersion);
}

/** A version of a subject. */
export interface SubjectVersion {
  readonly subject: string;
  readonly version: SchemaVersion;
  readonly deleted: boolean;
}

/** Reads one version of a subject with another reader of the answer. */
export function readVersionAs<T>(
  api: Api,
  { subject, version, deleted }: SubjectVersion,
  answer: (body: unknown, what: string) => T,
): Promise<T> {
  return api.call(
    calls.get(
      `read ${versionName(version)} of the subject "${excerpt(subject)}"`,
      pathOf`/subjects/${subject}/versions/${version}`,
      answer,
      { query: { deleted }, advice: versionAdvice(subject), form: '"subject"' },
    ),
  );
}

/** `the latest version` or `version 3`, for messages. */
export function versionName(version: SchemaVersion): string {
  return version === 'latest' ? 'the latest version' : `version ${version}`;
}

/** Reads the answer for a schema id. @param asked the context that was asked for, if the answer does not name a subject */
function readStored(id: number, body: unknown, what: string, asked = ''): StoredSchema {
  const { schema: text, schemaType: type, references, subject } = read(storedAnswer, body);
  const context = contextOf(subject ?? '') || asked;
  const stored = { id, type: typeOf(type, what), text, references };
  return context === '' ? stored : { ...stored, context };
}

/** Reads the answer for a version of a subject. */
export function readVersion(body: unknown, what: string): SubjectSchema {
  const { subject, version, id } = read(versionAnswer, body);
  return { subject, version, ...readStored(id, body, what) };
}

function typeOf(text: string, what: string): SchemaType {
  if (text === '') return 'AVRO';
  try {
    return read(SchemaType, text);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const message = `the answer to ${what} has the schema type "${excerpt(text)}", which is unknown`;
    const hints = ['weir knows the types AVRO, PROTOBUF and JSON'];
    throw new CliError(exitCodes.failure, message, { code: 'UNKNOWN_SCHEMA_TYPE', target: what, hints });
  }
}

function knownId(id: number, context = ''): KnownId {
  return context === '' ? id : `:${context}${id}`;
}

/** The name of an entry of the cache, which becomes the name of a file. */
function nameOf(what: 'id' | 'references', id: number, context = ''): string {
  return `${what}-${encodeURIComponent(context)}${id}`;
}

function storedIn(cache: SchemaCache | undefined, id: number, context: string): StoredSchema | undefined {
  const cached = cache?.get(nameOf('id', id, context));
  return cached && readSafely(() => readStored(id, cached, '', context));
}

function resolvedIn(
  cache: SchemaCache | undefined,
  { id, type, text, context }: StoredSchema,
): ResolvedSchema | undefined {
  const entry = cache?.get(nameOf('references', id, context));
  const cached = readSafely(() => read(ResolvedSchema, entry));
  return cached?.type === type && cached.text === text && Array.isArray(entry?.references) ? cached : undefined;
}

function readSafely<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
