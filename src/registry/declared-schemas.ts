import { CliError, exitCodes, type ItemError } from '../errors.ts';
import { compactJson } from '../format/json-indent.ts';
import { ApiError } from '../net/json-api/error.ts';
import { inParallel } from '../net/parallel.ts';
import { isObject } from '../shape/object.ts';
import { type Api, hasNumber, itemOf } from './api.ts';
import { contextOf, inContextOf } from './context-words.ts';
import { checkNew, find, readRow, register } from './registration.ts';
import type { NewSchema, Reference, RegisteredSchema, SchemaVersion, SubjectState } from './rows.ts';
import { readVersionAs } from './schemas.ts';
import { ownLevelOf } from './settings.ts';
import { versionsOf } from './subjects.ts';

/** A schema that a subject should have; the version -1 of a reference follows the latest one. */
export interface DeclaredSchema {
  readonly subject: string;
  /** Undefined if only what the subject has is of interest. */
  readonly schema: NewSchema | undefined;
}

/** The calls for many schemas at once, each with its own outcome. */
export function createDeclaredCalls(api: Api) {
  return {
    /** What subjects have, in their order. */
    subjectStates: async (declared: readonly DeclaredSchema[]): Promise<readonly SubjectState[]> => {
      const followed = latestVersions(api);
      return await inParallel(declared, (one) => stateOf(api, one, followed));
    },
    /** Registers schemas that do not refer to one another; their errors, in their order. */
    registerDeclared: (declared: readonly (DeclaredSchema & { readonly schema: NewSchema })[]) => {
      const followed = latestVersions(api);
      return errorsOf(declared, async ({ subject, schema }) => {
        await register(api, subject, await withNumbers(subject, schema, followed), { normalize: false });
      });
    },
    /** Why the registry would refuse schemas, in their order; null if it would not. */
    checkDeclared: (declared: readonly (DeclaredSchema & { readonly schema: NewSchema })[]) => {
      const followed = latestVersions(api);
      return errorsOf(declared, async ({ subject, schema }) => {
        await checkNew(api, subject, await withNumbers(subject, schema, followed));
      });
    },
  };
}

async function errorsOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<readonly (ItemError | null)[]> {
  return await inParallel(items, async (item) => {
    try {
      await work(item);
      return null;
    } catch (error) {
      return itemOf(error);
    }
  });
}

/** Finds the latest version of a subject; undefined for none. */
type Latest = (subject: string) => Promise<number | undefined>;

/** Asks for the latest version of each subject once. */
function latestVersions(api: Api): Latest {
  const asked = new Map<string, Promise<number | undefined>>();
  return (subject) => {
    const known = asked.get(subject) ?? latestOf(api, subject).then((latest) => latest?.version);
    asked.set(subject, known);
    return known;
  };
}

async function latestOf(api: Api, subject: string): Promise<RegisteredSchema | null> {
  const version: SchemaVersion = 'latest';
  return await orNull(readVersionAs(api, { subject, version, deleted: false }, readRow));
}

/** Null where the registry does not have something. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (hasNumber(error, 40401, 40402, 40403)) return null;
    throw error;
  }
}

/** The schema with a number for each reference that follows the latest version; -1 stays for a subject that is not there. */
async function withNumbers(subject: string, schema: NewSchema, latest: Latest): Promise<NewSchema> {
  const references: Reference[] = [];
  for (const one of schema.references) {
    const number = one.version === -1 ? await latest(inContextOf(contextOf(subject), one.subject)) : one.version;
    references.push({ ...one, version: number ?? -1 });
  }
  return { ...schema, references };
}

async function stateOf(api: Api, { subject, schema }: DeclaredSchema, latestVersion: Latest): Promise<SubjectState> {
  const none = { subject, latest: null, level: null, same: null, followed: new Map<string, number>(), next: 1 };
  try {
    const [latest, level] = await Promise.all([latestOf(api, subject), ownLevelOf(api, subject)]);
    const state = { ...none, latest, level, next: (latest?.version ?? 0) + 1, error: null };
    if (schema === undefined) return state;
    const resolved = await withNumbers(subject, schema, latestVersion);
    const followed = new Map(
      resolved.references.flatMap((one) => (one.version === -1 ? [] : [[one.subject, one.version] as const])),
    );
    const same = await sameVersion(api, subject, { schema: resolved, latest });
    if (same !== null) return { ...state, followed, same };
    const versions = (await orNull(versionsOf(api, subject, true))) ?? [];
    return { ...state, followed, next: Math.max(0, ...versions) + 1 };
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.unreachable) throw error;
    return { ...none, error: itemOf(error) };
  }
}

/**
 * The version that has a schema: the latest one, or an earlier one. The registry finds what it keeps in a form of its own; it
 * is not asked to normalize the schema, because Apicurio then takes one with other documentation for the same.
 */
async function sameVersion(
  api: Api,
  subject: string,
  { schema, latest }: { readonly schema: NewSchema; readonly latest: RegisteredSchema | null },
): Promise<number | null> {
  if (latest === null) return null;
  if (isSameText(schema, { ...latest, text: latest.schema })) return latest.version;
  try {
    return (await find(api, subject, schema, { normalize: false, deleted: false })).version;
  } catch (error) {
    // A registration gets the same refusal, and reports it.
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

/** Whether two schemas differ only in the layout of JSON and the order of its fields, or in the end of the text. */
export function isSameText(one: NewSchema, other: NewSchema): boolean {
  return one.type === other.type && textOf(one) === textOf(other) && referencesOf(one) === referencesOf(other);
}

function textOf({ type, text }: NewSchema): string {
  if (type === 'PROTOBUF') return text.trimEnd();
  // Numbers with many digits would lose some.
  if (/\d{16}/.test(text)) return compactJson(text);
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** The same data with the fields of all objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])] as const));
}

function referencesOf({ references }: NewSchema): string {
  const keys = references.map(({ name, subject, version }) => JSON.stringify([name, subject, version]));
  return keys.sort().join();
}
