import { itemErrorSchema, nullable, object, type Schema, string, wordOf } from '../../../cli/output/schema.ts';
import type { ItemError } from '../../../errors.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { AclFilterResult, AclFilterRow, AclRow } from '../../../kafka/access/acl-rows.ts';

const headers = [
  ...['principal', 'host', 'resource type', 'resource name', 'resource pattern type', 'operation', 'permission'],
];

/** The fields of an ACL in a schema. */
export const aclFields: Readonly<Record<string, Schema>> = {
  principal: string,
  host: string,
  resource_type: string,
  resource_name: string,
  resource_pattern_type: string,
  operation: string,
  permission: wordOf('ALLOW', 'DENY'),
};

/** The schema of a filter; null matches everything. */
export const filterSchema: Schema = object({
  principal: nullable(string),
  host: nullable(string),
  resource_type: string,
  resource_name: nullable(string),
  resource_pattern_type: string,
  operation: string,
  permission: wordOf('ANY', 'ALLOW', 'DENY'),
  error: itemErrorSchema,
});

/** A table of ACLs. */
export function aclTable(rows: readonly AclRow[], view: View): string {
  return table(headers, rows.map(cellsOf), view);
}

/** A table of ACLs with a last column that says what became of each. */
export function aclStatusTable<Row extends AclRow & { readonly error: ItemError | null }>(
  rows: readonly Row[],
  view: View,
  success: (row: Row) => string,
): string {
  return table(
    [...headers, 'status'],
    rows.map((row) => [...cellsOf(row), statusCell(row.error, success(row))]),
    view,
  );
}

/** A table of ACLs with a last column for the effect of each. */
export function aclEffectTable<Row extends AclRow>(
  rows: readonly Row[],
  view: View,
  effectOf: (row: Row) => string,
): string {
  return table(
    [...headers, 'effect'],
    rows.map((row) => [...cellsOf(row), effectOf(row)]),
    view,
  );
}

/** A table of filters; a cell is empty if it matches everything. */
export function filterTable(rows: readonly AclFilterResult[], view: View): string {
  return table(
    [...headers, 'error'],
    rows.map((row) => [...cellsOf(row), statusCell(row.error, '')]),
    view,
  );
}

function cellsOf(row: AclFilterRow): Cell[] {
  return [
    row.principal ?? '',
    row.host ?? '',
    row.resource_type,
    row.resource_name ?? '',
    row.resource_pattern_type,
    row.operation,
    row.permission,
  ];
}
