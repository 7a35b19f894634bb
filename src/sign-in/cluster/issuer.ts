import * as oauth from 'oauth4webapi';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import type { Http, HttpAnswer } from '../../net/http.ts';
import { parseJson } from '../../net/json.ts';
import { checkPlainHttp } from '../../net/plain-http.ts';
import { secretsOfHeader } from '../../net/secret.ts';
import { fieldsOf, isObject } from '../../shape/object.ts';
import type { StoredToken } from '../tokens/stored-tokens.ts';
import { checkSize, readToken, refusal, unusableToken } from '../tokens/token-answers.ts';
import { clientAuthOf } from './client-auth.ts';
import { missingKeys, type OAuthOptions, type TokenPlace } from './options.ts';

/** What an issuer has granted. */
export interface Granted {
  readonly token: StoredToken;
  /** Gets further tokens without the person. */
  readonly refreshToken: string | undefined;
}

/** An issuer, whose endpoints are known. */
export interface Issuer {
  readonly metadata: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  /** The parameters that say what a token is for. */
  readonly about: Readonly<Record<string, string>>;
  /** The options of a request; its errors say what it was for. */
  request(doing: string): RequestOptions;
}

/** The options that a request of the library gets. */
interface RequestOptions {
  readonly [oauth.customFetch]: (url: string, sent: Sent) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: true;
}

/** A request of the library. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | undefined;
}

/** What requests to an issuer need. */
export interface IssuerParts {
  readonly options: OAuthOptions;
  readonly http: Http;
  /** Called with the time of the issuer, in milliseconds since the epoch, when it answers. */
  readonly onTime?: (time: number) => void;
}

/** Metadata and tokens are small; the largest token is far below that. */
const mostBytes = 1024 * 1024;

/**
 * Reads what the issuer announces, and prepares the authentication of the client.
 * @throws CliError (exit 2) if the configuration is not complete; (exit 4 or 5) if the issuer does not answer as it should
 */
export async function openIssuer(parts: IssuerParts): Promise<Issuer> {
  const { options } = parts;
  const { place, client } = options;
  const missing = missingKeys(place);
  if (missing.length > 0) throw notSet(missing);
  const metadata = await metadataOf(parts);
  return {
    metadata,
    client: {
      // The library demands one; only the authentication of the client sends it.
      client_id: place.clientId || 'none',
      use_mtls_endpoint_aliases: options.tls.cert !== undefined,
      [oauth.clockTolerance]: 60,
    },
    auth: await clientAuthOf(client, options, metadata),
    about: nonEmpty({ scope: place.scope, audience: place.audience, resource: place.resource }),
    request: (doing) => requestOptions(parts, doing),
  };
}

function notSet(keys: readonly string[]): CliError {
  const others = keys.includes('oauth.issuer') ? ['or set oauth.token_url, or a token with oauth.token'] : [];
  const setting = keys.map((key) => `-X ${key}=${key === 'oauth.issuer' ? 'URL' : 'TEXT'}`).join(' ');
  return usageError(`unable to get a token: ${keys.join(' and ')} ${keys.length === 1 ? 'is' : 'are'} not set`, {
    code: 'CONFIG_INVALID',
    ...(keys[0] !== undefined && { target: keys[0] }),
    hints: [`set ${keys.length === 1 ? 'it' : 'them'} with ${setting} or in the profile`, ...others],
  });
}

