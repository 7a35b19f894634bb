import { describe, expect, it } from 'vitest';
import type { CliError } from '../../../../src/errors.ts';
import { compileLoosePatterns, compileNamePatterns } from '../../../../src/kafka/protocol/partitions/name-words.ts';

const names = ['orders', 'orders.dlq', 'Orders', 'foo', 'bar', 'foobar', '__internal'];

function matched(...patterns: string[]): string[] {
  return names.filter(compileNamePatterns(patterns));
}

describe('patterns of names', () => {
  it.each<[string, string[], string[]]>([
    ['match the whole name', ['orders'], ['orders']],
    ['may be anchored already', ['^orders$'], ['orders']],
    ['keep alternatives whole', ['foo|bar'], ['foo', 'bar']],
    ['add up', ['foo', 'orders.*'], ['orders', 'orders.dlq', 'foo']],
    ['may ignore case', ['(?i)ORDERS'], ['orders', 'Orders']],
    ['match everything with a lone star', ['*'], names],
    ['match everything with an anchored star', ['^*$'], names],
    ['match nothing when nothing fits', ['nope.*'], []],
    ['are none when none are given', [], []],
  ])('%s', (_, patterns, expected) => {
    expect(matched(...patterns)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ['anywhere in the name', ['oo'], ['foo', 'foobar']],
    ['at an end that is named', ['bar$'], ['bar', 'foobar']],
    ['in any case', ['(?i)order'], ['orders', 'orders.dlq', 'Orders']],
    ['everything, with a lone star', ['*'], names],
  ])('that are loose match %s', (_, patterns, expected) => {
    expect(names.filter(compileLoosePatterns(patterns))).toEqual(expected);
  });

  it.each([
    ['', 'empty regular expression'],
    ['foo(', 'invalid regular expression "foo(": unterminated group'],
    ['*foo', 'invalid regular expression "*foo": nothing to repeat'],
    ['[z-a]', 'invalid regular expression "[z-a]": range out of order in character class'],
  ])('refuse %j with exit code 2', (pattern, message) => {
    expect(() => compileNamePatterns([pattern])).toThrow(message);
    try {
      compileNamePatterns([pattern]);
    } catch (error) {
      expect((error as CliError).exitCode).toBe(2);
    }
  });

  it.each([
    ['*foo', 'elsewhere "*" repeats what precedes it'],
    ['foo(', 'put "\\" before a character that stands for itself'],
  ])('suggest for %j what helps with that error', (pattern, hint) => {
    expect(() => compileNamePatterns([pattern])).toThrow(
      expect.objectContaining({ hints: [expect.stringContaining(hint)] }),
    );
  });
});
