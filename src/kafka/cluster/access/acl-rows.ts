import { itemError } from '../../../shape/item-error.ts';
import { maybe, type RowOf, row, type Shape, string, truth, word } from '../../../shape/shape.ts';

const permission: Shape<string> = word('ALLOW', 'DENY');

/** One ACL, with the protocol's words in upper case. */
export const acl = row({
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

/** One ACL. */
export type AclRow = RowOf<typeof acl>;

/** A filter with its own failure; `ANY` and null match everything. */
export const aclFilter = row({
  principal: maybe(string),
  host: maybe(string),
  resource_type: string,
  resource_name: maybe(string),
  resource_pattern_type: string,
  operation: string,
  permission: word('ANY', 'ALLOW', 'DENY') as Shape<string>,
  error: itemError,
});

/** A filter with its own failure. */
export type AclFilterResult = RowOf<typeof aclFilter>;

/** Selects ACLs. */
export type AclFilterRow = Omit<AclFilterResult, 'error'>;

/** The result of creating one ACL. */
export const createdAcl = row({
  ...acl.fields,
  /** Whether the ACL already exists; null if it is not a dry run: brokers do not report it then. */
  exists: maybe(truth),
  dry_run: truth,
  error: itemError,
});

/** The result of creating one ACL. */
export type CreatedAclRow = RowOf<typeof createdAcl>;

/** The result of deleting one ACL. */
export const deletedAcl = row({ ...acl.fields, error: itemError });

/** The result of deleting one ACL. */
export type DeletedAclRow = RowOf<typeof deletedAcl>;

/** A call to create ACLs. */
export interface CreateAclsCall {
  readonly acls: readonly AclRow[];
  /** Only checks which of them exist. */
  readonly dryRun: boolean;
}

/** The ACLs that match any of the filters, sorted, each once. */
export interface AclListing {
  readonly filters: readonly AclFilterResult[];
  readonly matches: readonly AclRow[];
}
