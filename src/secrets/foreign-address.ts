import type { Setting } from '../config/config.ts';
import { envName, type OptionKey, optionOf, proofFileKeys, showValue } from '../config/options.ts';
import { checkOwnProfile, type Fault, ownershipFault } from '../config/profile/ownership.ts';
import { maskedText } from '../config/resolve/provenance.ts';
import { isGiven } from '../config/resolve/secret-rule.ts';
import {
  cloudAccountKeys,
  credentialKeys,
  type FilledIn,
  filledIn,
  type Gap,
  givenSending,
  recipientsOf,
  routeTo,
  type Sending,
  sendingOf,
  sendingsOfTokens,
} from '../config/routes.ts';
import { CliError, exitCodes } from '../errors.ts';
import { commandText } from '../format/shell-word.ts';
import type { Refusals, SecretParts } from './secrets.ts';

/**
 * Refuses what a file that may be of someone else fills in, and warns a person that a secret of the environment is sent to
 * an address of such a file: the variable may be meant for another cluster. Without a terminal, nobody decides any more: a
 * pipeline that names a file of its repository and has the secret in a variable would print the line with every command.
 * @throws CliError (exit 2) that names both sources
 */
export async function checkFilledIn(parts: SecretParts, sending: Sending, { gaps, address }: FilledIn): Promise<void> {
  for (const gap of gaps) {
    const foreign = await foreignFault(parts, gap.source);
    if (foreign !== undefined) throw refused(sending, gap, foreign, parts.config.profile?.isAlone === true);
  }
  if (address === undefined || !parts.host.stderr.isTerminal) return;
  const foreign = await foreignFault(parts, address.source);
  if (foreign === undefined) return;
  const { what: key, to, name } = sending;
  // Only the issuer gets what a token is requested with.
  const what = key.startsWith('oauth.') && key !== 'oauth.token' && to !== 'issuer' ? `a token for ${name}` : name;
  const value = showValue(address.key, address.value);
  parts.warnOnce(`${what} is sent to ${value}, the ${address.key} of ${address.origin}: ${foreign.message}`);
}

function refused({ what, by }: Sending, gap: Gap, { message, hints }: CliError, isAlone: boolean): CliError {
  const { named } = gap;
  const besides = named && `, and ${named.key} (${named.origin}) may mean another system`;
  // The profile in use may be the one that is refused.
  const orProfile = gap.source === 'profile' ? '' : ', or in your own profile';
  const bySelf =
    commandText`if you trust it, say so with -X ${settingText(gap)} or with ${envName(gap.key)}` + orProfile;
  // Flags and variables are not about the profile of one side of a copy.
  const isHeard = !isAlone || gap.key.startsWith('globals.');
  return new CliError(
    exitCodes.usage,
    `unable to use ${what} (${by.origin}) with ${gap.key} (${gap.origin}): ${message}${besides ?? ''}`,
    {
      code: 'SECRET_REFUSED',
      target: gap.key,
      hints: [
        ...(isHeard ? [bySelf] : orProfile === '' ? [] : ['if you trust it, say so in your own profile']),
        ...hints,
      ],
    },
  );
}

/** A setting as it is typed; one with a secret without its value. */
export function settingText({ key, value }: Pick<Setting<unknown>, 'key' | 'value'>): string {
  return `${key}=${maskedText(key, value) === undefined ? showValue(key, value) : optionOf(key).kind.hint}`;
}

/** Besides the way of credentials, what only the person may put into a profile of their own. */
const ownKeys: readonly OptionKey[] = [...proofFileKeys, 'cloud.client_secret'];

