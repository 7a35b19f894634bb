import { describe, expect, test } from 'vitest';
import { freeCalls, methods } from '../../../../src/kafka/records/filter/calls.ts';
import { functionForms } from '../../../../src/kafka/records/filter/record-names.ts';
import { errorOf, type RecordText, verdict } from './filtering.ts';

const order: RecordText = {
  key: 'k-1',
  value: JSON.stringify({
    status: 'CHARGEBACK',
    amount: 12.5,
    id: 1,
    items: [
      { sku: 'a', count: 2 },
      { sku: 'b', count: 30 },
    ],
    customer: { name: 'Zoë', tags: ['new', 'vip'] },
    note: null,
    'order-id': 'x/1',
    paid: true,
  }).replace('"id":1', '"id":9007199254740993'),
  headers: [
    ['trace', 'first'],
    ['trace', 'second'],
    ['empty', null],
  ],
  timestamp: 1_700_000_000_000,
};

test('help names every function', () => {
  const named = functionForms.flat().join(' ');
  expect([...methods, ...freeCalls].filter((name) => !new RegExp(`\\b${name}\\b`).test(named))).toEqual([]);
});

describe('conditions that hold', () => {
  test.each([
    'value.status == "CHARGEBACK"',
    "record.value.status == 'CHARGEBACK'",
    'record["value"]["status"] in ["PAID", "CHARGEBACK"]',
    'value.amount > 12 && value.amount <= 12.5',
    'value.id == 9007199254740993 && value.id != 9007199254740992',
    'value["order-id"].startsWith("x/")',
    'value.customer.name == "Zo\\u00eb" && value.customer.name == "Zoë"',
    'value.customer.name.size() == 3 && size(value.items) == 2 && size(value.customer) == 2',
    'size("u😀") == 2 && value.items[0].sku == "a"',
    'value.items[1].sku == "b"',
    'value.items.exists(i, i.count > 20) && !value.items.all(i, i.count > 20)',
    'value.items.exists_one(i, i.sku == "a")',
    'value.items.filter(i, i.count > 20).map(i, i.sku) == ["b"]',
    'value.items.map(i, i.count > 20, i.sku + "!") == ["b!"]',
    'value.items.exists(i, value.customer.tags.exists(t, t == "vip" && i.sku == "b"))',
    '"vip" in value.customer.tags && "name" in value.customer',
    'has(value.customer.name) && !has(value.customer.age) && has(record.key)',
    'value.note == null && value.status != null',
    'value.paid && (value.paid ? true : false)',
    'valueAsText.contains("\\"status\\":\\"CHARGEBACK\\"")',
    'key == "k-1" && keyAsText.matches("^k-[0-9]+$")',
    'value.status.matches("BACK") && value.status.lowerAscii() == "chargeback"',
    'headers.trace == "second" && headers["empty"] == null && "trace" in headers && !has(headers.other)',
    'partition == 2 && offset == 7 && topic == "orders" && timestampMs >= 1700000000000',
    'offset % 4 == 3 && offset / 2 == 3 && -offset + 1 == -6 && 2 * 3 == 6',
    'value.amount / 2 == 6.25 && value.amount + 1 == 13.5',
    'int("12") == 12 && double("1.5") == 1.5 && string(12) == "12" && int(12.9) == 12',
    'value.missing == 1 || true',
    'true || value.missing == 1',
    '[1, "CHARGEBACK"].exists(x, x == value.status) && value.status in [1, "CHARGEBACK"]',
    'value.note.contains("a") == false && !value.note.lowerAscii().matches("a") && value.note != "a"',
    'value.items != "a" && value.status != null && value.paid != null && !(value.status in [null, "x", []])',
    '"B" < "a" && "\\U0001F600" > "\\uFFFD"',
    '// a comment\n value.paid',
    'r"\\d" == "\\\\d" && "\\x41\\101" == "AA"',
    '0x10 == 16 && 1e3 == 1000 && .5 < 1 && 7u == 7',
    '9223372036854775807 > 9223372036854775806',
  ])('%s', async (where) => {
    expect(await verdict(where, order)).toBe(true);
  });
});

describe('conditions that do not hold', () => {
  test.each([
    'value.status == "chargeback"',
    'value.missing == 1 && false',
    'false && value.missing == 1',
    'value == "text"',
    'value.status == null',
    'key == null',
    'has(headers.trace) && headers.trace == "first"',
  ])('%s', async (where) => {
    expect(await verdict(where, order)).toBe(false);
  });
});

