import { describe, expect, test } from 'vitest';
import { addresses, boolean, duration, integer, keyValue, oneOf, path, size, text, url } from '../src/kinds.ts';

describe('boolean', () => {
  test.each(['true', 'True', 'TRUE', 't', 'T', '1'])('%s is true', (word) => expect(boolean.parse(word)).toBe(true));
  test.each(['false', 'False', 'FALSE', 'f', 'F', '0'])('%s is false', (word) =>
    expect(boolean.parse(word)).toBe(false),
  );
  test.each(['', 'tRuE', 'yes', 'no', 'on', 'off', ' true', 'true ', '2', 'null'])('"%s" is an error', (word) => {
    expect(() => boolean.parse(word)).toThrow('not a boolean (use true or false)');
  });
});

describe('addresses', () => {
  const brokers = addresses({ defaultPort: 9092, scheme: 'none' });
  test('are split at commas and trimmed, and get the default port if it is missing', () => {
    expect(brokers.show(brokers.parse(' a , b:1,[::1] '))).toBe('a:9092,b:1,[::1]:9092');
    expect(brokers.json?.(brokers.parse('a,b'))).toEqual(['a:9092', 'b:9092']);
  });
  test.each(['', ',', 'a,', ',a', 'a,,b', ' '])('"%s" is an error', (list) => {
    expect(() => brokers.parse(list)).toThrow('an address is empty');
  });
  test('given as items are not split, and must not be empty', () => {
    expect(brokers.parseItems?.(['a', 'b:1'])).toEqual(brokers.parse('a,b:1'));
    expect(() => brokers.parseItems?.(['a,b'])).toThrow();
    expect(() => brokers.parseItems?.([])).toThrow('the list is empty');
  });
});

describe('one of a few words', () => {
  const mechanism = oneOf('SASL mechanism', ['SCRAM-SHA-256', 'PLAIN']);
  test('is matched ignoring case and kept as in the list', () =>
    expect(mechanism.parse('scram-sha-256')).toBe('SCRAM-SHA-256'));
  test.each(['', 'SCRAM', 'PLAIN '])('"%s" is an error that lists them', (word) => {
    expect(() => mechanism.parse(word)).toThrow('not one of SCRAM-SHA-256, PLAIN');
  });
});

describe('integer', () => {
  test.each([
    ['5', 5],
    ['-5', -5],
    ['+5', 5],
    ['007', 7],
  ])('%s', (word, value) => expect(integer().parse(word)).toBe(value));
  test.each(['', ' 5 ', '0x10', '1e3', '1.5', 'five'])('"%s" is an error', (word) => {
    expect(() => integer().parse(word)).toThrow('not a whole number');
  });
  test('a value outside the range is an error', () => {
    expect(() => integer({ min: 1, max: 3 }).parse('0')).toThrow('less than 1');
    expect(() => integer({ min: 1, max: 3 }).parse('4')).toThrow('more than 3');
    expect(() => integer().parse('9007199254740993')).toThrow('more than');
  });
});

describe('size', () => {
  test.each([
    ['200000', 200_000],
    ['-1', -1],
    ['7B', 7],
    ['10MB', 10_000_000],
    ['10 mib', 10 << 20],
    ['1.5kB', 1500],
    ['2TiB', 2 * 1024 ** 4],
  ])('%s', (word, value) => expect(size().parse(word)).toBe(value));
  test.each(['', 'MB', '10M', '5XB', '-1MB', '1e3', '1.5'])('"%s" is an error', (word) => {
    expect(() => size().parse(word)).toThrow('not a size (for example 200000, 132MB or 100MiB)');
  });
  test('a value outside the range is an error', () => {
    expect(() => size({ min: 1 }).parse('0MB')).toThrow('less than 1');
    expect(() => size({ max: 999 }).parse('1kB')).toThrow('more than 999');
    expect(() => size().parse(`${'9'.repeat(400)}TB`)).toThrow('more than');
  });
});

describe('url', () => {
  test.each([
    ['https://a.example', 'https://a.example'],
    ['http://a:1/x/', 'http://a:1/x'],
    ['HTTPS://a', 'HTTPS://a'],
  ])('%s', (text, value) => expect(url.parse(text)).toBe(value));
  test.each(['', 'a.example', 'ftp://a', 'https://', 'https://u:p@a', 'https://a?x=1', 'https://a#x', 'https://a b'])(
    '"%s" is an error',
    (text) => {
      expect(() => url.parse(text)).toThrow();
    },
  );
});

test('key=value is split at the first = or :, and the value is literal', () => {
  expect(keyValue.parse('a=b=c')).toEqual(['a', 'b=c']);
  expect(keyValue.parse(' a : b:c')).toEqual(['a', ' b:c']);
  expect(() => keyValue.parse('a')).toThrow('not of the form key=value');
  expect(() => keyValue.parse('=a')).toThrow('is empty');
});

test('text and paths are literal', () => {
  for (const kind of [text, path]) expect(kind.parse(' "a" #~')).toBe(' "a" #~');
});

test.each([
  [boolean, 'true'],
  [duration, '1m30s'],
  [integer(), '-5'],
  [size(), '8388608'],
  [addresses({ defaultPort: 1, scheme: 'http' }), 'https://a:2/x,b:1'],
  [keyValue, 'a=b'],
])('a kind can parse its own output: %#', (kind, shown) => expect(kind.show(kind.parse(shown) as never)).toBe(shown));

test.each([
  [boolean, { hint: 'true|false', choices: ['true', 'false'] }],
  [duration, { hint: 'DURATION' }],
  [integer(), { hint: 'N' }],
  [size(), { hint: 'SIZE' }],
  [path, { hint: 'FILE', completes: 'file' }],
  [url, { hint: 'URL', mayHoldSecret: true }],
  [keyValue, { hint: 'KEY=VALUE', mayHoldSecret: 'after the key' }],
  [oneOf('level', ['low', 'High']), { name: 'level', hint: 'low|High', choices: ['low', 'High'] }],
  [addresses({ defaultPort: 1, scheme: 'none' }), { hint: 'HOST:PORT,…' }],
])('help and completion show what to type: %#', (kind, shown) => expect(kind).toMatchObject(shown));

test.each([
  ['a.example', 'not a URL (it must start with http:// or https://)'],
  ['https://', 'not a valid URL'],
  ['https://a b', 'not a valid URL'],
  ['https://a/b c', 'not a valid URL'],
  ['https://u@a', 'credentials are not allowed in a URL'],
  ['https://:p@a', 'credentials are not allowed in a URL'],
  ['https://a?x=1', 'a query or fragment is not allowed in a base URL'],
  ['https://a#x', 'a query or fragment is not allowed in a base URL'],
])('the URL %s: %s', (text, message) => expect(() => url.parse(text)).toThrow(message));

test('all slashes at the end of a URL are removed, and the limits of a number are included', () => {
  expect(url.parse('https://a/x//')).toBe('https://a/x');
  expect([integer({ min: 1, max: 3 }).parse('1'), integer({ min: 1, max: 3 }).parse('3')]).toEqual([1, 3]);
  expect([integer().json?.(7), boolean.json?.(true)]).toEqual([7, true]);
});

test('a wrong address of a list is named', () => {
  const hosts = addresses({ defaultPort: 1, scheme: 'none' });
  expect(() => hosts.parse('a, b:x')).toThrow(expect.objectContaining({ text: 'b' }));
  expect(() => hosts.parse('a, b/c')).toThrow(expect.objectContaining({ part: 'address', text: 'b/c' }));
  expect(hosts.parseItems?.([' a '])).toEqual([{ host: 'a', port: 1 }]);
});