/** What files that may be of someone else say about the way of any credentials, or of these, and must not. */
export async function refusals(parts: SecretParts): Promise<Refusals> {
  const { config } = parts;
  const options = credentialKeys.flatMap((key) =>
    recipientsOf(key).map((to) =>
      isGiven(config.setting(key)) ? sendingOf(config, key, to) : givenSending(key, 'typed', to),
    ),
  );
  const tokens = recipientsOf('oauth.client_secret').flatMap((to) => sendingsOfTokens(config, to));
  const gaps = [...options, ...tokens].flatMap((sending) => filledIn(sending, config).gaps);
  const found = new Set<OptionKey>();
  for (const { key, source } of gaps) {
    if (!found.has(key) && (await foreignFault(parts, source)) !== undefined) found.add(key);
  }
  const isForeign = (await foreignFault(parts, 'broker')) !== undefined;
  const credentials = ownKeys.filter((key) => isForeign && config.setting(key).source === 'broker');
  return { ways: [...found], credentials };
}

/** Why the file of a source may be of someone else; undefined if it is not. That of the machine is its administrator's. */
async function foreignFault({ host, config }: SecretParts, source: string): Promise<CliError | undefined> {
  const { brokerFile, profile } = config;
  if (source === 'broker') {
    const reason = `${brokerFile?.origin} names a file that may be of someone else`;
    const hints = ['no permissions make a broker configuration file yours: put what you trust into a profile'];
    return brokerFile && new CliError(exitCodes.usage, reason, { hints });
  }
  return profile && (await ownershipFault(host, profile.file));
}

/** What decides which identity is used, besides where its proof goes and who could read it on the way. */
const identityKeys: readonly OptionKey[] = [
  'oauth.grant',
  'oauth.scope',
  'oauth.client_id',
  'oauth.assertion.key',
  'aws.profile',
  'aws.role_arn',
  'aws.region',
];

/**
 * An identity of a cloud is there without anybody having configured it, so nobody else may say where it is used.
 * @throws CliError (exit 2) if a file that may be of someone else does
 */
export async function checkIdentity(parts: SecretParts): Promise<void> {
  const { addresses, way } = routeTo('kafka', parts.config);
  await checkAllOwn(parts, [...addresses, ...way, ...identityKeys], {
    what: 'use a cloud identity',
    code: 'IDENTITY_REFUSED',
  });
}

/**
 * The control plane names the program, which has what the person has, so nobody else may say which control plane that is, or
 * for whose account it answers.
 * @throws CliError (exit 2) if a file that may be of someone else does
 */
export async function checkPluginOwner(parts: SecretParts): Promise<void> {
  const routes = (['cloud', 'cloud-api'] as const).map((to) => routeTo(to, parts.config));
  const keys = [...routes.flatMap(({ addresses, way }) => [...addresses, ...way]), ...cloudAccountKeys];
  await checkAllOwn(parts, keys, { what: 'run the plugin of a control plane', code: 'PLUGIN_REFUSED' });
}

/** What is refused if a file of someone else says a part of it. */
interface Refused {
  readonly what: string;
  readonly code: string;
}

async function checkAllOwn(
  { host, config }: SecretParts,
  keys: readonly OptionKey[],
  { what, code }: Refused,
): Promise<void> {
  const settings = keys.map((key): Setting<unknown> => config.setting(key));
  const faultOf =
    ({ key, origin }: (typeof settings)[number]): Fault =>
    (reason, { exitCode, ...details }) =>
      new CliError(exitCode, `unable to ${what} with ${key} (${origin}): ${reason}`, {
        code,
        target: key,
        ...details,
      });
  const [ofBroker, ofProfile] = (['broker', 'profile'] as const).map((source) =>
    settings.find((one) => one.source === source),
  );
  // That of the machine is its administrator's.
  if (ofBroker !== undefined && config.brokerFile !== undefined) {
    throw faultOf(ofBroker)('the broker configuration file is not one of yours alone', {
      exitCode: exitCodes.usage,
      hints: [`set ${ofBroker.key} in a profile of your own, or with -X`],
    });
  }
  const file = config.profile?.file;
  if (ofProfile === undefined || file === undefined) return;
  await checkOwnProfile(host, faultOf(ofProfile), file);
}
