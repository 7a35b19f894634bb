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
    description: 'what can be lost: records, or their order by key; the access of clients; or time, for a restart',
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

/** Whether a row of a plan differs from the one before only in its name. */
export function isLikeBefore(rows: readonly PlanRow[], at: number): boolean {
  const [before, row] = [rows[at - 1], rows[at]];
  if (before === undefined || row === undefined || (row.changes.length === 0 && row.why === null)) return false;
  return row.why === before.why && changeText({ ...row, name: before.name }) === changeText(before);
}
