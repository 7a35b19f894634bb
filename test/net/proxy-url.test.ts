import { describe, expect, test } from 'vitest';
import { proxyUrl } from '../../src/kinds.ts';
import { parseProxyUrl } from '../../src/net/proxy-url.ts';

describe('the URL of a proxy', () => {
  test.each([
    ['socks5h://proxy.example', 'socks5h', 'proxy.example', 1080, undefined, ''],
    ['SOCKS5://10.0.0.1:80', 'socks5', '10.0.0.1', 80, undefined, ''],
    ['http://proxy.example', 'http', 'proxy.example', 80, undefined, ''],
    ['https://proxy.example/', 'https', 'proxy.example', 443, undefined, ''],
    ['https://proxy.example:80', 'https', 'proxy.example', 80, undefined, ''],
    ['socks5h://[::1]:1080', 'socks5h', '::1', 1080, undefined, ''],
    ['socks5h://us%40er:p%3A%20w@h:1', 'socks5h', 'h', 1, 'us@er', 'p: w'],
    ['http://user@h:1', 'http', 'h', 1, 'user', ''],
    ['http://user:p@ss@h:1', 'http', 'h', 1, 'user', 'p@ss'],
  ])('%s', (text, ...[scheme, host, port, user, password]) => {
    expect(parseProxyUrl(text)).toEqual({ scheme, host, port, user, password });
  });

  test.each([
    ['proxy.example:1080', 'it must begin with socks5h://, socks5://, http:// or https://'],
    ['socks4://h', 'weir cannot use a socks4 proxy, only socks5h, socks5, http and https'],
    ['socks5h://', 'the host is missing'],
    ['socks5h://h:99999', 'it is not a valid URL'],
    ['socks5h://h:0', 'a port must be a number from 1 to 65535'],
    ['socks5h://h h', 'it is not a valid URL'],
    ['socks5h://h/path', 'a proxy has no path, query or fragment'],
    ['socks5h://h?a=b', 'a proxy has no path, query or fragment'],
    ['socks5h://:s3cret@h', 'it has a password, but no user'],
    ['socks5h://u:s3cret%zz@h', 'it is not a valid URL (write % as %25)'],
    [`socks5h://u:${'s'.repeat(256)}@h`, 'the password is longer than 255 bytes'],
    [`socks5h://${'u'.repeat(256)}@h`, 'the user is longer than 255 bytes'],
  ])('%s is refused, and not repeated', (text, why) => {
    expect(() => parseProxyUrl(text)).toThrow(new Error(why));
    expect(() => proxyUrl.parse(text)).toThrow(why);
  });

  test.each([
    ['socks5h://user:s3cret@h:1', 'socks5h://[hidden]@h:1'],
    ['http://user@h', 'http://[hidden]@h'],
    ['http://u:p@s3cret@h', 'http://[hidden]@h'],
    ['http://h:1', undefined],
    ['', undefined],
  ])('%s is shown as %s', (text, shown) => {
    expect(proxyUrl.masked?.(text, '[hidden]')).toBe(shown);
  });
});
