import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena, takeBytes } from '../../../../src/bytes/arena.ts';
import { CliError } from '../../../../src/errors.ts';
import { nextBatch, nextRecord } from '../../../../src/kafka/records/batches/batch-reader.ts';
import { stampBatch } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { type RecordCursor, recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { compileGoTime } from '../../../../src/kafka/records/language/format-go-time.ts';
import { dateParts, strftime } from '../../../../src/kafka/records/language/format-strftime.ts';
import { cursorAt, cursorOver, type PlainRecord, writeBatch } from '../batches/batches.ts';
import { closeTimes } from '../batches/timestamps.ts';

const record: PlainRecord = {
  key: Buffer.from([0x6b, 0x00, 0x79]),
  value: Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.from('rest')]),
  headers: [
    [Buffer.from('h1'), Buffer.from('v1')],
    [Buffer.from('h2'), null],
  ],
  timestamp: 1622505600123,
};
const origin = recordOrigin('foo', 3, { logStart: 1, lastStable: 2, highWatermark: 300 });

function sample(): RecordCursor {
  const cursor = cursorAt(record, 1234567890123n, origin);
  cursor.leaderEpoch = 7;
  return cursor;
}

function print(layout: string, cursor = sample()): string {
  const arena = createArena();
  compileFormat(layout)(cursor, arena);
  return takeBytes(arena).toString('latin1');
}