function nonEmpty(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

async function metadataOf(parts: IssuerParts): Promise<oauth.AuthorizationServer> {
  const { issuer, tokenUrl } = parts.options.place;
  if (issuer === '') return { issuer: tokenUrl, token_endpoint: tokenUrl };
  const discovered = await discover(parts, issuer);
  const metadata = tokenUrl === '' ? discovered : withTokenUrl(discovered, tokenUrl);
  checkEndpoints(metadata, parts.options.place);
  return metadata;
}

/** The metadata with another token endpoint, also for clients with certificates. */
function withTokenUrl(discovered: oauth.AuthorizationServer, tokenUrl: string): oauth.AuthorizationServer {
  const { token_endpoint: _, ...aliases } = fieldsOf(discovered.mtls_endpoint_aliases);
  return { ...discovered, token_endpoint: tokenUrl, mtls_endpoint_aliases: aliases as oauth.MTLSEndpointAliases };
}

const endpoints = [
  'token_endpoint',
  'device_authorization_endpoint',
  'authorization_endpoint',
  'revocation_endpoint',
] as const;

/**
 * Checks what is used of the metadata, which the library takes for valid. What an encrypted issuer announces is encrypted,
 * too: not even a port of this machine gets the secrets otherwise, because another user may listen there.
 * @throws CliError (exit 4) if it is not
 */
function checkEndpoints(metadata: oauth.AuthorizationServer, { issuer, tokenUrl }: TokenPlace): void {
  const aliases = fieldsOf(metadata.mtls_endpoint_aliases);
  for (const name of endpoints) {
    if (name === 'token_endpoint' && tokenUrl !== '') continue;
    const urls = [metadata[name], aliases[name]].filter((url) => url !== undefined);
    const isMissing = name === 'token_endpoint' && urls.length === 0;
    if (isMissing || !urls.every(isHttpUrl)) throw invalidMetadata(issuer, `its ${name} is not a URL`);
    if (issuer.startsWith('https:') && urls.some((url) => new URL(String(url)).protocol !== 'https:'))
      throw invalidMetadata(issuer, `its ${name} is not encrypted, unlike the issuer`);
  }
}

function isHttpUrl(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function invalidMetadata(issuer: string, why: string): CliError {
  return new CliError(exitCodes.auth, `unable to ${discovery} ${issuer}: ${why}`, {
    code: 'METADATA_INVALID',
    target: 'oauth.issuer',
    hints: ['check oauth.issuer', 'if the issuer has a token endpoint, set oauth.token_url'],
  });
}

/** The step of a login, for errors. */
export const loggingIn = 'log in';

const discovery = 'read the metadata of the issuer';

/** Reads the metadata at the place of OpenID Connect, or else at that of RFC 8414. */
async function discover(parts: IssuerParts, issuer: string): Promise<oauth.AuthorizationServer> {
  const at = new URL(issuer);
  const read = async (algorithm: 'oidc' | 'oauth2') => {
    const response = await oauth.discoveryRequest(at, { ...requestOptions(parts, discovery), algorithm });
    return (await response.json()) as oauth.AuthorizationServer;
  };
  const metadata = await read('oidc').catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'NO_METADATA') return read('oauth2');
    throw error;
  });
  if (withoutSlash(String(metadata.issuer)) === withoutSlash(issuer)) return metadata;
  const theirs = excerpt(String(metadata.issuer));
  throw new CliError(exitCodes.auth, `unable to ${discovery} ${issuer}: it calls itself ${theirs}`, {
    code: 'OTHER_ISSUER',
    target: 'oauth.issuer',
    hints: isBaseUrl(theirs) ? [commandText`if you trust it, set -X ${`oauth.issuer=${theirs}`}`] : [],
  });
}

/** Whether the option of the issuer takes this text, which comes from a server; a longer one was cut. */
function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^\s@?#…]+$/.test(text) && URL.canParse(text);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function requestOptions(parts: IssuerParts, doing: string): RequestOptions {
  return {
    [oauth.customFetch]: (url, sent) => send(parts, doing, url, sent),
    // Judged by `checkPlainHttp`, which allows this machine.
    [oauth.allowInsecureRequests]: true,
  };
}

/** Sends a request of the library through the HTTP client of weir, which has limits, and follows no redirect. */
async function send(parts: IssuerParts, doing: string, url: string, sent: Sent): Promise<Response> {
  const { http, options, onTime } = parts;
  const { insecureHttp } = options;
  const isIssuer = options.place.issuer !== '' && url.startsWith(options.place.issuer);
  const what = isIssuer ? 'oauth.issuer' : 'an endpoint of the issuer';
  checkPlainHttp(url, { insecureHttp, allowedBy: 'oauth.insecure_http', what });
  const { 'user-agent': _, ...headers } = sent.headers;
  const method = sent.method === 'POST' ? 'POST' : 'GET';
  const body = sent.body?.toString();
  const answer = await http.request({
    method,
    url,
    headers,
    maxBytes: mostBytes,
    ...(body === undefined ? {} : { body }),
  });
  const time = Date.parse(answer.headers.date ?? '');
  if (!Number.isNaN(time)) onTime?.(time);
  const failed = failure(answer, {
    doing,
    what: `${method} ${url}`,
    options,
    secrets: secretsIn(sent),
  });
  if (failed !== undefined) throw failed;
  return Response.json(parseJson(answer.body) ?? {});
}

const secretFields = [
  'client_secret',
  'client_assertion',
  'assertion',
  'refresh_token',
  'token',
  'code',
  'code_verifier',
  'device_code',
] as const;

/** The secrets in a request; one in the header is form-encoded there. */
function secretsIn({ headers, body }: Sent): readonly string[] {
  const fields = secretFields.map((name) => body?.get(name) ?? '');
  const inHeader = secretsOfHeader(headers.authorization);
  return [...fields, ...inHeader, ...inHeader.map((secret) => new URLSearchParams(`=${secret}`).get('') ?? '')];
}

/** What a request for a revocation is for; its answer has nothing to read (RFC 7009 §2.2). */
export const revoking = 'end the login at the issuer';

/** What a request was for. */
interface Asked {
  readonly doing: string;
  readonly what: string;
  readonly options: OAuthOptions;
  readonly secrets: readonly string[];
}

