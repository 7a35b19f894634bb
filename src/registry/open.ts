import { isLocal } from '../net/address.ts';
import { baseUrl } from '../net/hosts.ts';
import { sentSecret } from '../net/json-api/credentials.ts';
import { type ApiOptions, openParts } from '../net/json-api/open.ts';
import { plainHttpWarning } from '../net/plain-http.ts';
import type { RetryWorld } from '../net/retry.ts';
import { createAclCalls } from './acls.ts';
import { apicurioPath, createApi } from './api.ts';
import { type CopyRequest, planCopy } from './copy/plan.ts';
import { runCopy } from './copy/run.ts';
import { createDeclaredCalls } from './declared-schemas.ts';
import { createRegistrationCalls } from './registration.ts';
import { createSchemaCache, type SchemaCache } from './schema-cache.ts';
import { createSchemaCalls } from './schemas.ts';
import { createSettingCalls } from './settings.ts';
import { createSubjectCalls } from './subjects.ts';

/** The options of the registry client. */
export interface RegistryOptions extends ApiOptions {
  /** Where schemas are kept between commands; undefined means in memory only. */
  readonly cacheDirectory: string | undefined;
}

/**
 * The schema registry client. Every call applies the limits, retries what is safe to repeat, and fails with an `ApiError`
 * if the registry refuses it, which has exit code 3 for something that does not exist.
 */
export type Registry = ReturnType<typeof openRegistry>;

/** Opens the schema registry client without opening a connection. */
export function openRegistry(options: RegistryOptions, world: RetryWorld = options.deadline.clock) {
  const { addresses, usesTls, deadline, credentials } = options;
  const warning =
    credentials && plainHttpWarning({ addresses, usesTls, key: 'registry.hosts', what: sentSecret(credentials) });
  if (warning !== undefined) options.warn(warning);
  const peer = { api: 'registry', server: 'schema registry', addressHint: '-X registry.hosts=HOST:PORT' } as const;
  const parts = openParts(options, peer, world);
  const isApicurio = addresses.every(({ path = '' }) => apicurioPath.test(path));
  const api = createApi({ ...parts, isApicurio, credentials });
  return {
    ...createSchemaCalls({ api, clock: deadline.clock, cache: cacheOf(options) }),
    ...createSubjectCalls(api),
    ...createRegistrationCalls(api),
    ...createDeclaredCalls(api),
    ...createSettingCalls(api),
    ...createAclCalls(api),
    /** What another registry needs to know of this one to copy to it. */
    api,
    /** Compares subjects with those of another registry. @throws CliError (exit 6) for what is there under the same version or id */
    planCopy: (request: CopyRequest) => planCopy(api, request),
    /** Makes a planned copy; returns why subjects failed. */
    runCopy,
    /** Closes all connections immediately. */
    close: parts.http.close,
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
