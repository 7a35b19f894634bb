import type { Admin } from '../../../admin/open.ts';
import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, type ErrorDetails, exitCodes, type ItemError, stoppedError, withHints } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import { listOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { checkAdminPassword } from './admin-users.ts';
import { type NewPassword, type PasswordValues, readPassword } from './new-password.ts';

/** A user whose password is set; the password is null unless it was generated. */
export const UserWithPassword = row({ user: string, mechanisms: listOf(string), password: maybe(string) });
export type UserWithPassword = RowOf<typeof UserWithPassword>;

/** A user whose password is to be set for these mechanisms. */
export interface PlannedUser extends UserWithPassword {
  readonly mechanisms: readonly ScramMechanism[];
}

/** The plan for a user. */
export function plannedUser(user: string, mechanisms: readonly ScramMechanism[]): readonly PlannedUser[] {
  return [{ user, mechanisms, password: null }];
}

/** What the verbs that set a password differ in. */
interface PasswordVerb {
  readonly doing: string;
  readonly done: string;
  /** What to do without a terminal to prompt on. */
  readonly otherwise: 'generate' | 'fail';
}

/** `security user create` */
export const creating: PasswordVerb = { doing: 'creating', done: 'created', otherwise: 'generate' };

/** `security user update` */
export const updating: PasswordVerb = { doing: 'updating', done: 'updated', otherwise: 'fail' };

interface UserValues extends PasswordValues {
  readonly user: string;
  /** The API that the command line names. */
  readonly api: ChosenApi | undefined;
}

/** Sets a password over the Kafka API. */
export function overKafka(verb: PasswordVerb) {
  return (context: Context, { mechanisms }: PlannedUser, values: UserValues & { readonly iterations: number }) =>
    setPassword(context, verb, values, async ({ text: password, isGenerated }) => {
      const { user, iterations } = values;
      await (await context.kafka()).setPassword({ user, password, mechanisms, iterations, isGenerated });
    });
}

/** Sets a password over the Admin API. @throws CliError (exit 2) for a password that it would refuse */
export function overAdmin(
  verb: PasswordVerb,
  send: (admin: Admin, user: Parameters<Admin['createUser']>[0]) => Promise<void>,
) {
  return (context: Context, { mechanisms }: PlannedUser, values: UserValues) =>
    setPassword(context, verb, values, async ({ text: password }) => {
      checkAdminPassword(password);
      const [mechanism = 'SCRAM-SHA-256'] = mechanisms;
      await send(await context.admin(), { user: values.user, password, mechanism });
    });
}

/**
 * Reads a password and sets it. If nobody knows afterwards whether it was set, because the answer was lost or a signal ended
 * the command, the report has the generated password, which would be lost otherwise.
 */
async function setPassword(
  context: Context,
  { doing, done, otherwise }: PasswordVerb,
  values: UserValues,
  send: (password: NewPassword) => Promise<void>,
): Promise<{ readonly password: string | null }> {
  const { user, api } = values;
  const password = await readPassword(context, values, { user, otherwise });
  const { text, isGenerated } = password;
  const check = `check with: weir security user list ${shellWord(user)}${apiWords(api)}`;
  const secret = isGenerated ? [`generated password, in case it was set: ${text}`] : [];
  const report = (hints: readonly string[]) => {
    const message = `stopped while ${doing} user "${user}": the request may or may not have arrived`;
    context.onInterrupt(stoppedError(message, [check, ...hints], user));
  };
  report(secret);
  try {
    await send(password);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const missing = error.hints.some((hint) => hint.includes(text)) ? [] : secret;
    report([...error.hints, ...missing]);
    throw mayBeSet(error) ? withHints(error, missing) : error;
  }
  const generated = isGenerated ? [`generated password: ${text}`] : [];
  context.onInterrupt(stoppedError(`user "${user}" has been ${done}`, generated, user));
  return { password: isGenerated ? text : null };
}

/** Whether the password may have been set: there was no answer, or one of something between weir and the server. */
function mayBeSet({ exitCode }: CliError): boolean {
  return exitCode === exitCodes.unreachable;
}

/** Says what was done, with a generated password alone on the last line. */
export function passwordText({ done }: PasswordVerb) {
  return ([row]: readonly (UserWithPassword & Outcome)[]): string => {
    if (row === undefined) return '';
    const { user, mechanisms, password, dry_run: isDryRun } = row;
    const whose = `user "${printable(user)}" (${mechanisms.join(', ')})`;
    const line = isDryRun ? `OK (dry run: ${whose} would be ${done})\n` : `${done} ${whose}\n`;
    return password === null ? line : `${line}generated password:\n${password}\n`;
  };
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
