import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { fastDecoder } from '../../../src/serde/protobuf/decode/fast/fast.ts';
import { writeMessage } from '../../../src/serde/protobuf/decode/message.ts';
import { createPayload } from '../../../src/serde/protobuf/decode/payload.ts';
import { createPlanner } from '../../../src/serde/protobuf/decode/plan.ts';
import { readFiles } from '../../../src/serde/protobuf/files.ts';
import { compileProtobuf } from '../../../src/serde/protobuf/protobuf.ts';
import { PayloadError } from '../../../src/serde/schema.ts';
import { everyType, groupsAndMore } from './every-type.ts';
import { values } from './random-values.ts';

/** Both decoders of the first message type: what generated code makes of a payload (undefined if it gives up), and the careful one. */
function decodersOf(text: string) {
  const files = readFiles({ type: 'PROTOBUF', text, references: [] });
  const plan = createPlanner(files)(files.messages[0] as DescMessage);
  const fast = fastDecoder(plan);
  if (fast === undefined) throw new Error('no code was generated');
  const encoder = compileProtobuf({ type: 'PROTOBUF', text, references: [] }).encoder({ bare: [0] });
  return {
    /** Encodes JSON, without message indexes. */
    encode: (json: string) => Buffer.from(encoder.encode(Buffer.from(json))),
    fast(payload: Buffer): string | undefined {
      const { source, arena } = framed(payload);
      if (!fast(source, 7, 7 + payload.length, arena)) {
        expect(arena.length).toBe(2);
        return undefined;
      }
      return arena.bytes.toString('utf8', 2, arena.length);
    },
    /** Undefined if the payload is not valid. */
    careful(bytes: Buffer): string | undefined {
      const { source, arena } = framed(bytes);
      const [payload, end] = [createPayload(), 7 + bytes.length];
      Object.assign(payload, { source, at: 7, limit: end });
      try {
        writeMessage(payload, arena, plan, { end, group: 0 });
      } catch (error) {
        expect(error).toBeInstanceOf(PayloadError);
        return undefined;
      }
      return arena.bytes.toString('utf8', 2, arena.length);
    },
  };
}

/** A payload between other bytes, and an arena that is not empty and small enough to grow on the way. */
function framed(payload: Buffer) {
  const bytes = Buffer.concat([Buffer.alloc(7, 0x80), payload, Buffer.from([8, 1, 8, 1])]);
  const arena = createArena(64);
  arena.length = 2;
  return { source: { bytes, view: viewOver(bytes) }, arena };
}

const every = decodersOf(everyType);

test.each([
  '{}',
  '{"name":"bob"}',
  '{"name":"größe \\"quoted\\" and a text that is longer than sixty-four bytes, which takes another way"}',
  `{"name":"${'x'.repeat(300)}"}`,
  '{"n":1}',
  '{"n":-1}',
  '{"n":300}',
  '{"inByName":{"a":{"x":2},"b":{}}}',
  '{"list":[{"x":1},{},{"e":"B"}]}',
  '{"a":""}',
  '{"b":"0"}',
  '{"c":{"x":-5}}',
  '{"packed":["0","-1","9007199254740993","-9223372036854775808"]}',
  '{"unpacked":[0,1,-1,1000000]}',
  '{"d":0.1}',
  '{"d":"NaN"}',
  '{"f":0.1}',
  '{"by":"AAEC"}',
  '{"self":{"self":{"self":{"name":"deep"}}}}',
  '{"flags":{"true":"1"}}',
  '{"numbers":{"-5":"B"}}',
  '{"struct":{"a":[1,null]}}',
  '{"anyValue":null}',
  '{"at":"2024-02-29T12:00:00.123Z"}',
  '{"took":"-1.500s"}',
  '{"mask":"userName,a"}',
  '{"wrapped":"7"}',
  '{"perhaps":0}',
  '{"u64":"18446744073709551615"}',
  '{"u64":"4294967296"}',
  '{"u32":4294967295}',
  '{"s32":-2147483648}',
  '{"s32":63}',
  '{"f32":4294967295}',
  '{"f64":"18446744073709551615"}',
  '{"sf32":-1}',
  '{"sf64":"-9223372036854775808"}',
  '{"sf64":"-1"}',
  '{"yes":true}',
  '{"one":"B"}',
  '{"texts":["","a","ä"]}',
  '{"doubles":[1.5,-0.0,"Infinity"]}',
  '{"blobs":{"1":"AA=="}}',
  '{"name":"a","n":2,"list":[{"x":1}],"d":1.5,"texts":["a"],"blobs":{"1":""}}',
])('generated code reads %s', (json) => {
  const payload = every.encode(json);
  expect(every.careful(payload)).toBe(json);
  expect(every.fast(payload)).toBe(json);
});

const old = decodersOf(groupsAndMore);

