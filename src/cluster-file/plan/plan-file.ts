import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import { isObject } from '../../shape/object.ts';
import {
  always,
  anything,
  described,
  type JsonSchema,
  listOf,
  Misfit,
  maybe,
  type RowOf,
  read,
  row,
  string,
  truth,
  Unfit,
  whole,
} from '../../shape/shape.ts';
import { type ClusterFile, clusterFileOf, documentShape } from '../file/document.ts';
import { type ReadText, readYaml, type SourceText } from '../file/yaml.ts';
import { type Change, keyOf, type PlanOptions } from '../kinds/kind.ts';
import { changeSteps, changeText, isLeft, PlanRow } from './plan-rows.ts';

/** What a plan is made with. */
export interface PlanRequest extends PlanOptions {
  readonly maxDeletes: number;
}

const optionsShape = row({
  ...{ prune: truth, strict: truth, force: truth, rotate: listOf(string), allow: listOf(string) },
  max_deletes: whole,
});

/** A row of a saved plan, with what its application is compared with. */
const SavedRow = row({
  ...PlanRow.fields,
  checked: described(truth, 'whether the user who made the plan was allowed to let the cluster check it'),
  last_write: described(
    maybe(whole),
    'for the deletion of a topic: when its newest record was written, in milliseconds',
  ),
});
export type SavedRow = RowOf<typeof SavedRow>;

/** A plan that was saved: what the files said, what it is made with, and the rows that it had. It has no secrets. */
const savedPlan = row({
  weir_plan: described(always(1), 'the version of this format'),
  cluster_id: maybe(string),
  options: optionsShape,
  document: described(anything, 'what the files said, with the values of the profile: a cluster file'),
  rows: listOf(SavedRow),
});

/** The JSON Schema of a saved plan. */
export function savedPlanSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:weir:cluster-plan',
    title: 'A plan that weir diff --out saves and weir apply carries out',
    ...savedPlan.schema(),
  };
}

/** A plan that was read. */
export interface SavedPlan {
  readonly clusterId: string | null;
  readonly request: PlanRequest;
  readonly file: ClusterFile;
  readonly rows: readonly SavedRow[];
}

/** What is saved as a plan. */
interface NewPlan extends Omit<SavedPlan, 'rows'> {
  readonly rows: readonly Change[];
}

