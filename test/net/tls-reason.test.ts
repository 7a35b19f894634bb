import { expect, test } from 'vitest';
import { tlsReason } from '../../src/net/tls-reason.ts';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the registry is self-signed and not trusted', 'registry.tls.ca'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'the certificate of the registry is signed by a CA that is not trusted',
    'registry.tls.ca',
  ],
  ['CERT_HAS_EXPIRED', 'the certificate of the registry has expired', 'clock'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'the registry needs a client certificate', 'registry.tls.cert'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'the registry rejected the client certificate', 'registry.tls.key'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the registry does not speak TLS on this port', 'registry.tls.enabled=false'],
  ['ERR_SSL_SOMETHING_NEW', 'ERR_SSL_SOMETHING_NEW: text of OpenSSL', ''],
])('%s is told as: %s', (code, reason, hint) => {
  const told = tlsReason(Object.assign(new Error('text of OpenSSL'), { code }), 'registry.tls', 'registry');
  expect(told?.reason).toBe(reason);
  expect(told?.hints.join()).toContain(hint);
});

test('an error that is not about TLS is left to others', () => {
  expect(tlsReason(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'tls', 'broker')).toBeUndefined();
});
