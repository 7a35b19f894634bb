import { describe, expect, test } from 'vitest';
import { boundsOf } from '../../../../src/kafka/records/filter/bounds.ts';
import { needOf, type SearchedForms } from '../../../../src/kafka/records/filter/needs.ts';
import { parseExpression } from '../../../../src/kafka/records/filter/parse.ts';
import { literalIn } from '../../../../src/kafka/records/filter/pattern-literal.ts';

describe('where and when matches are', () => {
  test.each<readonly [string, object]>([
    ['partition == 3', { partitions: [3] }],
    ['3 == record.partition', { partitions: [3] }],
    ['partition in [1, 2] && partition in [2, 3]', { partitions: [2] }],
    ['partition == 1 || partition == 4', { partitions: [1, 4] }],
    ['partition in [1, value.n]', {}],
    ['partition == 1 || key == "a"', {}],
    ['partition > 1', {}],
    ['!(partition == 1)', {}],
    ['offset > 10 && offset < 20', { minOffset: 11n, maxOffset: 19n }],
    ['10 <= offset && 20 >= offset', { minOffset: 10n, maxOffset: 20n }],
    ['offset == 10 || offset == 20', { minOffset: 10n, maxOffset: 20n }],
    ['offset > 10 || offset < 5', {}],
    ['offset != 10', {}],
    ['timestampMs >= 1700000000000 && timestampMs < 1800000000000', { minTime: 1_700_000_000_000n }],
    ['timestampMs > 5 || timestampMs == 3', { minTime: 3n }],
    ['offset >= 1.5', {}],
    ['value.offset > 10', {}],
    ['partition == 1 ? offset > 1 : offset > 2', {}],
  ])('%s', (text, expected) => {
    const { partitions, ...rest } = boundsOf(parseExpression(text));
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    expect({ ...known, ...(partitions === undefined ? {} : { partitions: [...partitions] }) }).toEqual(expected);
  });
});

describe('bytes that a match contains', () => {
  const stored: SearchedForms = { key: 'stored', value: 'stored', headers: true };
  const table: readonly (readonly [string, readonly string[] | undefined, SearchedForms?])[] = [
    ['value.status == "LOST"', ['"LOST"', '\\u']],
    ['"LOST" == record.value.items[0].status', ['"LOST"', '\\u']],
    ['value == "LOST"', ['LOST']],
    ['valueAsText.contains("LOST")', ['LOST']],
    ['key.a.startsWith("LOST")', ['"LOST', '\\u']],
    ['key.a.endsWith("LOST")', ['LOST"', '\\u']],
    ['value.a.contains("LOST")', ['LOST', '\\u']],
    ['value.a == "a/path\\"quoted"', ['quoted"', '\\u']],
    ['value.a == "/"', undefined],
    ['value.a == ""', ['""', '\\u']],
    ['key == "a\ufffdbcd"', ['bcd']],
    ['value.a == "AB" && value.b == "LONGER"', ['"LONGER"', '\\u']],
    ['value.a == "AB" || key == "CD"', ['"AB"', '\\u', 'CD']],
    ['value.a == "AB" || value.n > 1', undefined],
    ['value.a in ["AB", "CD"]', ['"AB"', '\\u', '"CD"']],
    ['value.a in ["AB", 1]', undefined],
    ['value.a in []', undefined],
    ['"AB" in value.tags', ['AB"', '\\u']],
    ['"AB" in headers', ['AB']],
    ['headers.trace == "4bf92f"', ['4bf92f']],
    ['headers.trace == "x"', ['trace']],
    ['headers.trace != "x"', undefined],
    ['!(value.a == "AB")', undefined],
    ['value.a != "AB"', undefined],
    // Without the field nothing could be decided, which is to be counted.
    ['value.amount > 5', undefined],
    ['has(value.error)', ['error"', '\\u']],
    ['has(headers.error)', ['error']],
    ['has(record.value)', undefined],
    ['value.items.exists(i, i.sku == "A-1")', ['"A-1"', '\\u']],
    ['value.items.filter(i, i.n > 1).exists_one(i, i.sku == "A-1")', ['"A-1"', '\\u']],
    ['value.items.map(i, i.sku).exists(i, i == "A-1")', undefined],
    ['value.items.all(i, i.sku == "A-1")', undefined],
    ['value.a.lowerAscii() == "ab"', undefined],
    ['string(value.a) == "ab"', undefined],
    ['value.a.matches("^LOST-[0-9]+$")', ['LOST-', '\\u']],
    ['matches(keyAsText, "x+LOST")', ['LOST']],
    ['partition == 1 ? value.a == "AB" : value.a == "CD"', ['"AB"', '\\u', '"CD"']],
    ['topic == "orders"', undefined],
    ['value.a == value.b', undefined],
    ['value.a in ["AB","CD","EF","GH","IJ","KL"]', undefined],
    ['value.status == "LOST"', undefined, { key: 'stored', value: undefined, headers: true }],
    ['value == "LOST"', ['"LOST"', '\\u'], { key: undefined, value: 'decoded', headers: false }],
    ['headers.a == "LOST"', undefined, { key: undefined, value: 'decoded', headers: false }],
  ];
  test.each(table.map(([text, expected, place = stored]) => ({ text, expected, place })))(
    '$text',
    ({ text, expected, place }) => {
      expect(needOf(parseExpression(text), place)?.map(String)).toEqual(expected);
    },
  );
});

test.each<readonly [string, string | undefined]>([
  ['abc', 'abc'],
  ['^abc$', 'abc'],
  ['ab?c', 'a'],
  ['ab*cd', 'cd'],
  ['ab+cd', 'ab'],
  ['ab{0,3}c', 'a'],
  ['a.bcd', 'bcd'],
  ['a\\.bc', 'a.bc'],
  ['ab\\d+c', 'ab'],
  ['a\\wbcd', 'bcd'],
  ['[abc]def', 'def'],
  ['[]a]def', 'def'],
  ['[^]a]def', 'def'],
  ['[[:alpha:]]def', 'def'],
  ['[\\]a]def', 'def'],
  ['(abc)?de', 'de'],
  ['(a(b)c)d', 'd'],
  ['ab|cd', undefined],
  ['(?i)abc', undefined],
  ['\\p{Greek}', undefined],
  ['.*', undefined],
])('every match of %s contains %s', (pattern, expected) => {
  expect(literalIn(pattern)).toBe(expected);
});
