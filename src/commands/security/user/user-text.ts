import { CliError, type ErrorDetails, type ItemError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { listOf, maybe, type RowOf, row, string, truth } from '../../../shape/shape.ts';

/** What was or would be set for a user. */
export const setUser = row({
  user: string,
  mechanisms: listOf(string),
  /** The generated password; null if it was not generated. */
  password: maybe(string),
  dry_run: truth,
});

/** A user whose password was set. */
export type SetUser = RowOf<typeof setUser>;

/** The result of a dry run. */
export function plannedUser(user: string, mechanisms: readonly string[]): SetUser {
  return { user, mechanisms, password: null, dry_run: true };
}

/** Says what was done, with a generated password alone on the last line. */
export function setUserText({ user, mechanisms, password, dry_run: isDryRun }: SetUser, done: string): string {
  const verb = isDryRun ? `OK (dry run: would have ${done}` : done;
  const line = `${verb} user "${printable(user)}" (${mechanisms.join(', ')})${isDryRun ? ')' : ''}\n`;
  return password === null ? line : `${line}generated password:\n${password}\n`;
}

/** Makes the error of a command about one item from the failure of that item. */
export function refusal(what: string, error: ItemError, details: ErrorDetails = {}): CliError {
  const name = error.number === null ? error.code : `${error.code} (${error.number})`;
  return new CliError(error.exit_code, `unable to ${what}: ${name}: ${error.message}`, {
    code: error.code,
    retryable: error.retryable,
    ...details,
  });
}
