import { openHttp } from '../net/http.ts';
import { fieldsOf, parseJson } from '../net/json.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import { read } from '../shape/shape.ts';
import { openAccessCalls } from './access.ts';
import { type Api, openApi } from './api/api.ts';
import { answerError } from './api/api-error.ts';
import { openLogins } from './auth/login.ts';
import { openLoginFiles } from './auth/login-file.ts';
import { openTokens } from './auth/tokens.ts';
import type { Cloud, CloudOptions } from './cloud.ts';
import { type Organization, organization } from './cloud-rows.ts';
import { openClusterCalls, openNetworkCalls, openOperationCalls } from './clusters.ts';
import { addressesOf, checkPlainHttp, isPlainElsewhere, withoutProxyHere } from './plain-http.ts';
import { openDownload } from './plugin/http-download.ts';
import { openResourceGroupCalls } from './resource-groups.ts';

/** Opens the control plane client without opening a connection. */
export function openCloud(options: CloudOptions, world: RetryWorld = options.deadline.clock): Cloud {
  const { place, deadline, warn, insecureHttp } = options;
  for (const [key, url] of addressesOf(place)) {
    checkPlainHttp(url, { insecureHttp, key });
    if (isPlainElsewhere(url)) warn(`${key} is ${url}: tokens and client secrets are sent there unencrypted`);
  }
  const http = openHttp({
    api: 'cloud',
    server: 'control plane',
    addressHint: '-X cloud.api_url=URL, -X cloud.auth_url=URL',
    deadline,
    userAgent: options.userAgent,
    proxyEnv: withoutProxyHere(options.env, place),
    trace: options.trace,
    onChange: options.onChange,
  });
  const retry = createRetry(deadline, world);
  const server = { http, retry, deadline, world, authUrl: place.authUrl, audience: place.audience };
  const files = openLoginFiles(options.stateDirectory, options.production);
  const tokens = openTokens({ server, place, credentials: options.credentials, files, warn });
  const api: Api = openApi({ ...place, http, tokens, retry, signal: deadline.signal, warn });

  async function organizationOf(token: string): Promise<Organization> {
    const url = `${place.legacyUrl}/api/v1/organization`;
    const answer = await http.request({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) throw answerError('read the organization', `GET ${url}`, answer);
    return read(organization, fieldsOf(parseJson(answer.body)));
  }

  return {
    place,
    token: tokens.get,
    logins: openLogins({ options, server, files, tokens, organizationOf }),
    organization: async () =>
      read(organization, fieldsOf(await api.legacy({ doing: 'read the organization', path: '/api/v1/organization' }))),
    ...openResourceGroupCalls(api),
    ...openNetworkCalls(api),
    ...openClusterCalls(api, { deadline, world }),
    ...openOperationCalls(api, { deadline, world }),
    ...openAccessCalls(api),
    legacyGet: (path) => api.legacy({ doing: `read ${path}`, path }),
    download: (url) => openDownload(http, url, insecureHttp),
    close: http.close,
  };
}
