import { describe, expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { PayloadError, type ReferencedSchema, SchemaError } from '../../../src/serde/schema.ts';
import { startProcessorTime } from '../../processor-time.ts';
import { sourceOf } from './exchange.ts';

/** Generous: each of these takes far less than a second on an idle machine. */
const mostMs = 5_000;

function decode(text: string, payload: Buffer, references: readonly ReferencedSchema[] = []): string {
  const arena = createArena();
  const decoder = compileAvro({ type: 'AVRO', text, references }).decoder();
  decoder.decode({ bytes: payload, view: viewOver(payload) }, 0, payload.length, arena);
  return arena.bytes.toString('utf8', 0, arena.length);
}

function expectQuick(work: () => void): void {
  const spent = startProcessorTime();
  work();
  expect(spent()).toBeLessThan(mostMs);
}

/** Records of which each contains the one before twice. */
function doubling(levels: number, first: object): string {
  const types = Array.from({ length: levels }, (_, level) => ({
    ...{ type: 'record', name: `R${level + 1}` },
    fields: ['a', 'b'].map((name) => ({ name, type: `R${level}`, default: {} })),
  }));
  const last = { type: 'record', name: 'Last', fields: [{ name: 'f', type: `R${levels}` }] };
  return JSON.stringify(['null', { type: 'record', name: 'R0', ...first }, ...types, last]);
}

describe('hostile schemas', () => {
  test('100,000 fields', () => {
    expectQuick(() => {
      const fields = Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, type: 'int', default: 1 }));
      const codec = compileAvro(sourceOf(JSON.stringify({ type: 'record', name: 'R', fields })));
      const payload = codec.encoder().encode(Buffer.from('{}'));
      expect(payload).toEqual(Buffer.alloc(100_000, 2));
      const arena = createArena();
      codec.decoder().decode({ bytes: payload, view: viewOver(payload) }, 0, payload.length, arena);
      expect(Object.keys(JSON.parse(arena.bytes.toString('utf8', 0, arena.length)))).toHaveLength(100_000);
      expect(Object.keys(JSON.parse(codec.example()))).toHaveLength(100_000);
    });
  });

  test('10 MB of symbols, and of one name', () => {
    expectQuick(() => {
      const symbols = Array.from({ length: 600_000 }, (_, index) => `SYMBOL_${index}`);
      expect(decode(JSON.stringify({ type: 'enum', name: 'E', symbols }), Buffer.from('feff01', 'hex'))).toBe(
        '"SYMBOL_16383"',
      );
      const name = 'n'.repeat(10_000_000);
      const json = decode(
        JSON.stringify({ type: 'record', name: 'R', fields: [{ name, type: 'int' }] }),
        Buffer.from([2]),
      );
      expect(json).toHaveLength(name.length + 6);
    });
  });

  test.each([
    ['arrays', `${'{"type":"array","items":'.repeat(100_000)}"int"${'}'.repeat(100_000)}`],
    ['brackets', '['.repeat(1_000_000)],
    ['a few too many arrays', `${'{"type":"array","items":'.repeat(700)}"int"${'}'.repeat(700)}`],
  ])('deep nesting: %s', (_, text) => {
    expectQuick(() => {
      expect(() => compileAvro(sourceOf(text))).toThrow(SchemaError);
      expect(() => compileAvro(sourceOf(text))).toThrow(/nested (deeper than 1000 levels|too deep)/);
    });
  });

  test('as deep as allowed', () => {
    const text = `${'{"type":"array","items":'.repeat(500)}"int"${'}'.repeat(500)}`;
    expect(decode(text, Buffer.from([0]))).toBe('[]');
    expect(() => decode(text, Buffer.alloc(1000, 2))).toThrow('the payload ends inside');
    expect(compileAvro(sourceOf(text)).example()).toMatch(/^\[[\s[\]]*\]$/);
  });

  test('a record that contains itself without end', () => {
    const text = JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'f', type: 'R' }] });
    expect(() => decode(text, Buffer.alloc(0))).toThrow('values are nested deeper than 1000 levels');
    expect(() => compileAvro(sourceOf(text)).example()).toThrow('every value of R contains itself or is too large');
  });

  test('records that double with every level', () => {
    expectQuick(() => {
      const text = doubling(60, { fields: [] });
      expect(() => decode(text, Buffer.from([2 * 62]))).toThrow(PayloadError);
      expect(() => decode(text, Buffer.from([2 * 62]))).toThrow('the JSON becomes too long for a payload of 1 bytes');
      const more = doubling(60, { fields: [{ name: 'a', type: 'int', default: 1 }] });
      expect(() => compileAvro({ ...sourceOf(more), isNew: true })).toThrow('the default is larger than 1048576 bytes');
      const deep = JSON.stringify([...JSON.parse(more).slice(1), 'null']);
      expect(compileAvro(sourceOf(deep)).example()).toContain('"R0"');
      expect(() =>
        compileAvro({ type: 'AVRO', text: '"Last"', references: [{ name: 'x', text: more }] }).example(),
      ).toThrow(SchemaError);
    });
  });

  test('defaults that are small each and large together', () => {
    expectQuick(() => {
      const large = {
        type: 'record',
        name: 'L',
        fields: [{ name: 's', type: 'string', default: 'x'.repeat(2 ** 19) }],
      };
      const field = (name: string) => ({ name, type: 'L', default: {} });
      const many = (count: number) => Array.from({ length: count }, (_, at) => field(`f${at}`));
      const fields = [{ name: 'l', type: large, default: {} }];
      const text = JSON.stringify({ type: 'record', name: 'R', fields: [...fields, ...many(3_000)] });
      expect(() => compileAvro({ ...sourceOf(text), isNew: true })).toThrow(
        'the defaults are larger than 16777216 bytes together',
      );
      const list = JSON.stringify({
        type: 'array',
        items: { type: 'record', name: 'R', fields: [...fields, ...many(20)] },
      });
      const json = Buffer.from(`[${'{},'.repeat(300)}{}]`);
      expect(() => compileAvro(sourceOf(list)).encoder().encode(json)).toThrow(
        'expected fewer values that consist of defaults',
      );
    });
  });

  test('examples that repeat a long name, symbol or fixed', () => {
    const long = 'x'.repeat(2 ** 19);
    const types = [
      { type: 'fixed', name: 'T', size: 60_000 },
      { type: 'enum', name: 'T', symbols: [long] },
      { type: 'record', name: 'T', fields: [{ name: long, type: 'int' }] },
      { type: 'record', name: 'T', fields: [{ name: 'u', type: ['null', { type: 'fixed', name: long, size: 1 }] }] },
    ];
    for (const type of types) {
      const fields = Array.from({ length: 1_000 }, (_, at) => ({ name: `f${at}`, type: at === 0 ? type : 'T' }));
      const text = JSON.stringify({ type: 'record', name: 'R', fields });
      expectQuick(() => expect(() => compileAvro(sourceOf(text)).example()).toThrow('too large for an example'));
    }
  });

  // More types than code is generated for, and fewer.
  test.each([5_000, 1_500])('a chain of %d references', (length) => {
    expectQuick(() => {
      const references = Array.from({ length }, (_, index) => ({
        name: `R${index}`,
        text: JSON.stringify({
          ...{ type: 'record', name: `R${index}` },
          fields: [{ name: 'f', type: index === 0 ? 'int' : ['null', `R${index - 1}`] }],
        }),
      }));
      const text = `"R${length - 1}"`;
      expect(decode(text, Buffer.from([0]), references)).toBe('{"f":null}');
      const codec = compileAvro({ type: 'AVRO', text, references });
      expect(codec.encoder().encode(Buffer.from('{"f":null}'))).toEqual(Buffer.from([0]));
      expect(codec.example()).toContain('"f"');
    });
  });

  test('names that mean something to JavaScript', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'arena', 'run', 'undefined'];
    const fields = names.map((name) => ({ name, type: 'int', default: 4 }));
    const codec = compileAvro(sourceOf(JSON.stringify({ type: 'record', name: '__proto__', fields })));
    expect(codec.encoder().encode(Buffer.from('{"__proto__":1}'))).toEqual(Buffer.from([2, 8, 8, 8, 8, 8, 8, 8]));
    expect(codec.encoder().encode(Buffer.from('{}'))).toEqual(Buffer.alloc(8, 8));
    const union = ['null', 'int', { type: 'enum', name: 'constructor', symbols: ['__proto__', 'toString'] }];
    const text = JSON.stringify({ type: 'array', items: union });
    const encoded = compileAvro(sourceOf(text))
      .encoder()
      .encode(Buffer.from('["__proto__",{"constructor":"toString"},3]'));
    expect(decode(text, Buffer.from(encoded))).toBe(
      '[{"constructor":"__proto__"},{"constructor":"toString"},{"int":3}]',
    );
  });
});

