import { variable } from '../../../files/locations.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { isLoopback } from '../../../net/plain-http.ts';
import { withoutSent } from '../../../net/secret.ts';
import { brokenStep } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { tokenIn } from '../token-endpoint.ts';
import { type AzureParts, type AzureToken, resourceOf, what } from './parts.ts';

/** Where a managed identity is asked for, and how. */
interface Endpoint {
  readonly place: string;
  readonly url: string;
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A token of the managed identity of this machine, or why there is none. */
export async function fromManagedIdentity({ options, requests, scope }: AzureParts): Promise<AzureToken | string> {
  const { machine, clientId, deadline } = options;
  const endpoint = endpointOf(machine.env);
  if (typeof endpoint === 'string') return endpoint;
  const { place, url, version, headers } = endpoint;
  const id = clientId || variable(machine, 'AZURE_CLIENT_ID');
  const query = { 'api-version': version, resource: resourceOf(scope), ...(id === undefined ? {} : { client_id: id }) };
  const request = { method: 'GET', url: `${url}?${new URLSearchParams(query)}`, headers } as const;
  const now = deadline.clock.wallTime();
  const answer = await requests.metadata(request);
  if (typeof answer === 'string') return answer;
  const source = `GET ${url}`;
  if (answer.status === 400 || answer.status === 404)
    return `${source} answers ${answer.status}: no identity is assigned`;
  // Other clouds answer something else at this address.
  if (answer.status !== 200) return `${source} answers ${answer.status}`;
  const fields = objectIn(answer, what, source);
  if (typeof fields.access_token !== 'string') {
    const why = withoutSent(String(fields.error ?? 'no reason'), Object.values(headers));
    throw brokenStep(what, place, `the response of ${source} has no token (${excerpt(why)})`);
  }
  const who = id === undefined ? 'of the system' : `of the client ${id}`;
  return { token: tokenIn(fields, source, now), from: `${place} ${who}` };
}

/** The endpoint of this kind of machine, or why there is none. */
function endpointOf(env: AzureParts['options']['machine']['env']): Endpoint | string {
  const get = (name: string): string | undefined => variable({ env }, name);
  const [url, secret] = [get('IDENTITY_ENDPOINT'), get('IDENTITY_HEADER')];
  if (url !== undefined && secret !== undefined) {
    if (get('IDENTITY_SERVER_THUMBPRINT') !== undefined) return 'weir does not know that of Service Fabric';
    const place = 'the managed identity of the service (IDENTITY_ENDPOINT)';
    if (!URL.canParse(url) || !isNear(url))
      throw brokenStep(what, place, 'IDENTITY_ENDPOINT is not an address of this machine');
    return { place, url, version: '2019-08-01', headers: { 'x-identity-header': secret } };
  }
  if (url !== undefined && get('IMDS_ENDPOINT') !== undefined) return 'weir does not know that of Azure Arc';
  const host = (get('AZURE_POD_IDENTITY_AUTHORITY_HOST') ?? 'http://169.254.169.254').replace(/\/+$/, '');
  if (!URL.canParse(host) || !isNear(host))
    throw brokenStep(
      what,
      'the managed identity',
      'AZURE_POD_IDENTITY_AUTHORITY_HOST is not an address of this machine',
    );
  const headers = { metadata: 'true' };
  const path = '/metadata/identity/oauth2/token';
  return { place: 'the managed identity', url: `${host}${path}`, version: '2018-02-01', headers };
}

/** Link-local addresses are those of the machine that a container or an instance runs on. */
function isNear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && (isLoopback(url) || /^169\.254\.\d+\.\d+$/.test(hostname)));
}
