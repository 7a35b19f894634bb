import type { CloudOptions } from '../cloud/cloud.ts';
import type { Config } from '../config/config.ts';
import type { ContextParts } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import { stateDirectory, variable } from '../files/locations.ts';

/** The control plane client's options as the configuration and the environment have them. */
export function cloudOptions(
  { host, messages }: Pick<ContextParts, 'host' | 'messages'>,
  config: Config,
  deadline: Deadline,
): CloudOptions {
  const credentials = {
    clientId: config.get('cloud.client_id') || undefined,
    clientSecret: config.get('cloud.client_secret') || undefined,
  };
  // A token of the environment loses to credentials on the command line, as every option does.
  const isTyped = credentials.clientId !== undefined && config.setting('cloud.client_id').source === 'flag';
  return {
    place: {
      apiUrl: config.get('cloud.api_url'),
      authUrl: config.get('cloud.auth_url'),
      audience: config.get('cloud.audience'),
      legacyUrl: config.get('cloud.legacy_url'),
    },
    credentials: { token: isTyped ? undefined : variable(host, 'WEIR_CLOUD_TOKEN'), ...credentials },
    deviceClientId: config.get('cloud.device_client_id') || undefined,
    stateDirectory: stateDirectory(host),
    env: host.env,
    userAgent: 'weir',
    deadline,
    warn: messages.warn,
  };
}
