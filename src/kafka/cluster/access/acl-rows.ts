import type { ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { maybe, type RowOf, row, type Shape, string, word } from '../../../shape/shape.ts';

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

/** What became of an ACL that was created or deleted. */
export interface AclOutcome extends AclRow {
  readonly error: ItemError | null;
}

/** The ACLs that match any of the filters, sorted, each once. */
export interface AclListing {
  readonly filters: readonly AclFilterResult[];
  readonly matches: readonly AclRow[];
}
