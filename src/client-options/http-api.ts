import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve/resolve.ts';
import type { Deadline } from '../deadline.ts';
import { cacheDirectory } from '../files/locations.ts';
import type { RegistryOptions } from '../registry/open.ts';
import { proxySettings, tlsOptions } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** What the options of an HTTP API of the cluster are made from. */
export interface HttpApiParts {
  readonly parts: Pick<ClientParts, 'host' | 'messages'>;
  readonly config: Config;
  readonly deadline: Deadline;
  /** The password that was typed because none is set. */
  readonly typed: string | undefined;
}

/**
 * Builds what the clients of the Admin API and the schema registry have in common.
 * @throws CliError if there is no address
 */
export function httpApiOptions(api: 'admin' | 'registry', { parts, config, deadline, typed = '' }: HttpApiParts) {
  const { host, messages } = parts;
  const [user, pass] = [config.get('user'), config.get('pass') || typed];
  // Without an explicit retry timeout, an API that is unreachable is reported immediately.
  const isPatient = config.setting('globals.retry_timeout').source !== 'default';
  return {
    addresses: requireAddresses(config, `${api}.hosts`),
    usesTls: config.get(`${api}.tls.enabled`),
    tls: tlsOptions(config, `${api}.tls`, host),
    credentials: user === '' || pass === '' ? undefined : { user, pass },
    firstContact: isPatient ? ('retry' as const) : ('stop' as const),
    proxy: proxySettings(config, host),
    userAgent: 'weir',
    deadline,
    warn: messages.warnOnce,
  };
}

/**
 * Builds the options of the schema registry client from the configuration.
 * @throws CliError if there is no address
 */
export function registryOptions(given: HttpApiParts): RegistryOptions {
  return { ...httpApiOptions('registry', given), cacheDirectory: cacheDirectory(given.parts.host) };
}
