import { CliError, type ExitCode, exitCodes, type ItemError, notChangedCode, rephrased } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { ApiError } from '../../net/json-api/error.ts';
import { maybe, row, whole } from '../../shape/shape.ts';
import { calls, hasNumber, itemOf, notServed } from '../api.ts';
import { bodyOf } from '../compatibility.ts';
import { register } from '../registration.ts';
import type { NewSchema } from '../rows.ts';
import { schemaId } from '../schemas.ts';
import { ownModeOf, restoreMode, setImport, setLevel } from '../settings.ts';
import { deleteIfLive } from '../subjects.ts';
import type { CopiedSubject } from './copy-rows.ts';
import { type CopyPlan, type DueVersion, schemaOf, withoutImport } from './plan.ts';
import { keyOf, referredTo } from './source.ts';

/** What a copy asks and tells while it runs. */
export interface CopyWatch {
  /** Why nothing more is begun, and the exit code of what is left; undefined while the copy goes on. */
  why(): { readonly text: string; readonly exitCode: ExitCode } | undefined;
  /** Waits for an answer until the command times out. @throws CliError for that, or of `work` */
  answer<T>(work: Promise<T>): Promise<T>;
  /** Says how many versions are registered. */
  report(done: number): void;
  /** Says that a subject has the mode IMPORT, and the command that ends it; undefined once it is ended. */
  importing(subject: string, command: string | undefined): void;
}

/** A run of a copy. */
interface Run extends CopyPlan {
  readonly watch: CopyWatch;
  /** Why subjects failed. */
  readonly errors: Map<string, ItemError>;
  /** The subjects of which something is changed. */
  readonly begun: Set<string>;
  done: number;
}

/** What is done about a subject at a time: its versions can be far apart if others refer to them. */
interface Step {
  readonly row: CopiedSubject;
  readonly versions: readonly DueVersion[];
}

/**
 * Makes what a plan has, one subject after the other, and returns why subjects failed. The mode of a subject is IMPORT only
 * for that time: a registry takes ids in no other mode, and in READONLY neither levels nor deletions.
 */
export async function runCopy(plan: CopyPlan, watch: CopyWatch): Promise<ReadonlyMap<string, ItemError>> {
  const run: Run = { ...plan, watch, errors: new Map(), begun: new Set(), done: 0 };
  for (const step of stepsOf(plan)) {
    const { subject } = step.row;
    const error =
      whyNot(run, step) ?? (await errorOf(() => inImport(run, step.row.destination, () => make(run, step))));
    if (error !== null && !run.errors.has(subject)) run.errors.set(subject, error);
  }
  return run.errors;
}

function stepsOf({ due, subjects }: CopyPlan): readonly Step[] {
  const groups: DueVersion[][] = [];
  for (const version of due) {
    const group = groups.at(-1);
    if (group?.[0]?.subject === version.subject) group.push(version);
    else groups.push([version]);
  }
  const rows = new Map(subjects.map((row) => [row.subject, row]));
  const steps = groups.flatMap((versions): Step[] => {
    const row = rows.get(versions[0]?.subject ?? '');
    return row === undefined ? [] : [{ row, versions }];
  });
  const withVersions = new Set(due.map(({ subject }) => subject));
  const others = subjects.filter(({ subject, level }) => level !== null && !withVersions.has(subject));
  return [...steps, ...others.map((row) => ({ row, versions: [] }))];
}

/** The failure of a part, which concerns its subject alone; a registry without the mode IMPORT ends all. */
async function errorOf(work: () => Promise<void>): Promise<ItemError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (isWithoutMode(error)) throw error;
    return itemOf(error);
  }
}

/** Why a step is not made: the command is stopped, or a subject that it needs has failed. */
function whyNot({ watch, errors, begun }: Run, { row, versions }: Step): ItemError | null {
  const stop = stopOf(watch, begun.has(row.subject));
  if (stop !== undefined) return itemOf(stop);
  const needed = [row.subject, ...versions.flatMap(referredTo).map(({ subject }) => subject)];
  const missing = needed.find((subject) => errors.has(subject));
  return missing === undefined ? null : itemOf(notCopied(`"${missing}" has failed`));
}

function notCopied(why: string, exitCode: ExitCode = exitCodes.conflict): CliError {
  return new CliError(exitCode, `not copied, because ${why}`, { code: notChangedCode, retryable: true });
}

/** The error of a subject for which nothing more is done; undefined while the copy goes on. */
function stopOf({ why }: CopyWatch, isBegun: boolean): CliError | undefined {
  const stop = why();
  if (stop === undefined) return undefined;
  const { text, exitCode } = stop;
  if (!isBegun) return notCopied(text, exitCode);
  return new CliError(exitCode, `only a part was copied: ${text}`, { code: 'PARTLY_CHANGED', retryable: true });
}

const noImportCode = withoutImport().code;

