import { expect, test } from 'vitest';
import { durationMs, enumName, int64Text, timestamp } from '../../src/admin/client/proto-json.ts';
import { read, type Shape } from '../../src/shape/shape.ts';

const state = enumName('STATE_');

test.each<[shape: string, Shape<unknown>, unknown, unknown]>([
  ['an enum', state, 'STATE_OPEN', 'OPEN'],
  ['an enum', state, 'STATE_UNSPECIFIED', null],
  ['an enum', state, undefined, null],
  ['a number', int64Text, '13', 13],
  ['a number', int64Text, '9007199254740993', 9_007_199_254_740_993n],
  ['a number', int64Text, undefined, 0],
  ['a time', timestamp, '2026-07-01T10:00:00.250000000Z', '2026-07-01T10:00:00.250Z'],
  ['a time', timestamp, '1970-01-01T00:00:00.000000000Z', null],
  ['a time', timestamp, undefined, null],
  ['a duration', durationMs, '0s', 0],
  ['a duration', durationMs, '61.250s', 61_250],
  ['a duration', durationMs, '0.000900s', 1],
])('%s of version 2 of the Admin API: %s %s', (_, shape, text, value) => {
  expect(read(shape, text)).toEqual(value);
});
