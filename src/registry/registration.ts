import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { shellWord } from '../format/shell-word.ts';
import { pathOf, type Query } from '../net/json-api/call.ts';
import { oneLine } from '../net/json-api/error.ts';
import { inParallel } from '../net/parallel.ts';
import { int32From, listOf, maybe, row } from '../shape/shape.ts';
import { type Advice, type Api, calls, hasNumber, notServed, versionAdvice } from './api.ts';
import { bodyOf, checkSubject, checkVersion } from './compatibility.ts';
import { subjectOfId } from './contexts.ts';
import { readSchemaRow } from './read-schema.ts';
import type { Registry } from './registry.ts';
import {
  type CreatedSchemaRow,
  type NewSchema,
  type Place,
  place,
  type RegisterOptions,
  type SchemaRow,
  type VersionRow,
} from './registry-rows.ts';
import { readPlace, readSubjectVersion, versionName } from './schemas.ts';
import { formOfNumbers, namesAt, numbers, sorted, versionsOf } from './subjects.ts';

type Calls = Pick<
  Registry,
  'register' | 'findSchema' | 'readVersion' | 'usesOfId' | 'checkCompatibility' | 'referencesTo'
>;

/** The calls that register schemas and find where they are used. */
export function openRegistrationCalls(api: Api): Calls {
  return {
    register: (subject, schema, options) =>
      options.dryRun ? tryOut(api, subject, schema, options) : register(api, subject, schema, options),
    findSchema: async (subject, schema, { normalize, deleted }) =>
      await find(api, subject, schema, { normalize, deleted }),
    readVersion: (subject, version, deleted) => rowAt(api, { subject, version, deleted }),
    async usesOfId(id, deleted, subject) {
      const places = await placesOf(api, id, { deleted, subject });
      return await inParallel(places, (place) => rowAt(api, { ...place, deleted }));
    },
    checkCompatibility: (subject, version, schema) => checkVersion(api, subject, version, schema),
    async referencesTo(subject, version, deleted) {
      const doing = `read what refers to ${versionName(version)} of the subject "${excerpt(subject)}"`;
      const path = pathOf`/subjects/${subject}/versions/${version}/referencedby`;
      const more = { query: { deleted }, advice: versionAdvice(subject), form: formOfNumbers };
      const ids = await api.call(calls.get(doing, path, numbers, more));
      const places = (await inParallel(sorted(ids), (id) => placesOf(api, id, { deleted, subject }))).flat();
      const rows = await inParallel(places, async (place) => versionRow(await rowAt(api, { ...place, deleted })));
      return rows.toSorted(byPlace);
    },
  };
}

/** Registers a schema and finds its version, which not every registry says. */
async function register(
  api: Api,
  subject: string,
  schema: NewSchema,
  { normalize, id, version, metadata }: RegisterOptions,
): Promise<CreatedSchemaRow> {
  const body = {
    ...bodyOf(schema),
    ...(id === undefined ? {} : { id }),
    ...(version === undefined ? {} : { version }),
    ...(metadata === undefined ? {} : { metadata: { properties: metadata } }),
  };
  const doing = `register the schema under the subject "${excerpt(subject)}"`;
  const registered = await api.call(
    calls.post(doing, pathOf`/subjects/${subject}/versions`, {
      query: { normalize },
      body,
      advice: registrationAdvice(subject, schema),
      // A registry registers the same schema only once.
      repeats: true,
      form: '"id"',
      answer: row({ id: int32From(0), version: maybe(int32From(1)) }),
    }),
  );
  const found = registered.version ?? version ?? (await versionOfId(api, subject, registered.id));
  return { subject, version: found, id: registered.id, type: schema.type, dry_run: false, exists: null };
}

/** What to do about a schema that the registry refuses; registries differ in how much they say. */
function registrationAdvice(subject: string, { type, text }: NewSchema): Advice {
  const level = { 409: levelHint(subject) };
  if (type === 'PROTOBUF') return level;
  try {
    JSON.parse(text);
    return level;
  } catch (error) {
    return { ...level, 42201: `write the schema in JSON: ${error instanceof Error ? oneLine(error.message) : ''}` };
  }
}

