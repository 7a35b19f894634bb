import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { shellWord } from '../format/shell-word.ts';
import { pathOf, type Query } from '../net/json-api/call.ts';
import { ApiError, oneLine } from '../net/json-api/error.ts';
import { inParallel } from '../net/parallel.ts';
import { anything, listOf, Misfit, mapOf, maybe, type RowOf, read, row, string } from '../shape/shape.ts';
import { type Advice, type Api, calls, hasNumber, notServed, versionAdvice } from './api.ts';
import { bodyOf, checkSubject, checkVersion } from './compatibility.ts';
import { contextOf, inContextOf } from './context-words.ts';
import type {
  CompatibilityCheck,
  NewSchema,
  RegisteredSchema,
  RegisterOptions,
  SchemaVersion,
  SubjectVersion,
} from './rows.ts';
import { readSubjectVersion, readVersion, readVersionAs, schemaId, versionName, versionNumber } from './schemas.ts';
import { levelOf } from './settings.ts';
import { namesOf, numbers, numbersOf, versionsOf } from './subjects.ts';

/** How to look for a schema. */
export interface FindOptions {
  readonly normalize: boolean;
  /** Whether deleted versions count. */
  readonly deleted: boolean;
}

/** The calls that register schemas and find where they are used. */
export function createRegistrationCalls(api: Api) {
  return {
    /** @throws CliError (exit 6) if the schema is not compatible with earlier versions */
    register: (subject: string, schema: NewSchema, options: RegisterOptions) => register(api, subject, schema, options),
    /** The version that has a schema already; undefined if none has it, or if the registry refuses to say. */
    existing: (subject: string, schema: NewSchema, normalize: boolean) => existing(api, subject, schema, normalize),
    /** @throws CliError (exit 6) if a schema is not compatible with earlier versions */
    checkNew: (subject: string, schema: NewSchema) => checkNew(api, subject, schema),
    /** Finds the version of a subject that has a schema. */
    findSchema: async (subject: string, schema: NewSchema, { normalize, deleted }: FindOptions) =>
      await find(api, subject, schema, { normalize, deleted }),
    readVersion: (subject: string, version: SchemaVersion, deleted: boolean) =>
      readVersionAs(api, { subject, version, deleted }, readRow),
    /**
     * The versions of all subjects that have a schema id, sorted.
     * @param subject says in which context the id is
     */
    async usesOfId(id: number, deleted: boolean, subject?: string) {
      const versions = await versionsOfId(api, id, { deleted, subject });
      return await inParallel(versions, (one) => readVersionAs(api, { ...one, deleted }, readRow));
    },
    /** Checks a schema against a version, and says by which level. */
    async checkCompatibility(subject: string, version: SchemaVersion, schema: NewSchema): Promise<CompatibilityCheck> {
      const verdict = await checkVersion(api, subject, version, schema);
      return { ...verdict, level: await levelOf(api, subject) };
    },
    /** The versions that refer to a version of a subject. */
    async referencesTo(subject: string, version: SchemaVersion, deleted: boolean): Promise<Referring> {
      const doing = `read what refers to ${versionName(version)} of the subject "${excerpt(subject)}"`;
      const path = pathOf`/subjects/${subject}/versions/${version}/referencedby`;
      const { answer, form } = numbers;
      const more = { query: { deleted }, advice: versionAdvice(subject), form };
      const ids = await numbersOf(api, calls.get(doing, path, answer, more));
      const found = await inParallel(ids, async (id) => {
        const versions = await versionsOfId(api, id, { deleted, subject }).catch(noneIfMissing);
        const rows = await inParallel(versions, (one) => readVersionAs(api, { ...one, deleted }, readRow));
        return rows.filter((one) => refersTo(one, subject)).map(versionRow);
      });
      return { versions: found.flat().toSorted(bySubject), others: ids.filter((_, at) => found[at]?.length === 0) };
    },
  };
}