describe('what is missing is unknown, and so is its opposite', () => {
  test.each([
    ['value.statsu == "PAID"', 'value has no field "statsu" (did you mean "status"?)'],
    ['!(value.statsu == "PAID")', 'value has no field "statsu" (did you mean "status"?)'],
    ['value.missing != "PAID"', 'value has no field "missing"'],
    ['value.missing == 1 || false', 'value has no field "missing"'],
    ['value.status.code == 1', 'value.status is text and has no fields'],
    ['value.note.x == 1', 'value.note is null and has no fields'],
    ['value.items[2].sku == "c"', 'value.items has no element 2'],
    ['value.items[value] == 1', 'an index of value.items is a map, not a number'],
    ['value.status > 5', 'value.status is text, and 5 is a number'],
    ['value.status == 5', 'value.status is text, and 5 is a number'],
    ['value.amount != "12.5"', 'value.amount is a number, and "12.5" is text'],
    ['value.paid == "true"', 'value.paid is true or false, and "true" is text'],
    ['value.status in ["PAID", 6]', 'value.status is text, and an element of […] is a number'],
    ['!(value.id in [1, "1"])', 'value.id is a number, and an element of […] is text'],
    ['value.status in [5, 6]', 'value.status is text, and the elements of […] are a number'],
    ['value.status', 'value.status is text, not true or false'],
    ['value.items.exists(i, i.price > 1)', 'i has no field "price"'],
    ['value.constructor == 1', 'value has no field "constructor"'],
    ['value.__proto__ == 1', 'value has no field "__proto__"'],
    ['value["amount"].contains("1")', 'value["amount"] is a number, not text'],
    ['9223372036854775807 + offset > 0', 'the result of + is no number of 64 bits'],
    ['offset / 0 == 1', 'the result of / is no number of 64 bits'],
    ['offset % 0 == 1', 'the result of % is no number of 64 bits'],
    ['int(value.status) == 1', 'value.status cannot be converted: text'],
  ])('%s', async (where, reason) => {
    expect(await verdict(where, order)).toBe(reason);
  });

  test('several conditions: one that is false decides', async () => {
    const where = ['value.missing == 1', 'partition == 3'];
    expect(await verdict({ where }, order)).toBe(false);
    expect(await verdict({ where: ['value.missing == 1', 'partition == 2'] }, order)).toBe(
      'value has no field "missing"',
    );
  });
});

describe('in a list, elements are compared as == compares them', () => {
  const kinds = ['null', 'true', 'false', '1', '2.5', '"1"', '"true"', '[1]', '["1"]', '{"a":1}'];
  const outcome = async (where: string, record: RecordText): Promise<boolean | 'unknown'> => {
    const found = await verdict(where, record);
    return typeof found === 'string' ? 'unknown' : found;
  };

  test.each(kinds)('%s, with one element and with two of all kinds', async (x) => {
    for (const a of kinds) {
      const one = { value: `{"x":${x},"l":[${a}],"a":${a}}` };
      expect([a, await outcome('value.x in value.l', one)]).toEqual([a, await outcome('value.x == value.a', one)]);
      for (const b of kinds) {
        const two = { value: `{"x":${x},"l":[${a},${b}],"a":${a},"b":${b}}` };
        const expected = await outcome('value.x == value.a || value.x == value.b', two);
        for (const where of ['value.x in value.l', 'value.x in [value.a, value.b]']) {
          expect([a, b, await outcome(where, two)]).toEqual([a, b, expected]);
          const opposite = expected === 'unknown' ? expected : !expected;
          expect([a, b, await outcome(`!(${where})`, two)]).toEqual([a, b, opposite]);
        }
      }
    }
  });
});

