import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
} from '../../../cli/output/schema.ts';
import type { ItemError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';

/** A user whose password was set. */
export interface SetUser {
  readonly user: string;
  readonly mechanisms: readonly string[];
  /** The generated password; null if it was not generated. */
  readonly password: string | null;
  readonly dry_run: boolean;
}

/** The schema of `SetUser`. */
export const setUserSchema = object({
  user: string,
  mechanisms: arrayOf(string),
  password: nullable(string),
  dry_run: booleanSchema,
});

/** Says what was done, with a generated password alone on the last line. */
export function setUserText({ user, mechanisms, password, dry_run: isDryRun }: SetUser, done: string): string {
  const verb = isDryRun ? `OK (dry run: would have ${done}` : done;
  const line = `${verb} user "${printable(user)}" (${mechanisms.join(', ')})${isDryRun ? ')' : ''}\n`;
  return password === null ? line : `${line}generated password:\n${password}\n`;
}

/** A user with its credentials, which the Admin API does not show (null). */
export interface ListedUser {
  readonly user: string;
  readonly credentials: readonly { readonly mechanism: string; readonly iterations: number }[] | null;
  readonly error: ItemError | null;
}

/** The schema of `ListedUser`. */
export const userSchema = object({
  user: string,
  credentials: nullable(arrayOf(object({ mechanism: string, iterations: integerSchema }))),
  error: itemErrorSchema,
});

/** A user that was or would be deleted. */
export interface DeletedUser {
  readonly user: string;
  /** The deleted credentials; null if the Admin API deletes the user, which does not show them. */
  readonly mechanisms: readonly string[] | null;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** The schema of `DeletedUser`. */
export const deletedUserSchema = object({
  user: string,
  mechanisms: nullable(arrayOf(string)),
  dry_run: booleanSchema,
  error: itemErrorSchema,
});
