import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve/resolve.ts';
import type { ContextParts } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import { cacheDirectory } from '../files/locations.ts';
import type { RegistryOptions } from '../registry/registry.ts';
import { tlsOptions } from './kafka.ts';
import { warnOfPlainHttp } from './plain-http.ts';

/**
 * Builds the options of the schema registry client from the configuration.
 * @param typed the password that was typed because none is set
 * @throws CliError if there is no address
 */
export function registryOptions(
  { host, messages }: Pick<ContextParts, 'host' | 'messages'>,
  config: Config,
  deadline: Deadline,
  typed = '',
): RegistryOptions {
  const [user, pass] = [config.get('user'), config.get('pass') || typed];
  const credentials = user === '' || pass === '' ? undefined : { user, pass };
  const addresses = requireAddresses(config, 'registry.hosts');
  const usesTls = config.get('registry.tls.enabled');
  if (credentials !== undefined) warnOfPlainHttp(messages, { addresses, usesTls, key: 'registry.hosts' });
  return {
    addresses,
    usesTls,
    tls: tlsOptions(config, 'registry.tls', host),
    credentials,
    // Without an explicit retry timeout, an unreachable registry is reported immediately.
    firstContact: config.setting('globals.retry_timeout').source === 'default' ? 'stop' : 'retry',
    cacheDirectory: cacheDirectory(host),
    env: host.env,
    userAgent: 'weir',
    deadline,
  };
}
