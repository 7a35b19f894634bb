import { CliError, type ExitCode, exitCodes, type ItemError, notChangedCode, rephrased } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { row } from '../../shape/shape.ts';
import { type Api, calls, hasNumber, itemOf, notServed } from '../api.ts';
import { bodyOf } from '../compatibility.ts';
import { register } from '../registration.ts';
import type { NewSchema } from '../rows.ts';
import { schemaId } from '../schemas.ts';
import { openImport, setLevel } from '../settings.ts';
import { deleteVersion } from '../subjects.ts';
import type { CopiedSubject } from './copy-rows.ts';
import { type CopyPlan, schemaOf, targetOf, withoutImport } from './plan.ts';
import { keyOf, referredTo, type Version } from './source.ts';

/** What a copy tells while it runs. */
export interface CopyWatch {
  /** The exit code of what has stopped the command, so that nothing more is begun; undefined if nothing has. */
  stopCode(): ExitCode | undefined;
  /** Says how many versions are registered. */
  report(done: number): void;
}

/**
 * Registers the versions of a plan, and returns why subjects failed. The mode of a subject is IMPORT only while its versions
 * are registered, one subject after the other, and is then what it was before.
 */
export async function runCopy(plan: CopyPlan, watch: CopyWatch): Promise<ReadonlyMap<string, ItemError>> {
  const errors = new Map<string, ItemError>();
  let done = 0;
  const isDone = () => {
    done += 1;
    watch.report(done);
  };
  for (const group of groupsOf(plan.due)) {
    const subject = group[0]?.subject ?? '';
    const why = whyNot(group, errors, watch);
    const error = why ?? (await errorOf(() => copyGroup(plan, group, { ...watch, isDone })));
    if (error !== null && !errors.has(subject)) errors.set(subject, error);
  }
  for (const subject of plan.subjects) {
    if (errors.has(subject.subject)) continue;
    const error = await errorOf(() => finish(plan, subject, watch));
    if (error !== null) errors.set(subject.subject, error);
  }
  return errors;
}

/** The failure of a part, which concerns its subject alone; a registry without the mode IMPORT ends all. */
async function errorOf(work: () => Promise<void>): Promise<ItemError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CliError && error.code === noImportCode) throw error;
    return itemOf(error);
  }
}

/** Why versions are not copied: the command is stopped, or a subject that they need has failed. */
function whyNot(group: readonly Version[], errors: ReadonlyMap<string, ItemError>, watch: CopyWatch): ItemError | null {
  const stopCode = watch.stopCode();
  if (stopCode !== undefined) return notCopied('the command was stopped', stopCode);
  const missing = missingFor(group, errors);
  return missing === undefined ? null : notCopied(`"${missing}" has failed`);
}

/** Gives a subject its level, and deletes what is deleted in the source. */
async function finish(
  { due, placed, request }: CopyPlan,
  { subject, destination, level }: CopiedSubject,
  watch: CopyWatch,
): Promise<void> {
  if (level !== null) {
    checkStop(watch);
    await setLevel(request.to, destination, level);
  }
  for (const one of due.filter((version) => version.subject === subject && version.isDeleted)) {
    checkStop(watch);
    await deleteVersion(request.to, destination, placed.get(keyOf(one)) ?? one.version, false);
  }
}

const noImportCode = withoutImport().code;

/** The versions in their order, those of a subject together where they follow each other. */
function groupsOf(due: readonly Version[]): readonly (readonly Version[])[] {
  const groups: Version[][] = [];
  for (const version of due) {
    const last = groups.at(-1);
    if (last?.[0]?.subject === version.subject) last.push(version);
    else groups.push([version]);
  }
  return groups;
}

/** The subject without which versions are not copied: their own, or one that they refer to. */
function missingFor(group: readonly Version[], errors: ReadonlyMap<string, ItemError>): string | undefined {
  const needed = group.flatMap((version) => [version.subject, ...referredTo(version).map(({ subject }) => subject)]);
  return needed.find((subject) => errors.has(subject));
}

function notCopied(why: string, exitCode: ExitCode = exitCodes.conflict): ItemError {
  const message = `not copied, because ${why}`;
  return { code: notChangedCode, number: null, message, retryable: true, exit_code: exitCode };
}

interface GroupWatch extends CopyWatch {
  isDone(): void;
}

/** Registers versions of one subject that follow each other. */
async function copyGroup({ request, placed }: CopyPlan, group: readonly Version[], watch: GroupWatch): Promise<void> {
  const target = targetOf(request, group[0]?.subject ?? '');
  const restore = request.newIds ? undefined : await importOf(request.to, target);
  try {
    for (const version of group) {
      checkStop(watch);
      const schema = schemaOf(request, version, placed);
      if (request.newIds) {
        const made = await register(request.to, target, schema, { normalize: false });
        placed.set(keyOf(version), made.version ?? version.version);
      } else await importVersion(request.to, target, { version, schema });
      watch.isDone();
    }
  } finally {
    await restore?.();
  }
}

/** @throws CliError for a subject that is copied in part, if the command was stopped */
function checkStop(watch: CopyWatch): void {
  const stopCode = watch.stopCode();
  if (stopCode === undefined) return;
  throw new CliError(stopCode, 'only a part was copied: the command was stopped', {
    code: 'PARTLY_CHANGED',
    retryable: true,
  });
}

/** Sets the mode IMPORT; returns what ends it. @throws CliError if the registry does not have it */
async function importOf(api: Api, subject: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const restore = await openImport(api, subject);
    return restore && (() => restore().catch((error: unknown) => stillImporting(subject, error)));
  } catch (error) {
    const isUnknown =
      notServed(error) || hasNumber(error, 42204) || (error instanceof CliError && error.code === noImportCode);
    throw isUnknown ? withoutImport(error) : error;
  }
}

function stillImporting(subject: string, error: unknown): never {
  if (!(error instanceof CliError)) throw error;
  const command = commandText`weir registry mode reset ${subject}`;
  throw rephrased(error, `the mode of "${subject}" is still IMPORT, end it with ${command}: ${error.message}`);
}

const imported = row({ id: schemaId });

/** Registers a version with its id and its number, and with what is stored with it. */
async function importVersion(
  api: Api,
  subject: string,
  {
    version: { id, version, metadata, rule_set: ruleSet },
    schema,
  }: { readonly version: Version; readonly schema: NewSchema },
): Promise<void> {
  const doing = `register version ${version} of the subject "${excerpt(subject)}" with the id ${id}`;
  const body = {
    ...bodyOf(schema),
    id,
    version,
    ...(metadata !== null && { metadata }),
    ...(ruleSet !== null && { ruleSet }),
  };
  // A registry registers the same version only once.
  const options = { body, repeats: true, answer: imported, form: '"id"' } as const;
  const made = await api.call(calls.post(doing, pathOf`/subjects/${subject}/versions`, options));
  if (made.id === id) return;
  throw new CliError(exitCodes.conflict, `unable to ${doing}: the registry gave it the id ${made.id}`, {
    code: 'SCHEMA_CONFLICT',
    target: subject,
  });
}
