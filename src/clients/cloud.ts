import type { Config } from '../config/config.ts';
import { isGiven } from '../config/settings/secret-rule.ts';
import type { Deadline } from '../deadline.ts';
import { stateDirectory, variable } from '../files/locations.ts';
import type { CloudOptions } from '../sign-in/control-plane/options.ts';
import type { Secrets } from '../sign-in/secrets/secrets.ts';
import { firstContactOf, proxySettings } from './kafka.ts';
import { secretFrom } from './oauth.ts';
import type { ClientParts } from './parts.ts';

const secretKey = 'cloud.client_secret';

/** Builds the options of the control plane client from the configuration and the environment. */
export function cloudOptions(
  { host, messages }: Pick<ClientParts, 'host' | 'messages'>,
  config: Config,
  deadline: Deadline,
  secrets: Omit<Secrets, 'from'>,
): CloudOptions {
  const hasSecret = isGiven(config.setting(secretKey));
  const credentials = {
    clientId: config.get('cloud.client_id') || undefined,
    // It is needed only if no token is kept.
    clientSecret: hasSecret ? () => secrets.get(secretKey) : undefined,
    ...(hasSecret && { secretFrom: secretFrom(config, host, secretKey) }),
  };
  // Credentials on the command line override a token in the environment, as for every option.
  const isTyped = credentials.clientId !== undefined && config.setting('cloud.client_id').source === 'flag';
  const token = isTyped ? undefined : variable(host, 'WEIR_CLOUD_TOKEN');
  return {
    addresses: {
      apiUrl: config.get('cloud.api_url'),
      authUrl: config.get('cloud.auth_url'),
      audience: config.get('cloud.audience'),
      legacyUrl: config.get('cloud.legacy_url'),
    },
    insecureHttp: config.get('cloud.insecure_http'),
    credentials: { token, ...credentials },
    firstContact: firstContactOf(config),
    deviceClientId: config.get('cloud.device_client_id') || undefined,
    stateDirectory: stateDirectory(host),
    uid: host.runtime.uid,
    proxy: proxySettings(config, host),
    userAgent: 'weir',
    deadline,
    warn: messages.warn,
  };
}
