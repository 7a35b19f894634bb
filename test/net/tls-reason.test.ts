import { expect, test } from 'vitest';
import { tlsReason } from '../../src/net/tls-reason.ts';

const ca = 'specify the CA that signed it: -X registry.tls.ca=FILE';
const off =
  'turn TLS off if the port does not use it: -X registry.tls.enabled=false, and write http:// instead of https:// in registry.hosts';
const pair = '-X registry.tls.cert=FILE -X registry.tls.key=FILE';
const trusted = `specify a client certificate that the registry trusts: ${pair}`;
const name = 'the certificate of the registry';

test.each<[code: string, reason: string, hints: readonly string[]]>([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', `${name} is self-signed and not trusted`, [ca]],
  ['SELF_SIGNED_CERT_IN_CHAIN', `${name} is signed by a CA that is not trusted`, [ca]],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', `${name} is signed by a CA that is not trusted`, [ca]],
  ['CERT_UNTRUSTED', `${name} is not signed by the given CA`, [ca]],
  ['CERT_HAS_EXPIRED', `${name} has expired`, ['renew it on the registry, or check the clock of this machine']],
  ['CERT_NOT_YET_VALID', `${name} is not valid yet`, ['check the clock of this machine']],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    `${name} has no subject alternative name`,
    ['renew it on the registry with its host as a subject alternative name (SAN): the common name does not count'],
  ],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'the registry needs a client certificate', [trusted]],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'the registry rejected the client certificate', [trusted]],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the registry does not speak TLS on this port', [off]],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'the registry and weir have no TLS version in common', []],
  [
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'the registry rejected the handshake (no cipher in common, or a client certificate is missing)',
    [trusted],
  ],
  ['ERR_SSL_SOMETHING_NEW', 'ERR_SSL_SOMETHING_NEW: text of OpenSSL', []],
])('%s is reported as: %s', (code, reason, hints) => {
  const error = Object.assign(new Error('text of OpenSSL'), { code });
  expect(tlsReason(error, 'registry.tls', 'registry')).toEqual({ reason, hints });
});

test('a connection closed during the handshake suggests both no TLS and a client certificate', () => {
  const error = new Error('Client network socket disconnected before secure TLS connection was established');
  expect(tlsReason(error, 'registry.tls', 'registry')).toEqual({
    reason: 'the registry closed the connection during the handshake',
    hints: [off, `specify a client certificate if the registry needs one: ${pair}`],
  });
});

test.each([
  ['DNS:a1, IP Address:10.0.0.1, DNS:a3, DNS:a4', 'a1, 10.0.0.1, a3, a4'],
  ['DNS:a1, DNS:a2, DNS:a3, DNS:a4, DNS:a5', 'a1, a2, a3 and 2 more'],
])('a certificate for other hosts (%s) is reported with their names and the host that was used', (names, shown) => {
  const error = Object.assign(new Error('x'), {
    ...{ code: 'ERR_TLS_CERT_ALTNAME_INVALID', host: 'b1', cert: { subjectaltname: names } },
  });
  expect(tlsReason(error, 'tls', 'broker')?.reason).toBe(
    `the certificate of the broker is valid for ${shown}, not for b1`,
  );
});

test('an error that is not about TLS is left to others', () => {
  expect(tlsReason(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'tls', 'broker')).toBeUndefined();
});
