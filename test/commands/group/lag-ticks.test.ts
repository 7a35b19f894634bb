import { expect, test } from 'vitest';
import { lag } from '../../../src/commands/group/lag.ts';
import { plainView } from '../../../src/format/view.ts';

test('later ticks begin with an empty line and have rates, and an error has a column', () => {
  const row = { group: 'g', state: 'Stable', members: 2, lag: 600n, age_seconds: 75, topics: [], error: null };
  const rates = { read_rate: 20, write_rate: 9.96, trend: 'shrinking', seconds_to_zero: 59.2 } as const;
  const unknown = { read_rate: null, write_rate: null, trend: null, seconds_to_zero: null };
  const error = { code: 'GROUP_ID_NOT_FOUND', number: 69, message: 'no such group', retryable: false, exit_code: 3 };
  const missing = { ...row, ...unknown, group: 'h', state: null, members: 0, lag: null, age_seconds: null, error };
  const tick = { tick: 1, time: 'T', status: 'running', groups: [{ ...row, ...rates }, missing] } as const;
  expect(lag.show.text(tick, plainView, { dryRun: false })).toBe(
    [
      '',
      'TIME  GROUP  STATE   MEMBERS  LAG  AGE    READ/S  WRITTEN/S  TREND      ZERO-IN  ERROR',
      'T     g      Stable  2        600  1m15s  20.0    10.0       shrinking  1m',
      'T     h      -       0        -    -      -       -          -          -        GROUP_ID_NOT_FOUND: no such group',
      '',
    ].join('\n'),
  );
});
