import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve/resolve.ts';
import type { Deadline } from '../deadline.ts';
import { cacheDirectory } from '../files/locations.ts';
import type { Secret } from '../net/secret.ts';
import type { RegistryOptions } from '../registry/open.ts';
import { tlsOptions } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** What the options of an HTTP API of the cluster are made from. */
export interface HttpApiParts {
  readonly parts: Pick<ClientParts, 'host' | 'messages'>;
  readonly config: Config;
  readonly deadline: Deadline;
  /** Gives the password of the option `user`; empty if there is none. */
  password(): Promise<Secret>;
}

/**
 * Builds what the clients of the Admin API and the schema registry have in common.
 * @throws CliError if there is no address
 */
export async function httpApiOptions(api: 'admin' | 'registry', { parts, config, deadline, password }: HttpApiParts) {
  const { host, messages } = parts;
  const addresses = requireAddresses(config, `${api}.hosts`);
  const user = config.get('user');
  const pass = user === '' ? '' : await password();
  // Without an explicit retry timeout, an API that is unreachable is reported immediately.
  const isPatient = config.setting('globals.retry_timeout').source !== 'default';
  return {
    addresses,
    usesTls: config.get(`${api}.tls.enabled`),
    tls: tlsOptions(config, `${api}.tls`, host),
    credentials: pass === '' ? undefined : { user, pass },
    firstContact: isPatient ? ('retry' as const) : ('stop' as const),
    env: host.env,
    userAgent: 'weir',
    deadline,
    warn: messages.warnOnce,
  };
}

/**
 * Builds the options of the schema registry client from the configuration.
 * @throws CliError if there is no address
 */
export async function registryOptions(given: HttpApiParts): Promise<RegistryOptions> {
  return { ...(await httpApiOptions('registry', given)), cacheDirectory: cacheDirectory(given.parts.host) };
}
