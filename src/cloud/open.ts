import { createHosts } from '../net/hosts.ts';
import { openHttp } from '../net/http.ts';
import { pathOf } from '../net/json-api/call.ts';
import { isPlainElsewhere } from '../net/plain-http.ts';
import { createRetry, type RetryWorld, startCourse } from '../net/retry.ts';
import { createLoginFiles } from '../sign-in/control-plane/login-files.ts';
import { createLoginCalls } from '../sign-in/control-plane/logins.ts';
import type { CloudOptions } from '../sign-in/control-plane/options.ts';
import { createTokenSource } from '../sign-in/control-plane/token-source.ts';
import { calls, createApi } from './api/api.ts';
import {
  createAccessCalls,
  createClusterCalls,
  createNetworkCalls,
  createOperationCalls,
  createPackCalls,
  createResourceGroupCalls,
  createSecretCalls,
} from './calls.ts';
import { organization } from './cloud-rows.ts';
import { openDownload } from './http-download.ts';
import { addressesOf, checkPlainHttp, withoutProxyHere } from './plain-http.ts';

/**
 * The control plane client. Rows have the API's field names. Every call applies the limits, requests a token if needed,
 * retries what is safe to repeat, and fails with an `ApiError`, which has exit code 3 for a missing resource.
 */
export type Cloud = ReturnType<typeof openCloud>;

const readOrganization = calls.get('read the organization', pathOf`/api/v1/organization`, organization, {
  isLegacy: true,
});

/** Opens the control plane client without opening a connection. */
export function openCloud(options: CloudOptions, world: RetryWorld = options.deadline.clock) {
  const { addresses, deadline, warn, insecureHttp, firstContact = 'stop' } = options;
  for (const [key, url] of addressesOf(addresses)) {
    checkPlainHttp(url, { insecureHttp, key });
    if (isPlainElsewhere(url)) warn(`${key} is ${url}: tokens and client secrets are sent there unencrypted`);
  }
  const http = openHttp({
    api: 'cloud',
    server: 'control plane',
    addressHint: '-X cloud.api_url=URL, -X cloud.auth_url=URL',
    deadline,
    userAgent: options.userAgent,
    proxy: withoutProxyHere(options.proxy, addresses),
    trace: options.trace,
    onChange: options.onChange,
  });
  const retry = createRetry(deadline, world);
  const { authUrl, audience } = addresses;
  const hosts = createHosts([authUrl], firstContact);
  const server = { http, hosts, retry, deadline, world, authUrl, audience };
  const files = createLoginFiles(options);
  const tokens = createTokenSource({ server, addresses, credentials: options.credentials, files, warn });
  const parts = {
    ...addresses,
    firstContact,
    http,
    tokens,
    startCourse: (what: string) => startCourse(deadline, what, world),
    signal: deadline.signal,
    warn,
  };
  const api = createApi(parts);
  const organizationOf = (token: string) =>
    createApi({ ...parts, tokens: { get: async () => token, renew: async () => undefined } }).call({
      ...readOrganization,
      once: true,
    });

  return {
    addresses,
    /** A token valid for the next minute, for the plugin and `cloud auth token`. Never print it elsewhere. */
    token: tokens.get,
    /** The logins stored on this machine. */
    logins: createLoginCalls({ options, server, files, tokens, organizationOf }),
    ...createResourceGroupCalls(api),
    ...createNetworkCalls(api),
    ...createClusterCalls(api, { deadline, world }),
    ...createOperationCalls(api, { deadline, world }),
    ...createAccessCalls(api),
    ...createPackCalls(api),
    /** The secrets of a cluster, by the URL of its data plane, which gets the token. @throws CliError for plain HTTP elsewhere */
    secretsAt(url: string) {
      checkPlainHttp(url, { insecureHttp, key: 'the data plane' });
      return createSecretCalls(createApi({ ...parts, apiUrl: url }));
    },
    /** Starts a download from any URL, without the token. */
    download: (url: string) => openDownload(http, url, insecureHttp),
    /** Closes all connections immediately. */
    close: http.close,
  };
}
