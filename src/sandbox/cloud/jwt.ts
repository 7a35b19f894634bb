import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { type Fields, fieldsOf } from '../../shape/object.ts';

/** The key pair that signs tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The key id of the JWKS: the thumbprint of the public key. */
  readonly kid: string;
}

/** The claims of a token. Times are seconds since the epoch (RFC 7519 §4.1). */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  /** The client that the token was issued to. */
  readonly azp: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly gty?: string;
  readonly scope?: string;
}

/** The generated key of this process: a tenth of a second of processor time. */
let generated: KeyObject | undefined;

function generateKey(): KeyObject {
  generated ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return generated;
}

/** Creates a 2048-bit RSA key, one per process, or reads one from PKCS #8 PEM. */
export function signingKey(pem?: string): SigningKey {
  const privateKey = pem === undefined ? generateKey() : createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const { n, e } = publicKey.export({ format: 'jwk' });
  // RFC 7638 §3 prescribes this order, without spaces.
  const kid = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  return { privateKey, publicKey, kid };
}

/** Exports the private key as PKCS #8 PEM. */
export function writeSigningKey(key: SigningKey): string {
  return key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** Exports the public key as a JSON Web Key Set (RFC 7517). */
export function keySet(key: SigningKey): unknown {
  return { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }] };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims with RS256 (RFC 7515, compact form). */
export function signToken(key: SigningKey, claims: Claims): string {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

/** Returns the claims of a token that this key signed with RS256; undefined for any other text. */
export function verifyToken(key: SigningKey, token: string): Claims | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const { alg, kid } = decode(header);
  if (alg !== 'RS256' || kid !== key.kid || rest.length > 0) return undefined;
  const good = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    key.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  return good ? (decode(payload) as unknown as Claims) : undefined;
}

function decode(part: string): Fields {
  try {
    return fieldsOf(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return {};
  }
}
