import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { NewPassword } from './new-password.ts';

/** A password that is about to be set. */
interface SentPassword {
  readonly user: string;
  readonly password: NewPassword;
  /** The change, for example `creating`, and what is then done, for example `created`. */
  readonly words: readonly [doing: string, done: string];
}

/**
 * Sends a password. If nobody knows afterwards whether it was set, because the answer was lost or a signal ended the
 * command, the report has the generated password, which would be lost otherwise.
 */
export async function sendPassword(context: Context, sent: SentPassword, send: () => Promise<void>): Promise<void> {
  const { user, password, words } = sent;
  const [doing, done] = words;
  const check = `check with: weir security user list ${shellWord(user)}`;
  const secret = password.isGenerated ? [`generated password, in case it was set: ${password.text}`] : [];
  const message = `stopped while ${doing} user "${user}": the request may or may not have arrived`;
  context.onInterrupt(stoppedError(message, [check, ...secret], user));
  try {
    await send();
  } catch (error) {
    throw mayBeSet(error) && !error.hints.some((hint) => hint.includes(password.text))
      ? withHints(error, secret)
      : error;
  }
  const known = password.isGenerated ? [`generated password: ${password.text}`] : [];
  context.onInterrupt(stoppedError(`user "${user}" has been ${done}`, known, user));
}

/** The answers after which a change may have been made although the command fails, besides those of exit code 5. */
const unclear: ReadonlySet<string> = new Set(['NOT_AN_ADMIN_API', 'BAD_ANSWER']);

function mayBeSet(error: unknown): error is CliError {
  return error instanceof CliError && (error.exitCode === exitCodes.unreachable || unclear.has(error.code));
}
