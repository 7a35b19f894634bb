import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { issue, keystore, localHosts, makeAuthority, serialOf } from '../../src/sandbox/certificates.ts';

const now = Date.UTC(2026, 10, 21);
const authority = await makeAuthority('test authority', now);

test('the authority is a CA and self-signed', () => {
  const ca = new X509Certificate(authority.cert);
  expect(ca.ca).toBe(true);
  expect(ca.verify(ca.publicKey)).toBe(true);
  expect(ca.subject).toBe('CN=test authority');
});

test('a server certificate covers the local names, is signed by the authority and is not a CA', async () => {
  const pair = await issue(authority, { name: 'localhost', use: 'server', hosts: localHosts }, now);
  const server = new X509Certificate(pair.cert);
  expect(server.checkIssued(new X509Certificate(authority.cert))).toBe(true);
  expect(server.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkIP('::1')).toBe('::1');
  expect(server.checkHost('other.example')).toBeUndefined();
  expect(server.validToDate.getTime()).toBeGreaterThan(now);
});

test('an expired certificate has an end date in the past', async () => {
  const pair = await issue(authority, { name: 'localhost', use: 'server', expired: true }, now);
  expect(new X509Certificate(pair.cert).validToDate.getTime()).toBeLessThan(now);
});

test('a keystore is the key followed by the certificate', async () => {
  const pair = await issue(authority, { name: 'client', use: 'client' }, now);
  expect(keystore(pair)).toMatch(
    /^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/,
  );
});

test('a serial number is positive and has no leading zeros for any random bytes', () => {
  const [zeros, ones, small] = [
    Buffer.alloc(16),
    Buffer.alloc(16, 0xff),
    Buffer.from([0, 0, 0x12, ...Buffer.alloc(13)]),
  ];
  expect(serialOf(zeros)).toBe(`40${'00'.repeat(15)}`);
  expect(serialOf(ones)).toBe(`7f${'ff'.repeat(15)}`);
  expect(serialOf(small)).toBe(`400012${'00'.repeat(13)}`);
});
