import type { Clock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { pathOf } from '../net/json-api/call.ts';
import { listOf, read, row, string } from '../shape/shape.ts';
import { type Api, versionAdvice } from './api.ts';
import { contextOf } from './contexts.ts';
import { createKnownSchemas, type KnownId } from './known-schemas.ts';
import { readStored, readVersion } from './read-schema.ts';
import { resolveReferences } from './references.ts';
import type { Registry, ResolvedSchema, StoredSchema, SubjectSchema } from './registry.ts';
import type { Reference, SchemaVersion } from './registry-rows.ts';
import type { SchemaCache } from './schema-cache.ts';

const maxInt32 = 2_147_483_647;
/** Stands for the id of a schema that was asked for by its GUID: answers need not have one. */
const withoutId = -1;

/** The parts that reading schemas needs. */
interface SchemaParts {
  readonly api: Api;
  readonly clock: Pick<Clock, 'now'>;
  readonly cache: SchemaCache | undefined;
}

/** The calls that read schemas, with what they remember. */
export function openSchemaCalls({
  api,
  clock,
  cache,
}: SchemaParts): Pick<
  Registry,
  'schemaById' | 'schemaByGuid' | 'schemaOfVersion' | 'withReferences' | 'withReferencesOfNew'
> {
  const byId = createKnownSchemas<StoredSchema>(clock);
  const resolved = createKnownSchemas<ResolvedSchema>(clock);

  async function fetchById(id: number): Promise<StoredSchema> {
    const kept = storedIn(cache, id);
    if (kept !== undefined) return kept;
    const schema = await api.call({
      doing: `read the schema with the id ${id}`,
      method: 'GET',
      path: pathOf`/schemas/ids/${id}`,
      read: (body, what) => readStored(id, body, what),
    });
    await cache?.put(nameOf('id', id), {
      schema: schema.text,
      schemaType: schema.type,
      references: schema.references,
    });
    return schema;
  }

  async function fetchResolved(schema: StoredSchema): Promise<ResolvedSchema> {
    const kept = resolvedIn(cache, schema);
    if (kept !== undefined) return kept;
    const found = await resolveReferences(schema, (reference) => referred(api, reference));
    await cache?.put(nameOf('references', schema.id, schema.context), found);
    return found;
  }

  return {
    async schemaById(id) {
      if (!(Number.isInteger(id) && id >= 0 && id <= maxInt32))
        throw usageError(`invalid schema id ${id}`, { target: String(id) });
      return await byId.get(id, () => fetchById(id));
    },
    schemaByGuid: (guid) =>
      api.call({
        doing: `read the schema with the GUID ${guid}`,
        method: 'GET',
        path: pathOf`/schemas/guids/${guid}`,
        read: (body, what) => readStored(withoutId, body, what),
      }),
    schemaOfVersion: (subject, version) => readSubjectVersion(api, subject, version),
    async withReferences(schema) {
      const { id, type, text, references, context } = schema;
      if (references.length === 0) return { type, text, references: [] };
      if (id === withoutId) return await resolveReferences(schema, (reference) => referred(api, reference));
      return await resolved.get(knownId(id, context), () => fetchResolved(schema));
    },
    withReferencesOfNew: (subject, { type, text, references }) => {
      const schema = { id: withoutId, type, text, references, context: contextOf(subject) };
      return resolveReferences(schema, (reference) => referred(api, reference));
    },
  };
}

/** Reads one version of a subject. */
export function readSubjectVersion(
  api: Api,
  subject: string,
  version: SchemaVersion,
  deleted = false,
): Promise<SubjectSchema> {
  return readPlace(api, { subject, version, deleted }, readVersion);
}

/** The same with another reader of the answer. */
export function readPlace<T>(
  api: Api,
  {
    subject,
    version,
    deleted,
  }: { readonly subject: string; readonly version: SchemaVersion; readonly deleted: boolean },
  read: (body: unknown, what: string) => T,
): Promise<T> {
  return api.call({
    doing: `read ${versionName(version)} of the subject "${excerpt(subject)}"`,
    method: 'GET',
    path: pathOf`/subjects/${subject}/versions/${version}`,
    query: { deleted },
    advice: versionAdvice(subject),
    read,
  });
}

/** `the latest version` or `version 3`, for messages. */
export function versionName(version: SchemaVersion): string {
  return version === 'latest' ? 'the latest version' : `version ${version}`;
}

/** What a stored schema refers to may have been deleted since, which does not change its meaning. */
async function referred(api: Api, { subject, version }: Reference): Promise<SubjectSchema> {
  return await readSubjectVersion(api, subject, version === -1 ? 'latest' : version, true);
}

function knownId(id: number, context = ''): KnownId {
  return context === '' ? id : `:${context}${id}`;
}

/** The name of an entry of the cache, which becomes the name of a file. */
function nameOf(what: 'id' | 'references', id: number, context = ''): string {
  return `${what}-${encodeURIComponent(context)}${id}`;
}

function storedIn(cache: SchemaCache | undefined, id: number): StoredSchema | undefined {
  const kept = cache?.get(nameOf('id', id));
  return kept === undefined ? undefined : readSafely(() => readStored(id, kept, ''));
}

function resolvedIn(
  cache: SchemaCache | undefined,
  { id, type, text, context }: StoredSchema,
): ResolvedSchema | undefined {
  const kept = cache?.get(nameOf('references', id, context));
  if (kept?.type !== type || kept.text !== text) return undefined;
  const references = readSafely(() => read(listOf(row({ name: string, text: string })), kept.references ?? 0));
  return references && { type, text, references };
}

function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
