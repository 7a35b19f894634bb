import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import type { createAcls } from '../../protocol/wire/apis/create-acls.ts';
import type { describeAcls } from '../../protocol/wire/apis/describe-acls.ts';
import type { AclFilterRow, AclRow } from './acl-rows.ts';
import { operations, patternTypes, permissions, resourceTypes } from './acl-words.ts';

type Resource = ResponseOf<typeof describeAcls>['resources'][number];

/** The ACLs of a resource as rows. */
export function aclRows({ resourceType, resourceName, patternType, acls }: Resource): AclRow[] {
  return acls.map(({ principal, host, operation, permissionType }) => ({
    principal,
    host,
    resource_type: resourceTypes.wordOf(resourceType),
    resource_name: resourceName,
    resource_pattern_type: patternTypes.wordOf(patternType),
    operation: operations.wordOf(operation),
    permission: permissions.wordOf(permissionType),
  }));
}

/** The ACL of a row, to create it. */
export function creationOf(row: AclRow): RequestOf<typeof createAcls>['creations'][number] {
  return {
    resourceType: resourceTypes.codeOf(row.resource_type),
    resourceName: row.resource_name,
    resourcePatternType: patternTypes.codeOf(row.resource_pattern_type),
    principal: row.principal,
    host: row.host,
    operation: operations.codeOf(row.operation),
    permissionType: permissions.codeOf(row.permission),
  };
}

/** The filter of a row; the row of an ACL is a filter that matches no other. */
export function filterOf(row: AclFilterRow): RequestOf<typeof describeAcls> {
  return {
    resourceTypeFilter: resourceTypes.codeOf(row.resource_type),
    resourceNameFilter: row.resource_name ?? undefined,
    patternTypeFilter: patternTypes.codeOf(row.resource_pattern_type),
    principalFilter: row.principal ?? undefined,
    hostFilter: row.host ?? undefined,
    operation: operations.codeOf(row.operation),
    permissionType: permissions.codeOf(row.permission),
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
