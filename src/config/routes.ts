import { isLocal } from '../net/address.ts';
import type { Config, Setting, Source } from './config.ts';
import {
  type OptionKey,
  optionKeys,
  optionOf,
  type ProofFileKey,
  proofFileKeys,
  type SecretKey,
  secretKeys,
  settingKeys,
  showValue,
} from './options.ts';
import { addressKeys, tlsPrefixes } from './resolve/merge.ts';
import { isGiven } from './resolve/secret-rule.ts';

/*
 * Who gets credentials, and the one rule for it: what a file that may be of someone else says about the way of credentials from
 * elsewhere is used only if the command gives them in a flag, in a variable or at a prompt, the file gives the address as well,
 * and nothing else says which system is meant: no other source has an address of it, and no other file says who signs in. A
 * source also says what a higher one overrides; and what the machine's file or the default says as well, no file decides.
 */

/** Who gets credentials: an API, the issuer of tokens, or the control plane (with the secret for a token, or with a token). */
export type Recipient = 'kafka' | 'admin' | 'registry' | 'issuer' | 'cloud' | 'cloud-api';

/** All recipients. */
export const recipients: readonly Recipient[] = ['kafka', 'admin', 'registry', 'issuer', 'cloud', 'cloud-api'];

/** A secret option, one that names the file of an assertion or certificate, or one that can have a secret beside a token. */
export type CredentialKey = SecretKey | ProofFileKey | 'oauth.extensions';

/** All of them. */
export const credentialKeys: readonly CredentialKey[] = [...secretKeys, ...proofFileKeys, 'oauth.extensions'];

/** What a client proves itself with to an issuer. */
const notOfIssuer: readonly CredentialKey[] = ['oauth.token', 'oauth.extensions'];

/** The recipients of what an option has, or of the tokens that it gets. */
export function recipientsOf(key: CredentialKey): readonly Recipient[] {
  if (key === 'cloud.client_secret') return ['cloud', 'cloud-api'];
  const apis = recipients.filter((to) => optionOf(key).apis.some((api) => api === to));
  return key.startsWith('oauth.') && !notOfIssuer.includes(key) ? ['issuer', ...apis] : apis;
}

/** The options that decide who gets credentials. */
export interface Route {
  readonly addresses: readonly OptionKey[];
  /** What else decides who could read them. */
  readonly way: readonly OptionKey[];
}

/** Whether an option says how connections are made. The certificate of the client only says who asks. */
export function isOfWay(key: OptionKey): boolean {
  return key === 'globals.proxy' || /^(?:\w+\.)?(?:tls\.(?!cert$|key$)\w+|insecure_http)$/.test(key);
}

/** The options for the way to one API. A new option of TLS is one of them. */
function wayTo(api: '' | 'admin.' | 'registry.' | 'oauth.' | 'cloud.'): readonly OptionKey[] {
  const isOfApi = (key: OptionKey): boolean =>
    key.startsWith(api) && /^(?:tls|insecure_http)\b/.test(key.slice(api.length));
  return optionKeys.filter((key) => isOfWay(key) && (key === 'globals.proxy' || isOfApi(key)));
}

const cloudUrls = ['cloud.api_url', 'cloud.auth_url', 'cloud.legacy_url'] as const;

const routes: Readonly<Record<Recipient, Route>> = {
  kafka: { addresses: ['brokers'], way: ['sasl.mechanism', ...wayTo('')] },
  admin: { addresses: ['admin.hosts'], way: wayTo('admin.') },
  registry: { addresses: ['registry.hosts'], way: wayTo('registry.') },
  issuer: { addresses: ['oauth.issuer', 'oauth.token_url'], way: wayTo('oauth.') },
  // The token for the secret goes to the other two.
  cloud: { addresses: ['cloud.auth_url'], way: ['cloud.api_url', 'cloud.legacy_url', ...wayTo('cloud.')] },
  'cloud-api': { addresses: ['cloud.api_url'], way: ['cloud.legacy_url', ...wayTo('cloud.')] },
};

/** The options that decide who gets what is sent to a recipient. */
export function routeTo(to: Recipient, { setting }: Pick<Config, 'setting'>): Route {
  const { addresses, way } = routes[to];
  // Brokers that are configured say where the Admin API of each of them is.
  if (to !== 'admin' || setting('brokers').source === 'default') return { addresses, way };
  const { kafka } = routes;
  return { addresses: [...addresses, ...kafka.addresses], way: [...new Set([...way, ...kafka.way])] };
}

/** The options that say who signs in. */
const whoKeys = settingKeys.filter(
  (key) =>
    optionOf(key).secret ||
    /(?:^|\.)(?:user|client_id|device_client_id|issuer|token_url|assertion\.(?:key|file)|tls\.(?:cert|key))$/.test(key),
);

/** Those that decide whose clusters and service accounts the control plane answers with. */
export const cloudAccountKeys: readonly OptionKey[] = [
  ...whoKeys.filter((key) => key.startsWith('cloud.')),
  'cloud.audience',
];

