import type { Address } from '../../net/address.ts';
import { type Setting, type Source, type Sourced, sources } from '../config.ts';
import type { Layer } from '../layer.ts';
import { type OptionKey, options } from '../options.ts';
import { applySecretRule } from './secret-rule.ts';

/** The setting of every option by key, in the order of the option table. */
export type Settings = ReadonlyMap<OptionKey, Setting<unknown>>;

/** The key prefixes of the three APIs that have TLS options. */
export const tlsPrefixes = ['', 'admin.', 'registry.'] as const;

/** The options that default to an address on this machine. */
export const addressKeys = ['brokers', 'admin.hosts', 'registry.hosts'] as const;

/** The origin of a default. */
export const builtIn = 'built in';

/**
 * Merges layers over the defaults, option by option, highest layer first. Four rules involve more than
 * one option: a certificate path turns TLS on, `globals.no_default_cluster` removes the default addresses, an issuer has
 * two addresses, and a secret has several keys.
 */
export function mergeLayers(layers: readonly Layer[]): Settings {
  const settings = new Map(options.map(({ key, fallback }) => [key, pick(key, fallback, layers)]));
  applyTlsRule(settings);
  applyNoDefaultCluster(settings);
  applyIssuerRule(settings);
  applySecretRule(settings, layers);
  return settings;
}

function pick(key: OptionKey, fallback: unknown, layers: readonly Layer[]): Setting<unknown> {
  const values = layers.flatMap(({ source, entries }) => {
    const entry = entries.get(key);
    return entry === undefined ? [] : [{ ...entry, source }];
  });
  const byDefault: Sourced<unknown> = { value: fallback, source: 'default', origin: builtIn };
  const [first = byDefault, ...rest] = values;
  return { key, ...first, overrides: values.length === 0 ? [] : [...rest, byDefault] };
}

/** Whether `one` is a higher source than `other`; false for the same source. */
export function isHigher(one: Source, other: Source): boolean {
  return sources.indexOf(one) < sources.indexOf(other);
}

/** A path turns TLS on unless the same source or a higher one sets `tls.enabled`. */
function applyTlsRule(settings: Map<OptionKey, Setting<unknown>>): void {
  for (const prefix of tlsPrefixes) {
    const enabled = settings.get(`${prefix}tls.enabled`);
    const path = highestPath(settings, prefix);
    if (enabled === undefined || path === undefined) continue;
    if (enabled.value === true || !isHigher(path.source, enabled.source)) continue;
    const { key, overrides, ...shadowed } = enabled;
    settings.set(key, {
      key,
      value: true,
      source: path.source,
      origin: `${path.origin}, because ${path.key} turns TLS on`,
      overrides: [shadowed, ...overrides],
    });
  }
}

function highestPath(settings: Settings, prefix: (typeof tlsPrefixes)[number]): Setting<unknown> | undefined {
  const paths = (['ca', 'cert', 'key'] as const)
    .map((name) => settings.get(`${prefix}tls.${name}`))
    .filter((setting) => setting !== undefined && setting.value !== '');
  return paths.reduce((best, path) => (best && path && isHigher(path.source, best.source) ? path : best), paths[0]);
}

function applyNoDefaultCluster(settings: Map<OptionKey, Setting<unknown>>): void {
  const rule = settings.get('globals.no_default_cluster');
  if (rule?.value !== true) return;
  const none: readonly Address[] = [];
  const noDefault = <T extends Sourced<unknown>>(given: T): T =>
    given.source === 'default'
      ? { ...given, value: none, origin: `none, because of ${rule.key} (${rule.origin})` }
      : given;
  for (const key of addressKeys) {
    const setting = settings.get(key);
    if (setting !== undefined)
      settings.set(key, { ...noDefault(setting), overrides: setting.overrides.map(noDefault) });
  }
}

/** The issuer and its token endpoint are one setting: a lower source does not say where the secret for a higher one's goes. */
function applyIssuerRule(settings: Map<OptionKey, Setting<unknown>>): void {
  const [issuer, endpoint] = [settings.get('oauth.issuer'), settings.get('oauth.token_url')];
  if (issuer === undefined || endpoint === undefined) return;
  for (const [one, other] of [
    [issuer, endpoint],
    [endpoint, issuer],
  ] as const) {
    if (other.source === 'default' || !isHigher(one.source, other.source)) continue;
    const { key, overrides, ...shadowed } = other;
    const origin = `none, because of ${one.key} (${one.origin})`;
    settings.set(key, { key, value: '', source: one.source, origin, overrides: [shadowed, ...overrides] });
  }
}
