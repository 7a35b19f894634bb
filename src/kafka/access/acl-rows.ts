import type { ItemError } from '../../errors.ts';

/** One ACL, with the protocol's words in upper case. */
export interface AclRow {
  /** With its type, for example `User:ana`. */
  readonly principal: string;
  readonly host: string;
  readonly resource_type: string;
  readonly resource_name: string;
  /** `LITERAL` or `PREFIXED`. */
  readonly resource_pattern_type: string;
  readonly operation: string;
  /** `ALLOW` or `DENY`. */
  readonly permission: string;
}

/** Selects ACLs; `ANY` and null match everything. */
export interface AclFilterRow extends Omit<AclRow, 'principal' | 'host' | 'resource_name'> {
  readonly principal: string | null;
  readonly host: string | null;
  readonly resource_name: string | null;
}

/** A call to create ACLs. */
export interface CreateAclsCall {
  readonly acls: readonly AclRow[];
  /** Only checks which of them exist. */
  readonly dryRun: boolean;
}

/** The result of creating one ACL. */
export interface CreatedAclRow extends AclRow {
  /** Whether the ACL already exists; null if it is not a dry run: brokers do not report it then. */
  readonly exists: boolean | null;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** A filter with its own failure. */
export interface AclFilterResult extends AclFilterRow {
  readonly error: ItemError | null;
}

/** The ACLs that match any of the filters, sorted, each once. */
export interface AclListing {
  readonly filters: readonly AclFilterResult[];
  readonly matches: readonly AclRow[];
}

/** The result of deleting one ACL. */
export interface DeletedAclRow extends AclRow {
  readonly error: ItemError | null;
}

/** The ACL calls of the broker data API. */
export interface AclCalls {
  /** Creates ACLs; returns rows in the order of the call. An ACL that already exists is no error. */
  createAcls(call: CreateAclsCall): Promise<CreatedAclRow[]>;
  /** Lists ACLs. @throws CliError when every filter fails */
  listAcls(filters: readonly AclFilterRow[]): Promise<AclListing>;
  /** Deletes exactly these ACLs; returns rows in the order of the call. An ACL that is already gone is no error. */
  deleteAcls(acls: readonly AclRow[]): Promise<DeletedAclRow[]>;
}
