import type { Config, Setting } from '../config/config.ts';
import { type OptionKey, type SecretKey, showValue } from '../config/options.ts';
import { addressKeys } from '../config/settings/merge.ts';
import { placeOf } from '../config/settings/provenance.ts';
import { isGiven } from '../config/settings/secret-rule.ts';
import type { Deadline } from '../deadline.ts';
import { absolutePath, stateDirectory } from '../files/locations.ts';
import type { ClientAuthMethod, GivenToken, Grant, OAuthOptions } from '../sign-in/cluster/options.ts';
import type { Secrets } from '../sign-in/secrets/secrets.ts';
import type { SecretFrom } from '../sign-in/tokens/options.ts';
import { identityOf } from './identity.ts';
import { firstContactOf, proxySettings, tlsOptions } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** What the options of the source of OAuth tokens are made from. */
interface OAuthParts {
  readonly parts: Pick<ClientParts, 'host' | 'messages'>;
  readonly config: Config;
  readonly deadline: Deadline;
  readonly secrets: Secrets;
}

/** Builds the options of the source of OAuth tokens from the configuration. */
export function oauthOptions({ parts, config, deadline, secrets }: OAuthParts): OAuthOptions {
  const { host, messages } = parts;
  const file = (key: 'assertion.key' | 'assertion.file') => {
    const path = config.get(`oauth.${key}`);
    return path === '' ? undefined : absolutePath(host, path);
  };
  const address = (key: OptionKey): string => showValue(key, config.get(key));
  return {
    place: {
      grant: identityOf(config) ?? (config.get('oauth.grant') as Grant),
      issuer: config.get('oauth.issuer'),
      tokenUrl: config.get('oauth.token_url'),
      clientId: config.get('oauth.client_id'),
      scope: config.get('oauth.scope'),
      audience: config.get('oauth.audience'),
      resource: config.get('oauth.resource'),
      addresses: {
        brokers: address('brokers'),
        'admin.hosts': address('admin.hosts'),
        'registry.hosts': address('registry.hosts'),
      },
    },
    client: {
      auth: (config.get('oauth.client_auth') || undefined) as ClientAuthMethod | undefined,
      secret: isGiven(config.setting('oauth.client_secret')) ? () => secrets.get('oauth.client_secret') : undefined,
      secretFrom: secretFrom(config, host, 'oauth.client_secret'),
      keyFile: file('assertion.key'),
      keyId: config.get('oauth.assertion.key_id') || undefined,
      assertionFile: file('assertion.file'),
    },
    sentTo: sentTo(config),
    token: givenToken(config, secrets, 'oauth.token'),
    redirectPort: config.get('oauth.redirect_port'),
    insecureHttp: config.get('oauth.insecure_http'),
    tls: tlsOptions(config, 'oauth.tls', host),
    stateDirectory: stateDirectory(host),
    uid: host.runtime.uid,
    proxy: proxySettings(config, host),
    isPatient: firstContactOf(config) === 'retry',
    userAgent: 'weir',
    deadline,
    warn: messages.warnOnce,
  };
}

/** The addresses that get tokens: the brokers, and the other APIs if they are configured. */
function sentTo({ setting }: Config): string {
  return addressKeys
    .map((key) => setting(key))
    .filter(({ key, source }) => key === 'brokers' || source !== 'default')
    .map(({ key, value, origin }) => `${showValue(key, value)} (${key}, ${origin})`)
    .join(' and ');
}

/** Where a secret is, to notice that it has changed without asking for it. */
export function secretFrom(
  config: Config,
  host: ClientParts['host'],
  key: 'oauth.client_secret' | 'cloud.client_secret',
): SecretFrom {
  const { value, from } = config.setting(key);
  if (from === undefined) return { text: value };
  return from.way === 'file' ? { file: absolutePath(host, from.text) } : { place: [from.way, from.text] };
}

/** The token in an option; undefined without. */
export function givenToken(config: Config, secrets: Secrets, option: SecretKey): GivenToken | undefined {
  const setting = config.setting(option);
  if (!isGiven(setting)) return undefined;
  const { from } = setting;
  return {
    option,
    origin: placeOf(setting),
    whenExpired: whenExpired(setting),
    isAsked: from?.way === 'command' || from?.way === 'keychain',
    read: () => secrets.get(option),
    renew: () => secrets.renew(option),
    isVolatile: from?.way === 'file',
  };
}

function whenExpired(setting: Setting<unknown>): string {
  const way = setting.from?.way;
  if (way === undefined) return `set another ${setting.key} (${setting.origin}): a fixed one cannot be renewed`;
  return way === 'command'
    ? `check why ${placeOf(setting)} prints such a token`
    : `put another token into ${placeOf(setting)}`;
}
