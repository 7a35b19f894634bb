import type { Config, Setting } from '../config/config.ts';
import { hintToSet } from '../config/hint-to-set.ts';
import { type SecretKey, showValue } from '../config/options.ts';
import { sandboxOf } from '../config/profile/sandbox-mark.ts';
import { requireAddresses } from '../config/resolve.ts';
import { isHigher } from '../config/settings/merge.ts';
import { isGiven } from '../config/settings/secret-rule.ts';
import type { HttpApi } from '../config/settings/sign-in.ts';
import type { Deadline } from '../deadline.ts';
import { usageError } from '../errors.ts';
import { absolutePath } from '../files/locations.ts';
import type { Host } from '../host/host.ts';
import type { BearerSasl, IamSasl, KafkaOptions, PasswordSasl } from '../kafka/protocol/options.ts';
import type { BearerSource } from '../net/bearer.ts';
import type { FirstContact } from '../net/hosts.ts';
import type { ProxySettings } from '../net/proxies.ts';
import type { Secret } from '../net/secret.ts';
import type { TlsOptions } from '../net/tls.ts';
import { version } from '../version.ts';

/**
 * Builds the options of the broker client from the configuration.
 * @param password gives the password of the option `user`; empty if there is none
 * @throws CliError if there is no broker, or if SASL is only half configured
 */
export async function kafkaOptions(
  config: Config,
  deadline: Deadline,
  host: Pick<Host, 'home' | 'cwd' | 'env'>,
  password: () => Promise<Secret>,
): Promise<KafkaOptions> {
  const brokers = requireAddresses(config, 'brokers');
  return {
    brokers,
    tls: config.get('tls.enabled') ? tlsOptions(config, 'tls', host) : undefined,
    // The proxies of the environment are those for HTTP.
    ...(config.get('globals.proxy') !== '' && { proxy: proxySettings(config, host) }),
    sasl: await saslOptions(config, password),
    howToSignIn: howToSignIn(config),
    clientId: config.get('globals.streaming_protocol_request_client_id'),
    softwareVersion: version,
    deadline,
    firstContact: firstContactOf(config),
    sandbox: sandboxOf(config),
    isDefaultAddress: config.setting('brokers').source === 'default',
  };
}

/** Without an explicit retry timeout, a service that is unreachable at first is reported immediately. */
export function firstContactOf(config: Config): FirstContact {
  return config.setting('globals.retry_timeout').source === 'default' ? 'stop' : 'retry';
}

/** Where the proxies are configured. */
export function proxySettings(config: Config, { env }: Pick<Host, 'env'>): ProxySettings {
  return { option: config.get('globals.proxy'), env };
}

/** The prefixes of the TLS options, one per API, and that of the issuer. */
export type TlsPrefix = 'tls' | 'admin.tls' | 'registry.tls' | 'oauth.tls';

/** Builds the TLS options; paths are relative to the working directory, and `~/` is the home directory. */
export function tlsOptions(config: Config, keyPrefix: TlsPrefix, host: Pick<Host, 'home' | 'cwd'>): TlsOptions {
  const file = (key: 'ca' | 'cert' | 'key') => {
    const path = config.get(`${keyPrefix}.${key}`);
    return path === '' ? undefined : absolutePath(host, path);
  };
  return {
    ca: file('ca'),
    cert: file('cert'),
    key: file('key'),
    insecureSkipVerify: config.get(`${keyPrefix}.insecure_skip_verify`),
    serverName: config.get(`${keyPrefix}.server_name`) || undefined,
    keyPrefix,
  };
}

/** The user whose password is missing; undefined if it is not, or if nobody signs in with it. */
export function userWithoutPassword(config: Config, secret: SecretKey): string | undefined {
  if (secret === 'admin.pass') return config.get('admin.user') || undefined;
  if (secret === 'registry.pass') return config.get('registry.user') || undefined;
  if (secret !== 'pass') return undefined;
  const [user, mechanism] = [config.setting('user'), config.setting('sasl.mechanism')];
  const isMissing = user.value !== '' && !isGiven(config.setting('pass')) && !isOff(user, mechanism);
  return isMissing && !withoutPassword.includes(mechanism.value) ? user.value : undefined;
}

/** Asks for the password of a user, with what gets it: a command may need those of two clusters. */
export function passwordPrompt(user: string, config: Config, to: 'kafka' | HttpApi): string {
  const key = to === 'kafka' ? 'brokers' : (`${to}.hosts` as const);
  const addresses = config.get(key);
  const others = addresses.length > 1 ? ` and ${addresses.length - 1} more` : '';
  const profile = config.profile === undefined ? '' : ` (profile ${config.profile.name})`;
  return `password of user "${user}" for ${showValue(key, addresses.slice(0, 1))}${others}${profile}`;
}

