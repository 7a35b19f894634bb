import { expect, test } from 'vitest';
import { inUnitOf, withUnit } from '../../src/format/config-units.ts';

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

test.each([
  ['retention.ms', '604800000', '604800000 (7d)'],
  ['log_retention_ms', '5400000', '5400000 (1h30m)'],
  ['retention.bytes', '1073741824', '1073741824 (1GiB)'],
  ['configs.max.message.bytes', '2500000', '2500000 (2500kB)'],
  // Not exact, or no larger unit.
  ['max.message.bytes', '1048588', '1048588'],
  ['retention.ms', '9223372036854775807', '9223372036854775807'],
  ['retention.ms', '-1', '-1'],
  ['retention.ms', '100', '100'],
  ['group.max.size', '1000', '1000'],
  ['retention.bytes', '18446744073709551616', '18446744073709551616'],
])('%s=%s is shown as %s', (key, value, shown) => {
  expect(withUnit(key, value)).toBe(shown);
});
