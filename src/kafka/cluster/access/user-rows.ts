import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import type { ScramMechanism } from './scram-words.ts';

/** A SCRAM credential of a user. */
const credential = row({
  /** For example `SCRAM-SHA-256`. */
  mechanism: string,
  iterations: whole,
});

/** A SCRAM credential of a user. */
export type CredentialRow = RowOf<typeof credential>;

/** A user with its SCRAM credentials, which the Admin API does not show (null). */
export const listedUser = row({ user: string, credentials: maybe(listOf(credential)), error: itemError });

/** A user as either API lists it. */
export type ListedUser = RowOf<typeof listedUser>;

/** A user as the brokers list it. */
export interface UserRow extends ListedUser {
  readonly credentials: readonly CredentialRow[];
}

/** A user that was or would be deleted. */
export const deletedUser = row({
  user: string,
  /** The deleted credentials; null if the Admin API deletes the user, which does not show them. */
  mechanisms: maybe(listOf(string)),
  dry_run: truth,
  error: itemError,
});

/** A user that either API deletes. */
export type DeletedUser = RowOf<typeof deletedUser>;

/** A user whose credentials the brokers delete. */
export interface DeletedUserRow extends DeletedUser {
  readonly mechanisms: readonly string[];
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
