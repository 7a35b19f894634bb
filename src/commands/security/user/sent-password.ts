import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { apiWords, type ChosenApi } from '../../api-choice.ts';
import type { NewPassword } from './new-password.ts';

/** A password that is about to be set. */
interface SentPassword {
  readonly user: string;
  /** The API that the command line names. */
  readonly api: ChosenApi | undefined;
  readonly password: NewPassword;
  /** The change, for example `creating`, and what is then done, for example `created`. */
  readonly words: readonly [doing: string, done: string];
}

/**
 * Sends a password. If nobody knows afterwards whether it was set, because the answer was lost or a signal ended the
 * command, the report has the generated password, which would be lost otherwise.
 */
export async function sendPassword(context: Context, sent: SentPassword, send: () => Promise<void>): Promise<void> {
  const { user, api, password, words } = sent;
  const [doing, done] = words;
  const check = `check with: weir security user list ${shellWord(user)}${apiWords(api)}`;
  const secret = password.isGenerated ? [`generated password, in case it was set: ${password.text}`] : [];
  const report = (hints: readonly string[]) => {
    const message = `stopped while ${doing} user "${user}": the request may or may not have arrived`;
    context.onInterrupt(stoppedError(message, [check, ...hints], user));
  };
  report(secret);
  try {
    await send();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const missing = error.hints.some((hint) => hint.includes(password.text)) ? [] : secret;
    report([...error.hints, ...missing]);
    throw mayBeSet(error) ? withHints(error, missing) : error;
  }
  const known = password.isGenerated ? [`generated password: ${password.text}`] : [];
  context.onInterrupt(stoppedError(`user "${user}" has been ${done}`, known, user));
}

/** Whether the password may have been set: there was no answer, or one of something between weir and the server. */
function mayBeSet({ exitCode, code }: CliError): boolean {
  return exitCode === exitCodes.unreachable || code === 'NOT_AN_ADMIN_API';
}
