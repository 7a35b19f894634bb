import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type { pki } from 'node-forge';

/** A certificate and its key in PEM. */
export interface Certificate {
  readonly cert: string;
  /** Unencrypted PKCS #8. */
  readonly key: string;
}

/** A request for a certificate. */
interface Request {
  /** The common name of the subject. */
  readonly name: string;
  readonly use: 'server' | 'client';
  /** The server's host names and addresses. */
  readonly hosts?: readonly string[];
  /** True for a certificate that expired yesterday. */
  readonly expired?: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;
const generate = promisify(generateKeyPair);

/** The host names and addresses of a local broker. */
export const localHosts: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** Creates a CA that is valid for ten years from `now` (milliseconds since the epoch). */
export async function makeAuthority(name: string, now: number): Promise<Certificate> {
  const subject = [{ name: 'commonName', value: name }];
  return build({ subject, from: now - dayMs, until: now + 3650 * dayMs }, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
}

/** Issues a certificate signed by `authority` and valid for ten years from `now`. */
export async function issue(authority: Certificate, request: Request, now: number): Promise<Certificate> {
  const validity = request.expired
    ? { from: now - 3 * dayMs, until: now - dayMs }
    : { from: now - dayMs, until: now + 3650 * dayMs };
  const altNames = (request.hosts ?? []).map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host }));
  return build({ subject: [{ name: 'commonName', value: request.name }], ...validity, authority }, [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: request.use === 'server', clientAuth: request.use === 'client' },
    ...(altNames.length === 0 ? [] : [{ name: 'subjectAltName', altNames }]),
  ]);
}

interface Frame {
  readonly subject: pki.CertificateField[];
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** The signer; absent for a self-signed certificate. */
  readonly authority?: Certificate;
}

async function build({ subject, from, until, authority }: Frame, extensions: readonly object[]): Promise<Certificate> {
  const { default: forge } = await import('node-forge');
  const pair = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = serialOf(randomBytes(16));
  certificate.validity.notBefore = new Date(from);
  certificate.validity.notAfter = new Date(until);
  certificate.setSubject(subject);
  certificate.setIssuer(
    authority === undefined ? subject : forge.pki.certificateFromPem(authority.cert).subject.attributes,
  );
  certificate.setExtensions([...extensions]);
  certificate.sign(forge.pki.privateKeyFromPem(authority?.key ?? pair.privateKey), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), key: pair.privateKey };
}

/**
 * Turns random bytes into a serial number in hex. The first byte is forced into the range 40 to 7f: a serial number
 * must be positive (RFC 5280, 4.1.2.2), and leading zeros are invalid DER, which OpenSSL and Java reject.
 */
export function serialOf(random: Buffer): string {
  const [first = 0, ...rest] = random;
  return Buffer.from([(first & 0x3f) | 0x40, ...rest]).toString('hex');
}

/** Formats a PEM keystore: the key, then its certificate. */
export function keystore({ cert, key }: Certificate): string {
  return `${key}${cert}`;
}
