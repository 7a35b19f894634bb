import { createHash, createHmac } from 'node:crypto';

/** The keys that a request is signed with. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Undefined for keys that do not expire. */
  readonly sessionToken: string | undefined;
}

/** What a signature is for. */
export interface SigningScope {
  readonly region: string;
  /** The name of the service, for example `kafka-cluster`. */
  readonly service: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Pairs = readonly (readonly [key: string, value: string])[];

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs a GET request of `https://HOST/` in its query (AWS Signature Version 4, "Authenticating requests: using query
 * parameters"), and returns the query, not encoded.
 */
export function presigned(
  request: { readonly host: string; readonly query: Pairs; readonly expiresS: number },
  keys: AwsKeys,
  scope: SigningScope,
): Pairs {
  const { host, query, expiresS } = request;
  const date = dateOf(scope.now);
  const signed: Pairs = [
    ...query,
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${keys.accessKeyId}/${placeOf(scope)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(expiresS)],
    ...(keys.sessionToken === undefined ? [] : [['X-Amz-Security-Token', keys.sessionToken] as const]),
    ['X-Amz-SignedHeaders', 'host'],
  ];
  const canonical = ['GET', '/', queryText(signed), `host:${host}`, '', 'host', sha256('')].join('\n');
  return [...signed, ['X-Amz-Signature', signatureOf(canonical, keys, scope)]];
}

/** Signs a POST request in its headers, and returns these. */
export function signedHeaders(
  request: { readonly url: string; readonly body: string; readonly contentType: string },
  keys: AwsKeys,
  scope: SigningScope,
): Readonly<Record<string, string>> {
  const { host, pathname } = new URL(request.url);
  const headers: Pairs = [
    ['content-type', request.contentType],
    ['host', host],
    ['x-amz-date', dateOf(scope.now)],
    ...(keys.sessionToken === undefined ? [] : [['x-amz-security-token', keys.sessionToken] as const]),
  ];
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value}`);
  const canonical = ['POST', pathname, '', ...lines, '', names, sha256(request.body)].join('\n');
  const credential = `Credential=${keys.accessKeyId}/${placeOf(scope)}`;
  const signature = `Signature=${signatureOf(canonical, keys, scope)}`;
  return {
    ...Object.fromEntries(headers),
    authorization: `${algorithm} ${credential}, SignedHeaders=${names}, ${signature}`,
  };
}

/** A query as it is signed: sorted, and encoded as RFC 3986 has it. */
export function queryText(pairs: Pairs): string {
  const encoded = pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return encoded.sort((one, other) => (one < other ? -1 : 1)).join('&');
}

function encode(text: string): string {
  const unreserved = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, unreserved);
}

function signatureOf(canonical: string, { secretAccessKey }: AwsKeys, scope: SigningScope): string {
  const text = [algorithm, dateOf(scope.now), placeOf(scope), sha256(canonical)].join('\n');
  const parts = [dayOf(scope.now), scope.region, scope.service, 'aws4_request'];
  const key = parts.reduce<Buffer>((made, part) => hmac(made, part), Buffer.from(`AWS4${secretAccessKey}`));
  return hmac(key, text).toString('hex');
}

function placeOf({ now, region, service }: SigningScope): string {
  return [dayOf(now), region, service, 'aws4_request'].join('/');
}

/** For example `20260131T235959Z`. */
function dateOf(now: number): string {
  return new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
}

function dayOf(now: number): string {
  return dateOf(now).slice(0, 8);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
