import { variable } from '../../../files/locations.ts';
import type { HttpAnswer } from '../../../net/http.ts';
import { brokenStep } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { tokenIn } from '../token-endpoint.ts';
import { type Found, type GoogleParts, what } from './parts.ts';

/** A token of the service account of this machine or pod (metadata server, GKE workload identity), or why there is none. */
export async function fromMetadata({ options, requests, scope }: GoogleParts): Promise<Found | string> {
  const { machine, deadline } = options;
  if (variable(machine, 'NO_GCE_CHECK') === 'true') return 'NO_GCE_CHECK is true';
  const host = variable(machine, 'GCE_METADATA_HOST') ?? 'metadata.google.internal';
  if (!/^[\w.:[\]-]+$/.test(host))
    throw brokenStep(what, 'the metadata server', 'GCE_METADATA_HOST is not HOST or HOST:PORT');
  const base = `http://${host}/computeMetadata/v1/instance/service-accounts/default`;
  const ask = (path: string): Promise<HttpAnswer | string> =>
    requests.metadata({ method: 'GET', url: `${base}/${path}`, headers: { 'metadata-flavor': 'Google' } });
  const named = await ask('email');
  if (typeof named === 'string') return named;
  if (named.status === 404) return 'the machine has no service account';
  // Other clouds, and proxies, answer something else at this address.
  if (named.status !== 200 || named.headers['metadata-flavor'] !== 'Google')
    return `GET ${base}/email is not answered by a metadata server of Google (${named.status})`;
  const email = named.body.toString('utf8').trim();
  const from = `the metadata server (${host})`;
  if (!/^[\x21-\x7e]{1,320}$/.test(email)) throw brokenStep(what, from, 'it does not say whose service account it is');
  const now = deadline.clock.wallTime();
  const answer = await ask(`token?${new URLSearchParams({ scopes: scope.replaceAll(' ', ',') })}`);
  if (typeof answer === 'string') throw brokenStep(what, from, answer);
  const fields = objectIn(answer, what, `GET ${base}/token`);
  if (answer.status !== 200) throw brokenStep(what, from, `GET ${base}/token answers ${answer.status}`);
  const { text, expiresAt } = tokenIn(fields, `GET ${base}/token`, now);
  return { access: { text, expiresAt, email }, from };
}
