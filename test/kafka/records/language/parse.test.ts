import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { parse } from './parsing.ts';

const cutShort = 'the input ends inside the record';
const nul = '\u0000';

describe('a layout reads', () => {
  test.each<[string, string, ...unknown[]]>([
    ['%v\\n', 'a\nb\n', { v: 'a' }, { v: 'b' }],
    ['%v\\n', 'a\nb', { v: 'a' }, { v: 'b' }],
    ['%v\\n', '\n\n', { v: '' }, { v: '' }],
    ['%v\\n', ''],
    ['%v', 'whole\nthing\n', { v: 'whole\nthing\n' }],
    ['%k %v\\n', 'k1 v1\nk2 v2 x\n', { k: 'k1', v: 'v1' }, { k: 'k2', v: 'v2 x' }],
    ['%k %v\\n', 'k1\nk2 v2\n', 'the line ends before the " " of the format'],
    ['%k %v\\n', ' v\n', { v: 'v' }],
    ['%k %v\\n', 'k1 v1\nk2', { k: 'k1', v: 'v1' }, 'the input ends before the " " of the format'],
    ['%k,%v\\n', 'k1 v1\n', 'the line ends before the "," of the format'],
    ['%k,%v\\n', 'k1,', 'the input ends before the "\\n" of the format'],
    ['%v %v\\n', 'a b\n', { v: 'b' }],
    ['%k%v\\n', 'ab\n', 'the input ends before the "\\n" of the format'],
    [
      '%T{4}%K{4}%V{4}%t%k%v',
      'topikey1val1topikey2val2',
      { t: 'topi', k: 'key1', v: 'val1' },
      { t: 'topi', k: 'key2', v: 'val2' },
    ],
    ['%V %v', '3 abc2 xy', { v: 'abc' }, { v: 'xy' }],
    ['%V%v', '3abc', { v: 'abc' }],
    ['%V%v', '0', { v: '' }],
    ['%V{hex4}%v', '3abc2xy', { v: 'abc' }, { v: 'xy' }],
    ['%K %V %k%v', '1 2 abb1 1 cd', { k: 'a', v: 'bb' }, { k: 'c', v: 'd' }],
    ['%K{big16} foo %k', `${nul}\u0003 foo abc${nul}\u0001 foo z`, { k: 'abc', v: '' }, { k: 'z', v: '' }],
    ['%V{little32}%v', `\u0002${nul}${nul}${nul}ab`, { v: 'ab' }],
    ['%V{byte}%v', '\u0002ab', { v: 'ab' }],
    ['%V{ascii}%v', '12', cutShort],
    ['%V{big64}%v', 'abc', cutShort],
    ['%V{hex8}%v', '0zab', 'expected 2 hex digits, found "0z"'],
    ['%V %v', 'x abc', 'expected a number, found "x"'],
    ['%v{re#...?#}\\n', 'abc\nab\n', { v: 'abc' }, { v: 'ab' }],
    ['%v{re#...?#}\\n', 'abcd\n', 'expected "\\n", found "d"'],
    ['%v{re[\\d+]}%k\\n', '12ab\n3c\n', { k: 'ab', v: '12' }, { k: 'c', v: '3' }],
    ['%v{re[\\d+]}', 'x', 'nothing matches /\\d+/'],
    ['%v{re[x*]}', 'ab', 'the layout matches none of the input'],
    ['%v{json}', '{"x" : 1 }\n[1, 2]\n3\n', { v: '{"x":1}' }, { v: '[1,2]' }, { v: '3' }],
    ['%v{json}', '12 13', { v: '12' }, { v: '13' }],
    ['%v{json}', '"a \\" b"{"}":"]"}', { v: '"a \\" b"' }, { v: '{"}":"]"}' }],
    ['%v{json}', 'nope', 'the value is not valid JSON'],
    ['%v{json}', '[1,]', 'the value is not valid JSON'],
    ['%v{json}', '{"a":', 'the input ends inside a JSON value'],
    ['json', '{bad\n', 'the input ends inside a JSON value'],
    [
      'json',
      '{"a":1}\n',
      'unknown field "a" (known: topic, key, key_encoding, value, value_encoding, headers, timestamp, partition)',
    ],
    ['%v{json}', ']', 'expected a JSON value, found "]"'],
    ['%v{json}\\n', '{"a": "\\u00e9 x"}\n{}\n', { v: '{"a":"\\u00e9 x"}' }, { v: '{}' }],
    ['%k %v{json}', 'a {"x" : 1 } b [1, 2]', { k: 'a', v: '{"x":1}' }, 'the value is not valid JSON'],
    ['%H{3}%h{ %k=%v }', ' a=b  c=d  e=f ', { v: '', h: ['a=b', 'c=d', 'e=f'] }],
    ['%H %h{%k:%v,}%v\\n', '2 a:b,c:d,val\n', { v: 'val', h: ['a=b', 'c=d'] }],
    ['%H %h{%k:%v,}%v\\n', '0 val\n1 a:b,x\n', { v: 'val' }, { v: 'x', h: ['a=b'] }],
    ['%H%h{%K{1}%V{byte}%k%v}%v\\n', '2\u0001ax\u0000bval\n', { v: 'val', h: ['a=x', 'b='] }],
    ['%H{1}%h{%k{hex}=%v{base64};}%v\\n', '61=YWI=;x\n', { v: 'x', h: ['a=ab'] }],
    ['%H{1}%h{%k{re[\\w+]}%v{json}}%v\\n', 'a{"x": 1}v\n', { v: 'v', h: ['a={"x":1}'] }],
    ['%H{hex4}%h{%k,%V %v;}%k', '2a,1 ;;b,0 ;k', { k: 'k', v: '', h: ['a=;', 'b='] }],
    ['%t{hex} %k{base64} %v{hex}\\n', '666f6f YQ== 62\n', { t: 'foo', k: 'a', v: 'b' }],
    ['%k{json}%v{json}', '"a" {"b": 1}[] 2', { k: '"a"', v: '{"b":1}' }, { k: '[]', v: '2' }],
    ['%T{hex8}%t%K{big16}%k%V{ascii} %v', `03foo${nul}\u0001a2 bb`, { t: 'foo', k: 'a', v: 'bb' }],
    ['%K{4}%k{hex}%V{4}%v{base64}', '6162YWI=', { k: 'ab', v: 'ab' }],
    ['%v{re{[ab]+}}%k{re(c*)}%t{re##d+##}', 'abccd', { t: 'd', k: 'cc', v: 'ab' }],
    ['%d{hex64}%v\\n', '00000179c4deb47ba\n', { v: 'a', d: 1622505600123 }],
    [
      '%d{big64}%p{little16}%v\\n',
      `${nul}${nul}\u0001yQ\u0000\u0000\u0001\u0002${nul}a\n`,
      { p: 2, v: 'a', d: 1620561625089 },
    ],
    ['%d{little64}%v\\n', `\u0001${nul}${nul}Qy\u0001${nul}${nul}a\n`, { v: 'a', d: 1620561625089 }],
    ['%p %v\\n', '2 val\n', { p: 2, v: 'val' }],
    ['%p{3}%v\\n', 'x\n', { p: 3, v: 'x' }],
    ['%v%p{0}\\n', 'x\n', { p: 0, v: 'x' }],
    ['%p,%o,%e,%d,%x,%y %v\\n', '1,2,3,1622505600123,5,6 v\n', { p: 1, d: 1622505600123, v: 'v' }],
    ['%p{bool}%v\\n', 'truex\nfalsey\n', { p: 1, v: 'x' }, { p: 0, v: 'y' }],
    ['%p{bool}%v\\n', 'trux\n', 'expected "true" or "false"'],
    ['%t:%k=%v;', 't1:k=v;t2:k2=v2;', { t: 't1', k: 'k', v: 'v' }, { t: 't2', k: 'k2', v: 'v2' }],
    ['%v{hex}\\n', '6162\nzz\n', { v: 'ab' }, 'invalid hex digit "z"'],
    ['%v{hex}\\n', '616\n', 'odd number of hex digits'],
    ['%V %v{hex}', '4 61622 61', { v: 'ab' }, { v: 'a' }],
    ['%v{base64}\\n', 'YWI=\n', { v: 'ab' }],
    ['%v{base64}\\n', 'YWI\n', 'invalid base64'],
    ['x%vy', 'xay', { v: 'a' }],
    ['x%vy', 'zay', 'expected "x", found "z"'],
    ['%%%v%{%}\\n', '%a{}\n', { v: 'a' }],
    ['%v%', 'a%b%', { v: 'a' }, { v: 'b' }],
    ['%v\\x00', `a${nul}b${nul}`, { v: 'a' }, { v: 'b' }],
    ['%vab', 'xaab', { v: 'xa' }],
    ['literal', 'literalliteral', { v: '' }, { v: '' }],
    ['%p %v\\n', '99999999999 x\n', '%p is 99999999999, above the maximum of 2147483647'],
  ])('%j of %j', (layout, input, ...expected) => {
    const bytes = Buffer.from(input);
    expect(parse(layout, [bytes])).toEqual(expected);
    // The same byte by byte, and in two parts at every place.
    expect(
      parse(
        layout,
        [...bytes].map((byte) => Buffer.of(byte)),
      ),
    ).toEqual(expected);
    for (let cut = 1; cut < bytes.length; cut++)
      expect(parse(layout, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
  });

  test('empty values as null on request', () => {
    expect(parse('%k %v\\n', [Buffer.from('k \nk v\n')], { tombstones: true })).toEqual([
      { k: 'k', v: null },
      { k: 'k', v: 'v' },
    ]);
  });

  test('lines longer than any chunk', () => {
    const line = 'x'.repeat(100_000);
    const input = Buffer.from(`${line}\nshort\n${line}`);
    const chunks = Array.from({ length: Math.ceil(input.length / 1000) }, (_, index) =>
      input.subarray(index * 1000, index * 1000 + 1000),
    );
    expect(parse('%v\\n', chunks)).toEqual([{ v: line }, { v: 'short' }, { v: line }]);
  });

  test('no record beyond the limit', () => {
    const chunks = Array.from({ length: 20 }, () => Buffer.alloc(100, 'x'));
    expect(parse('%v\\n', chunks, { maxRecordBytes: 1000 })).toEqual(['it is longer than 1000 bytes']);
  });

  test('with the number and the place of a record in its errors', () => {
    const parser = compileParser('%p %v\\n').create();
    parser.push(Buffer.from('1 a\n2 b\nx c\n'));
    expect(parser.next() && parser.next()).toBe(true);
    expect(() => parser.next()).toThrow(
      expect.objectContaining({
        message: 'unable to read record 3 (input byte 8): expected a number, found "x"',
        ...{ code: 'INVALID_INPUT', target: 'record 3', exitCode: 1 },
      }),
    );
  });
});

describe('a bad input layout is refused with a caret under the place', () => {
  test.each([
    ['', 'it is empty', 0],
    ['%V%V', '%V is given twice', 2],
    ['%V{0}%v', '%V{0} reads nothing', 3],
    ['%d{0}%v', '%d{0} reads nothing', 3],
    ['%v{re[x}', 'missing closing "]"', 5],
    ['%h{%v}', '%H must give', 0],
    ['%V{x}%v', 'unknown number format "x"', 3],
    ['%V{hex}%v', 'unknown number format "hex"', 3],
    ['%V{}%v', 'unknown number format ""', 3],
    ['%v{number}', 'unknown text format "number"', 3],
    ['%h{%k}', '%H must give the number of headers before %h reads them', 0],
    ['%H%h', '%h needs a layout in braces', 4],
    ['%H{2}%h{%t}', '%t has no meaning within headers', 8],
    ['%q', 'unknown verb "%q"', 0],
    ['%a{compression}', 'unknown verb "%a"', 0],
    ['%i', 'unknown verb "%i"', 0],
    ['%v%V', '%V must come before %v', 2],
    ['%V %v{json}', 'a JSON value ends by itself', 3],
    ['%V{3}%v{re[x]}', 'a regular expression ends by itself', 5],
    ['%v{re[(]}', 'invalid regular expression', 6],
    ['%v{re#[[:letter:]]#}', 'invalid regular expression: unknown class "[:letter:]"', 6],
    ['%d{9223372036854775808}%v', '%d exceeds 64 bits', 3],
    ['%p{3}', 'it reads nothing', 0],
  ])('%j: %s', (layout, reason, column) => {
    try {
      compileParser(layout);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const [first, , caret] = error.message.split('\n');
      expect(first).toContain(`invalid input layout: ${reason}`);
      expect(caret).toBe(`  ${' '.repeat(column)}^`);
      expect(error.exitCode).toBe(2);
      return;
    }
    throw new Error('accepted');
  });
});

test.each([
  ['T', 32_767, '%v'],
  ['K', 2_147_483_647, '%k%v'],
  ['V', 2_147_483_647, '%v'],
  ['H', 65_535, '%h{%k}%v'],
  ['p', 2_147_483_647, '%v'],
  ['e', 4_294_967_295, '%v'],
  ['y', 65_535, '%v'],
])('%%%s is at most %i, in the layout and in the input', (verb, most, rest) => {
  const field = verb === 'T' ? '%t' : '';
  const tooLarge = `%${verb} exceeds the maximum of ${most}`;
  expect(() => compileParser(`%${verb}{${most}}${field}${rest}`)).not.toThrow();
  expect(() => compileParser(`%${verb}{${most + 1}}${field}${rest}`)).toThrow(tooLarge);
  expect(parse(`%${verb} ${field}${rest}`, [Buffer.from(`${most + 1} x`)])).toEqual([
    `%${verb} is ${most + 1}, above the maximum of ${most}`,
  ]);
});

describe('input that does not match', () => {
  test('any input is read or refused', () => {
    const layouts = [
      '%v\\n',
      '%k %v\\n',
      '%K %V %k%v',
      '%V{big16}%v',
      '%v{json}',
      'json',
      '%H %h{%k=%v;}%v\\n',
      '%v{base64}x',
      '%v{re#[a-b1 ]*#}\\n',
      '%k{re#\\w#}%v{re#.*#};\\n',
      '%d %v;\\r\\n',
      '%v{json}\\n',
    ];
    const noise = fc.oneof(fc.string({ unit: fc.constantFrom(...'0123 \n{}[]":,x=;ab') }), fc.string());
    const property = fc.property(fc.constantFrom(...layouts), noise, (layout, text) => {
      expect(parse(layout, [Buffer.from(text)])).toEqual(
        parse(
          layout,
          [...Buffer.from(text)].map((byte) => Buffer.of(byte)),
        ),
      );
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