/** What refers to a version of a subject. */
interface Referring {
  /** Sorted by subject. */
  readonly versions: readonly SubjectVersion[];
  /**
   * Ids of the registry's answer that have no such version in the context of the subject: they are of other contexts, which
   * the answer does not name (redpanda 26: src/v/pandaproxy/schema_registry/handlers.cc:1157), or their versions are deleted.
   */
  readonly others: readonly number[];
}

function refersTo({ subject, references }: RegisteredSchema, wanted: string): boolean {
  const context = contextOf(subject);
  return references.some((one) => inContextOf(context, one.subject) === wanted);
}

function noneIfMissing(error: unknown): readonly VersionOfSubject[] {
  if (hasNumber(error, 40403)) return [];
  throw error;
}

/** A registered schema; the version is null if the registry does not say it. */
interface Registered {
  readonly id: number;
  readonly version: number | null;
}

const registered = row({ id: schemaId, version: maybe(versionNumber) });

/** Registers a schema and finds its version, which not every registry says. */
export async function register(
  api: Api,
  subject: string,
  schema: NewSchema,
  { normalize, id, version, metadata }: RegisterOptions,
): Promise<Registered> {
  const body = {
    ...bodyOf(schema),
    ...(id === undefined ? {} : { id }),
    ...(version === undefined ? {} : { version }),
    ...(metadata === undefined ? {} : { metadata: { properties: metadata } }),
  };
  const doing = `register the schema under the subject "${excerpt(subject)}"`;
  const made = await api
    .call(
      calls.post(doing, pathOf`/subjects/${subject}/versions`, {
        query: { normalize },
        body,
        advice: registrationAdvice(subject, schema),
        // A registry registers the same schema only once.
        repeats: true,
        answer: registered,
        form: '"id"',
      }),
    )
    .catch(async (error: unknown) => {
      throw (await incompatibility(api, { subject, schema, error })) ?? error;
    });
  const assigned = made.version ?? version ?? (await versionOfId(api, subject, made.id));
  return { version: assigned, id: made.id };
}

