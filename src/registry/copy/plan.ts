import { CliError, CliErrors, exitCodes, notFoundError } from '../../errors.ts';
import { ApiError } from '../../net/json-api/error.ts';
import { inParallel } from '../../net/parallel.ts';
import { type Api, hasNumber } from '../api.ts';
import { contextOf, movedSubject } from '../context-words.ts';
import { isSameText } from '../declared-schemas.ts';
import { find, versionsOfId } from '../registration.ts';
import type { NewSchema } from '../rows.ts';
import { fetchSchema } from '../schemas.ts';
import { isImporting } from '../settings.ts';
import { subjectsOf } from '../subjects.ts';
import type { CopiedSubject } from './copy-rows.ts';
import { inCopyOrder, keyOf, readSubject, readSubjects, referredTo, type Subject, type Version } from './source.ts';

/** What is copied, and to where. */
export interface CopyRequest {
  readonly subjects: readonly string[];
  readonly to: Api;
  /** The profile of the destination, for commands that weir shows; undefined if they need none. */
  readonly profile: string | undefined;
  /** The context of the destination, such as `:.staging:`; undefined if subjects keep their names. */
  readonly context: string | undefined;
  /** Whether soft-deleted versions are copied. */
  readonly deleted: boolean;
  /** Whether the destination assigns ids and versions. */
  readonly newIds: boolean;
}

/** A version that the destination lacks, or has although it is deleted in the source. */
export interface DueVersion extends Version {
  /** Whether the destination has it, so that it is only deleted there. */
  readonly isThere: boolean;
}

/** What a copy would do: nothing is written before it is made. */
export interface CopyPlan {
  readonly subjects: readonly CopiedSubject[];
  /** What is deleted and what is registered, in this order. */
  readonly due: readonly DueVersion[];
  /** The versions that the destination has, or gets, by those of the source. */
  readonly placed: Map<string, number>;
  /** The ids that the destination has assigned, by subject and version of the source. */
  readonly assigned: Map<string, Map<number, number>>;
  /** The subjects of the destination that have set the mode IMPORT already, and keep it: a copy may have been killed. */
  readonly importing: readonly string[];
  /** The subjects of the source with deleted versions whose schemas it does not serve. */
  readonly unserved: readonly string[];
  readonly request: CopyRequest;
}

/** Compares two registries. @throws CliError (exit 6) if the destination has something else under the same version or id */
export async function planCopy(from: Api, request: CopyRequest): Promise<CopyPlan> {
  if (request.to.isApicurio && !request.newIds) throw withoutImport();
  const everything = await readSubjects(from, request.subjects, request.deleted);
  const unserved = [...everything.values()].filter(({ hasUnserved }) => hasUnserved).map(({ subject }) => subject);
  const source = new Map(
    [...everything].filter(([, { versions, hasUnserved }]) => versions.length > 0 || !hasUnserved),
  );
  const missing = request.subjects.filter((subject) => source.get(subject)?.versions.length === 0);
  if (missing.length > 0)
    throw notFoundError(`unable to copy subjects that do not exist: ${missing.join(', ')}`, {
      hints: [
        `see them with: weir registry subject list${request.deleted ? '' : '; copy deleted ones with --deleted'}`,
      ],
    });
  const conflicts: CliError[] = [];
  const names = [...source.keys()].map((subject) => targetOf(request, subject));
  const double = names.find((name, at) => names.indexOf(name) < at);
  if (double !== undefined) conflicts.push(conflict(`two subjects would become "${double}"`, double));
  const there = await readDestination(request, [...source.keys()]);
  const ordered = inCopyOrder(source);
  const placed = new Map<string, number>();
  const comparison = { request, there, conflicts, placed };
  const lacking = await (request.newIds ? withoutExisting : withoutSame)(comparison, ordered);
  if (conflicts.length > 0) throw conflictsAs(conflicts);
  const due = [
    // What refers to a version is deleted before it.
    ...liveAlthoughDeleted(comparison, ordered).toReversed(),
    ...lacking.map((version) => ({ ...version, isThere: false })),
  ];
  const dueBy = Map.groupBy(due, ({ subject }) => subject);
  const subjects = [...source.values()].map(({ subject, level }): CopiedSubject => {
    const versions = (dueBy.get(subject) ?? [])
      .map(({ version, id, isDeleted }) => {
        return { version, source_id: id, id: request.newIds ? null : id, deleted: isDeleted };
      })
      .toSorted((one, other) => one.version - other.version);
    // Apicurio keeps no level NONE.
    const isSet = level === (there.get(subject)?.level ?? (request.to.isApicurio ? 'NONE' : null)) || level === null;
    return { subject, destination: targetOf(request, subject), versions, level: isSet ? null : level };
  });
  const isOpen = await inParallel(names, (name) => isImporting(request.to, name));
  return {
    subjects,
    due,
    placed,
    assigned: new Map(),
    importing: names.filter((_, at) => isOpen[at]),
    unserved,
    request,
  };
}

