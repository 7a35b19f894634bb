import { type OptionKey, optionOf, type SecretKey, secretKeys } from '../../config/options.ts';
import { sandboxOf } from '../../config/profile/sandbox-mark.ts';
import type { Context } from '../../context.ts';
import {
  CliError,
  CliErrors,
  missingCode,
  missingValueCode,
  rephrased,
  withHints,
  withHintsFirst,
} from '../../errors.ts';
import { shortList } from '../../format/name-lists.ts';
import { printable } from '../../format/printable.ts';
import { commandText, shellWord } from '../../format/shell-word.ts';
import type { Command } from '../command.ts';
import { habitOf } from '../parse/habits.ts';
import { withSelection } from './selection-flags.ts';
import { usage } from './usage.ts';

/**
 * Adds how the command is written to errors about what is missing, and where its help is to other usage errors without a
 * hint; an invalid value says itself what is valid. Returns other errors unchanged.
 */
export function adviseHelp(error: unknown, command: Command, path: readonly string[]): unknown {
  if (error instanceof CliErrors) {
    const { errors, hints } = new CliErrors(error.errors.map((one) => adviseOne(one, command, path)));
    // Those of all errors together, such as where an edited text is kept.
    return new CliErrors(errors, { hints: [...new Set([...meantFlag(error.errors), ...hints, ...error.hints])] });
  }
  return error instanceof CliError ? adviseOne(error, command, path) : error;
}

/** The hint for a value without its flag, if only one flag is missing. */
function meantFlag([missing, excess, ...others]: readonly CliError[]): readonly string[] {
  const [flag = '', word = '-'] = [missing?.target, excess?.target];
  const isMeant = missing?.code === missingCode && flag.startsWith('--') && excess?.code === 'USAGE';
  return isMeant && !word.startsWith('-') && others.length === 0 ? [`did you mean ${flag} ${shellWord(word)}?`] : [];
}

function adviseOne(error: CliError, command: Command, path: readonly string[]): CliError {
  if (error.code === missingCode) return withHints(error, [`usage: ${usage(command, path)}`]);
  const isValue = error.code === missingValueCode;
  if (error.hints.length > 0 || !(isValue || error.code === 'USAGE')) return error;
  const line = ['weir', ...path].join(' ');
  const meant = isValue ? habitOf(error.target ?? '', line) : undefined;
  return withHints(error, [`${meant === undefined ? '' : `did you mean ${meant}? `}see ${line} --help`]);
}

/** The hint that says what a command needs; undefined if that is not known. */
export type Needs = (error?: CliError) => Promise<string | undefined>;

/** Adds the refused user and what the command needs to an authorization error. */
export async function adviseAccess(error: unknown, context: Context, needs: Needs): Promise<unknown> {
  if (!(error instanceof CliError) || !error.code.endsWith('_AUTHORIZATION_FAILED')) return error;
  const hints = await accessHints(context, needs, error);
  return hints.length === 0 ? error : withHints(error, hints);
}

/** Codes of failures to connect, whose step `weir doctor` finds. */
const connectionCodes: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_FAILED',
  'CONNECTION_REFUSED',
  'DIAL_TIMEOUT',
  'DNS_FAILED',
  'NO_ANSWER',
  'NOT_A_BROKER',
  'PROXY_FAILED',
  'PROXY_REFUSED',
  'TLS_FAILED',
]);

/** Adds how to find out more to a failure to connect, unless it is clear that nothing was started yet. */
export async function adviseConnection(error: unknown, context: Context): Promise<unknown> {
  if (!(error instanceof CliError) || !connectionCodes.has(error.code)) return error;
  const unselected = await unselectedProfile(context, error.target);
  if (unselected !== undefined) return withHintsFirst(error, [unselected]);
  if (error.hintsSuffice) return error;
  const absent = await absentInSandbox(context, error.target);
  if (absent !== undefined) return rephrased(error, error.message, { hints: [absent] });
  return withHints(error, [`check every step with: ${await doctorLine(context, error.target)}`]);
}

