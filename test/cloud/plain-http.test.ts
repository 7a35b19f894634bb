import { expect, test } from 'vitest';
import { addressesOf, checkPlainHttp, withoutProxyHere } from '../../src/cloud/plain-http.ts';
import { isPlainElsewhere } from '../../src/net/plain-http.ts';

const place = { apiUrl: 'https://api', authUrl: 'https://auth', legacyUrl: 'https://old', audience: 'a' };

test('each address that tokens are sent to has its option', () => {
  expect(addressesOf(place)).toEqual([
    ['cloud.api_url', 'https://api'],
    ['cloud.auth_url', 'https://auth'],
    ['cloud.legacy_url', 'https://old'],
  ]);
});

test.each([
  ['http://api.example', true],
  ['http://[2001:db8::1]:80', true],
  ['http://127.0.0.1:1', false],
  ['http://[::1]:1', false],
  ['http://localhost', false],
  ['https://api.example', false],
  ['no address', false],
])('%s is unencrypted and elsewhere: %s', (url, expected) => {
  expect(isPlainElsewhere(url)).toBe(expected);
});

test.each([
  ['cloud.api_url', 'cloud.api_url', 'cloud.api_url'],
  [undefined, 'the address of a download', 'http://h.example:1'],
])('an unencrypted address elsewhere is refused by its option, or as a download: %s', (key, subject, target) => {
  const refused = (insecureHttp: boolean) =>
    checkPlainHttp('http://h.example:1/secret', { insecureHttp, ...(key === undefined ? {} : { key }) });
  expect(() => refused(false)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      code: 'CONFIG_INVALID',
      message: `${subject} is http://h.example:1, which is not encrypted`,
      target,
      hints: ['use https://', 'allow it, for tests only, with: -X cloud.insecure_http=true'],
    }),
  );
  refused(true);
});

test.each([
  [{}, '127.0.0.1,localhost'],
  [{ no_proxy: 'a.example' }, 'a.example,127.0.0.1,localhost'],
  [{ NO_PROXY: 'b.example' }, 'b.example,127.0.0.1,localhost'],
  [{ no_proxy: 'a.example', NO_PROXY: 'b.example' }, 'a.example,127.0.0.1,localhost'],
  [{ no_proxy: '', NO_PROXY: 'b.example' }, 'b.example,127.0.0.1,localhost'],
])('addresses on this machine go around the proxy besides those of %j, each once', (env, expected) => {
  const here = { ...place, apiUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:2', legacyUrl: 'http://localhost' };
  const settings = withoutProxyHere({ option: '', env: { ...env, http_proxy: 'p' } }, here);
  expect(settings).toEqual({ option: '', env: { ...env, http_proxy: 'p', no_proxy: expected } });
});

test('the environment stays as it is when all addresses are encrypted or elsewhere', () => {
  const settings = { option: '', env: { no_proxy: 'a' } };
  expect(withoutProxyHere(settings, { ...place, apiUrl: 'http://api.example', authUrl: 'https://127.0.0.1' })).toBe(
    settings,
  );
});
