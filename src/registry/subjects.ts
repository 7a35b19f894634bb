import { CliError, type ItemError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { shellWord } from '../format/shell-word.ts';
import { type ApiCall, type ApiPath, pathOf, type Query } from '../net/json-api/call.ts';
import { inParallel } from '../net/parallel.ts';
import { listOf, Misfit, read, string } from '../shape/shape.ts';
import { type Api, calls, hasNumber, itemOf, withAddition } from './api.ts';
import type { ListedSchema } from './rows.ts';
import { readSubjectVersion, schemaId } from './schemas.ts';

/** A registry answers one of these if what is to be deleted is soft-deleted already, or is not there at all. */
const hiddenOrMissing = [40401, 40402, 40404, 40406] as const;

/** The answer for a subject or version that another schema refers to. */
const referenceExists = 42206;

/** Apicurio counts deleted schemas; Confluent's registry does not. */
const countsDeleted = '; if only deleted schemas refer to it, remove them and it with --permanent';

/** A subject with its versions: those that it has, or those that were deleted; none with an error. */
interface SubjectVersions {
  readonly subject: string;
  readonly versions: readonly number[];
  readonly error: ItemError | null;
}

/** The calls for subjects and their versions. */
export function createSubjectCalls(api: Api) {
  return {
    /** The names of the subjects, sorted. */
    subjects: (deleted: boolean) => subjectsOf(api, deleted),
    /** The versions of a subject, oldest first. */
    versions: (subject: string, deleted: boolean) => versionsOf(api, subject, deleted),
    /** The names of the contexts, sorted; not every registry has them. */
    contexts: async () => {
      const names = await namesOf(api, 'list the contexts', pathOf`/contexts`);
      // Apicurio writes them as they begin the names of subjects.
      return names.map((name) => name.replace(/^:(.*):$/, '$1'));
    },
    /** Whether the registry is one that takes `:.staging:orders` as a mere name, although it lists contexts. */
    lacksContexts: api.isApicurio,
    /** Deletes a context without subjects, such as `.staging`. @throws CliError (exit 6) if it has some, deleted ones included */
    deleteContext: (context: string) =>
      api.call(
        calls.delete(`delete the context "${excerpt(context)}"`, pathOf`/contexts/${context}`, {
          advice: {
            42211: `delete its subjects for good: weir registry subject delete -r '.*' --schema-context ${shellWord(context)} --permanent`,
          },
        }),
      ),
    /** One row for each version of the subjects, or for a failure. */
    async listSchemas(subjects: readonly string[], deleted: boolean): Promise<readonly ListedSchema[]> {
      return (await inParallel(subjects, (subject) => listSubject(api, subject, deleted))).flat();
    },
    /** The versions of subjects, in their order. */
    versionsOf: (subjects: readonly string[], deleted: boolean) =>
      inParallel(subjects, (subject) => withVersions(subject, () => versionsOf(api, subject, deleted))),
    /** Deletes subjects. Permanently deleting one first soft-deletes it, if it is not yet. */
    async deleteSubjects(subjects: readonly string[], permanent: boolean): Promise<readonly SubjectVersions[]> {
      return await untilNothingRefers(subjects, async (subject) => {
        const deleted = await withVersions(subject, () => deleteSubject(api, subject, permanent));
        const { error } = deleted;
        const isReferred = !permanent && error?.number === referenceExists;
        return isReferred ? { ...deleted, error: { ...error, message: error.message + countsDeleted } } : deleted;
      });
    },
    /** Deletes one version of a subject, in the same way. */
    deleteVersion: (subject: string, version: number, permanent: boolean) =>
      deleteVersion(api, subject, version, permanent),
  };
}

async function withVersions(subject: string, call: () => Promise<readonly number[]>): Promise<SubjectVersions> {
  try {
    return { subject, versions: await call(), error: null };
  } catch (error) {
    return { subject, versions: [], error: itemOf(error) };
  }
}

/** The names of the subjects, sorted. */
export function subjectsOf(api: Api, deleted: boolean): Promise<readonly string[]> {
  return namesOf(api, 'list the subjects', pathOf`/subjects`, { deleted });
}

/** Reads a list of names, sorted. */
export async function namesOf(api: Api, doing: string, path: ApiPath, query: Query = {}): Promise<readonly string[]> {
  const names = await api.call(calls.get(doing, path, readNames, { query, form: 'list of names' }));
  return [...new Set(names)].sort();
}

/** AxonOps Schema Registry answers `null` for no names. */
function readNames(body: unknown): readonly string[] {
  if (body === undefined) throw new Misfit();
  return read(listOf(string), body);
}

/** The list of versions or ids that an answer is. */
export const numbers = { answer: listOf(schemaId), form: 'list of numbers' } as const;

/** Makes a call for a list of numbers, and sorts them. */
export async function numbersOf(api: Api, call: ApiCall<readonly number[]>): Promise<readonly number[]> {
  return [...new Set(await api.call(call))].sort((one, other) => one - other);
}

/** The versions of a subject, oldest first. */
export async function versionsOf(api: Api, subject: string, deleted: boolean): Promise<readonly number[]> {
  const doing = `list the versions of the subject "${excerpt(subject)}"`;
  const { answer, form } = numbers;
  return await numbersOf(
    api,
    calls.get(doing, pathOf`/subjects/${subject}/versions`, answer, { query: { deleted }, form }),
  );
}

async function listSubject(api: Api, subject: string, deleted: boolean): Promise<readonly ListedSchema[]> {
  const failed = { subject, version: null, id: null, type: null, deleted: false };
  try {
    const versions = await versionsOf(api, subject, deleted);
    const live = deleted ? await liveVersionsOf(api, subject) : new Set(versions);
    return await inParallel(versions, async (version): Promise<ListedSchema> => {
      const isDeleted = !live.has(version);
      try {
        const { id, type } = await readSubjectVersion(api, subject, version, isDeleted);
        return { subject, version, id, type, deleted: isDeleted, error: null };
      } catch (error) {
        return { ...failed, version, deleted: isDeleted, error: itemOf(error) };
      }
    });
  } catch (error) {
    return [{ ...failed, error: itemOf(error) }];
  }
}

async function liveVersionsOf(api: Api, subject: string): Promise<ReadonlySet<number>> {
  try {
    return new Set(await versionsOf(api, subject, false));
  } catch (error) {
    // All versions are deleted.
    if (hasNumber(error, 40401)) return new Set();
    throw error;
  }
}

/**
 * Deletes subjects, and tries again those that others referred to, as long as others are deleted: so a subject and what
 * refers to it can be deleted together, in any order.
 */
async function untilNothingRefers(
  subjects: readonly string[],
  remove: (subject: string) => Promise<SubjectVersions>,
): Promise<readonly SubjectVersions[]> {
  const rows = new Map<string, SubjectVersions>(
    subjects.map((subject) => [subject, { subject, versions: [], error: null }]),
  );
  for (let left = subjects; left.length > 0; ) {
    const tried = await inParallel(left, remove);
    for (const row of tried) rows.set(row.subject, row);
    const referred = tried.filter(({ error }) => error?.number === referenceExists);
    left = tried.some(({ error }) => error === null) ? referred.map(({ subject }) => subject) : [];
  }
  return [...rows.values()];
}

/** Deletes a subject. A registry deletes permanently only what is soft-deleted. */
async function deleteSubject(api: Api, subject: string, permanent: boolean): Promise<readonly number[]> {
  const doing = `delete the subject "${excerpt(subject)}"`;
  const remove = (isPermanent: boolean): Promise<readonly number[]> =>
    numbersOf(
      api,
      calls.delete(doing, pathOf`/subjects/${subject}`, { ...numbers, query: { permanent: isPermanent } }),
    );
  return await (permanent ? removeForGood(remove) : remove(false));
}

/** Deletes one version of a subject. */
async function deleteVersion(api: Api, subject: string, version: number, permanent: boolean): Promise<void> {
  const remove = (isPermanent: boolean): Promise<void> =>
    api.call(
      calls.delete(
        `delete version ${version} of the subject "${excerpt(subject)}"`,
        pathOf`/subjects/${subject}/versions/${version}`,
        {
          query: { permanent: isPermanent },
          advice: {
            [referenceExists]: `see what refers to it with: weir registry schema references ${shellWord(subject)} --schema-version ${version}`,
          },
        },
      ),
    );
  await (permanent ? removeForGood(remove) : remove(false));
}

/** Soft-deletes a version unless it is deleted already. */
export async function deleteIfLive(api: Api, subject: string, version: number): Promise<void> {
  await unlessHidden(deleteVersion(api, subject, version, false));
}

/** Soft-deletes first; an error of the permanent deletion says so, because that may need more permissions. */
async function removeForGood<T>(remove: (isPermanent: boolean) => Promise<T>): Promise<T> {
  const isSoftDeleted = await unlessHidden(remove(false));
  try {
    return await remove(true);
  } catch (error) {
    if (!isSoftDeleted || !(error instanceof CliError)) throw error;
    throw withAddition(error, '; it is soft-deleted now');
  }
}

/**
 * Ignores that something is soft-deleted already; if it is not there at all, the permanent deletion says so.
 * @returns whether the deletion was made
 */
async function unlessHidden(softDeletion: Promise<unknown>): Promise<boolean> {
  try {
    await softDeletion;
    return true;
  } catch (error) {
    if (!hasNumber(error, ...hiddenOrMissing)) throw error;
    return false;
  }
}
