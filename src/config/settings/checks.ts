import type { CliError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Address, isLocal, showHostPort } from '../../net/address.ts';
import type { Config, Setting } from '../config.ts';
import { configError, type Layer } from '../layer.ts';
import { type OptionKey, type OptionValue, type SecretKey, showValue } from '../options.ts';
import { rpkToken } from '../rpk-paths.ts';
import { addressKeys, isHigher, type Settings } from './merge.ts';
import { findDoubleSecrets, isGiven } from './secret-rule.ts';
import { findDoubleSignIns, type HttpApi, signInOf } from './sign-in.ts';

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

/** Returns at most one line: addresses that are set, and the secrets that are sent there, from different sources. */
export function remarkMixedSources(settings: Settings): readonly string[] {
  const mixed = mixedSources((key) => settingOf(settings, key));
  return mixed.length === 0 ? [] : [mixedText(mixed)];
}

/** Says of addresses and secrets that they come from different sources. */
export function mixedText(mixed: readonly MixedSources[]): string {
  const pairs = mixed.map(({ address, secret }) => `${settingText(address)} with ${settingText(secret)}`);
  return `addresses and secrets come from different sources: ${pairs.join('; ')}`;
}

/** An address that is set, and a secret that is sent there, from another source. */
export interface MixedSources {
  readonly api: 'kafka' | HttpApi | 'cloud';
  readonly address: Setting<unknown>;
  readonly secret: Setting<unknown>;
}

/** Finds the addresses that are set, and the secrets that are sent there, from different sources. */
export function mixedSources(get: Config['setting']): readonly MixedSources[] {
  const usesTokens = get('sasl.mechanism').value === 'OAUTHBEARER';
  const ofToken = usesTokens ? (['oauth.token'] as const) : [];
  const ofHttp = (api: HttpApi): readonly SecretKey[] => {
    const signIn = signInOf(api, get);
    return signIn === undefined || signIn === 'none' ? ofToken : [signIn.secret];
  };
  const pairs: readonly (readonly [MixedSources['api'], readonly OptionKey[], readonly SecretKey[]])[] = [
    ['kafka', ['brokers'], usesTokens ? ofToken : get('user').value === '' ? [] : ['pass']],
    ['kafka', ['oauth.issuer', 'oauth.token_url'], usesTokens ? ['oauth.client_secret'] : []],
    ['admin', ['admin.hosts'], ofHttp('admin')],
    ['registry', ['registry.hosts'], ofHttp('registry')],
    ['cloud', ['cloud.api_url', 'cloud.auth_url', 'cloud.legacy_url'], ['cloud.client_secret']],
  ];
  return pairs.flatMap(([api, addresses, secrets]) =>
    secrets
      .map((key): Setting<unknown> => get(key))
      .filter(isGiven)
      .flatMap((secret) =>
        addresses
          .map((key): Setting<unknown> => get(key))
          .filter(({ source }) => source !== 'default' && source !== secret.source)
          .map((address) => ({ api, address, secret })),
      ),
  );
}

function settingText({ key, origin }: Setting<unknown>): string {
  return origin.includes(key) ? origin : `${key} from ${origin}`;
}

/** Warns that an API may be of another cluster than the brokers, which a higher source gives; undefined if there is no doubt. */
export function warnOfTwoClusters(get: Config['setting'], api: HttpApi): string | undefined {
  const [brokers, hosts] = [get('brokers'), get(`${api}.hosts`)];
  if (hosts.source === 'default' || !isHigher(brokers.source, hosts.source)) return undefined;
  const shown = ({ key, value, origin }: Setting<unknown>) => `${key} is ${showValue(key, value)} (${origin})`;
  return `${shown(brokers)}, but ${shown(hosts)}: these may be two clusters; set ${api}.hosts where you set brokers`;
}

/**
 * The error for an API whose address is not set although that of the brokers is: its default is this machine, which is
 * another cluster if the brokers are elsewhere. undefined if the default is meant, or may be.
 */
export function unsetHosts(get: Config['setting'], api: HttpApi): CliError | undefined {
  const [brokers, hosts] = [get('brokers') as Setting<OptionValue<'brokers'>>, get(`${api}.hosts`)];
  if (hosts.source !== 'default' || brokers.source === 'default' || brokers.value.some(isLocal)) return undefined;
  const own = api === 'admin' ? brokers.value.map((broker) => showHostPort({ ...broker, port: 9644 })) : ['HOST:PORT'];
  return configError(
    `${hosts.key} is not set: its default is ${showValue(hosts.key, hosts.value)}, but the brokers are at ${showValue('brokers', brokers.value)} (${brokers.origin})`,
    {
      target: hosts.key,
      hints: [
        commandText`set it in the profile: weir profile set ${`${hosts.key}=${own.join(',')}`}`,
        `or with -X ${hosts.key}=HOST:PORT`,
      ],
    },
  );
}

/** Returns at most one line: APIs that fall back to this machine although another API's addresses were set. */
export function remarkFallbacks(settings: Settings): readonly string[] {
  const hosts = addressKeys.map((key) => settingOf(settings, key));
  const configured = hosts.filter(({ source }) => source !== 'default');
  const fallen = hosts.filter(({ source, value }) => source === 'default' && value.length > 0);
  if (configured.length === 0 || fallen.length === 0) return [];
  const places = fallen.map(({ key, value }) => `${key}=${place(value)}`).join(', ');
  return [
    `${configured.map(settingText).join(', ')} given, but not ${fallen.map(({ key }) => key).join(' and ')}: using ${places}`,
  ];
}

function place(addresses: readonly Address[]): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(',');
}
