import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve/resolve.ts';
import type { ContextParts } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import { cacheDirectory } from '../files/locations.ts';
import type { RegistryOptions } from '../registry/registry.ts';
import { tlsOptions } from './kafka.ts';

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
  return {
    addresses: requireAddresses(config, 'registry.hosts'),
    usesTls: config.get('registry.tls.enabled'),
    tls: tlsOptions(config, 'registry.tls', host),
    credentials: user === '' || pass === '' ? undefined : { user, pass },
    // Without an explicit retry timeout, an unreachable registry is reported immediately.
    firstContact: config.setting('globals.retry_timeout').source === 'default' ? 'stop' : 'retry',
    cacheDirectory: cacheDirectory(host),
    env: host.env,
    userAgent: 'weir',
    deadline,
    warn: messages.warn,
  };
}
