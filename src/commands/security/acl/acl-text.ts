import { type Column, columnTable, errorColumn, type Item, outcomeColumn } from '../../../format/columns.ts';
import type { View } from '../../../format/view.ts';
import type { AclFilterResult, AclFilterRow, AclRow } from '../../../kafka/cluster/access/acl-rows.ts';

/** A cell is empty if a filter matches everything. */
const columns: readonly Column<AclFilterRow>[] = [
  ['principal', ({ principal }) => principal ?? ''],
  ['host', ({ host }) => host ?? ''],
  ['resource type', (row) => row.resource_type],
  ['resource name', (row) => row.resource_name ?? ''],
  ['resource pattern type', (row) => row.resource_pattern_type],
  ['operation', ({ operation }) => operation],
  ['permission', ({ permission }) => permission],
];

/** A table of ACLs. Like in rpk, it ends with the column of errors that the tables of `create` and `delete` have. */
export function aclTable(rows: readonly AclRow[], view: View): string {
  return columnTable(
    rows.map((row) => ({ ...row, error: null })),
    [...columns, errorColumn()],
    view,
  );
}

/** A table of ACLs that were changed, or would be. */
export function aclOutcomeTable<Row extends AclRow & Item>(
  rows: readonly Row[],
  view: View,
  planned: string | ((row: Row) => string),
): string {
  return columnTable(rows, [...columns, outcomeColumn(rows, planned)], view);
}

/** A table of ACLs with a last column for the effect of each. */
export function aclEffectTable<Row extends AclRow>(
  rows: readonly Row[],
  view: View,
  effectOf: (row: Row) => string,
): string {
  return columnTable(rows, [...columns, ['effect', effectOf]], view);
}

/** A table of filters. */
export function filterTable(rows: readonly AclFilterResult[], view: View): string {
  return columnTable(rows, [...columns, errorColumn()], view);
}
