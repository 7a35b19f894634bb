import { expect, test } from 'vitest';
import { parseAddress } from '../../src/net/address.ts';
import { plainHttpWarning } from '../../src/net/plain-http.ts';

test.each([
  ['a:1,b:2', false, 'a:1, b:2'],
  ['http://a,https://b', false, 'a:80'],
  ['http://a,b:3', true, 'a:80'],
  ['[2001:db8::1]:5', false, '[2001:db8::1]:5'],
  ['https://a', false, undefined],
  ['a', true, undefined],
  ['localhost:1,http://127.0.0.1:2,[::1]:3', false, undefined],
])('a password for %s, with TLS by default: %j, is sent unencrypted to %s', (hosts, usesTls, named) => {
  const addresses = hosts.split(',').map((text) => parseAddress(text, { defaultPort: 8081, scheme: 'http' }));
  expect(plainHttpWarning({ addresses, usesTls, key: 'registry.hosts' })).toBe(
    named &&
      `the password (option pass) is sent unencrypted to ${named} (option registry.hosts): ` +
        'use https:// if the server offers it',
  );
});
