import { expect, test } from 'vitest';
import { inUnitOf } from '../../src/format/config-units.ts';

test.each([
  ['retention.ms', '7d', '604800000'],
  ['retention.ms', '1d12h', '129600000'],
  ['segment.ms', '90m', '5400000'],
  ['log_retention_ms', '2h', '7200000'],
  ['segment.bytes', '2MB', '2000000'],
  ['retention.bytes', '1.5GiB', '1610612736'],
  ['log_segment_size', '64MiB', '67108864'],
  ['retention.ms', '-1', '-1'],
  ['retention.ms', '604800000', '604800000'],
  ['retention.ms', '500us', '500us'],
  ['retention.ms', '7 days', '7 days'],
  ['retention.ms', '2MB', '2MB'],
  ['cleanup.policy', '7d', '7d'],
  ['segment.bytes', 'null', 'null'],
])('%s=%s is sent as %s', (key, value, sent) => {
  expect(inUnitOf(key, value)).toBe(sent);
});
