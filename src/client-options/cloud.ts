import type { CloudOptions } from '../cloud/options.ts';
import type { Config } from '../config/config.ts';
import { optionOf } from '../config/options.ts';
import { isGiven } from '../config/resolve/secret-rule.ts';
import { recipientsOf } from '../config/routes.ts';
import type { Deadline } from '../deadline.ts';
import { stateDirectory } from '../files/locations.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { proxySettings } from './kafka.ts';
import { secretFrom } from './oauth.ts';
import type { ClientParts } from './parts.ts';

const secretKey = 'cloud.client_secret';

const fallback = (key: 'cloud.api_url' | 'cloud.auth_url' | 'cloud.audience' | 'cloud.legacy_url'): string =>
  String(optionOf(key).fallback);

/** Builds the options of the control plane client from the configuration and the environment. */
export function cloudOptions(
  { host, messages }: Pick<ClientParts, 'host' | 'messages'>,
  config: Config,
  deadline: Deadline,
  secrets: Secrets,
): CloudOptions {
  const hasSecret = isGiven(config.setting(secretKey));
  const credentials = {
    clientId: config.get('cloud.client_id') || undefined,
    // It is needed only if no token is kept.
    clientSecret: hasSecret ? () => secrets.get(secretKey, 'cloud') : undefined,
    ...(hasSecret && { secretFrom: secretFrom(config, host, secretKey) }),
  };
  // Credentials on the command line override a token in the environment, as for every option.
  const isTyped = credentials.clientId !== undefined && config.setting('cloud.client_id').source === 'flag';
  const token = isTyped ? undefined : secrets.cloudToken;
  if (token !== undefined) warnOfForeignAddress(config, messages);
  return {
    place: {
      apiUrl: config.get('cloud.api_url'),
      authUrl: config.get('cloud.auth_url'),
      audience: config.get('cloud.audience'),
      legacyUrl: config.get('cloud.legacy_url'),
    },
    production: {
      apiUrl: fallback('cloud.api_url'),
      authUrl: fallback('cloud.auth_url'),
      audience: fallback('cloud.audience'),
      legacyUrl: fallback('cloud.legacy_url'),
    },
    insecureHttp: config.get('cloud.insecure_http'),
    credentials: { token, ...credentials },
    mayUseKept: () => secrets.mayUseKept(hasSecret ? secretKey : undefined),
    sharesKept: secrets.sharesKept,
    mayLogIn: () => secrets.mayLogIn(recipientsOf(secretKey)),
    deviceClientId: config.get('cloud.device_client_id') || undefined,
    stateDirectory: stateDirectory(host),
    uid: host.runtime.uid,
    proxy: proxySettings(config, host),
    userAgent: 'weir',
    deadline,
    warn: messages.warn,
  };
}

/** A token from the environment is not bound to an address, so an address from a file may be the wrong one for it. */
function warnOfForeignAddress(config: Config, { warn }: ClientParts['messages']): void {
  const fromFiles = (['cloud.api_url', 'cloud.legacy_url'] as const)
    .map((key) => config.setting(key))
    .filter(({ source }) => source === 'profile' || source === 'broker');
  if (fromFiles.length === 0) return;
  const places = fromFiles.map(({ key, value, origin }) => `${key}=${value} (${origin})`).join(', ');
  warn(`the token in WEIR_CLOUD_TOKEN is sent to an address from a file: ${places}`);
}