/** The mechanisms that take no user and no password. */
const withoutPassword: readonly string[] = ['OAUTHBEARER', 'AWS_MSK_IAM'];

/** Whether OAuth tokens sign in to the cluster, instead of a user and a password. */
export function usesTokens(config: Config): boolean {
  return usesMechanism(config, 'OAUTHBEARER');
}

/** Whether a mechanism is configured, and no higher source turns SASL off. */
export function usesMechanism(config: Config, name: string): boolean {
  const [user, mechanism] = [config.setting('user'), config.setting('sasl.mechanism')];
  return mechanism.value === name && !isOff(user, mechanism);
}

function isOff(user: Setting<string>, mechanism: Setting<string>): boolean {
  return isCleared(user, mechanism) || isCleared(mechanism, user);
}

async function saslOptions(config: Config, readPassword: () => Promise<Secret>): Promise<PasswordSasl | undefined> {
  const [user, mechanism] = [config.setting('user'), config.setting('sasl.mechanism')];
  const username = user.value;
  if (isOff(user, mechanism) || withoutPassword.includes(mechanism.value)) return undefined;
  if (username === '') {
    if (mechanism.value === '') return undefined;
    throw halfConfigured(config, `sasl.mechanism is ${mechanism.value}, but user is not set`, 'user');
  }
  const password = await readPassword();
  if (password === '') throw halfConfigured(config, 'user is set, but pass is not', 'pass');
  return {
    mechanism: (mechanism.value || 'SCRAM-SHA-256') as PasswordSasl['mechanism'],
    username,
    password,
    turnOff: turnOff(user),
    whose: whoseHint(user, config.setting('pass')),
  };
}

/** Builds the SASL options for OAuth tokens. */
export function bearerSasl(config: Config, tokens: BearerSource): BearerSasl {
  return { mechanism: 'OAUTHBEARER', tokens, extensions: config.get('oauth.extensions'), ...turnedOff(config) };
}

/** Builds the SASL options for an identity of AWS. */
export function iamSasl(config: Config, tokens: BearerSource & Pick<IamSasl, 'sign'>): IamSasl {
  return { mechanism: 'AWS_MSK_IAM', tokens, sign: tokens.sign, ...turnedOff(config) };
}

function turnedOff(config: Config) {
  const { value, origin } = config.setting('sasl.mechanism');
  return { turnOff: `turn SASL off with "-X sasl.mechanism=" (${value} comes from ${origin})` };
}

/** What identifies a client to an issuer, or is a token itself: whoever sets one means to sign in with OAuth. */
const oauthKeys = ['oauth.token', 'oauth.issuer', 'oauth.token_url', 'oauth.client_id'] as const;

/** What makes use of the options for OAuth tokens; undefined if none is set, or if something else signs in. */
function howToSignIn(config: Config): string | undefined {
  if (config.get('user') !== '' || config.get('sasl.mechanism') !== '') return undefined;
  const given = oauthKeys.map(config.setting).find(isGiven);
  return given && `set -X sasl.mechanism=OAUTHBEARER to use ${given.key} (from ${given.origin})`;
}

/** The hint for a refused password: where it and the user come from, which may be different places. */
function whoseHint(user: Setting<string>, pass: Setting<unknown>): string {
  if (!isGiven(pass)) return `check that they belong together: user is from ${user.origin}, pass was typed`;
  if (user.source === pass.source) return `check both: user is from ${user.origin}, pass is from ${pass.origin}`;
  return `check that they belong together: user is from ${user.origin}, pass is from ${pass.origin}`;
}

function turnOff({ source, origin }: Setting<string>): string {
  if (source === 'flag') return `to connect without SASL, leave out ${origin}`;
  return `turn SASL off with "-X sasl.mechanism=" (the user comes from ${origin})`;
}

/** Whether `one` is set to an empty value by a higher source than `other`, which turns SASL off. */
function isCleared(one: Setting<string>, other: Setting<string>): boolean {
  return one.value === '' && one.source !== 'default' && other.value !== '' && isHigher(one.source, other.source);
}

function halfConfigured(config: Config, message: string, missing: 'user' | 'pass'): Error {
  return usageError(message, { code: 'CONFIG_INVALID', target: missing, hints: [hintToSet(config, missing)] });
}
