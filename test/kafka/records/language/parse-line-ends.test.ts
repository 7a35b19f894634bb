import { describe, expect, test } from 'vitest';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { startProcessorTime } from '../../../processor-time.ts';
import { parse, seen } from './parsing.ts';

const cutShort = 'the input ends inside the record';

describe('a layout reads', () => {
  test.each<[string, string, ...unknown[]]>([
    // A regular expression sees a line, of which a carriage return is a part.
    ['%v{re#.*#}\\n', 'ab\r\n\r\ncd\r\n', { v: 'ab\r' }, { v: '\r' }, { v: 'cd\r' }],
    ['%v{re#[^,]*#}\\n', 'ab\ncd', { v: 'ab' }, { v: 'cd' }],
    ['%k{re#[^,]*#},%v{re#.*$#}\\n', 'a,b\nc,d', { k: 'a', v: 'b' }, { k: 'c', v: 'd' }],
    ['%v{re#a|b$#}\\n', 'a\nb\n', { v: 'a' }, { v: 'b' }],
    ['%v{re#a$#}\\n', 'ab\n', 'nothing matches /a$/'],
    ['%v{re#[a-z\\n]*#}', 'ab\ncd\nef', { v: 'ab\n' }, { v: 'cd\n' }, { v: 'ef' }],
    ['%v{re#a\\nb#}', 'a\nb\n', 'nothing matches /a\\nb/'],
    ['%v{re#(?i)ab?c#}\\n', 'ABC\nac\n', { v: 'ABC' }, { v: 'ac' }],
    ['%v{re#(?is)A.c#}\\n', 'abc\n', { v: 'abc' }],
    ['%v{re#[[:digit:]_]+#}\\n', '1_2\n', { v: '1_2' }],
    ['%v{re#[]a]+#}\\n', 'a]\n', { v: 'a]' }],
    ['%v{re#[^]a]+#}%k\\n', 'xya\n', { k: 'a', v: 'xy' }],
    ['%v{re#(?P<x>a)\\.#}\\n', 'a.\n', { v: 'a.' }],
    ['%v{re#\\A\\w+\\z#}\\n', 'abc\n', { v: 'abc' }],
    ['%v{re#\u00e4+.#}\\n', '\u00e4\u00e4!\n', { v: '\u00e4\u00e4!' }],
    ['%k{re#\\w+#} %v\\n', 'a b\nc d\n', { k: 'a', v: 'b' }, { k: 'c', v: 'd' }],
    ['%k{re#\\w+#}%v;', 'a\nb;c\nd;', { k: 'a', v: '\nb' }, { k: 'c', v: '\nd' }],
    ['%k{re#\\w#}%v;\\n', 'ab;\ncd;\n', { k: 'a', v: 'b' }, { k: 'c', v: 'd' }],
    ['%H{2}%h{%k{re#\\w#}=%v{re#.#}}%v\\n', 'a=1b=2c\n', { v: 'c', h: ['a=1', 'b=2'] }],
    // A last line without a line end is a line.
    ['%v{json}\\n', '1\n2', { v: '1' }, { v: '2' }],
    ['%v{json}\\n', '"a"\n"b"', { v: '"a"' }, { v: '"b"' }],
    ['%k:%v{json}\\n', 'k:{}', { k: 'k', v: '{}' }],
    ['%v\\r\\n', 'a\r\nb', { v: 'a' }, { v: 'b' }],
    ['%v\\r\\n', 'a\r\nb\r', { v: 'a' }, { v: 'b' }],
    ['%v\\r\\n', 'a\nb\r\n', { v: 'a\nb' }],
    ['%v\\n', 'a\r\nb\r', { v: 'a\r' }, { v: 'b\r' }],
    ['%v;\\n', 'a;\nb;', { v: 'a' }, { v: 'b' }],
    ['%v;\\n', 'a;\nb', { v: 'a' }, 'the input ends before the ";\\n" of the format'],
    ['%v;\\r\\n', 'a;\r\nb;', { v: 'a' }, { v: 'b' }],
    ['%v;\\r\\n', 'a;\r\nb;\r', { v: 'a' }, { v: 'b' }],
    ['%V{3}%v\\n', 'abc\ndef', { v: 'abc' }, { v: 'def' }],
    ['%V{3}%v\\r\\n', 'abc\r\ndef', { v: 'abc' }, { v: 'def' }],
    ['%V{3}%v;\\n', 'abc;\ndef', { v: 'abc' }, 'the input ends before the ";\\n" of the format'],
    ['%V{3}%v\\n', 'abc\nde', { v: 'abc' }, cutShort],
    ['%k\\n%v\\n', 'a\nb\nc\nd', { k: 'a', v: 'b' }, { k: 'c', v: 'd' }],
    ['%k\\n%v\\n', 'a\nb\nc', { k: 'a', v: 'b' }, 'the input ends before the "\\n" of the format'],
    ['%k\\n%v\\n', 'a\nb\nc\n', { k: 'a', v: 'b' }, 'the input ends before the "\\n" of the format'],
    ['%v{hex}\\n', '61\n62', { v: 'a' }, { v: 'b' }],
    ['%v %d\\n', 'a 1\nb 2', { v: 'a', d: 1 }, { v: 'b', d: 2 }],
    ['%v %p{bool}\\r\\n', 'a true\r\nb false', { v: 'a', p: 1 }, { v: 'b', p: 0 }],
    ['%v{re#\\w+#}\\n', 'a\nb', { v: 'a' }, { v: 'b' }],
    ['%H{1}%v\\n%h{%k=%v\\n}', 'v\na=b', { v: 'v', h: ['a=b'] }],
    ['%H{1}%v\\n%h{%k=%v{json}\\n}', 'v\na=1', { v: 'v', h: ['a=1'] }],
    ['literal\\n', 'literal\nliteral', { v: '' }, { v: '' }],
    // Timestamps have a sign and 64 bits.
    ['%d %v\\n', '-5 a\n-0 b\n', { d: -5, v: 'a' }, { d: 0, v: 'b' }],
    ['%d %v\\n', '1700000000123456789 a\n', { d: 1700000000123456789n, v: 'a' }],
    ['%d %v\\n', '-9223372036854775808 a\n', { d: -(2n ** 63n), v: 'a' }],
    ['%d %v\\n', '9223372036854775808 a\n', '%d exceeds 64 bits'],
    ['%d %v\\n', '- a\n', 'expected a number, found byte 0x20'],
    ['%d{hex64}%v\\n', 'fffffffffffffffba\n', { d: -5, v: 'a' }],
    ['%d{-7}%v\\n', 'a\nb\n', { d: -7, v: 'a' }, { d: -7, v: 'b' }],
    ['%d{1700000000123456789}%v\\n', 'a\n', { d: 1700000000123456789n, v: 'a' }],
    ['%H{1}%d %h{%d%k=%v,}%v\\n', '7 8a=b,c\n', { d: 7, v: 'c', h: ['a=b'] }],
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
});

describe('lines are read', () => {
  test('a line for a regular expression as soon as it is complete, however long it is', () => {
    const line = 'x'.repeat(100_000);
    const parser = compileParser('%k{re#x*#}%v{re#y#}\\n').create();
    for (const part of [line.slice(0, 50_000), line.slice(50_000), 'y']) {
      parser.push(Buffer.from(part));
      expect(parser.next()).toBe(false);
    }
    parser.push(Buffer.from('\nx'));
    expect(parser.next()).toBe(true);
    expect(seen(parser)).toEqual({ k: line, v: 'y' });
    expect(parser.next()).toBe(false);
  });

  test('many records of one line without reading it again for each', () => {
    const parser = compileParser('%v{re#x#}').create();
    parser.push(Buffer.from(`${'x'.repeat(500_000)}\n`));
    const spentMs = startProcessorTime();
    let taken = 0;
    // Reading it again for each would be 125 GB.
    while (taken < 500_000 && spentMs() < 10_000 && parser.next()) taken += 1;
    expect(taken).toBe(500_000);
    expect(() => parser.next()).toThrow('nothing matches /x/');
  });

  test('many envelopes of one line without reading it again for each', () => {
    const parser = compileParser('json').create();
    const count = 100_000;
    parser.push(Buffer.from(`${'{"value":"x"}'.repeat(count)}\n`));
    const spentMs = startProcessorTime();
    let taken = 0;
    // Reading it again for each would be 65 GB.
    while (spentMs() < 10_000 && parser.next()) taken += 1;
    expect(taken).toBe(count);
  });
});