describe('what is not JSON is text', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

  test.each<readonly [string, RecordText, boolean | string]>([
    ['value == "plain" && valueAsText == "plain"', { value: 'plain' }, true],
    ['value == "42"', { value: '42' }, true],
    ['value.x == 1', { value: '{"x":1' }, 'value is text and has no fields'],
    ['value[0].x == 1 && key.a == "b"', { value: ' [{"x":1}]', key: '{"a":"b"}' }, true],
    ['value == null && key == null', {}, true],
    ['value.x == 1', {}, 'value is null and has no fields'],
    ['value.a == 1', { value: deep }, 'value is nested deeper than 1000 levels'],
    ['has(key.a)', { key: deep }, 'key is nested deeper than 1000 levels'],
    ['value[0] == 1', { value: deep }, 'value is nested deeper than 1000 levels'],
    ['value.exists(one, one == 1)', { value: deep }, 'value is nested deeper than 1000 levels'],
    ['valueAsText.startsWith("{") && value != "x"', { value: deep }, true],
    ['valueAsText.contains("x") || key == "x" || keyAsText.matches("x")', {}, false],
    ['!keyAsText.trim().startsWith("x") && key != "x"', {}, true],
    ['valueAsText.contains("é")', { value: Buffer.from([0xff, 0xc3, 0xa9, 0x00]) }, true],
    ['value == ""', { value: '' }, true],
    ['timestampMs == 9007199254740993', { timestamp: 9_007_199_254_740_993n }, true],
  ])('%s', async (where, record, expected) => {
    expect(await verdict(where, record)).toBe(expected);
  });

  test('large offsets are exact', async () => {
    expect(await verdict('offset == 9007199254740993', {}, 9_007_199_254_740_993n)).toBe(true);
    expect(await verdict('offset == 9007199254740993', {}, 9_007_199_254_740_992n)).toBe(false);
  });
});

describe('shorthands', () => {
  test.each<readonly [string, object, boolean]>([
    ['the key', { keys: ['no', 'k-1'] }, true],
    ['a part of the key', { keys: ['k'] }, false],
    ['a header', { headers: ['trace=second'] }, true],
    ['any of several headers', { headers: ['trace=first'] }, true],
    ['another value', { headers: ['trace=third'] }, false],
    ['the name of a header', { headers: ['empty'] }, true],
    ['two headers', { headers: ['empty', 'trace=first'] }, true],
    ['another name', { headers: ['other'] }, false],
    ['text in the value', { contains: ['CHARGEBACK'] }, true],
    ['text in the key', { contains: ['-1'] }, true],
    ['text in a header', { contains: ['seco'] }, true],
    ['two texts', { contains: ['seco', 'absent'] }, false],
  ])('%s', async (_, source, expected) => {
    expect(await verdict({ where: [], ...source }, order)).toBe(expected);
  });

  test('text that JSON escapes is found', async () => {
    const value = String.raw`{"a":["Z\u00fcrich \"x\""]}`;
    expect(await verdict({ where: [], contains: ['Zürich "x"'] }, { value })).toBe(true);
    expect(await verdict({ where: [], contains: ['Zürich "y"'] }, { value })).toBe(false);
  });
});