function levelHint(subject: string): string {
  return `see the level with: weir registry compatibility-level get ${shellWord(subject)}`;
}

/** The newest version of the subject with this id. */
async function versionOfId(api: Api, subject: string, id: number): Promise<number | null> {
  const places = await placesOf(api, id, { deleted: false, subject });
  const versions = places.filter((place) => place.subject === subject).map(({ version }) => version);
  return versions.length === 0 ? null : Math.max(...versions);
}

/** Says what registering would do, with requests that change nothing. */
async function tryOut(
  api: Api,
  subject: string,
  schema: NewSchema,
  { normalize }: RegisterOptions,
): Promise<CreatedSchemaRow> {
  const row = { subject, type: schema.type, dry_run: true };
  try {
    const { version, id } = await find(api, subject, schema, { normalize, deleted: false });
    return { ...row, version, id, exists: true };
  } catch (error) {
    if (!hasNumber(error, 40401, 40402, 40403)) throw error;
  }
  const { compatible, messages } = (await checkSubject(api, subject, schema)) ?? { compatible: true, messages: [] };
  if (compatible) return { ...row, version: null, id: null, exists: false };
  const why = messages.length === 0 ? 'it is not compatible with the earlier versions' : messages.join('; ');
  throw new CliError(
    exitCodes.conflict,
    `unable to register the schema under the subject "${excerpt(subject)}": ${why}`,
    {
      code: 'INCOMPATIBLE_SCHEMA',
      target: subject,
      hints: [levelHint(subject)],
    },
  );
}

async function find(
  api: Api,
  subject: string,
  schema: NewSchema,
  query: { readonly normalize: boolean; readonly deleted: boolean },
): Promise<SchemaRow> {
  return await api.call({
    doing: `find the schema under the subject "${excerpt(subject)}"`,
    method: 'POST',
    path: pathOf`/subjects/${subject}`,
    query,
    body: bodyOf(schema),
    repeats: true,
    changes: false,
    read: readSchemaRow,
  });
}

/** Which versions with an id to find. */
interface PlaceOptions {
  readonly deleted: boolean;
  /** A subject of the context that the id is in; undefined for the default one. */
  readonly subject?: string | undefined;
}

/** The versions that have a schema id. */
async function placesOf(api: Api, id: number, { deleted, subject }: PlaceOptions): Promise<readonly Place[]> {
  const doing = `find the versions with the schema id ${id}`;
  const query = { deleted, subject: subjectOfId(subject) };
  const path = pathOf`/schemas/ids/${id}/versions`;
  const places = await api.call(calls.get(doing, path, listOf(place), { query, form: 'list of versions' }));
  const others = deleted ? await deletedPlaces(api, id, { query, known: places }) : [];
  return [...places, ...others].toSorted(byPlace);
}

/**
 * The deleted versions with an id whose subject has no other version with it. Not every registry lists them by the id, but
 * those that do not list their subjects.
 */
async function deletedPlaces(
  api: Api,
  id: number,
  { query, known }: { readonly query: Query; readonly known: readonly Place[] },
): Promise<readonly Place[]> {
  const doing = `find the subjects with the schema id ${id}`;
  const path = pathOf`/schemas/ids/${id}/subjects`;
  const subjects = await namesAt(api, doing, path, query).catch((error: unknown) => {
    if (notServed(error)) return [];
    throw error;
  });
  const left = subjects.filter((subject) => !known.some((place) => place.subject === subject));
  const found = await inParallel(left, async (subject) => {
    const versions = await versionsOf(api, subject, true);
    return await inParallel(versions, (version) => readSubjectVersion(api, subject, version, true));
  });
  return found.flat().filter((version) => version.id === id);
}

function byPlace(one: Place, other: Place): number {
  if (one.subject !== other.subject) return one.subject < other.subject ? -1 : 1;
  return one.version - other.version;
}

function rowAt(api: Api, at: Parameters<typeof readPlace>[1]): Promise<SchemaRow> {
  return readPlace(api, at, readSchemaRow);
}

function versionRow({ subject, version, id, type }: VersionRow): VersionRow {
  return { subject, version, id, type };
}