function refusal(layout: string): CliError {
  try {
    compileFormat(layout);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error(`accepted: ${layout}`);
}

describe('a layout prints', () => {
  test.each([
    ['%t %T %K %V %H %p %o %e', 'foo 3 3 8 2 3 1234567890123 7'],
    ['%k', 'k\0y'],
    ['%v\\n', '\0\0\x01\0rest\n'],
    ['%k-%v-%t', 'k\0y-\0\0\x01\0rest-foo'],
    ['%h{%k=%v%V;}', 'h1=v12;h2=0;'],
    ['%h{ %k=%v{hex} }', ' h1=7631  h2= '],
    ['%h{%t}', ''],
    ['%h{%p}', '00'],
    ['%h{%d}', '00'],
    ['%h{%i}', '12'],
    ['%h{%h{%k}}', ''],
    ['%h{%K{hex8}%k{base64}}', '02aDE=02aDI='],
    ['%o{hex}', '11f71fb04cb'],
    ['%o{hex64}', '0000011f71fb04cb'],
    ['%o{hex32}', '71fb04cb'],
    ['%o{hex16}', '04cb'],
    ['%x', '-1'],
    ['%x{hex}', 'ffffffffffffffff'],
    ['%y{hex16}', 'ffff'],
    ['%p{big64}', '\0\0\0\0\0\0\0\x03'],
    ['%p{little32}%p{big16}%p{byte}%p{big8}%p{little8}', '\x03\0\0\0\0\x03\x03\x03\x03'],
    ['%o{little64}', '\xcb\x04\xfb\x71\x1f\x01\0\0'],
    ['%o{big64}', '\0\0\x01\x1f\x71\xfb\x04\xcb'],
    ['%v{unpack[>hHs]}', '0256rest'],
    ['%v{unpack[<I.$]}', '65536r%!$(not end-of-input)'],
    ['%v{unpack{.c<h>hxb}}', '\0\x00129285115'],
    ['%k{unpack[b.c.]}', '107\0y%!c(no bytes available)'],
    ['%k{unpack[h$]} %k{unpack[bh$]}', '107%!$(not end-of-input) 10730976'],
    ['%v{base64}', 'AAABAHJlc3Q='],
    ['%v{base64raw}', 'AAABAHJlc3Q'],
    ['%v{hex}', '0000010072657374'],
    ['%d', '1622505600123'],
    ['%d{hex64}', '00000179c4deb47b'],
    ['%d{strftime[%F %T]}', '2021-06-01 00:00:00'],
    ['%d{strftime### [%F] ###}', ' [2021-06-01] '],
    ['%d{strftime[[%F]]}', '2021-06-01'],
    ['%d{go##2006-01-02T15:04:05.999Z07:00##}', '2021-06-01T00:00:00.123Z'],
    ['%d{go(2006)}', '2021'],
    ['%d{gox2006x}', '2021'],
    ['%[ %| %]', '1 2 300'],
    ['%[{hex8}', '01'],
    ['%i %i', '1 2'],
    ['%V{bool}', 'true'],
    ['%V{hex}', '8'],
    ['%V{hex4}', '8'],
    ['%H %h{%k%{%v%}}', '2 h1{v1}h2{}'],
    [
      '%a{compression}|%a{compression;hex8}|%a{timestamp-type}|%a{transactional-bit;bool}|%a{control-bit}',
      'none|00|0|false|0',
    ],
    ['%k{unpack[qq]}', '%!(have 3 bytes, need 8)%!(have 0 bytes, need 8)'],
    ['%v{unpack[bBxQ]}', '00%!(have 6 bytes, need 8)'],
    ['%v{', '\0\0\x01\0rest{'],
    ['%p{', '3{'],
    ['{}', '{}'],
    ['%t{hex}{}', '666f6f{}'],
    ['%t{}', 'foo'],
    ['%%%{%}', '%{}'],
    ['\\t\\n\\r\\\\\\x41\\xff', '\t\n\r\\A\xff'],
    ['a\u00e9', 'a\xc3\xa9'],
    ['', ''],
  ])('%j as %j', (layout, expected) => {
    expect(print(layout)).toBe(expected);
  });

  test('strftime conversions, twelve o\u2019clock as 12', () => {
    const layout = '%d{strftime[%j %U %W %V %G %I %l %p %r %k %u %w %x %+ %Ez %Q %D %C]}';
    const expected =
      '152 22 22 22 2021 12 12 AM 12:00:00 AM  0 2 2 01/06/21 Tue Jun  1 00:00:00 UTC 2021  %Q 06/01/21 20';
    expect(print(layout)).toBe(expected);
  });

  test.each([
    ['bB', '-1253'],
    ['>hH', '-364762'],
    ['<hH', '-51364252'],
    ['iI', '-840832014278123771'],
    ['q', '-72342384813474305'],
    ['>q', '-566270030446850'],
    ['>Q', '18446177803679104766'],
  ])('unpacked with %s, signed in lower case only', (spec, expected) => {
    const value = Buffer.from('fffdfcfafbfcfefe', 'hex');
    const cursor = cursorAt({ key: null, value, headers: [], timestamp: 0 }, 0n);
    expect(print(`%v{unpack[${spec}]}`, cursor)).toBe(expected);
  });

  test('null key and value as nothing, of size 0', () => {
    const cursor = cursorAt({ key: null, value: null, headers: [], timestamp: 0 }, 0n);
    expect(print('[%k|%v|%K|%V|%v{hex}|%k{base64}|%H|%h{x}]', cursor)).toBe('[||0|0|||0|]');
  });

  test('offsets beyond 2^53 exactly', () => {
    const cursor = cursorAt(record, 9223372036854775806n);
    expect(print('%o %o{hex} %o{hex32}', cursor)).toBe('9223372036854775806 7ffffffffffffffe fffffffe');
  });

  test('producer ids beyond 2^53 exactly', () => {
    const batch = writeBatch([record]);
    stampBatch(batch, { producerId: 8_998_247_152_353_553_357n, producerEpoch: 1, baseSequence: 0 });
    const cursor = cursorOver(batch);
    nextBatch(cursor);
    nextRecord(cursor);
    expect(print('%x %x{hex64} %y', cursor)).toBe('8998247152353553357 7ce0321c3d342bcd 1');
  });

  test('unknown offsets as <nil>', () => {
    expect(print('%[ %| %]', cursorAt(record, 0n))).toBe('<nil> <nil> <nil>');
  });

  test('the time of each record, where neighbours share a second or not', () => {
    const arena = createArena();
    const format = compileFormat('%d{strftime[%T]} %d{go[05.000]};');
    for (const timestamp of [999, 1000, 1999, 1999, 2000, -1]) format(cursorAt({ ...record, timestamp }, 0n), arena);
    expect(takeBytes(arena).toString()).toBe(
      '00:00:00 00.999;00:00:01 01.000;00:00:01 01.999;00:00:01 01.999;00:00:02 02.000;23:59:59 59.999;',
    );
  });

  test('the same whatever room is left in the arena', () => {
    const layout = '%k|%v{hex}, %K{hex64}%V{big64}%d %d{strftime[%T]}%o%t%p{bool}%a{compression}%h{%k=%v;}%K{byte}\\n';
    const expected = print(layout);
    for (let room = 0; room <= 64 + expected.length; room += 1) {
      const arena = createArena(64 + expected.length);
      arena.length = arena.bytes.length - room;
      const before = arena.length;
      compileFormat(layout)(sample(), arena);
      expect(arena.bytes.toString('latin1', before, arena.length)).toBe(expected);
    }
  });

  test('a counter that continues from record to record', () => {
    const arena = createArena();
    const format = compileFormat('%i %i;');
    format(sample(), arena);
    format(sample(), arena);
    expect(takeBytes(arena).toString()).toBe('1 2;3 4;');
  });
});

describe('Go time layouts', () => {
  const afternoon = cursorAt({ ...record, timestamp: Date.UTC(2024, 1, 9, 15, 4, 5, 70) }, 0n);
  test.each([
    ['Mon Jan 2 15:04:05 MST 2006', 'Fri Feb 9 15:04:05 UTC 2024'],
    ['Monday, 02-Jan-06 15:04:05 MST', 'Friday, 09-Feb-24 15:04:05 UTC'],
    ['January _2 __2 002 3:4:5 PM pm', 'February  9  40 040 3:4:5 PM pm'],
    ['2006-01-02T15:04:05.000000Z07:00', '2024-02-09T15:04:05.070000Z'],
    ['05,999 05.99 05.9999', '05,07 05.07 05.07'],
    ['-0700 -07:00 -07 -070000 -07:00:00', '+0000 +00:00 +00 +000000 +00:00:00'],
    ['Z0700 Z07 Z070000 Z07:00:00', 'Z Z Z Z'],
    ['_2006 03 06 1', '_2024 03 24 2'],
    ['Janet Monty', 'Janet Monty'],
    ['12.0001', '29.0002'],
  ])('%j as %j', (layout, expected) => {
    expect(print(`%d{go##${layout}##}`, afternoon)).toBe(expected);
  });
});

describe('a bad layout is refused with a caret under the place', () => {
  test.each([
    ['%k %q\\n', 'unknown verb "%q"', 3],
    ['%', 'incomplete verb at the end', 0],
    ['a\\q', 'unknown escape "\\q"', 1],
    ['a\\', 'incomplete escape at the end', 1],
    ['\\x4', 'expected two hex digits', 0],
    ['%v{total}', 'unknown text format "total"', 3, "for a field of JSON, use jq: -f '%v\\n' | jq .total"],
    ['%d{x}', 'unknown time format "x"', 3],
    ['%p{}', 'unknown number format ""', 3],
    ['%p{x}', 'unknown number format "x"', 3],
    ['%p{hex', 'the brace after %p is not closed', 2],
    ['%h', '%h needs a layout in braces', 2],
    ['%h{}', 'the brace after %h is not closed', 2],
    ['%h{%v{hex}', 'the brace after %h is not closed', 2],
    ['%a', '%a needs a name in braces', 2],
    ['%a{x}', 'unknown attribute "x"', 3],
    ['%v{unpack[>Is$]}', 'nothing may follow "s" or "$"', 13],
    ['%v{unpack[z]}', 'unknown unpack character "z"', 10],
    ['%v{unpack[z', 'missing closing "]" of "unpack"', 9],
    ['%d{strftime}', 'expected a delimiter after "strftime"', 11],
    ['%d{strftime[x]', 'expected "}" after strftime', 14],
  ])('%j: %s', (layout, reason, column, hint = '') => {
    const { message, exitCode, hints } = refusal(layout);
    expect(hints.join()).toContain(hint);
    const [first, shown, caret] = message.split('\n');
    expect(first).toContain(`invalid record format: ${reason}`);
    expect(shown).toBe(`  ${layout}`);
    expect(caret).toBe(`  ${' '.repeat(column)}^`);
    expect(exitCode).toBe(2);
  });
});

describe('timestamps of 64 bits are printed exactly', () => {
  const at = (timestamp: bigint) => {
    const plain = { key: null, value: null, headers: [], timestamp };
    return cursorAt(plain, 5n, origin);
  };
  const hex = (time: bigint, digits: number) =>
    BigInt.asUintN(4 * digits, time)
      .toString(16)
      .padStart(digits, '0');
  const bytes = (time: bigint, length: number, isBig: boolean) => {
    const all = Buffer.alloc(8);
    all.writeBigInt64BE(time);
    const part = all.subarray(8 - length);
    return (isBig ? part : part.reverse()).toString('latin1');
  };
  const expected: Readonly<Record<string, (time: bigint) => string>> = {
    '%d': String,
    '%d{ascii}': String,
    '%d{number}': String,
    '%d{hex}': (time) => BigInt.asUintN(64, time).toString(16),
    '%d{hex64}': (time) => hex(time, 16),
    '%d{hex32}': (time) => hex(time, 8),
    '%d{hex4}': (time) => hex(time, 1),
    '%d{big64}': (time) => bytes(time, 8, true),
    '%d{little64}': (time) => bytes(time, 8, false),
    '%d{big32}': (time) => bytes(time, 4, true),
    '%d{little16}': (time) => bytes(time, 2, false),
    '%d{byte}': (time) => bytes(time, 1, true),
    '%d{bool}': (time) => String(time !== 0n),
    '%d{strftime[%F %T %s]}': (time) => strftime(dateParts(time), '%F %T %s'),
    '%d{go[2006-01-02 15:04:05.000]}': (time) => compileGoTime('2006-01-02 15:04:05.000')(dateParts(time)),
  };

  test.each(Object.keys(expected))('by %s', (layout) => {
    const format = compileFormat(layout);
    const property = fc.property(closeTimes, (times) => {
      const arena = createArena();
      for (const time of times) {
        format(at(time), arena);
        expect(takeBytes(arena).toString('latin1'), String(time)).toBe(expected[layout]?.(time));
      }
    });
    fc.assert(property, { numRuns: 100 });
  });
});
