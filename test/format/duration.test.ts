import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  durationToMs,
  maxDuration,
  maxTimerMs,
  parseDuration,
  showDuration,
  tellDuration,
} from '../../src/format/duration.ts';

describe('the duration format', () => {
  test.each([
    ['1h2m3s', '1h2m3s'],
    ['1.5h', '1h30m'],
    ['90s', '1m30s'],
    ['1s1h', '1h1s'],
    ['1h1h', '2h'],
    ['250us', '250us'],
    ['250\u00b5s', '250us'],
    ['250\u03bcs', '250us'],
    ['1.5ms', '1.5ms'],
    ['1500us', '1.5ms'],
    ['.5s', '500ms'],
    ['1.s', '1s'],
    ['+5s', '5s'],
    ['0', '0s'],
    ['+0', '0s'],
    ['0s', '0s'],
    ['1.000000001s', '1.000000001s'],
    ['1ns', '1ns'],
    ['007s', '7s'],
    ['9223372036854775807ns', '2562047h47m16.854775807s'],
    ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
  ])('%s is %s', (text, shown) => expect(showDuration(parseDuration(text))).toBe(shown));

  test.each([
    ['', /a number with a unit/],
    ['+', /a number with a unit/],
    ['5', /missing unit after "5"/],
    ['1s500', /missing unit after "500"/],
    ['00', /missing unit/],
    ['-5s', /cannot be negative/],
    ['-0', /cannot be negative/],
    ['--1s', /cannot be negative/],
    ['+-1s', /expected a number/],
    ['s', /expected a number at "s"/],
    ['.s', /expected a number/],
    ['.', /expected a number/],
    ['0.1ns', /shorter than 1ns/],
    ['0.0000000001s', /shorter than 1ns/],
    [' 5s', /expected a number/],
    ['5 s', /missing unit/],
    ['5s ', /expected a number/],
    ['1.5.5s', /missing unit after "1.5"/],
    ['1d', /unknown unit "d"/],
    ['1H', /unknown unit "H"/],
    ['1e3s', /unknown unit "e"/],
    ['0x10s', /unknown unit "x"/],
    ['1,5s', /missing unit/],
    ['1_0ms', /missing unit/],
    ['1m-5s', /expected a number at "-5s"/],
    ['inf', /expected a number/],
    ['١s', /expected a number/],
    ['9223372036854775808ns', /longer than/],
    ['3000000h', /longer than/],
    [`${'9'.repeat(400)}h`, /longer than/],
  ])('"%s" is an error', (text, message) => expect(() => parseDuration(text)).toThrow(message));

  test('every duration is shown in a form that is read back exactly', () => {
    fc.assert(fc.property(fc.bigInt(0n, maxDuration), (value) => parseDuration(showDuration(value)) === value));
  });

  test('a fraction counts digit by digit, not as a floating-point number', () => {
    expect(parseDuration('0.3s')).toBe(300_000_000n);
    expect(parseDuration('1.1h')).toBe(3_960_000_000_000n);
    expect(parseDuration('0.999999999999999h')).toBe(3_599_999_999_999n);
  });
});

describe('milliseconds for a timer', () => {
  test.each([
    ['0s', 0],
    ['1ns', 1],
    ['250us', 1],
    ['1ms', 1],
    ['1.0001ms', 2],
    ['30s', 30_000],
    ['596h31m23.647s', maxTimerMs],
    ['1000h', maxTimerMs],
  ])('%s is %d', (text, ms) => expect(durationToMs(parseDuration(text))).toBe(ms));
});

test.each([
  [0n, '0s'],
  [3_600n, '1h'],
  [86_400n, '1 day'],
  [604_800n, '7 days'],
  [129_600n, '36h'],
  [1_000n * 86_400n, '1,000 days'],
])('%d seconds are told as %s', (seconds, shown) => {
  expect(tellDuration(seconds * 1_000_000_000n)).toBe(shown);
});