describe('hostile payloads', () => {
  const items = JSON.stringify({ type: 'array', items: { type: 'array', items: 'null' } });

  test('a few bytes that stand for endless items', () => {
    expectQuick(() => {
      const endless = Buffer.from('feffffffffffffffff01', 'hex');
      expect(() => decode(items, Buffer.concat([endless, endless, Buffer.alloc(100)]))).toThrow(PayloadError);
      const empty = JSON.stringify({ type: 'map', values: { type: 'record', name: 'R', fields: [] } });
      expect(() => decode(empty, Buffer.concat([endless, Buffer.alloc(1_000_000)]))).toThrow(PayloadError);
    });
  });

  test('a megabyte of symbols of a megabyte', () => {
    const text = JSON.stringify({ type: 'array', items: { type: 'enum', name: 'E', symbols: ['S'.repeat(2 ** 20)] } });
    const payload = Buffer.concat([Buffer.from('80897a', 'hex'), Buffer.alloc(1_000_000), Buffer.from([0])]);
    expectQuick(() => expect(() => decode(text, payload)).toThrow('the JSON becomes too long'));
  });

  test('nothing is read beyond the end of the payload', () => {
    const bytes = Buffer.from('0661626364', 'hex');
    const decoder = compileAvro(sourceOf('"string"')).decoder();
    expect(() => decoder.decode({ bytes, view: viewOver(bytes) }, 0, 3, createArena())).toThrow('does not fit');
    const arena = createArena();
    decoder.decode({ bytes, view: viewOver(bytes) }, 0, 4, arena);
    expect(arena.bytes.toString('utf8', 0, arena.length)).toBe('"abc"');
  });
});
