import type { ItemError } from '../../errors.ts';
import type { ScramMechanism } from './scram-mechanisms.ts';

/** A SCRAM credential of a user. */
export interface CredentialRow {
  /** For example `SCRAM-SHA-256`. */
  readonly mechanism: string;
  readonly iterations: number;
}

/** A user with SCRAM credentials. */
export interface UserRow {
  readonly user: string;
  readonly credentials: readonly CredentialRow[];
  readonly error: ItemError | null;
}

/** A call to set the password of a user. */
export interface SetPasswordCall {
  readonly user: string;
  readonly password: string;
  /** The credentials to create or to replace. */
  readonly mechanisms: readonly ScramMechanism[];
  /** How often the password is hashed. */
  readonly iterations: number;
  /** Whether nobody else knows the password: the error tells it if it was set for some of the mechanisms. */
  readonly isGenerated?: boolean;
}

/** A call to delete the credentials of users. */
export interface DeleteUsersCall {
  readonly users: readonly string[];
  /** Empty: all of them. */
  readonly mechanisms: readonly ScramMechanism[];
  /** Only checks that the users exist. */
  readonly dryRun: boolean;
}

/** The result of deleting the credentials of one user. */
export interface DeletedUserRow {
  readonly user: string;
  /** The deleted credentials. */
  readonly mechanisms: readonly string[];
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** The calls of the broker data API about users. */
export interface UserCalls {
  /** Lists all users with SCRAM credentials, or the named ones, sorted. */
  listUsers(names: readonly string[] | 'all'): Promise<UserRow[]>;
  /** Creates or replaces credentials of a user. @throws CliError when the broker refuses */
  setPassword(call: SetPasswordCall): Promise<void>;
  /** Deletes credentials; returns rows sorted by user. */
  deleteUsers(call: DeleteUsersCall): Promise<DeletedUserRow[]>;
}
