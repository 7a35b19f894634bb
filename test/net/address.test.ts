import { describe, expect, test } from 'vitest';
import { isLocal, parseAddress, showAddress, showHostPort } from '../../src/net/address.ts';

const broker = { defaultPort: 9092, scheme: 'none' } as const;
const http = { defaultPort: 8081, scheme: 'http' } as const;

describe('a broker address', () => {
  test.each([
    ['b', 'b:9092'],
    ['b:1', 'b:1'],
    ['b1.example.com:65535', 'b1.example.com:65535'],
    ['b.example.', 'b.example.:9092'],
    ['under_score-1', 'under_score-1:9092'],
    ['10.0.0.1', '10.0.0.1:9092'],
    ['[::1]', '[::1]:9092'],
    ['[::1]:9093', '[::1]:9093'],
    ['[fe80::1%eth0]:1', '[fe80::1%eth0]:1'],
    ['bücher.example:1', 'bücher.example:1'],
    ['LOCALHOST', 'LOCALHOST:9092'],
  ])('%s is %s', (text, shown) => {
    const address = parseAddress(text, broker);
    expect(showHostPort(address)).toBe(shown);
    expect(parseAddress(showAddress(address), broker)).toEqual(address);
  });

  test.each([
    ['', /an address is empty/],
    [':9092', /the host is missing/],
    ['::1', /in brackets, for example \[::1\]:9092/],
    ['fe80::1:9092', /in brackets/],
    ['[::1', /in brackets/],
    ['[x]:1', /not valid/],
    ['[:]:1', /not valid/],
    ['[1::2::3]:1', /not valid/],
    ['[::1]9092', /in brackets|not valid/],
    ['b:', /from 1 to 65535/],
    ['b:0', /from 1 to 65535/],
    ['b:65536', /from 1 to 65535/],
    ['b:99999', /from 1 to 65535/],
    ['b:0x10', /from 1 to 65535/],
    ['b: 1', /contains no spaces/],
    ['b:+1', /from 1 to 65535/],
    ['b c', /contains no spaces/],
    ['a:1 b:2', /contains no spaces; separate several with commas/],
    ['-b', /not valid/],
    ['a..b', /not valid/],
    ['b/path', /cannot have a path/],
    ['b:1/', /cannot have a path/],
    ['kafka://b:1', /cannot have a scheme \(write host:port\)/],
    ['user@b:1', /credentials are not allowed/],
  ])('"%s" is an error', (text, message) => expect(() => parseAddress(text, broker)).toThrow(message));

  test('an error never repeats the text, which may hold a password', () => {
    for (const text of ['alice:s3cret@b:1', 'b:s3cret', 's3cret b']) {
      expect(() => parseAddress(text, broker)).toThrow(expect.not.stringContaining('s3cret'));
    }
  });
});

describe('an address of an HTTP API', () => {
  test.each([
    ['r', { host: 'r', port: 8081 }],
    ['http://r', { scheme: 'http', host: 'r', port: 80 }],
    ['https://r', { scheme: 'https', host: 'r', port: 443 }],
    ['HTTPS://r:1', { scheme: 'https', host: 'r', port: 1 }],
    ['https://r/api/v1/', { scheme: 'https', host: 'r', port: 443, path: '/api/v1' }],
    ['r:1/', { host: 'r', port: 1 }],
    ['r/api', { host: 'r', port: 8081, path: '/api' }],
    ['https://[::1]:8081/x', { scheme: 'https', host: '::1', port: 8081, path: '/x' }],
  ])('%s', (text, address) => {
    expect(parseAddress(text, http)).toEqual(address);
    expect(parseAddress(showAddress(parseAddress(text, http)), http)).toEqual(address);
  });

  test.each([
    ['ftp://r', /must be http:\/\/ or https:\/\//],
    ['http://', /the host is missing/],
    ['https://u:p@r', /credentials are not allowed/],
    ['https:///x', /the host is missing/],
    ['https://r/a b', /path/],
    ['https://r/a?x=1', /path/],
    ['https://r/a#x', /path/],
  ])('%s is an error', (text, message) => expect(() => parseAddress(text, http)).toThrow(message));
});

test.each([
  ['localhost', true],
  ['Localhost', true],
  ['localhost.', false],
  ['127.0.0.1.', false],
  ['127.0.0.256', false],
  ['127.0.0.255', true],
  ['127.255.199.249', true],
  ['127.999.1.1', false],
  ['127.0.0.08', false],
  ['127.09.0.1', false],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['x.localhost', false],
  ['::ffff:7f0:1', false],
  ['::ffff:7f:1', false],
  ['::ffff:7f', false],
  ['::ffff:7f00', false],
  ['::1:7f00:1', false],
  ['localhost.example', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example', false],
])('%s is this machine: %s', (host, local) => expect(isLocal({ host })).toBe(local));