/** Does work about a subject while its mode is IMPORT, and ends that whatever happens. */
async function inImport({ request, watch }: Run, subject: string, work: () => Promise<void>): Promise<void> {
  if (request.newIds) return await work();
  const before = await watch.answer(ownModeOf(request.to, subject)).catch(unlessWithoutImport);
  if (before === 'IMPORT') return await work();
  const command = endOfImport(subject, before, request.profile);
  watch.importing(subject, command);
  const refusal = await failureOf(() => watch.answer(setImport(request.to, subject)));
  if (isRefusal(refusal)) return unlessWithoutImport(refusal);
  // Of other failures, nobody knows whether the mode was set.
  const failure = refusal ?? (await failureOf(work));
  const second = await failureOf(() => restoreMode(request.to, subject, before));
  watch.importing(subject, undefined);
  const error = second === undefined ? failure : stillImporting(second, failure, { subject, command });
  if (error !== undefined) throw error;
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function isRefusal(error: unknown): boolean {
  return notServed(error) || (error instanceof ApiError && error.status < 500) || isWithoutMode(error);
}

function isWithoutMode(error: unknown): boolean {
  return error instanceof CliError && error.code === noImportCode;
}

/** The command that gives a subject its mode back. */
function endOfImport(subject: string, before: string | undefined, profile: string | undefined): string {
  const command =
    before === undefined
      ? commandText`weir registry mode reset ${subject}`
      : commandText`weir registry mode set ${subject} --mode ${before}`;
  return profile === undefined ? command : command + commandText` --profile ${profile}`;
}

/** The error for a mode that could not be ended, after what failed before it. */
function stillImporting(
  error: unknown,
  before: unknown,
  { subject, command }: { readonly subject: string; readonly command: string },
): unknown {
  if (!(error instanceof CliError)) return error;
  const message = `the mode of "${subject}" is still IMPORT, end it with ${command}: ${error.message}`;
  return before instanceof CliError ? rephrased(before, `${before.message}; ${message}`) : rephrased(error, message);
}

/** @throws CliError for a registry that does not have the mode, or another error */
function unlessWithoutImport(error: unknown): never {
  throw notServed(error) || hasNumber(error, 42204) || isWithoutMode(error) ? withoutImport(error) : error;
}

/** Deletes and registers versions of a subject, and sets its level. */
async function make(run: Run, { row, versions }: Step): Promise<void> {
  const { request, watch, begun } = run;
  const { subject, destination, level } = row;
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    const stop = stopOf(watch, begun.has(subject));
    if (stop !== undefined) throw stop;
    await watch.answer(work());
    begun.add(subject);
  };
  // With new ids, the registry compares each version with the earlier ones, by the level.
  if (request.newIds && level !== null) await change(() => setLevelIfTaken(run, destination, level));
  for (const version of versions) {
    if (!version.isThere) await change(() => registerVersion(run, destination, version));
    const made = run.placed.get(keyOf(version)) ?? version.version;
    if (version.isDeleted) await change(() => deleteIfLive(request.to, destination, made));
    run.done += 1;
    watch.report(run.done);
  }
  // Redpanda forgets the level with the last version that is not deleted.
  if (level !== null) await change(() => setLevel(request.to, destination, level));
}

/** Sets the level of a subject, unless the registry needs the subject for that and does not have it. */
async function setLevelIfTaken({ request }: Run, destination: string, level: string): Promise<void> {
  try {
    await setLevel(request.to, destination, level);
  } catch (error) {
    if (!hasNumber(error, 40401)) throw error;
  }
}

async function registerVersion(run: Run, destination: string, version: DueVersion): Promise<void> {
  const { request, placed, assigned } = run;
  const schema = schemaOf(request, version, placed);
  if (!request.newIds) return await importVersion(run, destination, { version, schema });
  const made = await register(request.to, destination, schema, { normalize: false });
  placed.set(keyOf(version), made.version ?? version.version);
  const ids = assigned.get(version.subject) ?? new Map<number, number>();
  assigned.set(version.subject, ids.set(version.version, made.id));
}

/** Redpanda answers with the version -1 if it has registered none. */
const imported = row({ id: schemaId, version: maybe(whole) });

/** Registers a version with its id and its number, and with what is stored with it. */
async function importVersion(
  { request }: Run,
  subject: string,
  {
    version: { id, version, metadata, rule_set: ruleSet },
    schema,
  }: { readonly version: DueVersion; readonly schema: NewSchema },
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
  const made = await request.to.call(calls.post(doing, pathOf`/subjects/${subject}/versions`, options));
  if (made.id === id && (made.version ?? version) === version) return;
  const other = made.id === id ? `version ${made.version}` : `id ${made.id}`;
  throw new CliError(exitCodes.conflict, `unable to ${doing}: the registry gave it the ${other}`, {
    code: 'SCHEMA_CONFLICT',
    target: subject,
  });
}
