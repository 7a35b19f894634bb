import { expect, test } from 'vitest';
import { offered } from '../../../src/commands/complete/complete.ts';

test('offers names that contain the typed word, because some shells match more than a prefix', () => {
  const names = ['orders', 'Orders-dlq', 'payments', 'reorders'];
  expect(offered('topics', names, { typed: '' })).toEqual(names);
  expect(offered('topics', names, { typed: 'ORD' })).toEqual(['orders', 'Orders-dlq', 'reorders']);
  expect(offered('topics', names, { typed: 'x' })).toEqual([]);
});

test('follows a name with what is known about it, where something is', () => {
  const names = [['orders', '3 partitions'], ['odd', ''], 'old'] as const;
  const shown = ['orders\t3 partitions', 'odd', 'old'];
  expect(offered('topics', names, { typed: '', described: true })).toEqual(shown);
  expect(offered('topics', names, { typed: '' })).toEqual(['orders', 'odd', 'old']);
});

test('offers internal topics only after an underscore', () => {
  const names = ['__consumer_offsets', '_schemas', 'a__b'];
  expect(offered('topics', names, { typed: '' })).toEqual(['_schemas', 'a__b']);
  expect(offered('topics', names, { typed: 'consumer' })).toEqual([]);
  expect(offered('topics', names, { typed: '_' })).toEqual(names);
  expect(offered('groups', ['__g'], { typed: '' })).toEqual(['__g']);
});

test('leaves out names that could control a terminal, break a line or look like another', () => {
  const hostile = ['', 'a\nb', 'a\u001b[2J', 'a\tb', 'a\u202eb', 'a\u0007', 'a\u200bb'];
  expect(offered('groups', [...hostile, '$(x)', 'a b', 'ä'], { typed: '' })).toEqual(['$(x)', 'a b', 'ä']);
});

test('a name that begins with a hyphen is left out: a command would read it as a flag', () => {
  expect(offered('groups', ['-Xbrokers=evil:9092', '--trace=/x', 'a-b'], { typed: '' })).toEqual(['a-b']);
  expect(offered('groups', ['-Xbrokers=evil:9092'], { typed: '-' })).toEqual([]);
});
