import type { CliError } from '../errors.ts';
import { type Address, isLocal } from '../net/address.ts';
import { type Setting, sources } from './config.ts';
import type { OptionKey, OptionValue } from './options.ts';
import { configError, type Layer } from './resolve/layer.ts';
import { addressKeys, type Settings } from './resolve/merge.ts';

/** A typed view of one setting. */
export function settingOf<K extends OptionKey>(settings: Settings, key: K): Setting<OptionValue<K>> {
  const setting = settings.get(key);
  if (setting === undefined) throw new Error(`the settings lack ${key}`);
  // The table's kind of `key` read the value, so it has the key's own type.
  return setting as Setting<OptionValue<K>>;
}

/** Options that contradict each other: `http://` with TLS explicitly on. */
export function findContradictions(settings: Settings, layers: readonly Layer[]): readonly CliError[] {
  return (['admin', 'registry'] as const).flatMap((api) => {
    const hosts = settingOf(settings, `${api}.hosts`);
    const key = `${api}.tls.enabled` as const;
    const explicit = layers.find(({ entries }) => entries.has(key))?.entries.get(key);
    if (explicit?.value !== true || !hosts.value.some(({ scheme }) => scheme === 'http')) return [];
    const message = `${api}.hosts (${hosts.origin}) has an http:// address, but ${key} (${explicit.origin}) is true`;
    return [configError(message, { target: `${api}.hosts`, hints: ['write https://, or no scheme at all'] })];
  });
}

/**
 * At most one warning: addresses that are not local, from a higher source than the user name. The other way round is
 * how a person adds credentials to a cluster that is already chosen.
 */
export function warnOfMixedSources(settings: Settings): readonly string[] {
  // A password alone is never sent.
  const sends = settingOf(settings, 'user').value !== '';
  const mixed = addressKeys.flatMap((addresses) => {
    const hosts = settingOf(settings, addresses);
    const user = settingOf(settings, 'user');
    if (!sends || hosts.value.every(isLocal) || !isHigher(hosts, user)) return [];
    return [`${named(hosts)} with ${named(user)}`];
  });
  const token = mixedToken(settings);
  const all = token === undefined ? mixed : [...mixed, token];
  if (all.length === 0) return [];
  return [`addresses and credentials come from different sources, do they belong together? ${all.join('; ')}`];
}

const cloudAddresses = ['cloud.api_url', 'cloud.auth_url', 'cloud.legacy_url'] as const;

/** The client secret goes to the auth server, its token to the two APIs; their defaults need no warning. */
function mixedToken(settings: Settings): string | undefined {
  const secret = settingOf(settings, 'cloud.client_secret');
  const user = settingOf(settings, 'cloud.client_id');
  const foreign = cloudAddresses
    .map((key) => settingOf(settings, key))
    .filter((url) => url.source !== secret.source && isHigher(url, user) && !isHere(url.value));
  if (secret.value === '' || foreign.length === 0) return undefined;
  return `${foreign.map(named).join(', ')} with ${named(secret)}`;
}

function isHere(url: string): boolean {
  return URL.canParse(url) && isLocal({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') });
}

function isHigher(one: Setting<unknown>, other: Setting<unknown>): boolean {
  return sources.indexOf(one.source) < sources.indexOf(other.source);
}

function named({ key, origin }: Setting<unknown>): string {
  return origin.includes(key) ? origin : `${key} from ${origin}`;
}

/** At most one line: APIs that fall back to this machine although another API's addresses were given. */
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