describe('expressions that are not valid', () => {
  const functions =
    'functions are contains, startsWith, endsWith, matches, size, lowerAscii, upperAscii, trim, exists, all, exists_one, ' +
    'filter, map, has, int, double, string';
  test.each([
    [60, 50, 'nothing', ''],
    [61, 50, 'the beginning', '…'],
    [60, 51, 'the end', '…'],
    [61, 51, 'both', '……'],
  ])('%i characters before and %i from an error on leave out %s', async (before, from, _, left) => {
    const [message] = await errorOf(`"${'a'.repeat(before - 3)}" =${' '.repeat(from - 2)}1`);
    const [, excerpt = '', mark = ''] = message.split('\n');
    expect(excerpt.replaceAll(/[^…]/g, '')).toBe(left);
    expect(excerpt[mark.indexOf('^')]).toBe('=');
  });

  test.each<readonly [string, string, string[]]>([
    ['value.status = "PAID"', 'unexpected "="\n  value.status = "PAID"\n               ^', ['use ==']],
    ['value.a == 1 and key == "x"', 'unexpected "and"\n  value.a == 1 and key == "x"\n               ^', ['use &&']],
    ['value.a <> 1', 'unexpected "<>"\n  value.a <> 1\n          ^', ['use !=']],
    ['value.a is not null', 'unexpected "is"\n  value.a is not null\n          ^', ['use !=']],
    ['value.a is null', 'unexpected "is"\n  value.a is null\n          ^', ['use ==']],
    ['value.a ==~ "x"', 'unexpected "==~"\n  value.a ==~ "x"\n          ^', ['use .matches("…")']],
    [
      'value.a between 1 and 2',
      'unexpected "between"\n  value.a between 1 and 2\n          ^',
      ['use >= and <= with && between them'],
    ],
    ['value.a contains "x"', 'unexpected "contains"\n  value.a contains "x"\n          ^', ['use .contains("…")']],
    [
      'key in ("a", "b")',
      'unexpected ","\n  key in ("a", "b")\n             ^',
      ['write a list in brackets: ["a", "b"]'],
    ],
    ['$.a == 1', 'unexpected "$"\n  $.a == 1\n  ^', ['begin with value, as in value.status']],
    [
      'value.$a == 1',
      'unexpected "$"\n  value.$a == 1\n        ^',
      ['write a name with other letters in brackets: value["naïve"]'],
    ],
    ['.a == 1', 'unexpected "."\n  .a == 1\n  ^', ['a field of the value is value.a']],
    ['.value.a == 1', 'unexpected "."\n  .value.a == 1\n  ^', ['leave out the first period']],
    [
      'value.a.exists(i => i == 1)',
      'unexpected "=>"\n  value.a.exists(i => i == 1)\n                   ^',
      ['use a comma: .exists(x, x.count > 1)'],
    ],
    [
      'value.a.any(i, i == 1)',
      'unknown function "any"\n  value.a.any(i, i == 1)\n          ^',
      ['did you mean exists?', functions],
    ],
    [
      'timestampMs > timestamp("2026-11-01T00:00:00Z")',
      'unknown function "timestamp"\n  timestampMs > timestamp("2026-11-01T00:00:00Z")\n                ^',
      ['choose the times of records with -o, for example: -o @2026-11-01:2026-11-02, or -o @-1h', functions],
    ],
    [
      'timestampMs > "2026-11-01"',
      'timestampMs is a number, but "2026-11-01" is text\n  timestampMs > "2026-11-01"\n              ^',
      ['choose the times of records with -o, for example: -o @2026-11-01:2026-11-02, or -o @-1h'],
    ],
    ['not value.paid', 'unexpected "not"\n  not value.paid\n  ^', ['use !']],
    ['value.a == ', 'the expression ends here, expected a value\n  value.a == \n             ^', []],
    ['(value.a == 1', 'the expression ends here, expected ")"\n  (value.a == 1\n               ^', []],
    ['value.a == "x', 'the text has no closing "\n  value.a == "x\n             ^', []],
    ['', 'it is empty\n  \n  ^', []],
    [
      'value.größe > 1',
      'unexpected "ö"\n  value.größe > 1\n          ^',
      ['write a name with other letters in brackets: value["naïve"]'],
    ],
    ['value == {"a": 1}', 'maps and messages in braces are not supported\n  value == {"a": 1}\n           ^', []],
    [
      'timestampMs > 10m',
      'invalid number "10m"\n  timestampMs > 10m\n                ^',
      ['a number has no unit here: write it in full'],
    ],
    [
      'vaule.a == 1',
      'unknown name "vaule"\n  vaule.a == 1\n  ^',
      [
        'did you mean value?',
        'names are key, value, headers, partition, offset, timestampMs, keyAsText, valueAsText, topic',
      ],
    ],
    [
      'record.valu.a == 1',
      'unknown name "valu"\n  record.valu.a == 1\n         ^',
      [
        'did you mean value?',
        'names are key, value, headers, partition, offset, timestampMs, keyAsText, valueAsText, topic',
      ],
    ],
    [
      'partition == "3"',
      'partition is a number, but "3" is text\n  partition == "3"\n            ^',
      ['write the number without quotes: 3'],
    ],
    [
      'valueAsText.a == 1',
      'valueAsText is text and has no fields\n  valueAsText.a == 1\n              ^',
      ['use value.a'],
    ],
    [
      'offset',
      'a condition is true or false, but offset is a number\n  offset\n  ^',
      ['compare it with something, for example: value.amount > 100'],
    ],
    [
      'partition.contains("a")',
      'contains takes text, but partition is not text\n  partition.contains("a")\n  ^',
      ['convert it: string(partition)'],
    ],
    [
      'value.a.matches("(a)\\\\1")',
      'invalid regular expression: invalid escape sequence: `\\1`\n  value.a.matches("(a)\\\\1")\n                  ^',
      ['references to groups are not supported, because they may take hours'],
    ],
    [
      'value.items.exists(value, value > 1)',
      'the variable "value" is the name of something else\n  value.items.exists(value, value > 1)\n                     ^',
      [],
    ],
    [
      'headers.trace-id == "x"',
      'unknown name "id"\n  headers.trace-id == "x"\n                ^',
      ['write a name with a dash in brackets: headers["trace-id"]'],
    ],
    [
      'headers.kafka_dlt-original-topic == "x"',
      'unknown name "original"\n  headers.kafka_dlt-original-topic == "x"\n                    ^',
      ['write a name with a dash in brackets: headers["kafka_dlt-original-topic"]'],
    ],
    [
      'value.items.exists(x)',
      'exists takes a variable and a condition\n  value.items.exists(x)\n              ^',
      ['for example: value.items.exists(x, x.amount > 1)'],
    ],
  ])('%s', async (where, message, hints) => {
    expect(await errorOf(where)).toEqual([`invalid --where: ${message}`, ...hints]);
  });

  test('large regular expressions, and codes beyond a byte, are refused', async () => {
    const patterns = Array.from({ length: 30 }, () => 'valueAsText.matches("[a-z]{900}")').join(' || ');
    expect((await errorOf(patterns))[0]).toContain('the regular expressions are too large');
    expect((await errorOf('key == "\\777"'))[0]).toContain('unknown escape "\\7"');
  });

  test('look-around is refused', async () => {
    expect(await errorOf('valueAsText.matches("a(?=b)")')).toContain(
      'look-around is not supported, because it may take hours: use several conditions with && and !',
    );
  });

  test('an unknown function names the nearest one', async () => {
    expect(await errorOf('value.a.contain("x")')).toContain('did you mean contains?');
    expect(await errorOf('contains(value.a, "x")')).toContain('write it after a value: value.contains(…)');
  });

  test.each([
    ['nested too deep', `${'('.repeat(200)}true${')'.repeat(200)}`, 'it is nested deeper than 100 levels'],
    ['too many signs', `${'!'.repeat(5_000)}true`, 'it is nested deeper than 100 levels'],
    ['too many operators', Array(2_000).fill('true').join('&&'), 'it has more than 1000 operators'],
    ['a long path', `value${'.a'.repeat(2_000)} == 1`, 'it has more than 1000 operators'],
    ['too long', `"${'a'.repeat(30_000)}" == key`, 'it is longer than 20000 characters'],
    [
      'too many loops',
      'value.all(a, value.all(b, value.all(c, value.all(d, a == d))))',
      'more than 3 loops within each other',
    ],
    ['a huge regular expression', 'valueAsText.matches("((a{50}){50}){50}")', 'invalid regular expression'],
  ])('%s', async (_, where, reason) => {
    expect((await errorOf(where))[0]).toContain(reason);
  });
});

