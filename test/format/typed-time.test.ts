import { describe, expect, test } from 'vitest';
import { readTime, showLocalTime } from '../../src/format/time.ts';
import { parseOffsetRange } from '../../src/kafka/streams/consume/offset-words.ts';

/** Runs in a time zone: Node.js reads TZ again when it is set. */
function inZone<T>(zone: string, work: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

const now = Date.parse('2026-11-28T19:00:00Z');

describe('a time without a zone is local', () => {
  test.each([
    ['2026-11-27T09:00:00', '2026-11-27T09:00:00+01:00'],
    ['2026-11-27 09:00', '2026-11-27T09:00:00+01:00'],
    ['2026-07-01 9:00:00.5', '2026-07-01T09:00:00.5+02:00'],
    ['18:30', '2026-11-28T18:30:00+01:00'],
    ['today 0:00', '2026-11-28T00:00:00+01:00'],
    ['yesterday 9:00', '2026-11-27T09:00:00+01:00'],
    ['Yesterday 9:00', '2026-11-27T09:00:00+01:00'],
    ['-1w', '2026-11-21T20:00:00+01:00'],
    ['-1w2d1h', '2026-11-19T19:00:00+01:00'],
    ['yesterday', '2026-11-27T00:00:00+01:00'],
    // As rpk has it, and as it is documented: a date alone is a day in UTC.
    ['2026-11-27', '2026-11-27T01:00:00+01:00'],
    ['2026-11-27T09:00:00Z', '2026-11-27T10:00:00+01:00'],
    ['now', '2026-11-28T20:00:00+01:00'],
  ])('%s', (typed, shown) => {
    inZone('Europe/Berlin', () => expect(showLocalTime(readTime(typed, now)?.timestamp ?? 0)).toBe(shown));
  });

  test.each([
    ['@yesterday 9:00:10:00', '2026-11-27T09:00:00-03:30', '2026-11-27T10:00:00-03:30'],
    ['@2026-11-20T09:00:10:00', '2026-11-20T09:00:00-03:30', '2026-11-20T10:00:00-03:30'],
    ['@9:00:9:30:15', '2026-11-28T09:00:00-03:30', '2026-11-28T09:30:15-03:30'],
  ])('also in a range, whose times have colons: %s', (typed, from, to) => {
    inZone('America/St_Johns', () => {
      const { start, end } = parseOffsetRange(typed, now);
      expect([start, end]).toEqual([from, to].map((time) => ({ at: 'time', timestamp: Date.parse(time) })));
    });
  });
});

test.each(['', '24:30:61', '2026-02-30 10:00', '-', '+', '1x', '99999999d', 'tomorrow', '12345'])(
  '%j is not a time',
  (typed) => {
    expect(readTime(typed, now)).toBeUndefined();
  },
);
