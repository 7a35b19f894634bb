import type { Config } from '../config/config.ts';
import { showValue } from '../config/options.ts';
import type { Context } from '../context.ts';
import { CliError, exitCodes, usageError } from '../errors.ts';
import type { Api, Command, CommonValues, Confirmation } from './command.ts';

/**
 * Asks for confirmation on the controlling terminal before a command destroys something: yes or no, or the name on a
 * protected profile. With `--no-input` the command is refused. Without a terminal, and in CI, the command runs
 * without confirmation, except on a protected profile, which needs `--yes`.
 * @throws CliError when the answer is no, or when confirmation is required but no prompt is possible
 */
export async function confirmDestruction(
  command: Command,
  path: readonly string[],
  context: Context,
  values: Readonly<Record<string, unknown>> & CommonValues,
): Promise<void> {
  const { flags } = context;
  if (command.changes !== 'destroys' || values.dryRun || flags.yes) return;
  const asked = await command.confirm?.(context, values);
  if (asked === null) return;
  if (flags.refusesInput) throw needsYes('--no-input allows no prompt', path);
  const profile = command.apis.length === 0 ? undefined : (await context.config()).profile;
  const isProtected = asked?.protected ?? profile?.protected ?? false;
  if (!canAsk(context)) {
    if (isProtected) throw needsYes(protectedReason(asked?.protected ? asked.name : profile?.name), path);
    return;
  }
  const agreed = await ask(context, command, { isProtected, path, ...asked });
  context.signal.throwIfAborted();
  if (!agreed) throw new CliError(exitCodes.failure, 'canceled: nothing was changed', { code: 'CANCELLED' });
}

function canAsk({ host }: Context): boolean {
  if (host.env.CI) return false;
  const terminal = host.openTerminal();
  terminal?.close();
  return terminal !== undefined;
}

interface Asked extends Partial<Confirmation> {
  readonly isProtected: boolean;
  readonly path: readonly string[];
}

async function ask(context: Context, command: Command, asked: Asked): Promise<boolean> {
  const { isProtected, path, question = path.join(' '), name = path.join(' '), preview, api } = asked;
  const whole = `${question}${await placeOf(context, api === undefined ? command.apis : [api])}?`;
  const { askName, askYesNo } = await import('./prompt.ts');
  const answer = () => (isProtected ? askName(context, whole, name, preview) : askYesNo(context, whole, preview));
  return await context.openEnded(answer);
}

/** The place that a question names, for example ` on profile "prod" (b1.example:9092)`. */
async function placeOf(context: Context, apis: readonly Api[]): Promise<string> {
  if (apis.length === 0) return '';
  const config = await context.config();
  const address = addressOf(config, apis);
  return config.profile === undefined
    ? ` on ${address} (no profile)`
    : ` on profile "${config.profile.name}" (${address})`;
}

function addressOf(config: Config, apis: readonly Api[]): string {
  if (apis.includes('cloud')) return config.get('cloud.api_url');
  const key = apis.includes('registry') ? 'registry.hosts' : apis.includes('admin') ? 'admin.hosts' : 'brokers';
  return showValue(key, config.get(key));
}

function protectedReason(profile: string | undefined): string {
  return `${profile === undefined ? 'the profile' : `profile "${profile}"`} is protected, and no prompt is possible`;
}

function needsYes(reason: string, path: readonly string[]): CliError {
  return usageError(`unable to run "weir ${path.join(' ')}" without --yes: ${reason}`, {
    code: 'CONFIRMATION_NEEDED',
    target: '--yes',
  });
}
