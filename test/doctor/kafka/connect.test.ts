import { expect, it } from 'vitest';
import { saslFound } from '../../../src/doctor/kafka/kafka.ts';

const advice = ['turn on TLS: -X tls.enabled=true'];

it.each([
  { mechanism: 'PLAIN', host: 'b.example', isTls: false, warning: advice },
  { mechanism: 'PLAIN', host: 'b.example', isTls: true },
  { mechanism: 'PLAIN', host: 'localhost', isTls: false },
  { mechanism: 'SCRAM-SHA-512', host: 'b.example', isTls: false },
] as const)('warns of a password that others can read: %o', ({ mechanism, host, isTls, ...expected }) => {
  const found = saslFound({ mechanism, username: 'ana', password: 'canary' }, { host, port: 9092 }, isTls);
  const note = 'warning' in expected ? ', with the password unencrypted' : '';
  expect(found).toEqual({ detail: `${mechanism} as user "ana"${note}`, ...expected });
});