/** The subjects of the destination, by those of the source: one that it does not list is not asked about. */
async function readDestination(
  request: CopyRequest,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Subject>> {
  const listed = new Set(await subjectsOf(request.to, true));
  const rows = await inParallel(subjects, async (name): Promise<readonly [string, Subject]> => {
    const subject = targetOf(request, name);
    return [
      name,
      listed.has(subject)
        ? await readSubject(request.to, subject, true)
        : { subject, versions: [], hasUnserved: false, level: null },
    ];
  });
  return new Map(rows);
}

/** The deleted versions of the source that are live in the destination, and stand for no live one there. */
function liveAlthoughDeleted({ there, placed }: Comparison, ordered: readonly Version[]): readonly DueVersion[] {
  const live = ordered.filter(({ isDeleted }) => !isDeleted);
  const needed = new Set(live.map((one) => `${placed.get(keyOf(one))} ${one.subject}`));
  return ordered.flatMap((one) => {
    const at = placed.get(keyOf(one));
    const other = there.get(one.subject)?.versions.find(({ version }) => version === at);
    const isDue = one.isDeleted && other?.isDeleted === false && !needed.has(`${at} ${one.subject}`);
    return isDue ? [{ ...one, isThere: true }] : [];
  });
}

/** The name of a subject in the destination. */
export function targetOf({ context }: Pick<CopyRequest, 'context'>, subject: string): string {
  return context === undefined ? subject : movedSubject(subject, contextOf(subject), context);
}

/** A version as the destination gets it: its references are in the same contexts as their subjects. */
export function schemaOf(request: CopyRequest, version: Version, placed: ReadonlyMap<string, number>): NewSchema {
  const { type, schema: text, references } = version;
  const whole = referredTo(version);
  return {
    type,
    text,
    references: references.map(({ name, subject }, at) => {
      const one = whole[at] ?? { name, subject, version: 1 };
      const isWhole = request.context !== undefined && contextOf(subject) !== '';
      return {
        name,
        subject: isWhole ? targetOf(request, one.subject) : subject,
        version: placed.get(keyOf(one)) ?? one.version,
      };
    }),
  };
}

interface Comparison {
  readonly request: CopyRequest;
  readonly there: ReadonlyMap<string, Subject>;
  readonly conflicts: CliError[];
  readonly placed: Map<string, number>;
}

/** The versions that the destination does not have; what it has instead of one is a conflict. */
async function withoutSame(comparison: Comparison, ordered: readonly Version[]): Promise<readonly Version[]> {
  const { request, conflicts, placed } = comparison;
  for (const one of ordered) placed.set(keyOf(one), one.version);
  const faults = await inParallel(ordered, (version) => faultOf(comparison, version));
  for (const fault of faults) if (typeof fault !== 'string') conflicts.push(fault);
  const due = ordered.filter((_, at) => faults[at] === 'due');
  const ids = new Map(due.map((version) => [idKey(request, version), version]));
  conflicts.push(...(await inParallel([...ids.values()], (version) => idFault(request, version, placed))).flat());
  return due;
}

function idKey(request: CopyRequest, { id, subject }: Version): string {
  return `${id} ${contextOf(targetOf(request, subject))}`;
}

/** Whether a version is due, or is the same in the destination already; otherwise why it cannot be copied. */
async function faultOf({ request, there, placed }: Comparison, version: Version): Promise<'due' | 'same' | CliError> {
  const target = targetOf(request, version.subject);
  const other = there.get(version.subject)?.versions.find((one) => one.version === version.version);
  if (other === undefined) return 'due';
  const what = `version ${version.version} of "${target}" in the destination`;
  if (other.id !== version.id)
    return conflict(`${what} has the id ${other.id}, and that of the source ${version.id}`, target);
  const schema = schemaOf(request, version, placed);
  const isSame =
    isSameText(schema, { ...other, text: other.schema }) || (await hasSchema(request.to, target, schema, version.id));
  if (!isSame)
    return conflict(`${what} has another schema than that of the source, and the same id ${other.id}`, target);
  return other.isDeleted && !version.isDeleted ? 'due' : 'same';
}

/** Whether the registry takes a schema for one that it has under an id. */
async function hasSchema(api: Api, subject: string, schema: NewSchema, id: number): Promise<boolean> {
  try {
    return (await find(api, subject, schema, { normalize: false, deleted: true })).id === id;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** The conflict with another schema that has the id of a version. */
async function idFault(
  request: CopyRequest,
  version: Version,
  placed: ReadonlyMap<string, number>,
): Promise<readonly CliError[]> {
  const target = targetOf(request, version.subject);
  const schema = schemaOf(request, version, placed);
  try {
    if (isSameText(schema, await fetchSchema(request.to, version.id, contextOf(target)))) return [];
  } catch (error) {
    if (hasNumber(error, 40403)) return [];
    throw error;
  }
  const [use] = await versionsOfId(request.to, version.id, { deleted: true, subject: target });
  if (use !== undefined && (await hasSchema(request.to, use.subject, schema, version.id))) return [];
  const what = `the id ${version.id} of version ${version.version} of "${version.subject}"`;
  return [conflict(`${what} is that of another schema in the destination`, target, [contextHint])];
}

const contextHint =
  'a context has ids of its own: PROFILE::.NAME: as destination copies to one, if the registry has contexts';

/** For --new-ids: the versions whose schemas the destination does not have. */
async function withoutExisting(
  { request, placed }: Comparison,
  ordered: readonly Version[],
): Promise<readonly Version[]> {
  const due: Version[] = [];
  for (const version of ordered) {
    const isKnown = referredTo(version).every((one) => placed.has(keyOf(one)));
    const found = isKnown ? await existing(request, version, placed) : undefined;
    if (found === undefined) due.push(version);
    else placed.set(keyOf(version), found);
  }
  return due;
}

async function existing(request: CopyRequest, version: Version, placed: ReadonlyMap<string, number>) {
  const target = targetOf(request, version.subject);
  try {
    const query = { normalize: false, deleted: version.isDeleted };
    return (await find(request.to, target, schemaOf(request, version, placed), query)).version;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  }
}

function conflict(message: string, target: string, hints: readonly string[] = []): CliError {
  return new CliError(exitCodes.conflict, message, { code: 'SCHEMA_CONFLICT', target, hints });
}

const mostShown = 10;

function conflictsAs(conflicts: readonly CliError[]): CliError {
  const shown = conflicts.slice(0, mostShown);
  const more = conflicts.length - shown.length;
  const rest = more === 0 ? [] : [conflict(`and ${more} more conflicts`, '')];
  return new CliErrors([...shown, ...rest]);
}

/** The error for a registry that assigns all ids itself. */
export function withoutImport(cause?: unknown): CliError {
  return new CliError(exitCodes.failure, "the destination's registry cannot keep ids: it has no mode IMPORT", {
    code: 'NOT_SUPPORTED',
    cause,
    hints: [
      'let it assign ids with --new-ids, and copy the topics with: weir topic copy --map-schemas, which replaces the ids in records',
    ],
  });
}
