import { withUnit } from '../../format/config-units.ts';
import { count } from '../../format/count.ts';
import { annotated, described, listOf, maybe, type RowOf, row, string, word } from '../../shape/shape.ts';

/** One difference between the files and the cluster; null for what is not there. */
export const Difference = row({
  /** What differs, for example `partitions` or `configs.retention.ms`. */
  path: string,
  from: maybe(string),
  to: maybe(string),
});
export type Difference = RowOf<typeof Difference>;

/** Something that the files describe in another way than the cluster has it. */
export const PlanRow = row({
  name: string,
  /** `topic`, `user`, `acl`, `quota`, `group` or another noun of the files. */
  kind: string,
  action: described(
    word('create', 'update', 'delete', 'blocked', 'keep'),
    'what apply does; blocked: it cannot be done, for the reason in why; keep: the files own it and do not name it',
  ),
  changes: listOf(Difference),
  risk: annotated(word('none', 'records', 'access', 'restart'), {
    description:
      'what is at risk: records, their order by key, or that they can be read; access, which clients lose or others get; or time, for a restart',
  }),
  why: maybe(string),
});
export type PlanRow = RowOf<typeof PlanRow>;

/** Whether apply leaves what a row is about as it is. */
export function isLeft({ action }: PlanRow): boolean {
  return action === 'blocked' || action === 'keep';
}

/** What a row would change, for comparisons: why it does, such as how much a topic holds, may differ. */
export function changeText({ kind, name, action, changes }: PlanRow): string {
  return JSON.stringify([kind, name, action, changes]);
}

/** A row as people see it: values with units, and no end for what is kept. */
export type ShownRow<R extends PlanRow> = R & { readonly values: readonly ShownValue[] };

interface ShownValue {
  readonly path: string;
  /** What is there and what will be; one value for what stays; null for what is not there. */
  readonly steps: readonly (string | null)[];
}

/** A row as people see it. */
export function shownRow<R extends PlanRow>(row: R): ShownRow<R> {
  const values = row.changes.map(({ path, from, to }) => {
    const steps = row.action === 'keep' ? [from] : [from, to];
    return { path, steps: steps.map((value) => (value === null ? null : withUnit(path, value))) };
  });
  return { ...row, values };
}

/** What is there and what will be, with units: `259200000 (3d) → 604800000 (7d)`. */
export function changeSteps({ path, from, to }: Difference): string {
  return [from, to].map((value) => (value === null ? '-' : withUnit(path, value))).join(' → ');
}

/** Whether a row of a plan differs from the one before only in its name. */
export function isLikeBefore(rows: readonly PlanRow[], at: number): boolean {
  const [before, row] = [rows[at - 1], rows[at]];
  if (before === undefined || row === undefined || (row.changes.length === 0 && row.why === null)) return false;
  return row.why === before.why && changeText({ ...row, name: before.name }) === changeText(before);
}

/** How many changes a plan has: `3 changes: 2 create, 1 delete; risk: 1 records; 2 kept`. */
export function planSum(rows: readonly PlanRow[]): string {
  const changes = rows.filter((row) => !isLeft(row));
  const counts = (of: readonly string[], words: readonly string[]) =>
    words.flatMap((word) => {
      const number = of.filter((one) => one === word).length;
      return number === 0 ? [] : [`${number} ${word === 'keep' ? 'kept' : word}`];
    });
  const actions = rows.map(({ action }) => action);
  const made = counts(actions, ['create', 'update', 'delete']).join(', ');
  const risks = counts(
    changes.map(({ risk }) => risk),
    ['records', 'access', 'restart'],
  ).join(', ');
  return [
    ...(made === '' ? [] : [`${count(changes.length, 'change')}: ${made}`]),
    ...(risks === '' ? [] : [`risk: ${risks}`]),
    ...counts(actions, ['blocked', 'keep']),
  ].join('; ');
}
