import { type Column, errorAlways, tableOf } from '../../../cli/forms/columns.ts';
import { type Section, sections } from '../../../format/sections.ts';
import type { View } from '../../../format/view.ts';
import type { Acl, AclFilter, AclFilterResult, AclListing } from '../../../kafka/cluster/access/acl-rows.ts';

/** The columns of an ACL, or of a filter; a cell is empty if a filter matches everything. */
export const aclColumns: readonly Column<AclFilter>[] = [
  ['principal', ({ principal }) => principal ?? ''],
  ['host', ({ host }) => host ?? ''],
  'resource_type',
  ['resource name', (row) => row.resource_name ?? ''],
  'resource_pattern_type',
  'operation',
  'permission',
];

/** A table of ACLs. Like in rpk, it ends with the column of errors that the tables of `create` and `delete` have. */
export function aclTable(rows: readonly Acl[], view: View): string {
  return tableOf(rows, [...aclColumns, ['error', () => '']], view);
}

/** The filters of a listing, if they are asked for or if one failed. */
export function shownFilters({ filters }: AclListing, isAsked: boolean): { filters?: AclListing['filters'] } {
  return isAsked || filters.some(({ error }) => error !== null) ? { filters } : {};
}

/** What filters matched, below the filters if they are shown. */
export function belowFilters(filters: readonly AclFilterResult[] | undefined, matches: Section, view: View): string {
  if (filters === undefined) return sections([matches], view);
  return sections([{ title: 'filters', body: tableOf(filters, [...aclColumns, errorAlways()], view) }, matches], view);
}