/** The text of a plan. */
export function savedPlanText({ clusterId, request, file, rows }: NewPlan): string {
  const { prune, strict, force, rotate, allow, maxDeletes } = request;
  const plan = {
    weir_plan: 1,
    cluster_id: clusterId,
    options: { prune, strict, force, rotate, allow, max_deletes: maxDeletes },
    document: { weir: 1, owns: file.owns, defaults: file.defaults, ...file.sections },
    rows: rows.map((one): SavedRow => {
      return { ...rowOf(one), checked: one.isUnchecked !== true, last_write: one.lastWrite ?? null };
    }),
  };
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

/** The fields of a row, without what carries it out. */
export function rowOf({ kind, name, action, changes, risk, why }: PlanRow): PlanRow {
  return { name, kind, action, changes, risk, why };
}

/** Reads a saved plan; undefined for another text. @throws CliError (exit 2) for a plan that cannot be read */
export async function readPlan(source: SourceText): Promise<SavedPlan | undefined> {
  if (!source.text.includes('"weir_plan"')) return undefined;
  const text = await readYaml(source);
  if (!isObject(text.value) || !Object.hasOwn(text.value, 'weir_plan')) return undefined;
  const { options, ...plan } = readSaved(text);
  const { max_deletes: maxDeletes, ...flags } = options;
  const document = documentShape.take(plan.document);
  if (document instanceof Unfit) throw text.faultAt({ way: ['document', ...document.way], why: notAPlan });
  const { profiles: _, ...common } = document;
  return {
    clusterId: plan.cluster_id,
    request: { ...flags, maxDeletes },
    file: clusterFileOf(common),
    rows: plan.rows,
  };
}

const notAPlan = 'this is no plan of this version of weir';

function readSaved(text: ReadText) {
  try {
    return read(savedPlan, text.value);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw text.faultAt({ way: [], why: notAPlan });
  }
}

/**
 * Refuses a plan if something else would be planned now than what it has. What the cluster says to its changes does not
 * count: that depends on who asks.
 * @param rows the plan of now, without what the cluster's check says
 * @returns the rows that are done already
 * @throws CliError (exit 6) that names what has changed
 */
export function doneRows(
  saved: SavedPlan,
  rows: readonly Change[],
  { clusterId, again }: { readonly clusterId: string | null; readonly again: string },
): readonly PlanRow[] {
  const hints = [`make a new plan with: ${again}`];
  if (saved.clusterId !== clusterId)
    throw new CliError(exitCodes.conflict, `the plan is for the cluster ${saved.clusterId}, and this is ${clusterId}`, {
      code: 'OTHER_CLUSTER',
      hints,
    });
  const unread = new Set(rows.flatMap(({ kind, isUnread }) => (isUnread === true ? [kind] : [])));
  const due = rows.filter(({ action, isUnread }) => action !== 'keep' && isUnread !== true);
  const now = Map.groupBy(due, keyOf);
  const plannedAs = finderIn(saved);
  const isDone = (one: PlanRow) => now.get(keyOf(one))?.some((row) => isRestOf(row, one)) !== true;
  const changed = due.filter((row) => plannedAs(row) === undefined);
  const [first] = changed;
  if (first === undefined) return saved.rows.filter((one) => !isLeft(one) && !unread.has(one.kind) && isDone(one));
  const others = new Set(changed.map(keyOf)).size - 1;
  const more = others > 0 ? `; and ${others} more` : '';
  throw new CliError(
    exitCodes.conflict,
    `the cluster or the plan has changed since the plan was made: ${keyOf(first)}${otherChange(saved, first)}${more}`,
    {
      code: 'CHANGED_SINCE_PLAN',
      hints,
    },
  );
}

/** The first change of a row that the plan does not have, after what the plan has. */
function otherChange({ rows }: SavedPlan, row: PlanRow): string {
  const planned = rows.filter((one) => keyOf(one) === keyOf(row)).flatMap(({ changes }) => changes);
  const keys = new Set(planned.map((one) => JSON.stringify(one)));
  const now = row.changes.find((one) => !keys.has(JSON.stringify(one)));
  if (now === undefined) return '';
  const before = planned.find(({ path }) => path === now.path);
  return `: ${now.path}: planned ${before === undefined ? 'no change' : changeSteps(before)}, now ${changeSteps(now)}`;
}

/** Finds the row of a plan that a row of now is, or is the rest of. */
function finderIn({ rows }: SavedPlan): (row: PlanRow) => SavedRow | undefined {
  const byKey = Map.groupBy(rows, keyOf);
  return (row) => byKey.get(keyOf(row))?.find((one) => isRestOf(row, one));
}

/** Whether a row is one that was planned, or what is left of it after it was done in part. */
function isRestOf(row: PlanRow, planned: PlanRow): boolean {
  if (changeText({ ...row, action: planned.action }) === changeText(planned)) return true;
  if (isLeft(row) || isLeft(planned) || row.changes.length === 0) return false;
  const differences = new Set(planned.changes.map((one) => JSON.stringify(one)));
  return row.changes.every((one) => differences.has(JSON.stringify(one)));
}

/** Rows of now, checked by the cluster, with the errors that they have because the plan did not have them so. */
export function asPlanned<R extends Change>(saved: SavedPlan, rows: readonly R[]): readonly R[] {
  const plannedAs = finderIn(saved);
  return rows.map((row) => withPlanned(row, plannedAs(row), saved.request));
}

function withPlanned<R extends Change>(row: R, planned: SavedRow | undefined, { force }: PlanRequest): R {
  const { error = null, isUnread = false } = row;
  if (planned === undefined || isUnread) return row;
  const change = (more: Partial<ItemError>): R => {
    const changed = {
      code: 'CHANGED_SINCE_PLAN',
      number: null,
      message: '',
      retryable: false,
      exit_code: exitCodes.conflict,
    };
    return { ...row, error: { ...changed, ...error, ...more } };
  };
  if (error !== null) {
    if (planned.action === 'blocked') return row;
    const before = planned.checked
      ? 'nothing refused it when the plan was made'
      : 'who made the plan could not check it';
    return change({ message: `${error.message} (${before})` });
  }
  if (planned.action === 'blocked') return change({ message: `the plan has it as blocked: ${planned.why}` });
  const isWritten = !force && (row.lastWrite ?? -1) > (planned.last_write ?? -1);
  return row.action === 'delete' && isWritten ? change({ message: writtenSince }) : row;
}

const writtenSince = 'records were written to it after the plan was made; check it, and make a new plan';

/** Whether a text is a saved plan, as far as it can be seen without reading all of it. */
export function isPlan(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Object.hasOwn(value, 'weir_plan');
  } catch {
    return false;
  }
}