/** Those that decide whose token an issuer grants, and last the issuer: an error names the first. */
const tokenKeys = whoKeys
  .filter((key) => key.startsWith('oauth.') && key !== 'oauth.token')
  .toSorted((a, b) => Number(routes.issuer.addresses.includes(a)) - Number(routes.issuer.addresses.includes(b)));

/** The variable with a token for the control plane. */
export const cloudTokenName = 'WEIR_CLOUD_TOKEN';

/** Credentials that are about to be sent. */
export interface Sending {
  /** The option that has them, or what they are. */
  readonly what: string;
  /** What a warning calls them. */
  readonly name: string;
  readonly to: Recipient;
  /** Where they come from. */
  readonly by: Pick<Setting<unknown>, 'source' | 'origin'>;
  /** Whether no part of the way may be of someone else: the credentials are kept for the person, or are their own login. */
  readonly isBound: boolean;
}

/** Describes the sending of what an option has, or of a token for it. What the machine's file says as well is that file's. */
export function sendingOf(config: Pick<Config, 'setting' | 'brokerFile'>, key: OptionKey, to: Recipient): Sending {
  const setting = config.setting(key);
  const isRepeated = isOfFile(setting) && setting.from === undefined && repeats(setting, config) === 'broker';
  const by = (isRepeated ? setting.overrides.find(({ source }) => source === 'broker') : undefined) ?? setting;
  const isAssertion = to === 'issuer' && key.startsWith('oauth.assertion.');
  return {
    what: key,
    name: by.origin,
    to,
    by,
    isBound: by.source === 'profile' || by.source === 'broker' || isAssertion,
  };
}

/** The sending of something that the person gives the command without an option. */
export function givenSending(what: string, origin: string, to: Recipient): Sending {
  return { what, name: `${what} (${origin})`, to, by: { source: 'flag', origin }, isBound: false };
}

/** The sending of something that is kept for later, when nothing tells any more who has chosen where it goes. */
export function keptSending(what: string, to: Recipient, origin = 'kept for later'): Sending {
  return { ...givenSending(what, origin, to), isBound: true };
}

/** The sending of the login of a person, or of a token for it. */
export function loginSending(to: Recipient): Sending {
  return { ...givenSending('a login', 'in the browser', to), isBound: true };
}

/** The sending of the token in `WEIR_CLOUD_TOKEN`, which is not an option. */
export const cloudTokenSending: Sending = {
  what: cloudTokenName,
  name: cloudTokenName,
  to: 'cloud-api',
  by: { source: 'env', origin: 'the environment' },
  isBound: false,
};

/**
 * Describes the sending of a token of the cluster: what is sent is the token, but everything that its issuer recognizes the
 * person by decides for whom it is good, whichever of it that issuer takes. Brokers get the extensions with every token.
 */
export function sendingsOfTokens(config: Pick<Config, 'setting' | 'brokerFile'>, to: Recipient): readonly Sending[] {
  const { setting } = config;
  const isUsed = (key: OptionKey): boolean => isSet(setting(key)) || setting(key).from !== undefined;
  const beside = to === 'kafka' && isUsed('oauth.extensions') ? (['oauth.extensions'] as const) : [];
  const isFixed = isGiven(setting('oauth.token'));
  const isLogin = !isFixed && ['device_code', 'authorization_code'].includes(setting('oauth.grant').value);
  const used = [...(isFixed ? (['oauth.token'] as const) : tokenKeys.filter(isUsed)), ...beside];
  return [...(isLogin ? [loginSending(to)] : []), ...used.map((key) => sendingOf(config, key, to))];
}

/** The files by which an issuer recognizes the client. */
export function proofFilesIn({ setting }: Pick<Config, 'setting'>): readonly ProofFileKey[] {
  return proofFileKeys.filter((key) => isSet(setting(key)));
}

/** What a file may decide only if it is one of the person's own. */
export interface Gap extends Setting<unknown> {
  /** What else says which system is meant, if an address is a gap only because of that. */
  readonly named?: Said | undefined;
}

/** An option that says which system is meant, and where. */
interface Said {
  readonly key: OptionKey;
  readonly origin: string;
}

/** What files say about the way of credentials that come from elsewhere. */
export interface FilledIn {
  readonly gaps: readonly Gap[];
  /** The address on another machine that a file gives for a secret of the command, which may be meant for another cluster. */
  readonly address: Setting<unknown> | undefined;
}