function failure(answer: HttpAnswer, sendRequest: Asked): CliError | undefined {
  const { doing, what, secrets } = sendRequest;
  const { place } = sendRequest.options;
  const { status, headers } = answer;
  if (status === 200 && (doing === revoking || isObject(parseJson(answer.body)))) return undefined;
  if (status === 200) return notJson(answer, sendRequest);
  if (status >= 300 && status < 400) {
    const to = URL.canParse(headers.location ?? '') ? new URL(headers.location ?? '').origin : 'another address';
    return new CliError(
      exitCodes.auth,
      `unable to ${doing}: ${what} redirects to ${to}, and weir follows no redirect with a secret`,
      {
        code: 'REDIRECT_REFUSED',
        target: what,
        hints: ['set oauth.issuer or oauth.token_url to the address that answers'],
      },
    );
  }
  if (doing === discovery && status === 404) {
    return new CliError(exitCodes.auth, `unable to ${doing}: there is none (${what}: 404)`, {
      code: 'NO_METADATA',
      target: what,
      hints: [discoveryHint(place), 'if the issuer has no discovery, set oauth.token_url'],
    });
  }
  const { error } = fieldsOf(parseJson(answer.body));
  return refusal(answer, { doing, what, secrets, hints: hintsFor(sendRequest, status, String(error ?? '')) });
}

function discoveryHint({ issuer }: TokenPlace): string {
  const [pasted] = /\/\.well-known\/[^/]+\/?$/.exec(issuer) ?? [];
  return pasted === undefined ? 'check oauth.issuer' : `leave out ${pasted} at the end of oauth.issuer`;
}

const origins = 'see where they come from with: weir config show oauth';

/** What to do about an error code of RFC 6749 §5.2, RFC 8628 §3.5 or RFC 8707 §2. */
function hintsFor({ doing, options }: Asked, status: number, error: string): readonly string[] {
  const { place } = options;
  if (doing === discovery) return [discoveryHint(place)];
  if (doing === loggingIn && error === 'access_denied') return ['start again with: weir cluster auth login'];
  if (status === 404 && error === '') return [`check ${place.tokenUrl === '' ? 'oauth.issuer' : 'oauth.token_url'}`];
  switch (error) {
    case 'invalid_client':
      return hasProof(options) ? ['check oauth.client_id, and its secret or assertion', origins] : [withoutProof];
    case 'invalid_scope':
      return [`check oauth.scope (${place.scope || 'not set'})`, origins];
    case 'invalid_target':
      return ['check oauth.audience and oauth.resource', origins];
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return [`allow ${place.grant} for the client at the issuer, or choose another oauth.grant`];
  }
  return [
    `check oauth.client_id, its secret or assertion, oauth.scope and oauth.audience, and whether the client may use ${place.grant}`,
    origins,
  ];
}

const withoutProof =
  'weir sent no proof of the client: oauth.client_secret is not set; set it with: weir profile set oauth.client_secret';

function hasProof({ client, tls }: OAuthOptions): boolean {
  return [client.secret, client.keyFile, client.assertionFile, tls.cert].some((one) => one !== undefined);
}

function notJson({ headers }: HttpAnswer, { doing, what }: Asked): CliError {
  const type = excerpt(headers['content-type'] ?? 'no content type');
  return new CliError(exitCodes.auth, `unable to ${doing}: the response of ${what} is not a JSON object (${type})`, {
    code: 'NOT_JSON',
    target: what,
    hints: ['check that oauth.issuer or oauth.token_url is the address of an authorization server'],
  });
}

/**
 * Requests a token and reads it.
 * @param now when the request began, in milliseconds since the epoch
 * @throws CliError (exit 4) if the library cannot make the request, or finds the answer invalid
 */
export async function grantedBy(
  { metadata }: Issuer,
  request: () => Promise<Response>,
  read: (response: Response) => Promise<oauth.TokenEndpointResponse>,
  now: number,
): Promise<Granted> {
  const source = String(metadata.token_endpoint);
  const response = await sendRequest(source, request);
  const answer = await readResponse(source, () => read(response));
  if (answer.token_type !== 'bearer') throw unusableToken(source, 'contains a token that is not a bearer token');
  checkSize(answer.refresh_token, source);
  return { token: readToken(answer, source, now), refreshToken: answer.refresh_token };
}

/** Sends a request, and reports why the library cannot make it, for example because a key is too short. */
export async function sendRequest(url: string, request: () => Promise<Response>): Promise<Response> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error)) throw error;
    throw new CliError(exitCodes.auth, `unable to send a request to ${url}: ${error.message}`, { cause: error });
  }
}

/** Reports what the library finds wrong, without the answer, which has secrets. */
export async function readResponse<T>(source: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error)) throw error;
    throw unusableToken(source, `is not valid: ${error.message}`);
  }
}
