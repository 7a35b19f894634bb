import { variable } from '../../../files/locations.ts';
import type { HttpAnswer } from '../../../net/http.ts';
import { fieldsOf, valueAt } from '../../../shape/object.ts';
import { brokenStep, firstOf } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { tokenIn } from '../token-endpoint.ts';
import { runTool } from '../tool.ts';
import { hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { fromFile, fromGcloudFile } from './files.ts';
import { isOfGoogle, kafkaToken, scopeFor } from './managed-kafka.ts';
import { type GoogleParts, type GoogleToken, what } from './parts.ts';

/** Opens the identities of Google: the first of the places where its libraries look (application default credentials). */
export function openGoogle({ options, requests }: VendorParts): Vendor {
  const { brokers, scope, deadline } = options;
  const rule = hostRule(brokers, scope, isOfGoogle);
  let from = '';
  return {
    async token() {
      const parts: GoogleParts = { options, requests, scope: scopeFor(brokers[0]?.host ?? '', rule) };
      const token = await firstOf<GoogleToken>(what, [
        { name: 'file', find: () => fromFile(parts) },
        { name: 'gcloud login for applications', find: () => fromGcloudFile(parts) },
        { name: 'metadata server', find: () => fromMetadata(parts) },
        { name: 'gcloud', find: () => fromCli(parts) },
      ]);
      const { access } = token;
      const until = new Date(access.expiresAt).toISOString().replace(/\.\d+/, '');
      from = `${access.email}, from ${token.from}, until ${until}`;
      const text = kafkaToken(access, deadline.clock.wallTime());
      return { text, expiresAt: access.expiresAt, about: `the token is one of ${from}`, secrets: [access.text] };
    },
    identify: async () => from,
    checkHost: (host) => void scopeFor(host, rule),
  };
}

/** A token of the service account of this machine or pod (metadata server, GKE workload identity), or why there is none. */
async function fromMetadata({ options, requests, scope }: GoogleParts): Promise<GoogleToken | string> {
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

/** A token of whoever is logged in to gcloud, or why there is none. */
async function fromCli({ options: { machine, deadline } }: GoogleParts): Promise<GoogleToken | string> {
  const now = deadline.clock.wallTime();
  const args = ['config', 'config-helper', '--format=json'];
  const fields = await runTool(machine, what, { file: 'gcloud', args, logIn: 'gcloud auth login' });
  if (typeof fields === 'string') return fields;
  const { access_token, token_expiry: expiry } = fieldsOf(fields.credential);
  const email = valueAt(fields, ['configuration', 'properties', 'core', 'account']);
  if (typeof email !== 'string') return 'gcloud has no account (log in with: gcloud auth login)';
  const expiresIn = Math.floor((Date.parse(String(expiry)) - now) / 1000);
  const { text, expiresAt } = tokenIn({ access_token, expires_in: expiresIn }, 'gcloud', now);
  return { access: { text, expiresAt, email }, from: 'gcloud' };
}
