import type { CliError } from '../errors.ts';
import { type Address, isLocal } from '../net/address.ts';
import type { Setting } from './config.ts';
import type { OptionKey, OptionValue, SecretKey } from './options.ts';
import { configError, type Layer } from './resolve/layer.ts';
import { addressKeys, isHigher, type Settings } from './resolve/merge.ts';
import { findDoubleSecrets, isGiven } from './resolve/secret-rule.ts';
import { findDoubleSignIns, signInOf } from './resolve/sign-in.ts';
import { isHere } from './routes.ts';
import { rpkToken } from './rpk-paths.ts';

/** Returns one setting with the type of its key. */
export function settingOf<K extends OptionKey>(settings: Settings, key: K): Setting<OptionValue<K>> {
  const setting = settings.get(key);
  if (setting === undefined) throw new Error(`the settings lack ${key}`);
  // The kind of this key parsed the value, so it has the key's type.
  return setting as Setting<OptionValue<K>>;
}

/** Finds options that contradict each other: an `http://` address with TLS explicitly on, a secret given twice. */
export function findContradictions(settings: Settings, layers: readonly Layer[]): readonly CliError[] {
  const ofTls = (['admin', 'registry'] as const).flatMap((api) => {
    const hosts = settingOf(settings, `${api}.hosts`);
    const key = `${api}.tls.enabled` as const;
    const explicit = layers.find(({ entries }) => entries.has(key))?.entries.get(key);
    if (explicit?.value !== true || !hosts.value.some(({ scheme }) => scheme === 'http')) return [];
    const message = `${api}.hosts (${hosts.origin}) has an http:// address, but ${key} (${explicit.origin}) is true`;
    return [configError(message, { target: `${api}.hosts`, hints: ['use https://, or no scheme'] })];
  });
  return [...ofTls, ...findDoubleSecrets(layers), ...findDoubleSignIns(layers), ...findTokenOfRpk(settings)];
}

/** The error for an OAuth token that is given as the password, as rpk has it. */
function findTokenOfRpk(settings: Settings): readonly CliError[] {
  const [pass, token] = [settingOf(settings, 'pass'), settingOf(settings, 'oauth.token')];
  const isUsed = settingOf(settings, 'sasl.mechanism').value === 'OAUTHBEARER' && !isGiven(token);
  if (!isUsed || !rpkToken.test(String(pass.value))) return [];
  const hints = ['set it as oauth.token, without "token:"'];
  return [configError(`pass (${pass.origin}) is the token for OAUTHBEARER, as rpk has it`, { target: 'pass', hints })];
}

/**
 * Returns at most one warning: addresses that are not local come from a higher source than the user name. The opposite
 * is normal: it adds credentials for a cluster that is already configured.
 */
export function warnOfMixedSources(settings: Settings): readonly string[] {
  const mixed = [senderTo, tokenTo].flatMap((given) =>
    addressKeys.flatMap((addresses) => {
      const [hosts, by] = [settingOf(settings, addresses), given(addresses, settings)];
      if (by === undefined || hosts.value.every(isLocal) || !isHigher(hosts.source, by.source)) return [];
      return [`${named(hosts)} with ${named(by)}`];
    }),
  );
  const secrets = issuers.flatMap(([urls, id, secret]) => mixedSecret(settings, { urls, id, secret }) ?? []);
  const all = [...mixed, ...secrets];
  if (all.length === 0) return [];
  return [`addresses and credentials come from different sources: ${all.join('; ')}; check that they belong together`];
}

/** The user or token that is sent to these addresses; undefined if none is. A password without a user is never sent. */
function senderTo(addresses: (typeof addressKeys)[number], settings: Settings): Setting<unknown> | undefined {
  if (addresses === 'brokers') {
    const user = settingOf(settings, 'user');
    return user.value === '' ? undefined : user;
  }
  const signIn = signInOf(addresses === 'admin.hosts' ? 'admin' : 'registry', (key) => settingOf(settings, key));
  return signIn === 'none' ? undefined : signIn?.by;
}

/** The token that signs in to every API of the cluster, or the client that gets one; undefined without. */
function tokenTo(_: (typeof addressKeys)[number], settings: Settings): Setting<unknown> | undefined {
  const [token, client] = [settingOf(settings, 'oauth.token'), settingOf(settings, 'oauth.client_id')];
  if (isGiven(token)) return token;
  const isUsed = settingOf(settings, 'sasl.mechanism').value === 'OAUTHBEARER' && client.value !== '';
  return isUsed ? client : undefined;
}

/** The addresses that a client secret or its token is sent to, with the client and its secret. */
const issuers = [
  [['cloud.api_url', 'cloud.auth_url', 'cloud.legacy_url'], 'cloud.client_id', 'cloud.client_secret'],
  [['oauth.issuer', 'oauth.token_url'], 'oauth.client_id', 'oauth.client_secret'],
] as const;

/** The keys of one issuer. */
interface IssuerKeys {
  readonly urls: readonly OptionKey[];
  readonly id: OptionKey;
  readonly secret: SecretKey;
}

/** The client secret is sent to the addresses of its issuer; default addresses need no warning. */
function mixedSecret(settings: Settings, keys: IssuerKeys): string | undefined {
  const secret = settingOf(settings, keys.secret);
  const user = settingOf(settings, keys.id);
  const foreign = keys.urls
    .map((key) => settingOf(settings, key) as Setting<string>)
    .filter(({ value }) => value !== '')
    .filter((url) => url.source !== secret.source && isHigher(url.source, user.source) && !isHere(url.value));
  if (!isGiven(secret) || foreign.length === 0) return undefined;
  return `${foreign.map(named).join(', ')} with ${named(secret)}`;
}

function named({ key, origin }: Setting<unknown>): string {
  return origin.includes(key) ? origin : `${key} from ${origin}`;
}

/** Returns at most one line: APIs that fall back to this machine although another API's addresses were set. */
export function remarkFallbacks(settings: Settings): readonly string[] {
  const hosts = addressKeys.map((key) => settingOf(settings, key));
  const given = hosts.filter(({ source }) => source !== 'default');
  const fallen = hosts.filter(({ source, value }) => source === 'default' && value.length > 0);
  if (given.length === 0 || fallen.length === 0) return [];
  const places = fallen.map(({ key, value }) => `${key}=${place(value)}`).join(', ');
  return [
    `${given.map(named).join(', ')} given, but not ${fallen.map(({ key }) => key).join(' and ')}: using ${places}`,
  ];
}

function place(addresses: readonly Address[]): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(',');
}
