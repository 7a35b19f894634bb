import type { Deadline } from '../deadline.ts';
import { type Address, hostInUrl, isLocal } from '../net/address.ts';
import { baseUrl, createHosts } from '../net/hosts.ts';
import { type HttpTrace, openHttp } from '../net/http.ts';
import { type Credentials, sentSecret } from '../net/json-api/call.ts';
import { plainHttpWarning } from '../net/plain-http.ts';
import { type ProxySettings, withoutProxyFor } from '../net/proxies.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import type { TlsOptions } from '../net/tls.ts';
import { apicurioPath, createApi } from './api.ts';
import { createRegistrationCalls } from './registration.ts';
import { createSchemaCache, type SchemaCache } from './schema-cache.ts';
import { createSchemaCalls } from './schemas.ts';
import { createSettingCalls } from './settings.ts';
import { createSubjectCalls } from './subjects.ts';

/** The options of the registry client, built from the configuration in `clients/http-api.ts`. */
export interface RegistryOptions {
  /** Tried in this order when a connection fails. */
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly credentials: Credentials | undefined;
  /** Whether an address that nobody answers at ends the command at once (default), or is retried. */
  readonly firstContact?: 'stop' | 'retry';
  /** Where schemas are kept between commands; undefined means in memory only. */
  readonly cacheDirectory: string | undefined;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly deadline: Deadline;
  warn(line: string): void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
  /** Called when a request begins to be sent that changes something. */
  readonly onChange?: () => void;
}

/**
 * The schema registry client. Every call applies the limits, retries what is safe to repeat, and fails with an `ApiError`
 * if the registry refuses it, which has exit code 3 for something that does not exist.
 */
export type Registry = ReturnType<typeof openRegistry>;

/** Opens the schema registry client without opening a connection. */
export function openRegistry(options: RegistryOptions, world: RetryWorld = options.deadline.clock) {
  const { addresses, usesTls, tls, deadline, credentials, firstContact = 'stop' } = options;
  const warning =
    credentials && plainHttpWarning({ addresses, usesTls, key: 'registry.hosts', what: sentSecret(credentials) });
  if (warning !== undefined) options.warn(warning);
  const http = openHttp({
    api: 'registry',
    server: 'schema registry',
    addressHint: '-X registry.hosts=HOST:PORT',
    deadline,
    userAgent: options.userAgent,
    tls,
    proxy: withoutProxyFor(options.proxy, addresses.filter(isLocal).map(hostInUrl)),
    trace: options.trace,
    onChange: options.onChange,
  });
  const hosts = createHosts({ addresses, usesTls, firstContact });
  const isApicurio = addresses.every(({ path = '' }) => apicurioPath.test(path));
  const retry = createRetry(deadline, world);
  const api = createApi({ http, hosts, isApicurio, retry, credentials, signal: deadline.signal });
  return {
    ...createSchemaCalls({ api, clock: deadline.clock, cache: cacheOf(options) }),
    ...createSubjectCalls(api),
    ...createRegistrationCalls(api),
    ...createSettingCalls(api),
    /** Closes all connections immediately. */
    close: http.close,
  };
}

/** Whose schemas these are. Tokens of one person see the same. */
function userOf(credentials: RegistryOptions['credentials']): string {
  if (credentials === undefined) return '';
  return 'token' in credentials ? `token of ${credentials.option}` : credentials.user;
}

/** A registry on this machine is fast, and may be a new one at the old address: nothing is kept of it. */
function cacheOf({ addresses, usesTls, credentials, cacheDirectory }: RegistryOptions): SchemaCache | undefined {
  if (cacheDirectory === undefined || addresses.every(isLocal)) return undefined;
  const urls = addresses.map((address) => baseUrl(address, usesTls));
  return createSchemaCache(cacheDirectory, [...urls.sort(), userOf(credentials)]);
}