/** Finds what files fill in for credentials that come from elsewhere, by the rule above. */
export function filledIn({ to, by, isBound }: Sending, config: Pick<Config, 'setting' | 'brokerFile'>): FilledIn {
  const { addresses, way } = routeTo(to, config);
  // Also above the machine's own file, whose credentials are not for the addresses of a profile of someone else.
  const isOther = (one: Setting<unknown>): boolean =>
    isOfFile(one) && one.source !== by.source && by.source !== 'default';
  const places = addresses.map((one): Setting<unknown> => config.setting(one)).filter(isSet);
  // A file that repeats an address of the machine does not say where to connect, so neither may it say how.
  const said = places.filter((place) => !isOther(place) || repeats(place, config) !== 'broker');
  const given = said.filter(isOther);
  const wrong = given.flatMap((place): readonly Gap[] => {
    if (isBound) return [place];
    const named = namedBy(place, to, config);
    return named === undefined ? [] : [{ ...place, named }];
  });
  const address = given.find((one) => isElsewhere(one.value));
  // To the default addresses of this machine, nothing is on the way; but brokers there announce others.
  const isHere = places.every(({ source, value }) => source === 'default' && !isElsewhere(value));
  if (isHere && to !== 'kafka' && to !== 'admin') return { gaps: [], address };
  const whole = said.filter((place) => !wrong.some(({ key }) => key === place.key)).map(({ source }) => source);
  const settingsOf = (keys: readonly OptionKey[]) => keys.map((one): Setting<unknown> => config.setting(one));
  const weak = [...settingsOf(way).filter(isWeak), ...settingsOf(certificatesOn(way)).filter(isEmptied)]
    .filter((one) => isOther(one) && repeats(one, config) === undefined)
    .filter(({ source }) => !whole.includes(source));
  return { gaps: [...wrong, ...weak], address };
}

/** What files say about the addresses and the way, and about whose account answers there, of something that is kept. */
export function gapsOfKept(sending: Sending, config: Pick<Config, 'setting' | 'brokerFile'>): readonly Gap[] {
  const isCloud = sending.to === 'cloud' || sending.to === 'cloud-api';
  const who = isCloud ? cloudAccountKeys.map((key): Setting<unknown> => config.setting(key)).filter(isOfFile) : [];
  return [...filledIn(sending, config).gaps, ...who];
}

/** What another source than that of an address says of which system is meant, also if a higher source overrides it. */
function namedBy(
  { source: own }: Setting<unknown>,
  to: Recipient,
  { setting }: Pick<Config, 'setting'>,
): Said | undefined {
  const isCloud = to === 'cloud' || to === 'cloud-api';
  const all = (key: OptionKey) =>
    [setting(key), ...setting(key).overrides].map(({ source, origin }) => ({ key, source, origin }));
  const places = (isCloud ? cloudUrls : addressKeys).flatMap(all);
  // What the command gives itself is what it gives its credentials with.
  const who = whoKeys
    .filter((key) => key.startsWith('cloud.') === isCloud)
    .flatMap(all)
    .filter(isOfFile);
  return [...places, ...who].find(({ source }) => source !== own && source !== 'default');
}

/** The source below a file that says the same, so that it holds without the file: that of the machine, or the default. */
function repeats(
  { key, value, source, overrides }: Setting<unknown>,
  { setting, brokerFile }: Pick<Config, 'setting' | 'brokerFile'>,
): Source | undefined {
  const below = overrides.find((one) => one.source !== source);
  if (below === undefined || (below.source === 'broker' && brokerFile !== undefined)) return undefined;
  if (showValue(key, below.value) !== showValue(key, value)) return undefined;
  // A path turns TLS on, unless this says otherwise.
  const prefix = tlsPrefixes.find((one) => key === `${one}tls.enabled`);
  const paths =
    prefix === undefined ? [] : (['ca', 'cert', 'key'] as const).map((one) => setting(`${prefix}tls.${one}`));
  return paths.some((path) => isSet(path) || isEmptied(path)) ? undefined : below.source;
}

/** The certificates of the client on a way: they turn TLS on, so that a file which empties them turns it off. */
function certificatesOn(way: readonly OptionKey[]): readonly OptionKey[] {
  return tlsPrefixes
    .filter((prefix) => way.includes(`${prefix}tls.enabled`))
    .flatMap((prefix) => [`${prefix}tls.cert`, `${prefix}tls.key`] as const);
}

/** Whether a setting is an empty text that overrides one of a lower source. */
function isEmptied({ value, overrides }: Setting<unknown>): boolean {
  return value === '' && overrides.some(isSet);
}

function isOfFile({ source }: Pick<Setting<unknown>, 'source'>): boolean {
  return source === 'profile' || source === 'broker';
}

function isSet({ value }: Pick<Setting<unknown>, 'value'>): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== '' && value !== false;
}

/** The mechanisms that send a secret itself. */
const sendingMechanisms: readonly unknown[] = ['PLAIN', 'OAUTHBEARER'];

/** Whether a setting can show credentials to others. */
function isWeak(setting: Setting<unknown>): boolean {
  if (setting.key === 'sasl.mechanism') return sendingMechanisms.includes(setting.value);
  if (setting.key.endsWith('tls.enabled')) return setting.value === false;
  // Without the CA, the name or the proxy of a lower source, too, others may read.
  return isSet(setting) || isEmptied(setting);
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
