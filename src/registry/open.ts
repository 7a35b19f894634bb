import { hostInUrl, isLocal } from '../net/address.ts';
import { baseUrl, createHosts } from '../net/hosts.ts';
import { openHttp } from '../net/http.ts';
import { withoutProxyFor } from '../net/http-proxy.ts';
import { plainHttpWarning } from '../net/plain-http.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import { apicurioPath, openApi } from './api.ts';
import { openRegistrationCalls } from './registration.ts';
import type { Registry, RegistryOptions } from './registry.ts';
import { openSchemaCache, type SchemaCache } from './schema-cache.ts';
import { openSchemaCalls } from './schemas.ts';
import { openSettingCalls } from './settings.ts';
import { openSubjectCalls } from './subjects.ts';

/** Opens the schema registry client without opening a connection. */
export function openRegistry(options: RegistryOptions, world: RetryWorld = options.deadline.clock): Registry {
  const { addresses, usesTls, tls, deadline, credentials, firstContact = 'stop' } = options;
  const warning = credentials && plainHttpWarning({ addresses, usesTls, key: 'registry.hosts' });
  if (warning !== undefined) options.warn(warning);
  const http = openHttp({
    api: 'registry',
    server: 'schema registry',
    addressHint: '-X registry.hosts=HOST:PORT',
    deadline,
    userAgent: options.userAgent,
    tls,
    proxyEnv: withoutProxyFor(options.env, addresses.filter(isLocal).map(hostInUrl)),
    trace: options.trace,
  });
  const hosts = createHosts({ addresses, usesTls, firstContact });
  const isApicurio = addresses.every(({ path = '' }) => apicurioPath.test(path));
  const retry = createRetry(deadline, world);
  const api = openApi({ http, hosts, isApicurio, retry, credentials, signal: deadline.signal });
  return {
    ...openSchemaCalls({ api, clock: deadline.clock, cache: cacheOf(options) }),
    ...openSubjectCalls(api),
    ...openRegistrationCalls(api),
    ...openSettingCalls(api),
    close: http.close,
  };
}

/** A registry on this machine is fast, and may be a new one at the old address: nothing is kept of it. */
function cacheOf({ addresses, usesTls, credentials, cacheDirectory }: RegistryOptions): SchemaCache | undefined {
  if (cacheDirectory === undefined || addresses.every(isLocal)) return undefined;
  const urls = addresses.map((address) => baseUrl(address, usesTls));
  return openSchemaCache(cacheDirectory, [...urls.sort(), credentials?.user ?? '']);
}
