import {
  type AclBinding,
  type AclFilter,
  operations,
  patternTypes,
  permissions,
  resourceTypes,
} from '../protocol/acl-words.ts';
import type { AclFilterRow, AclRow } from './acl-rows.ts';

/** The row of an ACL. */
export function aclRow(acl: AclBinding): AclRow {
  return {
    principal: acl.principal,
    host: acl.host,
    resource_type: acl.resourceType,
    resource_name: acl.resourceName,
    resource_pattern_type: acl.patternType,
    operation: acl.operation,
    permission: acl.permission,
  };
}

/** The ACL of a row. */
export function bindingOf(row: AclRow): AclBinding {
  return {
    resourceType: row.resource_type,
    resourceName: row.resource_name,
    patternType: row.resource_pattern_type,
    principal: row.principal,
    host: row.host,
    operation: row.operation,
    permission: row.permission,
  };
}

/** The filter of a row. */
export function filterOf(row: AclFilterRow): AclFilter {
  return {
    resourceType: row.resource_type,
    resourceName: row.resource_name ?? undefined,
    patternType: row.resource_pattern_type,
    principal: row.principal ?? undefined,
    host: row.host ?? undefined,
    operation: row.operation,
    permission: row.permission,
  };
}

/** The key of an ACL; equal ACLs have equal keys. */
export function keyOfAcl(row: AclRow): string {
  return JSON.stringify(cellsOf(row));
}

/** The ACLs sorted by the columns of a listing, each once. Words are in the order of their numbers, like in rpk. */
export function sortedAcls<Row extends AclRow>(rows: Iterable<Row>): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) byKey.set(keyOfAcl(row), row);
  return [...byKey.values()].sort(compareAcls);
}

function compareAcls(a: AclRow, b: AclRow): number {
  const others = ranksOf(b);
  for (const [at, cell] of ranksOf(a).entries()) {
    const other = others[at] ?? '';
    if (cell !== other) return cell < other ? -1 : 1;
  }
  return 0;
}

function ranksOf(row: AclRow): readonly (string | number)[] {
  return [
    row.principal,
    row.host,
    resourceTypes.codeOf(row.resource_type),
    row.resource_name,
    patternTypes.codeOf(row.resource_pattern_type),
    operations.codeOf(row.operation),
    permissions.codeOf(row.permission),
  ];
}

function cellsOf(row: AclRow): readonly string[] {
  return [
    row.principal,
    row.host,
    row.resource_type,
    row.resource_name,
    row.resource_pattern_type,
    row.operation,
    row.permission,
  ];
}

/** The narrowest filter that matches all of the ACLs. */
export function filterOfAll(rows: readonly AclRow[]): AclFilterRow {
  const only = <Key extends keyof AclRow>(key: Key): string | null => {
    const [first, ...others] = new Set(rows.map((row) => row[key]));
    return first === undefined || others.length > 0 ? null : first;
  };
  return {
    principal: only('principal'),
    host: only('host'),
    resource_type: only('resource_type') ?? 'ANY',
    resource_name: only('resource_name'),
    resource_pattern_type: only('resource_pattern_type') ?? 'ANY',
    operation: only('operation') ?? 'ANY',
    permission: only('permission') ?? 'ANY',
  };
}
