import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableMessage, printableText } from '../../src/format/printable.ts';
import { anyCharacter } from '../bytes/any-character.ts';
import { startProcessorTime } from '../processor-time.ts';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a\u001b[31mb', 'a\\u001b[31mb'],
  ['a\n\r\tb', 'a\\n\\r\\tb'],
  ['\u0000\u007f\u009b2J', '\\u0000\\u007f\\u009b2J'],
  ['pay\u202egnp.exe', 'pay\\u202egnp.exe'],
  ['\u2066x\u2069\u200f\u061c', '\\u2066x\\u2069\\u200f\\u061c'],
  ['one\u2028two\u2029', 'one\\u2028two\\u2029'],
  ['\ufeffname', '\\ufeffname'],
  ['pro\u200bd\u2060\u2064\u180e\u206a\u206f', 'pro\\u200bd\\u2060\\u2064\\u180e\\u206a\\u206f'],
  ['na\u00adme \u{e0041}', 'na\\u00adme \\udb40\\udc41'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['日本 é 👩‍👩‍👧 עברית العربية', '日本 é 👩‍👩‍👧 עברית العربية'],
])('%j is shown as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('every format character is escaped, except the two joiners', () => {
  const raw: string[] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    if (/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u.test(character) === (printable(character) === character)) raw.push(character);
  }
  expect(raw).toEqual(['\u200c', '\u200d']);
});

test('what was escaped is not escaped again', () => {
  expect(printable(printable('\u001b\u202e'))).toBe('\\u001b\\u202e');
});

test('a message keeps only line ends before an indented line: a server cannot write a line of its own', () => {
  expect(printableMessage('unknown verb\n  %Q\n  ^')).toBe('unknown verb\n  %Q\n  ^');
  expect(printableMessage('failed\nweir: all is well')).toBe('failed\\nweir: all is well');
  expect(printableMessage('a\n  \u001b[2J')).toBe('a\n  \\u001b[2J');
});

test('finished text keeps lines and tabs, and colours only where there may be some', () => {
  const text = 'a\tb\n\u001b[31mred\u001b[39m\u001b[2J\r\n';
  expect(printableText(text)).toBe('a\tb\n\\u001b[31mred\\u001b[39m\\u001b[2J\\r\n');
  expect(printableText(text, true)).toBe('a\tb\n\u001b[31mred\u001b[39m\\u001b[2J\\r\n');
});

test('in JSON the escapes lose nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(JSON.parse(printableText(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
    }),
  );
});

test('5,000 clean cells take a few milliseconds', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `orders.region-${at}.events.v1`);
  const times = Array.from({ length: 5 }, () => {
    const taken = startProcessorTime();
    for (const name of names) printable(name);
    printableText(names.join('\n'));
    return taken();
  });
  // The best time: a garbage collection can fall into any of them.
  expect(Math.min(...times)).toBeLessThan(50);
});
