import type { Clock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { pathOf } from '../net/http-call.ts';
import { versionAdvice } from './answer-error.ts';
import type { Api } from './api.ts';
import { createKnownSchemas } from './known-schemas.ts';
import { isNumber, readStored, readVersion } from './read-schema.ts';
import { resolveReferences } from './references.ts';
import type { Reference, Registry, ResolvedSchema, SchemaVersion, StoredSchema, SubjectSchema } from './registry.ts';
import type { SchemaCache } from './schema-cache.ts';

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
}: SchemaParts): Pick<Registry, 'schemaById' | 'schemaByGuid' | 'schemaOfVersion' | 'withReferences'> {
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
    await cache?.put(`id-${id}`, { schema: schema.text, schemaType: schema.type, references: schema.references });
    return schema;
  }

  async function fetchResolved(schema: StoredSchema): Promise<ResolvedSchema> {
    const kept = resolvedIn(cache, schema);
    if (kept !== undefined) return kept;
    const found = await resolveReferences(schema, (reference) => referred(api, reference));
    await cache?.put(`references-${schema.id}`, found);
    return found;
  }

  return {
    async schemaById(id) {
      if (!isNumber(id, 0)) throw usageError(`invalid schema id ${id}`, { target: String(id) });
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
      const { id, type, text, references } = schema;
      if (references.length === 0) return { type, text, references: [] };
      if (id === withoutId) return await resolveReferences(schema, (reference) => referred(api, reference));
      return await resolved.get(id, () => fetchResolved(schema));
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
  return api.call({
    doing: `read ${versionName(version)} of the subject "${excerpt(subject)}"`,
    method: 'GET',
    path: pathOf`/subjects/${subject}/versions/${version}`,
    query: { deleted },
    advice: versionAdvice(subject),
    read: readVersion,
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

function storedIn(cache: SchemaCache | undefined, id: number): StoredSchema | undefined {
  const kept = cache?.get(`id-${id}`);
  return kept === undefined ? undefined : readSafely(() => readStored(id, kept, ''));
}

function resolvedIn(cache: SchemaCache | undefined, { id, type, text }: StoredSchema): ResolvedSchema | undefined {
  const kept = cache?.get(`references-${id}`);
  const { references } = kept ?? {};
  if (kept?.type !== type || kept.text !== text || !Array.isArray(references)) return undefined;
  const isWhole = references.every((one) => typeof one?.name === 'string' && typeof one.text === 'string');
  return isWhole ? { type, text, references } : undefined;
}

function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
