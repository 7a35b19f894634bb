import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { type OffsetPlace, parseOffsetRange } from '../../../../src/kafka/streams/consume/offset-words.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const start: OffsetPlace = { at: 'start' };
const end: OffsetPlace = { at: 'end' };
const exact = (offset: bigint): OffsetPlace => ({ at: 'exact', offset });
const time = (timestamp: number): OffsetPlace => ({ at: 'time', timestamp });
const june = Date.UTC(2021, 5, 1);

describe('an offset is read', () => {
  test.each<[string, OffsetPlace, OffsetPlace | undefined]>([
    ['start', start, undefined],
    ['oldest', start, undefined],
    ['end', end, undefined],
    ['newest', end, undefined],
    [':end', start, end],
    ['+3', { at: 'afterStart', count: 3n }, undefined],
    ['-3', { at: 'beforeEnd', count: 3n }, undefined],
    ['+3:end', { at: 'afterStart', count: 3n }, end],
    ['-3:end', { at: 'beforeEnd', count: 3n }, end],
    ['+3:7', { at: 'afterStart', count: 3n }, exact(7n)],
    ['-3:7', { at: 'beforeEnd', count: 3n }, exact(7n)],
    ['7', exact(7n), undefined],
    ['7:', exact(7n), undefined],
    [':7', start, exact(7n)],
    ['3:7', exact(3n), exact(7n)],
    ['3-7', exact(3n), exact(7n)],
    ['3:end', exact(3n), end],
    ['3-end', exact(3n), end],
    ['9223372036854775807', exact(9223372036854775807n), undefined],
    ['@1622505600123', time(1622505600123), undefined],
    ['@1622505600123:', time(1622505600123), undefined],
    ['@1622505600', time(june), undefined],
    ['@2021-06-01', time(june), undefined],
    ['@2021-06-01T00:00:00Z', time(june), undefined],
    ['@2021-06-01T00:00:00.25Z', time(june + 250), undefined],
    ['@2021-06-01T02:00:00+02:00', time(june), undefined],
    ['@-1h', time(now - hour), undefined],
    ['@1h', time(now + hour), undefined],
    ['@-1h30m', time(now - 1.5 * hour), undefined],
    ['@:1622505600', start, time(june)],
    ['@:-1h', start, time(now - hour)],
    ['@:end', start, end],
    ['@2021-06-01:end', time(june), end],
    ['@-1m:end', time(now - 60_000), end],
    ['@-48h:-24h', time(now - 48 * hour), time(now - 24 * hour)],
    ['@2021-06-01:1h', time(june), time(june + hour)],
    ['@1622505600:1622505600123', time(june), time(june + 123)],
    ['@2021-06-01T00:00:00Z:2021-06-02', time(june), time(june + 24 * hour)],
    ['@2021-06-01:2021-06-01T01:00:00Z', time(june), time(june + hour)],
    ['@-1h:2026-11-21T12:00:00Z', time(now - hour), time(now)],
    ['@2021-06-01T01:00+0100:end', time(june), end],
    ['@2021-06-01 01:00:00,250 +01', time(june + 250), undefined],
    ['@-1d1h', time(now - 25 * hour), undefined],
    // What cannot be an offset needs no @.
    ['2021-06-01', time(june), undefined],
    ['-2h:-1h', time(now - 2 * hour), time(now - hour)],
    ['2021-06-01T00:00:00Z:1h', time(june), time(june + hour)],
  ])('%s', (text, from, to) => {
    expect(parseOffsetRange(text, now)).toEqual({ start: from, end: to });
  });
});

test('a format in place of an offset is recognised', () => {
  const hints = ['did you mean --format json? -o is the offset here'];
  expect(() => parseOffsetRange('json', now)).toThrow(expect.objectContaining({ hints }));
});

test('the hint for a second @ says how a range of times is written', () => {
  const hints = ['write @ once, before both: -o @-2h:-1h'];
  expect(() => parseOffsetRange('@-2h:@-1h', now)).toThrow(expect.objectContaining({ hints }));
});

test('the second time of a range counts from now, but for 1h and a time of day after an absolute first one', () => {
  const at = (text: string) => parseOffsetRange(text, now).end;
  const local = (day: number, hours: number) => time(new Date(2026, 10, day, hours).getTime());
  expect(at('@yesterday 17:00:today 11:00')).toEqual(local(21, 11));
  expect(at('yesterday:today')).toEqual(local(21, 0));
  expect(at('@2026-11-19:yesterday 9:00')).toEqual(local(20, 9));
  expect(at('@yesterday 17:00:now')).toEqual(time(now));
  expect(at('@yesterday 5:00:-2h')).toEqual(time(now - 2 * hour));
  expect(at('@yesterday 17:00:18:00')).toEqual(local(20, 18));
  expect(at('@2021-06-01:1h')).toEqual(time(june + hour));
});

describe('an offset is refused', () => {
  test.each([
    ['', 'missing offset'],
    ['abc', '"abc" is not an offset'],
    [':', 'missing offset'],
    ['start:end', '"start" is not an offset'],
    ['5:3', 'the end 3 is not after the start 5'],
    ['5:5', 'the end 5 is not after the start 5'],
    ['5:x', '"x" is not an offset'],
    ['x:', '"x" is not an offset'],
    ['end:', 'end cannot be the start of a range'],
    ['+x', '"x" is not an offset'],
    ['+', 'missing offset'],
    ['+3:', '"3:" is not an offset'],
    ['-3:', '"3:" is not an offset'],
    ['-x:end', '"x" is not an offset'],
    ['-:end', 'missing offset'],
    ['-3:x', '"x" is not an offset'],
    ['-3:+5', '"+5" is not an offset'],
    ['-3:7:9', '"7:9" is not an offset'],
    ['1.5', '"1.5" is not an offset'],
    ['9223372036854775808', '9223372036854775808 is larger than the largest possible offset'],
    ['@', 'missing time'],
    ['@:', 'missing time'],
    ['@end', 'the end is not a time'],
    ['@x', '"x" is not a time'],
    ['@--1h', '"--1h" is not a time'],
    ['@2021-02-30', '"2021-02-30" is not a valid date or time of day'],
    ['@2021-13-01T00:00:00Z', '"2021-13-01T00:00:00Z" is not a valid date or time of day'],
    ['@-1h:-2h', 'the end time is not after the start time'],
    ['@-2h:-1h:3', '"-1h:3" is not a time'],
    ['@2021-06-01T12:00x:end', '"2021-06-01T12:00x" is not a time'],
    ['@2021-06-01T25:00', '"2021-06-01T25:00" is not a valid date or time of day'],
  ])('%j: %s', (text, reason) => {
    expect(() => parseOffsetRange(text, now)).toThrow(`invalid offset "${text}": ${reason}`);
  });

  test('or read, for any text', () => {
    const piece = fc.constantFrom(
      '@',
      ':',
      '-',
      '+',
      'end',
      'start',
      '5',
      '1622505600',
      '2021-06-01',
      '1h',
      'Z',
      'T',
      'x',
    );
    const property = fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      try {
        parseOffsetRange(pieces.join(''), now);
      } catch (error) {
        expect(error).toBeInstanceOf(CliError);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