describe('what takes too long is unknown', () => {
  const many = JSON.stringify({ list: Array.from({ length: 3_000 }, (_, at) => at) });

  test('loops within loops', async () => {
    const where = 'value.list.all(a, value.list.all(b, value.list.all(c, a + b + c >= 0)))';
    expect(await verdict(where, { value: many })).toBe('the expression takes too many steps');
  });

  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 0]));
  const items = Array.from({ length: 1_000 }, () => 0);
  const long = 'x'.repeat(100_000);

  test.each([
    ['the size of a large map', 'value.l.all(x, value.m.size() > 0)', { l: items, m: wide }],
    ['large maps that differ', 'value.l.all(x, value.m != value.n)', { l: items, m: wide, n: { ...wide, k0: 1 } }],
    [
      'long lists that are equal',
      'value.l.all(x, value.m == value.n)',
      { l: items, m: Array(20_000).fill(1), n: Array(20_000).fill(1) },
    ],
    ['the order of long texts', 'value.l.all(x, value.a <= value.b)', { l: items, a: long, b: long }],
    [
      'long texts in a list',
      'value.l.all(x, !(value.a in value.t))',
      { l: items, a: `${long}!`, t: Array(100).fill(`${long}?`) },
    ],
  ])('%s again and again', async (_, where, value) => {
    expect(await verdict(where, { value: JSON.stringify(value) })).toBe('the expression takes too many steps');
  });

  test('text that is almost a number', async () => {
    const value = JSON.stringify({ x: `${'1'.repeat(500_000)}x` });
    expect(await verdict('double(value.x) > 0', { value })).toBe('value.x cannot be converted: text');
  });

  test('text that doubles', async () => {
    const where = `["a"]${'.map(x, x + x)'.repeat(60)}[0] == "a"`;
    expect(await verdict(where, {})).toBe('the expression takes too many steps');
  });

  test('a regular expression that other engines take hours for is linear', async () => {
    const value = `${'a'.repeat(100_000)}!`;
    expect(await verdict('valueAsText.matches("^(a+)+$")', { value })).toBe(false);
    expect(await verdict('valueAsText.matches("(a|a|a|a)+$")', { value })).toBe(false);
  });
});
