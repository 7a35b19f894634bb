import { createPrivateKey, type KeyObject } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { usageError } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { readSmallFile } from '../../files/read.ts';
import { isTokenText } from '../../net/jwt.ts';
import type { AssertionKey, ClientAuthMethod, OAuthClient, OAuthOptions } from './options.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const mostFileBytes = 256 * 1024;

/** Prepares how a client proves its identity. @throws CliError (exit 2) if a part of it is missing or cannot be used */
export async function clientAuthOf(
  client: OAuthClient,
  options: OAuthOptions,
  metadata: oauth.AuthorizationServer,
): Promise<oauth.ClientAuth> {
  const method = client.auth ?? methodFor(client, options, metadata);
  if (options.place.clientId === '') {
    if (method !== 'none') {
      throw usageError(`unable to get a token: oauth.client_id is not set, and ${method} needs it`, {
        code: 'CONFIG_INVALID',
        target: 'oauth.client_id',
      });
    }
    return () => undefined;
  }
  switch (method) {
    case 'private_key_jwt':
      return client.assertionFile === undefined ? await signing(client, options) : ready(client.assertionFile, options);
    case 'client_secret_basic':
      return withSecret(client, basicAuth);
    case 'client_secret_post':
      return withSecret(client, oauth.ClientSecretPost);
    case 'tls_client_auth':
      if (options.tls.cert === undefined) throw missing('oauth.tls.cert', method);
      return oauth.TlsClientAuth();
    case 'none':
      return oauth.None();
  }
}

function methodFor(
  { assertionFile, keyFile, secret }: OAuthClient,
  { tls, place }: OAuthOptions,
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
): ClientAuthMethod {
  if (place.grant !== 'jwt_bearer' && (assertionFile ?? keyFile) !== undefined) return 'private_key_jwt';
  // Without a list, an issuer knows the first (OpenID Connect Discovery §3).
  if (secret !== undefined) {
    const isPostOnly =
      Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return isPostOnly ? 'client_secret_post' : 'client_secret_basic';
  }
  return tls.cert === undefined ? 'none' : 'tls_client_auth';
}

/**
 * Sends id and secret in the header, form-encoded (RFC 6749 §2.3.1). The library encodes `-` and `_` as well, which issuers
 * that do not decode would take for a part of the id.
 */
function basicAuth(secret: string): oauth.ClientAuth {
  return (_metadata, { client_id: id }, _body, headers) => {
    const text = [id, secret].map(formEncoded).join(':');
    headers.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}

/** Reads the secret for each request: it may have changed. */
function withSecret({ secret, auth }: OAuthClient, proof: (secret: string) => oauth.ClientAuth): oauth.ClientAuth {
  if (secret === undefined) throw missing('oauth.client_secret', auth);
  return async (...request) => await proof(await secret())(...request);
}

function missing(key: string, method: string | undefined): Error {
  return usageError(`oauth.client_auth is ${method}, but ${key} is not set`, { code: 'CONFIG_INVALID', target: key });
}

/** Sends an assertion that something else has signed, and that it may renew. */
function ready(path: string, options: OAuthOptions): oauth.ClientAuth {
  return async (_metadata, { client_id: id }, body) => {
    body.set('client_id', id);
    body.set('client_assertion_type', assertionType);
    body.set('client_assertion', await readAssertion(path, options));
  };
}

/** Reads a signed assertion. @throws CliError (exit 2) if the file cannot be read, or has none */
export async function readAssertion(path: string, options: OAuthOptions): Promise<string> {
  const text = (await readFile('oauth.assertion.file', path, options)).toString('utf8').trim();
  if (isTokenText(text)) return text;
  throw usageError(`unable to use oauth.assertion.file: ${path} does not contain one token`, {
    code: 'CONFIG_INVALID',
    target: 'oauth.assertion.file',
  });
}

async function readFile(key: AssertionKey, path: string, { deadline }: OAuthOptions): Promise<Buffer> {
  const { signal } = deadline;
  try {
    return await readSmallFile(path, mostFileBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw usageError(`unable to read ${key}: ${path}: ${faultOf(error)}`, {
      code: 'CONFIG_INVALID',
      target: key,
      cause: error,
    });
  }
}

async function signing({ keyFile, keyId }: OAuthClient, options: OAuthOptions): Promise<oauth.ClientAuth> {
  if (keyFile === undefined) throw missing('oauth.assertion.key', 'private_key_jwt');
  const pem = await readFile('oauth.assertion.key', keyFile, options);
  try {
    const key = await signingKey(createPrivateKey(pem));
    return oauth.PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId }, audience(options));
  } catch {
    // The reason may repeat a part of the key.
    throw usageError(`unable to use oauth.assertion.key: ${keyFile} has no private key for signing`, {
      code: 'CONFIG_INVALID',
      target: 'oauth.assertion.key',
      hints: ['it must be a PEM file with an RSA, EC (P-256, P-384, P-521) or Ed25519 key, without a password'],
    });
  }
}

/** A configured token URL gets assertions for itself, so that it cannot use them elsewhere. */
function audience({ place: { tokenUrl } }: OAuthOptions): oauth.ModifyAssertionOptions {
  if (tokenUrl === '') return {};
  return {
    [oauth.modifyAssertion]: (_header, payload) => {
      payload.aud = tokenUrl;
    },
  };
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

function signingKey(key: KeyObject): Promise<oauth.CryptoKey> {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm =
    type === 'ed25519'
      ? { name: 'Ed25519' }
      : type === 'ec'
        ? { name: 'ECDSA', namedCurve: curves[details?.namedCurve ?? ''] ?? '' }
        : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