test.each([
  ['0801', '{"id":1}', '{"id":1}'],
  ['0800 310000000000000080', '{"id":0}', '{"id":0}'],
  ['0801 3000', '{"id":1,"big":"0"}', '{"id":1,"big":"0"}'],
  ['0801 1805', '{"id":1,"e":"X"}', undefined],
  ['0801 1807', '{"id":1}', undefined],
  ['3001', undefined, undefined],
])('proto2: generated code reads %s like the careful decoder, or gives up', (hex, json, quick) => {
  expect([old.careful(bytesOf(hex)), old.fast(bytesOf(hex))]).toEqual([json, quick]);
});

test.each([
  ['0801 12020100', '{"s":"B","list":["B","A"]}'],
  ['0800', '{}'],
  ['1001 1000', '{"list":["B","A"]}'],
  ['0802', undefined],
  ['12010102', undefined],
])('values of an enum without gaps: generated code makes %s of %s', (hex, json) => {
  const { fast } = decodersOf(
    'syntax = "proto3"; enum S { A = 0; B = 1; } message M { S s = 1; repeated S list = 2; }',
  );
  expect(fast(bytesOf(hex))).toBe(json);
});

test('message types beyond 3000 fields in all are left to the careful decoder', () => {
  const fields = (own: string): string =>
    Array.from({ length: 299 }, (_, at) => `${own} f${at} = ${at + 1};`).join(' ');
  const types = Array.from({ length: 12 }, (_, at) => `message T${at} { ${fields('int32')} T${at + 1} next = 300; }`);
  const { fast, careful } = decodersOf(`syntax = "proto3"; ${types.join('\n')} message T12 { int32 f0 = 1; }`);
  let payload = bytesOf('0807');
  for (let at = 0; at < 12; at++) payload = Buffer.concat([bytesOf('e212'), Buffer.of(payload.length), payload]);
  const json = `${'{"next":'.repeat(12)}{"f0":7}${'}'.repeat(12)}`;
  expect([careful(payload), fast(payload)]).toEqual([json, json]);
});

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

test.each([
  ['fields out of order', '1005 0a0161'],
  ['a field twice', '1005 1006'],
  ['two members of a oneof', '2a0161 3005'],
  ['a zero of two bytes', '108000'],
  ['an unknown group', 'fb3ffc3f'],
  ['a tag of three bytes', '8080a001 01'],
  ['a list in two parts', '2200 1005 2200'],
  ['bytes beyond the end of a nested message', '6a0110'],
])('generated code gives up on %s', (_, hex) => {
  expect(every.fast(bytesOf(hex))).toBeUndefined();
});

test.each([
  ['an unknown number', '1005 c03e07'],
  ['unknown bytes, and numbers of fixed sizes', 'c23e0161 c13e0102030405060708 c53e01020304 9a0400'],
  ['another wire type', '1201ff'],
  ['a packed list that is empty', '4200'],
  ['zero values', '0a00 1000 510000000000000000 5d00000000 880200'],
])('generated code reads %s', (_, hex) => {
  const json = every.careful(bytesOf(hex));
  expect(json).toBeDefined();
  expect(every.fast(bytesOf(hex))).toBe(json);
});

/** A byte as it often stands for a tag, a length or a small number. */
const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
const changes = fc.array(fc.tuple(fc.nat(120), byte), { maxLength: 4 });

test('the two decoders agree on any payload', () => {
  const property = fc.property(values, fc.array(changes, { maxLength: 6 }), fc.array(byte), (value, damages, noise) => {
    const whole = every.encode(JSON.stringify(value));
    const damaged = damages.map((list) => {
      const copy = Buffer.from(whole);
      for (const [at, one] of list) copy[at] = one;
      return copy;
    });
    for (const payload of [whole, ...damaged, Buffer.from(noise), whole.subarray(0, noise.length)]) {
      for (const { fast, careful } of [every, old]) {
        const quick = fast(payload);
        if (quick !== undefined) expect(quick).toBe(careful(payload));
      }
    }
  });
  fc.assert(property, { numRuns: 600 });
});

test('a message nested too deep is refused by both', () => {
  const nested = (depth: number): Buffer => {
    let payload = Buffer.alloc(0);
    for (let left = depth; left > 0; left--) {
      const length = payload.length < 128 ? [payload.length] : [(payload.length & 127) | 128, payload.length >>> 7];
      payload = Buffer.concat([Buffer.from([0x6a, ...length]), payload]);
    }
    return payload;
  };
  expect(every.fast(nested(149))).toBe(every.careful(nested(149)));
  expect([every.fast(nested(151)), every.careful(nested(151))?.length]).toEqual([undefined, expect.any(Number)]);
  expect([every.fast(nested(201)), every.careful(nested(201))]).toEqual([undefined, undefined]);
});
