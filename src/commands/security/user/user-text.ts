import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
} from '../../../cli/output/schema.ts';
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

/** The schema of a user with its credentials. */
export const userSchema = object({
  user: string,
  credentials: arrayOf(object({ mechanism: string, iterations: integerSchema })),
  error: itemErrorSchema,
});
