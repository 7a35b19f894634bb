import { inParallel } from '../../net/parallel.ts';
import { type Api, hasNumber } from '../api.ts';
import { contextOf, inContextOf } from '../context-words.ts';
import { readRow } from '../registration.ts';
import type { Reference, RegisteredSchema } from '../rows.ts';
import { readVersionAs } from '../schemas.ts';
import { ownLevelOf } from '../settings.ts';
import { versionsOf } from '../subjects.ts';

/** A version of the source, or of the destination. */
export interface Version extends RegisteredSchema {
  /** Whether it is soft-deleted. */
  readonly isDeleted: boolean;
}

/** A subject with its versions, oldest first. */
export interface Subject {
  readonly subject: string;
  readonly versions: readonly Version[];
  /** Whether the registry lists deleted versions whose schemas it does not serve, as Apicurio does for whole subjects. */
  readonly hasUnserved: boolean;
  /** The compatibility level of its own; null for none. */
  readonly level: string | null;
}

/** Reads subjects, and whatever they refer to. @param deleted whether soft-deleted versions count */
export async function readSubjects(
  api: Api,
  subjects: readonly string[],
  deleted: boolean,
): Promise<ReadonlyMap<string, Subject>> {
  const all = new Map<string, Subject>();
  for (let due = subjects; due.length > 0; ) {
    for (const one of await inParallel(due, (subject) => readSubject(api, subject, deleted))) all.set(one.subject, one);
    const referred = [...all.values()].flatMap(({ versions }) => versions.flatMap(referredTo));
    due = [...new Set(referred.map(({ subject }) => subject))].filter((subject) => !all.has(subject));
  }
  return all;
}

/** Reads a subject; without versions if the registry does not have it. */
export async function readSubject(api: Api, subject: string, deleted: boolean): Promise<Subject> {
  const live = await numbersOf(api, subject, false);
  const every = deleted ? await numbersOf(api, subject, true) : live;
  const [versions, level] = await Promise.all([
    inParallel(every, async (version): Promise<Version | undefined> => {
      const isDeleted = !live.includes(version);
      const reading = readVersionAs(api, { subject, version, deleted: isDeleted }, readRow);
      const schema = await (isDeleted ? reading.catch(unlessMissing) : reading);
      return schema && { ...schema, isDeleted };
    }),
    ownLevelOf(api, subject),
  ]);
  const served = versions.filter((one) => one !== undefined);
  return { subject, versions: served, hasUnserved: served.length < every.length, level };
}

function unlessMissing(error: unknown): undefined {
  if (!hasNumber(error, 40401, 40402)) throw error;
}

async function numbersOf(api: Api, subject: string, deleted: boolean): Promise<readonly number[]> {
  try {
    return await versionsOf(api, subject, deleted);
  } catch (error) {
    if (hasNumber(error, 40401)) return [];
    throw error;
  }
}

/** What a version refers to, with the whole names of the subjects. */
export function referredTo({
  subject,
  references,
}: Pick<RegisteredSchema, 'subject' | 'references'>): readonly Reference[] {
  return references.map((one) => ({ ...one, subject: inContextOf(contextOf(subject), one.subject) }));
}

/** What tells versions apart. */
export function keyOf({ subject, version }: Pick<RegisteredSchema, 'subject' | 'version'>): string {
  return `${version} ${subject}`;
}

/** All versions, each after what it refers to and after the earlier ones of its subject, which follow each other if they can. */
export function inCopyOrder(subjects: ReadonlyMap<string, Subject>): readonly Version[] {
  const ordered = new Map<string, Version>();
  const open = new Set<string>();
  const byKey = new Map<string, Version>();
  for (const { versions } of subjects.values()) for (const one of versions) byKey.set(keyOf(one), one);
  const visit = (version: Version): void => {
    const key = keyOf(version);
    if (open.has(key)) return;
    open.add(key);
    const earlier = (subjects.get(version.subject)?.versions ?? []).filter((one) => one.version < version.version);
    for (const one of earlier) visit(one);
    for (const one of referredTo(version)) {
      const next = byKey.get(keyOf(one));
      if (next !== undefined) visit(next);
    }
    ordered.set(key, version);
  };
  for (const version of byKey.values()) visit(version);
  return [...ordered.values()];
}
