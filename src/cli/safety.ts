import type { Context } from '../context.ts';
import { CliError, exitCodes, usageError } from '../errors.ts';
import type { Command, CommonValues } from './command.ts';

/**
 * Asks before a command destroys something: yes or no on a terminal, the typed name on a protected
 * profile. Without a terminal it goes on, but on a protected profile only with `--yes`.
 * @throws CliError when the answer is no, or when nobody can be asked and must be
 */
export async function confirmDestruction(
  command: Command,
  path: readonly string[],
  context: Context,
  values: Readonly<Record<string, unknown>> & CommonValues,
): Promise<void> {
  if (command.changes !== 'destroys' || values.dryRun || context.flags.yes) return;
  const asked = await command.confirm?.(context, values);
  const profile = command.apis.length === 0 ? undefined : (await context.config()).profile;
  const isProtected = asked?.protected ?? profile?.protected ?? false;
  if (context.flags.noInput) {
    if (isProtected) throw needsYes(path, asked?.protected ? asked.name : profile?.name);
    return;
  }
  const question = asked?.question ?? `${path.join(' ')}?`;
  const name = asked?.name ?? profile?.name ?? path.join(' ');
  const { host, signal } = context;
  const { askName, askYesNo } = await import('./prompt.ts');
  const ask = () => (isProtected ? askName(host, question, name, signal) : askYesNo(host, question, signal));
  const agreed = await context.openEnded(ask);
  signal.throwIfAborted();
  if (!agreed) throw new CliError(exitCodes.failure, 'cancelled: nothing was changed', { code: 'CANCELLED' });
}

function needsYes(path: readonly string[], profile: string | undefined): CliError {
  const subject = profile === undefined ? 'the profile' : `the profile "${profile}"`;
  return usageError(`${subject} is protected: "weir ${path.join(' ')}" needs --yes here`, {
    code: 'CONFIRMATION_NEEDED',
    target: '--yes',
  });
}
