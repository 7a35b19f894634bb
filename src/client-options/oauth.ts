import type { Config } from '../config/config.ts';
import { type OptionKey, showValue } from '../config/options.ts';
import type { Deadline } from '../deadline.ts';
import { absolutePath, stateDirectory } from '../files/locations.ts';
import type { ClientAuthMethod, GivenToken, Grant, OAuthOptions } from '../oauth/options.ts';
import { tlsOptions } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** Builds the options of the source of OAuth tokens from the configuration. */
export function oauthOptions(
  { host, messages }: Pick<ClientParts, 'host' | 'messages'>,
  config: Config,
  deadline: Deadline,
): OAuthOptions {
  const text = (key: 'assertion.key_id' | 'client_secret') => config.get(`oauth.${key}`) || undefined;
  const file = (key: 'assertion.key' | 'assertion.file') => {
    const path = config.get(`oauth.${key}`);
    return path === '' ? undefined : absolutePath(host, path);
  };
  const address = (key: OptionKey): string => showValue(key, config.get(key));
  const secret = text('client_secret');
  return {
    place: {
      grant: config.get('oauth.grant') as Grant,
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
      secret: secret === undefined ? undefined : async () => secret,
      keyFile: file('assertion.key'),
      keyId: text('assertion.key_id'),
      assertionFile: file('assertion.file'),
    },
    token: givenToken(config),
    redirectPort: config.get('oauth.redirect_port'),
    insecureHttp: config.get('oauth.insecure_http'),
    tls: tlsOptions(config, 'oauth.tls', host),
    stateDirectory: stateDirectory(host),
    env: host.env,
    userAgent: 'weir',
    deadline,
    warn: messages.warnOnce,
  };
}

function givenToken(config: Config): GivenToken | undefined {
  const token = config.get('oauth.token');
  return token === '' ? undefined : { read: async () => token, isVolatile: false };
}
