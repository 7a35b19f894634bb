import { describe, expect, test } from 'vitest';
import { chosenUrl } from '../../src/admin/client/node-url.ts';
import { CliError } from '../../src/errors.ts';

const urls = [
  'http://b1.example:9644',
  'https://b2.example',
  'http://[::1]:9644',
  'http://[::1]:9645',
  'http://7:9644',
];

describe('the node that a person names', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['b1.example', 0],
    ['B1.example:9644', 0],
    ['http://b1.example:9644/', 0],
    ['b2.example', 1],
    ['b2.example:443', 1],
    ['https://b2.example', 1],
    ['[::1]:9645', 3],
    ['2', 2],
  ])('%s is the address at %i', (choice, at) => {
    expect(chosenUrl(urls, choice)).toBe(urls[at]);
  });

  test.each([
    ['5', 'is not one of'],
    ['', 'is not one of'],
    ['b1', 'is not one of'],
    ['b1.example:1', 'is not one of'],
    ['http://b2.example', 'is not one of'],
    ['http://b1.example:9644@evil.example', 'is not one of'],
    ['::1', 'matches several of'],
  ])('%j %s the addresses', (choice, why) => {
    const attempt = () => chosenUrl(urls, choice);
    expect(attempt).toThrow(CliError);
    expect(attempt).toThrow(`"${choice}" ${why} the addresses in admin.hosts: 0 (b1.example:9644), 1 (b2.example)`);
  });
});
