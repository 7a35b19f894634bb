import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateParts, strftime } from '../../../../src/kafka/records/language/format-strftime.ts';
import { anyInt64 } from '../batches/timestamps.ts';

const at = (text: string) => dateParts(Date.parse(text));

describe('strftime', () => {
  test.each([
    ['2024-02-09T15:04:05Z', '%a %A %b %h %B', 'Fri Friday Feb Feb February'],
    ['2024-02-09T15:04:05Z', '%c', 'Fri Feb  9 15:04:05 2024'],
    ['2024-02-09T05:04:05Z', '%d|%e|%H|%k|%I|%l|%p|%P', '09| 9|05| 5|05| 5|AM|am'],
    ['2024-02-09T12:04:05Z', '%I %l %p', '12 12 PM'],
    ['2024-02-09T15:04:05Z', '%r %R %T %X', '03:04:05 PM 15:04 15:04:05 15:04:05'],
    ['2024-02-09T15:04:05Z', '%D %x %F %y %Y %C', '02/09/24 09/02/24 2024-02-09 24 2024 20'],
    ['2024-11-09T15:04:05Z', '%m %M %S %h', '11 04 05 Nov'],
    ['2024-12-30T00:00:00Z', '%G %g %V %C%y', '2025 25 01 2024'],
    // As in rpk: the days before a late first Sunday are in week 1, where C has week 0.
    ['2024-12-30T00:00:00Z', '%U %W', '53 53'],
    ['2024-01-01T00:00:00Z', '%U %W %j', '01 01 001'],
    ['2024-02-09T15:04:05Z', '%+', 'Fri Feb  9 15:04:05 UTC 2024'],
    ['2024-12-31T23:59:59Z', '%j %s', '366 1735689599'],
    ['2024-02-11T00:00:00Z', '%u %w', '7 0'],
    ['2024-02-09T15:04:05Z', '%z %Z %n%t%%', '+0000 UTC \n\t%'],
    ['2024-02-09T15:04:05Z', '%Ey %OH %Q %', '  %Q %'],
    ['1969-12-31T23:59:59Z', '%F %T', '1969-12-31 23:59:59'],
  ])('of %s in %j is %j', (time, layout, expected) => {
    expect(strftime(at(time), layout)).toBe(expected);
  });

  // ISO 8601: the week belongs to the year of its Thursday.
  test.each([
    ['2020-12-31', '2020-W53-4'],
    ['2021-01-03', '2020-W53-7'],
    ['2021-01-04', '2021-W01-1'],
    ['2018-12-31', '2019-W01-1'],
    ['2024-12-29', '2024-W52-7'],
    ['2024-12-30', '2025-W01-1'],
  ])('knows the ISO week of %s', (day, expected) => {
    expect(strftime(at(`${day}T12:00:00Z`), '%G-W%V-%u')).toBe(expected);
  });
});

describe('dates of 64 bits', () => {
  const layout = '%F %T %j %u %G-W%V %s';
  const cycleMs = 146_097n * 86_400_000n;

  test('are those of Date, 400 years being a cycle', () => {
    const property = fc.property(anyInt64, (time) => {
      const cycles = (time - (((time % cycleMs) + cycleMs) % cycleMs)) / cycleMs;
      const date = new Date(Number(time - cycles * cycleMs));
      const { year, ...parts } = dateParts(time);
      expect(year).toBe(date.getUTCFullYear() + Number(cycles) * 400);
      expect([parts.month, parts.day, parts.hour, parts.minute, parts.second, parts.fraction, parts.weekday]).toEqual([
        ...[date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()],
        ...[date.getUTCSeconds(), date.getUTCMilliseconds(), date.getUTCDay()],
      ]);
      const seconds = (time - (((time % 1000n) + 1000n) % 1000n)) / 1000n;
      expect(strftime(dateParts(time), '%s')).toBe(String(seconds));
      if (Number.isSafeInteger(Number(time))) {
        expect(strftime(dateParts(Number(time)), layout)).toBe(strftime(dateParts(time), layout));
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test.each<[number | bigint, string]>([
    [1700000000123456789n, '53872825-06-19 08:30:56 170 4 53872825-W25 1700000000123456'],
    [-1, '1969-12-31 23:59:59 365 3 1970-W01 -1'],
    [-1000, '1969-12-31 23:59:59 365 3 1970-W01 -1'],
    [-62_167_219_200_001, '-1-12-31 23:59:59 365 5 -1-W52 -62167219201'],
  ])('%s', (time, expected) => {
    expect(strftime(dateParts(time), layout)).toBe(expected);
  });
});
