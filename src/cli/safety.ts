import type { Config } from '../config/config.ts';
import { showValue } from '../config/options.ts';
import { ignoredClusterVariable } from '../config/sources/environment.ts';
import type { Context } from '../context.ts';
import { type CliError, canceledError, usageError } from '../errors.ts';
import { inNumber } from '../format/name-lists.ts';
import type { Api, Command, Confirmation, GivenValues } from './command.ts';

/** A command line that is about to run. */
interface Line {
  readonly context: Context;
  readonly path: readonly string[];
  readonly values: GivenValues;
}

/**
 * Refuses a change of a cluster while a variable of rpk names another one, as in a script that runs under an alias.
 * @throws CliError (exit 2) unless `--profile`, or a flag or variable of weir, chooses the cluster
 */
export async function refuseForRpk({ apis, changes }: Command, { context, values }: Omit<Line, 'path'>): Promise<void> {
  const ignored = ignoredClusterVariable(context.host.env);
  const isChange = changes !== 'reads' && !values.dryRun && apis.some((api) => api !== 'cloud');
  if (ignored === undefined || !isChange || context.profileSelection().profile !== undefined) return;
  const config = await context.config();
  const key = addressKey(apis);
  if (['flag', 'env'].includes(config.setting(key).source)) return;
  const { name, weirName } = ignored;
  throw usageError(
    `refused: ${name} is set, but weir does not read it and would use ${await clusterName(context, apis)}`,
    {
      code: 'CLUSTER_UNCLEAR',
      target: name,
      hints: [`set ${weirName} instead, or choose the cluster with --profile`],
    },
  );
}

/**
 * Asks for confirmation on the controlling terminal before a command destroys something: yes or no, or the name on a
 * protected profile, where it asks before what is `guarded`, too. With `--no-input` the command is refused. Without a terminal, and in CI, the command runs
 * without confirmation if its line names everything that it destroys and the profile is not protected; otherwise it
 * needs `--yes`.
 * @throws CliError when the answer is no, or when confirmation is required but no prompt is possible
 */
export async function confirmDestruction(
  command: Command,
  { context, path, values }: Line,
  plan: unknown,
): Promise<void> {
  const { flags } = context;
  const destroys = command.changes === 'destroys';
  if (!(destroys || command.guarded !== undefined) || values.dryRun || flags.yes) return;
  const confirmation = await command.confirm?.(context, values, plan);
  if (confirmation === null) return;
  const at = confirmation?.at ?? context;
  const profile = command.apis.length === 0 ? undefined : (await at.config()).profile;
  const prompt: Asked = { path, protected: profile?.protected ? [profile.name] : [], ...confirmation };
  if (!destroys && prompt.protected.length === 0) return;
  if (flags.refusesInput || !canAsk(context)) {
    const reason = refusal(command, values, { path, refusesInput: flags.refusesInput, profiles: prompt.protected });
    if (reason !== undefined) throw await needsYes(context, command, { ...prompt, reason });
    return;
  }
  const agreed = await ask(context, command, prompt);
  context.signal.throwIfAborted();
  if (!agreed) throw canceledError();
}

interface Refusal {
  readonly path: readonly string[];
  readonly refusesInput: boolean;
  /** The protected profiles. */
  readonly profiles: readonly string[];
}

/** What needs `--yes` where nobody can be asked; undefined if the command may run. */
function refusal(command: Command, values: GivenValues, { path, refusesInput, profiles }: Refusal): string | undefined {
  const name = `weir ${path.join(' ')}`;
  if (refusesInput) return `${name} needs --yes with --no-input`;
  if (profiles.length > 0) {
    const names = profiles.map((profile) => `"${profile}"`).join(', ');
    const are = inNumber(profiles, 'is', 'are');
    const need = inNumber(profiles, 'needs', 'need');
    return `${inNumber(profiles, 'profile', 'profiles')} ${names} ${are} protected and ${need} --yes ${alone}`;
  }
  const { namesAll } = command;
  if (typeof namesAll === 'function' ? namesAll({ ...values }) : namesAll) return undefined;
  return `${values.regex === true ? 'a pattern' : name} needs --yes ${alone}`;
}

const alone = 'when nobody can be asked';

function canAsk({ host }: Context): boolean {
  if (host.env.CI) return false;
  const terminal = host.openTerminal();
  terminal?.close();
  return terminal !== undefined;
}

interface Asked extends Partial<Confirmation> {
  readonly protected: readonly string[];
  readonly path: readonly string[];
}

async function ask(context: Context, command: Command, prompt: Asked): Promise<boolean> {
  const { path, name = path.join(' '), preview } = prompt;
  const whole = `${await questionOf(context, command, prompt)}?`;
  const { askName, askYesNo } = await import('./prompt.ts');
  const answer = () =>
    prompt.protected.length > 0 ? askName(context, whole, name, preview) : askYesNo(context, whole, preview);
  return await context.openEnded(answer);
}

/** What would be destroyed and where, without the question mark. */
async function questionOf(context: Context, command: Command, prompt: Asked): Promise<string> {
  const { question, path, api, at = context } = prompt;
  const place = await placeOf(at, api === undefined ? command.apis : [api]);
  return `${question ?? `Run weir ${path.join(' ')}`}${place}`;
}

/** The place that a question names, for example ` on profile "prod" (b1.example:9092)`. */
async function placeOf(context: Context, apis: readonly Api[]): Promise<string> {
  return apis.length === 0 ? '' : ` on ${await clusterName(context, apis)}`;
}

/** The cluster that a command uses, for example `profile "prod" (b1.example:9092)`. */
export async function clusterName(context: Context, apis: readonly Api[]): Promise<string> {
  const config = await context.config();
  const address = addressOf(config, apis);
  return config.profile === undefined ? `${address} (no profile)` : `profile "${config.profile.name}" (${address})`;
}

/** The address of the first API: others of a command are only read. */
function addressOf(config: Config, apis: readonly Api[]): string {
  const key = addressKey(apis);
  return showValue(key, config.get(key));
}

function addressKey([api]: readonly Api[]): AddressKey {
  if (api === 'cloud') return 'cloud.api_url';
  return api === 'kafka' || api === undefined ? 'brokers' : `${api}.hosts`;
}

type AddressKey = 'brokers' | 'admin.hosts' | 'registry.hosts' | 'cloud.api_url';

async function needsYes(
  context: Context,
  command: Command,
  prompt: Asked & { readonly reason: string },
): Promise<CliError> {
  const { reason, hints = [] } = prompt;
  const question = await questionOf(context, command, prompt);
  const deed = question.charAt(0).toLowerCase() + question.slice(1);
  return usageError(`refused: ${reason}`, {
    code: 'CONFIRMATION_NEEDED',
    target: '--yes',
    hints: [`--yes would ${deed}; --dry-run shows it`, ...hints],
  });
}
