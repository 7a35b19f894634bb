import { describe, expect, it } from 'vitest';
import { rangeToChange, rangeToRead, timeToChange } from '../../src/commands/times.ts';
import { realHost } from '../../src/host/host.ts';
import { run } from '../world.ts';

const now = Date.parse('2026-11-28T12:00:00Z');

/** What a reading says on standard error. */
function noticesOf(read: typeof rangeToRead, given: string): readonly string[] {
  const notices: string[] = [];
  read({ host: { ...realHost(), now: () => now }, notice: (line) => notices.push(line) }, given);
  return notices;
}

describe('a time in the future is refused where something is deleted, moved or copied', () => {
  it.each([
    ['topic trim-prefix t -o @24h', 'invalid offset "@24h": it is in the future (', 'did you mean @-24h?'],
    ['topic trim-prefix t -o @2099-01-01', 'it is in the future (', 'use end for the end of the log'],
    ['topic copy t u -o @-2h:1h', 'invalid offset "@-2h:1h": it ends in the future (', 'did you mean @-2h:-1h?'],
    ['topic redrive t -o @1h', 'it is in the future (', 'did you mean @-1h?'],
    ['group seek g --to 24h', 'invalid value "24h" of --to: it is in the future (', 'did you mean -24h?'],
    ['group seek g --to @24h', 'invalid value "@24h" of --to: it is in the future (', 'did you mean -24h?'],
    ['group seek g --to 2099-01-01', 'it is in the future (', 'use end for the end of the log'],
  ])('%s', async (line, message, hint) => {
    const { stdout, stderr, exitCode } = await run(`${line} --yes`, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`hint: ${hint}\n`);
  });
});

it.each([
  ['@24h', ['-o @24h is in the future (2026-11-29T12:00:00Z); did you mean @-24h?']],
  ['@1h:end', ['-o @1h:end begins in the future (2026-11-28T13:00:00Z); did you mean @-1h:end?']],
  ['@2027-01-01', ['-o @2027-01-01 is in the future (2027-01-01T00:00:00Z)']],
  ['@-1h', []],
  ['end', []],
  ['18:30', ['-o 18:30 is offsets 18 to 30; for the time of day, use -o @18:30']],
  ['10:200', []],
])('%s is only a notice where records are read', (given, notices) => {
  expect(noticesOf(rangeToRead, given).map(utc)).toEqual(notices);
});

it('a day without a time is in UTC, which is said where the local time is another', () => {
  const zone = process.env.TZ;
  try {
    process.env.TZ = 'Europe/Paris';
    const day = '-o 2026-01-31 is 2026-01-31T01:00:00+01:00: a day without a time is in UTC';
    expect(['2026-01-31', '@2026-01-31T09:00'].map((word) => noticesOf(rangeToRead, word))).toEqual([[day], []]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

it.each([
  ['@-24h', ['@-24h is 2026-11-27T12:00:00Z']],
  ['@-24h:-1h', ['@-24h:-1h is 2026-11-27T12:00:00Z to 2026-11-28T11:00:00Z']],
  ['100', []],
])('what is changed from %s on is said with the time that it is', (given, notices) => {
  expect(noticesOf(rangeToChange, given).map(utc)).toEqual(notices);
});

it.each(['now', '@now'])('%s is not in the future', (given) => {
  const host = { ...realHost(), now: () => now };
  expect(timeToChange({ host, notice: () => undefined }, given, '--to')).toBe(now);
});

/** Times are shown in the zone of the machine. */
function utc(line: string): string {
  return line.replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, (time) =>
    new Date(time).toISOString().replace('.000', ''),
  );
}
