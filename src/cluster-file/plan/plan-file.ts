import { CliError, exitCodes } from '../../errors.ts';
import { isObject } from '../../shape/object.ts';
import {
  always,
  anything,
  described,
  type JsonSchema,
  listOf,
  Misfit,
  maybe,
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
import { changeText, PlanRow } from './plan-rows.ts';

/** What a plan is made with. */
export interface PlanRequest extends PlanOptions {
  readonly maxDeletes: number;
}

const optionsShape = row({
  ...{ prune: truth, strict: truth, force: truth, rotate: listOf(string), allow: listOf(string) },
  max_deletes: whole,
});

/** A plan that was saved: what the files said, what it is made with, and the rows that it had. It has no secrets. */
const savedPlan = row({
  weir_plan: described(always(1), 'the version of this format'),
  cluster_id: maybe(string),
  options: optionsShape,
  document: described(anything, 'what the files said, with the values of the profile: a cluster file'),
  rows: listOf(PlanRow),
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
  readonly rows: readonly PlanRow[];
}

/** The text of a plan. */
export function planText({ clusterId, request, file, rows }: SavedPlan): string {
  const { prune, strict, force, rotate, allow, maxDeletes } = request;
  const plan = {
    weir_plan: 1,
    cluster_id: clusterId,
    options: { prune, strict, force, rotate, allow, max_deletes: maxDeletes },
    document: { weir: 1, owns: file.owns, defaults: file.defaults, ...file.sections },
    rows: rows.map((one) => rowOf(one)),
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
 * Refuses a plan if something else would be planned now than what it has.
 * @returns the rows that are done already
 * @throws CliError (exit 6) that names what has changed
 */
export function doneRows(saved: SavedPlan, rows: readonly Change[], clusterId: string | null): readonly PlanRow[] {
  const hints = ['make a new plan with: weir diff FILES --out plan.json'];
  if (saved.clusterId !== clusterId)
    throw new CliError(exitCodes.conflict, `the plan is for the cluster ${saved.clusterId}, and this is ${clusterId}`, {
      code: 'OTHER_CLUSTER',
      hints,
    });
  const before = Map.groupBy(saved.rows, keyOf);
  const now = Map.groupBy(rows, keyOf);
  const isPlanned = (row: Change) => before.get(keyOf(row))?.some((one) => isRestOf(row, one)) === true;
  const isDone = (one: PlanRow) => now.get(keyOf(one))?.some((row) => isRestOf(row, one)) !== true;
  const names = [...new Set(rows.filter((row) => !isPlanned(row)).map(keyOf))];
  if (names.length === 0) return saved.rows.filter((one) => one.action !== 'blocked' && isDone(one));
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  throw new CliError(exitCodes.conflict, `the cluster has changed since the plan was made: ${names[0]}${more}`, {
    code: 'CHANGED_SINCE_PLAN',
    hints,
  });
}

/** Whether a row is one that was planned, or what is left of it after it was done in part. */
function isRestOf(row: PlanRow, planned: PlanRow): boolean {
  if (changeText(row) === changeText(planned)) return true;
  if (row.action === 'blocked' || planned.action === 'blocked' || row.changes.length === 0) return false;
  const differences = new Set(planned.changes.map((one) => JSON.stringify(one)));
  return row.changes.every((one) => differences.has(JSON.stringify(one)));
}