/** Which profiles there are, if none is selected and the address is therefore the default; undefined otherwise. */
async function unselectedProfile({ config }: Context, target: string | undefined): Promise<string | undefined> {
  const settings = await config().catch(() => undefined);
  const names = settings?.unselected ?? [];
  const api = apiOf(target);
  const key = api === undefined ? 'brokers' : (`${api}.hosts` as const);
  if (names.length === 0 || settings?.setting(key).source !== 'default') return undefined;
  const [only = '', ...others] = names;
  if (others.length === 0) return commandText`select the profile with: weir profile use ${only}`;
  return `select a profile with: weir profile use NAME (${shortList(names)})`;
}

/** The API that could not be reached; undefined for the brokers. */
function apiOf(target = ''): 'registry' | 'admin' | undefined {
  if (target.startsWith('the schema registry')) return 'registry';
  return target.startsWith('the Admin API') ? 'admin' : undefined;
}

/** What the sandbox in use was started without, if that could not be reached; undefined for an address that is set. */
async function absentInSandbox({ config }: Context, target: string | undefined): Promise<string | undefined> {
  const settings = await config().catch(() => undefined);
  const sandbox = settings && sandboxOf(settings);
  const api = apiOf(target);
  if (sandbox === undefined || api === undefined) return undefined;
  if (settings?.setting(`${api}.hosts`).source !== 'default') return undefined;
  const what = api === 'admin' ? 'Admin API' : 'schema registry (simulated ones never have)';
  return `sandbox "${sandbox}" has no ${what}: start another one with: weir sandbox start --name NAME --${api}`;
}

/** The line of `weir doctor` for the configuration in use, without secrets. */
async function doctorLine({ given, config }: Context, target: string | undefined): Promise<string> {
  const settings = (await config().catch(() => undefined))?.settings ?? [];
  const typed = settings
    .filter(({ key, source, from }) => source === 'flag' && from === undefined && matters(key))
    .flatMap(({ key, value }) => ['-X', `${key}=${optionOf(key).kind.show(value)}`]);
  // Without an API, doctor skips those of which only defaults are set.
  const api = apiOf(target);
  return withSelection({ given }, ['weir doctor', ...(api === undefined ? [] : [api])].join(' '), typed);
}

/** Whether an option is about where and how to connect, and no secret. */
function matters(key: OptionKey): boolean {
  return key === 'globals.proxy' || !(key.startsWith('globals.') || secretKeys.includes(key as SecretKey));
}

/** The hints after a refusal: the user that was refused, and what the command needs. */
export async function accessHints(context: Context, needs: Needs, error?: CliError): Promise<readonly string[]> {
  return [await principalHint(context), await needs(error)].filter((hint) => hint !== undefined);
}

/** The user that the brokers see; undefined when it is not known. */
async function principalHint(context: Context): Promise<string | undefined> {
  const config = await context.config().catch(() => undefined);
  if (config === undefined) return undefined;
  if (config.get('sasl.mechanism') === 'OAUTHBEARER')
    return 'check the permissions of the principal of the token, often its subject: weir cluster auth status shows it';
  if (config.get('sasl.mechanism') === 'AWS_MSK_IAM')
    return 'check the IAM policy of the AWS identity: weir doctor shows whose it is';
  const user = config.get('user');
  if (user === '') return 'set user and pass, or a client certificate: weir connected without SASL';
  const mechanism = config.get('sasl.mechanism') || 'SCRAM-SHA-256';
  return `check the permissions of user "${printable(user)}" (${mechanism}, from ${config.setting('user').origin})`;
}

/** A hint for authorization errors: what a command needs, with the name of the resource if the error has it. */
export function needsHint(path: readonly string[], needs: string, error?: CliError): string {
  const [kind] = /^(topic|group)(?=_authorization_failed$)/.exec(error?.code.toLowerCase() ?? '') ?? [];
  const name = error?.target;
  const isNamed = name !== undefined && error?.message.includes(`${kind} "${name}"`) === true;
  const permissions = isNamed ? needs.replaceAll(`the ${kind}`, `${kind} "${printable(name)}"`) : needs;
  return `weir ${path.join(' ')} needs ${permissions} (see weir help permissions)`;
}
