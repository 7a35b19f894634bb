import { isLocal } from '../net/address.ts';
import type { Config, Setting } from './config.ts';
import type { OptionKey } from './options.ts';
import { addressKeys, isHigher } from './resolve/merge.ts';

/** Who gets credentials: an API, the issuer of tokens, or the control plane. */
export type Recipient = 'kafka' | 'admin' | 'registry' | 'issuer' | 'cloud';

/** The options that decide who gets credentials. */
interface Route {
  readonly addresses: readonly OptionKey[];
  /** What else decides who could read them. */
  readonly way: readonly OptionKey[];
}

function checksOf<const P extends string>(prefix: P) {
  return [`${prefix}tls.insecure_skip_verify`, `${prefix}tls.ca`, `${prefix}tls.server_name`] as const;
}

const routes: Readonly<Record<Recipient, Route>> = {
  kafka: { addresses: ['brokers'], way: ['globals.proxy', 'sasl.mechanism', 'tls.enabled', ...checksOf('')] },
  // The brokers say where the Admin API of each of them is.
  admin: { addresses: ['admin.hosts'], way: ['brokers', 'globals.proxy', 'admin.tls.enabled', ...checksOf('admin.')] },
  registry: { addresses: ['registry.hosts'], way: ['globals.proxy', 'registry.tls.enabled', ...checksOf('registry.')] },
  issuer: {
    addresses: ['oauth.issuer', 'oauth.token_url'],
    way: ['globals.proxy', 'oauth.insecure_http', ...checksOf('oauth.')],
  },
  // The token for the secret goes to the other two.
  cloud: {
    addresses: ['cloud.auth_url'],
    way: ['cloud.api_url', 'cloud.legacy_url', 'globals.proxy', 'cloud.insecure_http'],
  },
};

/** Credentials that are about to be sent. */
export interface Sending {
  /** The option that has them, or the file of an assertion. */
  readonly key: OptionKey;
  readonly to: Recipient;
  /** Where they come from. */
  readonly by: Pick<Setting<unknown>, 'source' | 'origin'>;
}

/** What files say about the way of credentials that come from a higher source. */
export interface FilledIn {
  /** What a file may decide only if it is one of the person's own. */
  readonly gaps: readonly Setting<unknown>[];
  /** The address on another machine that a file gives for a secret of a variable, which may be meant for another cluster. */
  readonly address: Setting<unknown> | undefined;
}

/**
 * Finds what files fill in for credentials of a higher source. A file may give credentials of a flag or a variable their
 * address, with everything about the way there: that is how they are used in pipelines. It may not do so if somebody has
 * chosen an address of the cluster, nor for credentials of a profile.
 */
export function filledIn({ key, to, by }: Sending, { setting }: Pick<Config, 'setting'>): FilledIn {
  const { addresses, way } = routes[to];
  const isLower = ({ source }: Setting<unknown>): boolean =>
    (source === 'profile' || source === 'broker') && isHigher(by.source, source);
  const isBound = by.source === 'profile' || (to === 'issuer' && key.startsWith('oauth.assertion.'));
  const cluster =
    to === 'cloud' ? [] : addressKeys.map((one) => setting(one)).filter(({ source }) => source !== 'default');
  const places = addresses.map((one): Setting<unknown> => setting(one)).filter(isSet);
  const given = places.filter(isLower);
  const wrong = given.filter(({ source }) => isBound || cluster.some((one) => isHigher(one.source, source)));
  const address = by.source === 'env' ? given.find((one) => isElsewhere(one.value)) : undefined;
  // To the default addresses of this machine, nothing is on the way; but brokers announce others.
  const isAnnounced = to === 'kafka' || to === 'admin';
  if (!isAnnounced && places.every(({ source, value }) => source === 'default' && !isElsewhere(value))) return { gaps: [], address };
  const weak = way
    .map((one): Setting<unknown> => setting(one))
    .filter((one) => isWeak(one) && isLower(one))
    .filter(({ source }) => isBound || !places.some((place) => place.source === source));
  return { gaps: [...wrong, ...weak], address };
}

function isSet({ value }: Setting<unknown>): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== '' && value !== false;
}

/** Whether a setting can show credentials to others. Of the mechanisms, only one sends the password itself. */
function isWeak(setting: Setting<unknown>): boolean {
  if (setting.key === 'sasl.mechanism') return setting.value === 'PLAIN';
  return setting.key.endsWith('tls.enabled') ? setting.value === false : isSet(setting);
}

/** Whether a value has an address of another machine. */
function isElsewhere(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !isHere(value);
  return Array.isArray(value) && !value.every(isLocal);
}

/** Whether a URL is one of this machine. */
export function isHere(url: string): boolean {
  return URL.canParse(url) && isLocal({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') });
}
