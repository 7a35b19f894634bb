import { expect, test } from 'vitest';
import { erasedBy, riskOf } from '../../../src/kafka/cluster/config-risk-words.ts';

test.each([
  ['retention.ms', '604800000', '1', 'older records'],
  ['retention.ms', '-1', '604800000', 'older records'],
  ['retention.ms', undefined, '1', 'older records'],
  ['retention.ms', '1000', undefined, 'older records'],
  ['retention.ms', '1000', '999', 'older records'],
  ['retention.ms', '1000', '1000', undefined],
  ['retention.ms', '1000', '2000', undefined],
  ['retention.ms', '1000', '-1', undefined],
  ['retention.ms', undefined, '-1', undefined],
  ['log.retention.ms', '604800000', '1000', 'older records'],
  ['delete_retention_ms', '604800000', '1000', 'older records'],
  ['retention.bytes', '-1', '1000', 'the oldest records'],
  // The properties of a Redpanda cluster are null without a limit.
  ['retention_bytes', null, '1000', 'the oldest records'],
  ['retention_bytes', '1000', null, undefined],
  ['cleanup.policy', 'compact', 'compact,delete', 'old records'],
  ['cleanup.policy', 'delete', 'compact', 'all but the last record of each key'],
  ['cleanup.policy', 'compact,delete', 'delete', undefined],
  ['cleanup.policy', 'compact,delete', 'delete, compact', undefined],
  ['cleanup.policy', undefined, 'compact', 'all but the last record of each key'],
  ['cleanup.policy', 'compact', undefined, 'old records'],
  ['delete.retention.ms', '86400000', '0', 'tombstones that a consumer may not have read'],
  ['min.compaction.lag.ms', '86400000', '0', 'all but the last record of each key'],
  ['remote.storage.enable', 'true', 'false', 'the records in remote storage'],
  ['remote.storage.enable', 'false', 'true', undefined],
  ['group_offset_retention_sec', '604800', '60', 'committed offsets of idle groups'],
  ['segment.ms', '604800000', '1', undefined],
  ['retention.local.target.ms', '86400000', '1', undefined],
  ['max.message.bytes', '1000', '1', undefined],
] as const)('a change of %s from %s to %s can erase: %s', (key, before, after, expected) => {
  expect(erasedBy({ key, before, after })).toBe(expected);
});

test.each([
  ['older records', 'log.retention.minutes', 'log.retention.hours', 'log_retention_ms'],
  ['the oldest records', 'log.retention.bytes'],
  ['tombstones that a consumer may not have read', 'log.cleaner.delete.retention.ms', 'tombstone_retention_ms'],
  ['all but the last record of each key', 'log.cleaner.min.compaction.lag.ms', 'min_compaction_lag_ms'],
  ['committed offsets of idle groups', 'offsets.retention.minutes'],
])('less can erase %s, whatever brokers and clusters call it: %s', (expected, ...keys) => {
  expect(keys.map((key) => erasedBy({ key, before: '1000', after: '1' }))).toEqual(keys.map(() => expected));
});

test.each(['log.cleanup.policy', 'log_cleanup_policy'])('a policy is one under the name %s, too', (key) => {
  expect(erasedBy({ key, before: 'compact', after: 'delete' })).toBe('old records');
});

test.each([
  ['enable_sasl', 'false', 'true', 'lock out clients'],
  ['enable_sasl', 'true', 'false', 'open the cluster to everyone'],
  ['kafka_enable_authorization', null, 'true', 'lock out clients'],
  ['admin_api_require_auth', 'false', 'true', 'lock out clients'],
  ['superusers', '["ana"]', '["ana","ben"]', undefined],
  ['superusers', '["ana","ben"]', "['ben']", 'lock out clients'],
  ['superusers', '["ana"]', undefined, 'lock out clients'],
] as const)('a change of %s from %s to %s can: %s', (key, before, after, expected) => {
  expect(riskOf([{ key, before, after }])).toBe(expected);
});