/** Why a registry refuses a schema, as a check says it: refusals have the words of the registry's program. */
async function incompatibility(
  api: Api,
  { subject, schema, error }: { readonly subject: string; readonly schema: NewSchema; readonly error: unknown },
): Promise<CliError | undefined> {
  if (!api.isApicurio || !(error instanceof ApiError) || error.status !== 409) return undefined;
  try {
    await checkNew(api, subject, schema);
  } catch (failure) {
    if (failure instanceof CliError && failure.code === 'INCOMPATIBLE_SCHEMA') return failure;
  }
  return undefined;
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

/** The newest version of the subject with this id: versions are sorted. */
async function versionOfId(api: Api, subject: string, id: number): Promise<number | null> {
  const versions = await versionsOfId(api, id, { deleted: false, subject });
  return versions.findLast((one) => one.subject === subject)?.version ?? null;
}

async function existing(
  api: Api,
  subject: string,
  schema: NewSchema,
  normalize: boolean,
): Promise<Registered | undefined> {
  try {
    const { version, id } = await find(api, subject, schema, { normalize, deleted: false });
    return { version, id };
  } catch (error) {
    // The registration gets the same refusal, and reports it.
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  }
}

/** @throws CliError (exit 6) if a schema is not compatible with earlier versions */
export async function checkNew(api: Api, subject: string, schema: NewSchema): Promise<void> {
  const { compatible, messages } = (await checkSubject(api, subject, schema)) ?? { compatible: true, messages: [] };
  if (compatible) return;
  const level = await levelOf(api, subject);
  const details = messages.length === 0 ? '' : `: ${messages.join('; ')}`;
  throw new CliError(
    exitCodes.conflict,
    `unable to register the schema under the subject "${excerpt(subject)}": it is not compatible with the earlier versions${level === null ? '' : ` (level ${level})`}${details}`,
    {
      code: 'INCOMPATIBLE_SCHEMA',
      target: subject,
      hints: [levelHint(subject)],
    },
  );
}

/** Finds the version of a subject that has a schema. */
export async function find(
  api: Api,
  subject: string,
  schema: NewSchema,
  query: FindOptions,
): Promise<RegisteredSchema> {
  return await api.call(
    calls.post(`find the schema under the subject "${excerpt(subject)}"`, pathOf`/subjects/${subject}`, {
      query: { ...query },
      body: bodyOf(schema),
      repeats: true,
      changes: false,
      answer: readRow,
      form: '"subject"',
    }),
  );
}

const VersionOfSubject = row({ subject: string, version: versionNumber });
type VersionOfSubject = RowOf<typeof VersionOfSubject>;

/** Which versions with an id to find. */
interface IdOptions {
  readonly deleted: boolean;
  /** A subject of the context that the id is in; undefined for the default one. */
  readonly subject?: string | undefined;
}

/** The versions that have a schema id. */
export async function versionsOfId(
  api: Api,
  id: number,
  { deleted, subject }: IdOptions,
): Promise<readonly VersionOfSubject[]> {
  const doing = `find the versions with the schema id ${id}`;
  // The context alone: with a subject, Redpanda keeps only the versions of that one (26: src/v/pandaproxy/
  // schema_registry/handlers.cc:171).
  const context = contextOf(subject);
  const query = { deleted, subject: context === '' ? undefined : context };
  const path = pathOf`/schemas/ids/${id}/versions`;
  const versions = await api.call(
    calls.get(doing, path, listOf(VersionOfSubject), { query, form: 'list of versions' }),
  );
  const hidden = deleted ? await deletedVersions(api, id, { query, others: versions }) : [];
  return [...versions, ...hidden].toSorted(bySubject);
}

/**
 * The deleted versions with an id whose subject has no other version with it. Not every registry lists them by the id, but
 * those that do not list their subjects.
 */
async function deletedVersions(
  api: Api,
  id: number,
  { query, others }: { readonly query: Query; readonly others: readonly VersionOfSubject[] },
): Promise<readonly VersionOfSubject[]> {
  const doing = `find the subjects with the schema id ${id}`;
  const path = pathOf`/schemas/ids/${id}/subjects`;
  const subjects = await namesOf(api, doing, path, query).catch((error: unknown) => {
    if (notServed(error)) return [];
    throw error;
  });
  const deleted = subjects.filter((subject) => !others.some((one) => one.subject === subject));
  const candidates = await inParallel(deleted, async (subject) => {
    const versions = await versionsOf(api, subject, true);
    return await inParallel(versions, (version) => readSubjectVersion(api, subject, version, true));
  });
  return candidates.flat().filter((version) => version.id === id);
}

function bySubject(one: VersionOfSubject, other: VersionOfSubject): number {
  if (one.subject !== other.subject) return one.subject < other.subject ? -1 : 1;
  return one.version - other.version;
}

const moreAnswer = row({ metadata: maybe(mapOf(anything)), ruleSet: maybe(mapOf(anything)) });

/** Reads the answer for a version of a subject, with all that it has. */
export function readRow(body: unknown, what: string): RegisteredSchema {
  const { text: schema, references, ...row } = readVersion(body, what);
  const { metadata, ruleSet } = read(moreAnswer, body);
  if (!isShallow(metadata, mostMetadataLevels)) throw new Misfit('metadata');
  if (!isShallow(ruleSet, mostMetadataLevels)) throw new Misfit('ruleSet');
  return { ...versionRow(row), schema, references, metadata, rule_set: ruleSet };
}

/** Registries have properties, tags and rules there, in a few levels; far deeper values could not be printed. */
const mostMetadataLevels = 100;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

function versionRow({ subject, version, id, type }: SubjectVersion): SubjectVersion {
  return { subject, version, id, type };
}
