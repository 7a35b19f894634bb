import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { jsonTextWriter, type WriteJsonText } from '../../../src/bytes/json-text/json-text.ts';
import { plainEscape } from '../../../src/bytes/json-text/plain-escape.ts';
import { createWasmEscape } from '../../../src/bytes/json-text/wasm-escape.ts';
import { anyCharacter } from '../any-character.ts';
import { slowJsonText } from './reference.ts';

const methods = [
  { name: 'WebAssembly', method: createWasmEscape() },
  { name: 'the loop over bytes', method: plainEscape },
];

/** What the writer makes of bytes in the middle of others, after the arena's content. */
function written(write: WriteJsonText, bytes: Buffer, capacity = 64): { text: Buffer; isText: boolean } {
  const whole = Buffer.concat([Buffer.from('"\\\xe2'), bytes, Buffer.from('"\\\n\x80', 'latin1')]);
  const arena = createArena(capacity);
  arena.length = 3;
  arena.bytes.write('abc');
  const isText = write(arena, { bytes: whole, view: viewOver(whole) }, whole.length - bytes.length - 4, bytes.length);
  expect(arena.bytes.toString('latin1', 0, 3)).toBe('abc');
  return { text: Buffer.from(arena.bytes.subarray(3, arena.length)), isText };
}

function expectSame(write: WriteJsonText, bytes: Buffer): void {
  const slow = slowJsonText(bytes);
  const fast = written(write, bytes);
  if (!fast.text.equals(slow.text)) expect(fast.text.toString('latin1')).toBe(slow.text.toString('latin1'));
  expect(fast.isText).toBe(slow.isText);
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'value', ' ', '0123456789abcdefghijklmnopqrstuvwxyz') },
  { weight: 4, arbitrary: fc.constantFrom('"', '\\', '":"', '","', '\\"', '{"', '\n', '\r\n', '\t', '\b', '\f') },
  fc.constantFrom('\0', '\x01', '\x0b', '\x1f', '\x7f', '\x80', '\u2027', '\u2028', '\u2029', '\u202a', '\u20ac'),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const texts = fc.array(text, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('').toWellFormed()));
/** Text with some bytes changed, removed or inserted: nearly UTF-8. */
const damaged = fc
  .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), fc.nat(3))
  .map(([bytes, edits, cut]) => {
    const copy = Buffer.from(bytes);
    for (const [at, byte] of edits) if (copy.length > 0) copy[at % copy.length] = byte;
    return copy.subarray(Math.min(cut, copy.length));
  });
const anything = fc.oneof(
  texts,
  damaged,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe.each(methods)('bytes become a JSON string by $name', ({ method }) => {
  test('like the slow way, one value after another', () => {
    const property = fc.property(fc.array(anything, { minLength: 1, maxLength: 8 }), (values) => {
      const write = jsonTextWriter(method);
      for (const value of values) expectSame(write, value);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('with each byte at each place of a value, of each length up to 70', () => {
    const write = jsonTextWriter(method);
    for (let byte = 0; byte < 256; byte++) {
      for (let at = 0; at < 40; at++) {
        const value = Buffer.alloc(40, 'x');
        value[at] = byte;
        expectSame(write, value);
      }
    }
    for (let length = 0; length <= 70; length++) {
      for (const unit of ['a', '"', 'a"', '\n', '\x01', '\u2028', '\u00e9']) {
        expectSame(write, Buffer.alloc(length, unit).subarray(0, length));
      }
    }
  });

  test('with every pair of quotes, backslashes and line ends among 16 bytes', () => {
    const write = jsonTextWriter(method);
    for (const first of ['"', '\\', '\n', '\x1f', '\u2029']) {
      for (let mask = 0; mask < 1 << 16; mask += 37) {
        const characters = Array.from({ length: 16 }, (_, bit) => ((mask >> bit) & 1 ? first : 'x'));
        expectSame(write, Buffer.from(`0123456789abcdef${characters.join('')}yz`));
      }
    }
  });

  test('in pieces, which do not split a character', () => {
    const write = jsonTextWriter(method);
    for (const shift of [0, 1, 2, 3]) {
      for (const unit of ['\u2028', '\u2029\u20ac', '"\\\x01', '\u{1f600}']) {
        expectSame(write, Buffer.from(`${'x'.repeat(shift)}${unit.repeat(50_000)}`));
      }
    }
    expectSame(write, Buffer.concat([Buffer.alloc(200_000, 'x'), Buffer.of(0xe2, 0x80)]));
    expectSame(jsonTextWriter(method), Buffer.concat([Buffer.of(0xe2, 0x80), Buffer.alloc(200_000, 'x')]));
  });

  test('whatever was before it: text after bytes, and bytes after text', () => {
    const write = jsonTextWriter(method);
    const bytes = Buffer.alloc(100, 0xff);
    const umlauts = Buffer.from('\u00fc"'.repeat(50));
    for (const value of [bytes, umlauts, bytes, bytes, Buffer.alloc(100, '"'), bytes, umlauts])
      expectSame(write, value);
  });
});

test('strings are written without WebAssembly, too', () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: unknown };
  try {
    Object.assign(globalThis, { WebAssembly: undefined });
    expect(() => createWasmEscape()).toThrow('this Node.js runs without WebAssembly');
    expectSame(jsonTextWriter(), Buffer.from('"\u2028\n'.repeat(20)));
  } finally {
    Object.assign(globalThis, { WebAssembly });
  }
});
