import type { ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { maybe, type RowOf, row, type Shape, string, word } from '../../../shape/shape.ts';
import { operations, patternTypes, permissions, resourceTypeNames } from './acl-words.ts';

const permission: Shape<string> = word('ALLOW', 'DENY');

/** One ACL, with the protocol's words in upper case. */
export const Acl = row({
  /** With its type, for example `User:ana`. */
  principal: string,
  host: string,
  resource_type: string,
  resource_name: string,
  /** `LITERAL` or `PREFIXED`. */
  resource_pattern_type: string,
  operation: string,
  permission,
});
export type Acl = RowOf<typeof Acl>;

/** A filter with its own failure; `ANY` and null match everything. */
export const AclFilterResult = row({
  principal: maybe(string),
  host: maybe(string),
  resource_type: string,
  resource_name: maybe(string),
  resource_pattern_type: string,
  operation: string,
  permission: word('ANY', 'ALLOW', 'DENY') as Shape<string>,
  error: itemError,
});
export type AclFilterResult = RowOf<typeof AclFilterResult>;

/** Selects ACLs. */
export type AclFilter = Omit<AclFilterResult, 'error'>;

/** The filter that every ACL matches. */
export const everyAcl: AclFilter = {
  principal: null,
  host: null,
  resource_type: 'ANY',
  resource_name: null,
  resource_pattern_type: 'ANY',
  operation: 'ANY',
  permission: 'ANY',
};

/** What became of an ACL that was created or deleted. */
export interface AclOutcome extends Acl {
  readonly error: ItemError | null;
}

/** The ACLs that match any of the filters, sorted, each once. */
export interface AclListing {
  readonly filters: readonly AclFilterResult[];
  readonly matches: readonly Acl[];
}

/** The ACLs sorted by the columns of a listing, each once. Words are in the order of their numbers, like in rpk. */
export function sortedAcls(rows: Iterable<Acl>): Acl[] {
  const byKey = new Map<string, Acl>();
  for (const row of rows) byKey.set(keyOfAcl(row), row);
  return [...byKey.values()].sort(compareAcls);
}

/** The key of an ACL; equal ACLs have equal keys. */
export function keyOfAcl(row: Acl): string {
  return JSON.stringify(aclFields.map((field) => row[field]));
}

const aclFields = Object.keys(Acl.fields) as (keyof Acl)[];

/** Whether a filter selects an ACL, as brokers decide it (KIP-290). */
export function selects(filter: AclFilter, acl: Acl): boolean {
  return (
    [null, acl.principal].includes(filter.principal) &&
    [null, acl.host].includes(filter.host) &&
    ['ANY', acl.resource_type].includes(filter.resource_type) &&
    ['ANY', acl.operation].includes(filter.operation) &&
    ['ANY', acl.permission].includes(filter.permission) &&
    selectsName(filter, acl)
  );
}

function selectsName({ resource_name: name, resource_pattern_type: pattern }: AclFilter, acl: Acl): boolean {
  if (!['ANY', 'MATCH', acl.resource_pattern_type].includes(pattern)) return false;
  if (name === null || name === acl.resource_name) return true;
  if (pattern !== 'MATCH') return false;
  return acl.resource_pattern_type === 'PREFIXED' ? name.startsWith(acl.resource_name) : acl.resource_name === '*';
}

function compareAcls(a: Acl, b: Acl): number {
  const others = ranksOf(b);
  for (const [at, cell] of ranksOf(a).entries()) {
    const other = others[at] ?? '';
    if (cell !== other) return cell < other ? -1 : 1;
  }
  return 0;
}

function ranksOf(row: Acl): readonly (string | number)[] {
  return [
    row.principal,
    row.host,
    resourceTypeNames.indexOf(row.resource_type),
    row.resource_name,
    patternTypes.codeOf(row.resource_pattern_type),
    operations.codeOf(row.operation),
    permissions.codeOf(row.permission),
  ];
}
