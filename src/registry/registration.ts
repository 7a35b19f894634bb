import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { shellWord } from '../format/shell-word.ts';
import { oneLine } from '../net/answer-text.ts';
import { pathOf } from '../net/http-call.ts';
import { fieldsOf } from '../net/json.ts';
import { inParallel } from '../net/parallel.ts';
import { type Advice, badAnswer, hasNumber, versionAdvice } from './answer-error.ts';
import type { Api } from './api.ts';
import { isNumber, readVersion } from './read-schema.ts';
import type { Registry, SchemaVersion, SubjectSchema } from './registry.ts';
import type { CompatibilityRow, CreatedSchemaRow, NewSchema, RegisterOptions, SchemaRow, VersionRow } from './rows.ts';
import { readSubjectVersion, versionName } from './schemas.ts';
import { numbersIn } from './subjects.ts';

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
    readVersion: (subject, version, deleted) =>
      api.call({
        doing: `read ${versionName(version)} of the subject "${excerpt(subject)}"`,
        method: 'GET',
        path: pathOf`/subjects/${subject}/versions/${version}`,
        query: { deleted },
        advice: versionAdvice(subject),
        read: readRow,
      }),
    async usesOfId(id, deleted) {
      const places = await placesOf(api, id, deleted);
      return await inParallel(places, async ({ subject, version }) =>
        rowOf(await readSubjectVersion(api, subject, version, deleted)),
      );
    },
    checkCompatibility: (subject, version, schema) => check(api, subject, version, schema),
    async referencesTo(subject, version, deleted) {
      const ids = await api.call({
        doing: `read what refers to ${versionName(version)} of the subject "${excerpt(subject)}"`,
        method: 'GET',
        path: pathOf`/subjects/${subject}/versions/${version}/referencedby`,
        query: { deleted },
        advice: versionAdvice(subject),
        read: numbersIn,
      });
      const places = (await inParallel(ids, (id) => placesOf(api, id, deleted))).flat();
      const rows = await inParallel(places, async (place) =>
        versionRow(await readSubjectVersion(api, place.subject, place.version, deleted)),
      );
      return rows.toSorted(byPlace);
    },
  };
}

/** Registers a schema and finds its version, which the registry does not say. */
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
  const registered = await api.call({
    doing: `register the schema under the subject "${excerpt(subject)}"`,
    method: 'POST',
    path: pathOf`/subjects/${subject}/versions`,
    query: { normalize },
    body,
    advice: registrationAdvice(subject, schema),
    // A registry registers the same schema only once.
    repeats: true,
    read(answer, what) {
      const { id } = fieldsOf(answer);
      if (!isNumber(id, 0)) throw badAnswer(what, '"id"');
      return id;
    },
  });
  const found = version ?? (await versionOfId(api, subject, registered));
  return { subject, version: found, id: registered, type: schema.type, dry_run: false, exists: null };
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
  const places = await placesOf(api, id, false);
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
    if (hasNumber(error, 40401)) return { ...row, version: null, id: null, exists: false };
  }
  const { compatible, messages } = await check(api, subject, 'latest', schema);
  if (compatible) return { ...row, version: null, id: null, exists: false };
  const why = messages.length === 0 ? 'it is not compatible with the latest version' : messages.join('; ');
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
    read: readRow,
  });
}

async function check(api: Api, subject: string, version: SchemaVersion, schema: NewSchema): Promise<CompatibilityRow> {
  return await api.call({
    doing: `check the schema against ${versionName(version)} of the subject "${excerpt(subject)}"`,
    method: 'POST',
    path: pathOf`/compatibility/subjects/${subject}/versions/${version}`,
    query: { verbose: true },
    advice: versionAdvice(subject),
    body: bodyOf(schema),
    repeats: true,
    changes: false,
    read(body, what) {
      const { is_compatible: compatible, messages } = fieldsOf(body);
      if (typeof compatible !== 'boolean') throw badAnswer(what, '"is_compatible"');
      const reasons = Array.isArray(messages) ? messages.filter((text) => typeof text === 'string') : [];
      return { subject, version, compatible, messages: reasons };
    },
  });
}

/** Some registries refuse the type AVRO being named, and empty references; others need neither. */
function bodyOf({ type, text, references }: NewSchema): object {
  return {
    schema: text,
    ...(type === 'AVRO' ? {} : { schemaType: type }),
    ...(references.length === 0 ? {} : { references }),
  };
}

interface Place {
  readonly subject: string;
  readonly version: number;
}

async function placesOf(api: Api, id: number, deleted: boolean): Promise<readonly Place[]> {
  const places = await api.call({
    doing: `find the versions with the schema id ${id}`,
    method: 'GET',
    path: pathOf`/schemas/ids/${id}/versions`,
    query: { deleted },
    read(body, what) {
      if (!Array.isArray(body)) throw badAnswer(what, 'list of versions');
      return body.map((item): Place => {
        const { subject, version } = fieldsOf(item);
        if (typeof subject !== 'string' || !isNumber(version, 1)) throw badAnswer(what, 'list of versions');
        return { subject, version };
      });
    },
  });
  return places.toSorted(byPlace);
}

function byPlace(one: Place, other: Place): number {
  if (one.subject !== other.subject) return one.subject < other.subject ? -1 : 1;
  return one.version - other.version;
}

function readRow(body: unknown, what: string): SchemaRow {
  const { metadata } = fieldsOf(body);
  if (!isShallow(metadata, mostMetadataLevels)) throw badAnswer(what, '"metadata"');
  const given = typeof metadata === 'object' && metadata !== null ? fieldsOf(metadata) : null;
  return rowOf(readVersion(body, what), given);
}

function rowOf(found: SubjectSchema, metadata: SchemaRow['metadata'] = null): SchemaRow {
  return { ...versionRow(found), schema: found.text, references: found.references, metadata };
}

/** Registries have properties and tags there, in three levels; far deeper values could not be printed. */
const mostMetadataLevels = 100;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

function versionRow({ subject, version, id, type }: SubjectSchema): VersionRow {
  return { subject, version, id, type };
}
