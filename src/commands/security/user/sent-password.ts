import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { type NewPassword, type PasswordValues, readPassword } from './new-password.ts';
import type { SetUser } from './user-text.ts';

/** A password to set. */
interface PasswordToSet extends PasswordValues {
  readonly user: string;
  /** The API that the command line names. */
  readonly api: ChosenApi | undefined;
  readonly mechanisms: readonly string[];
  /** What to do without a terminal to prompt on. */
  readonly otherwise: 'generate' | 'fail';
  /** The change, for example `creating`, and what is then done, for example `created`. */
  readonly words: readonly [doing: string, done: string];
  /** @throws CliError (exit 2) for a password that the API does not accept */
  check?(password: NewPassword): void;
}

/**
 * Reads a password and sets it. If nobody knows afterwards whether it was set, because the answer was lost or a signal ended
 * the command, the report has the generated password, which would be lost otherwise.
 */
export async function setPassword(
  context: Context,
  set: PasswordToSet,
  send: (password: NewPassword) => Promise<void>,
): Promise<SetUser> {
  const { user, api, words, mechanisms } = set;
  const password = await readPassword(context, set, set);
  const { text, isGenerated } = password;
  set.check?.(password);
  const [doing, done] = words;
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
  const known = isGenerated ? [`generated password: ${text}`] : [];
  context.onInterrupt(stoppedError(`user "${user}" has been ${done}`, known, user));
  return { user, mechanisms, password: isGenerated ? text : null, dry_run: false };
}

/** Whether the password may have been set: there was no answer, or one of something between weir and the server. */
function mayBeSet({ exitCode, code }: CliError): boolean {
  return exitCode === exitCodes.unreachable || code === 'NOT_AN_ADMIN_API';
}
