import { describe, expect, it } from 'vitest';
import { descriptions } from '../../../src/commands/topic/describe-text.ts';
import type { ItemError } from '../../../src/errors.ts';
import { plainView } from '../../../src/format/view.ts';
import {
  type DescribedPartition,
  type DescribedTopic,
  exitCodeOfOffsets,
  type TopicSummary,
} from '../../../src/kafka/cluster/topics/topic-rows.ts';

const summary: TopicSummary = { name: 'foo', internal: true, partitions: 1, replicas: 1, error: null };
const partition: DescribedPartition = {
  partition: 0,
  leader: 1,
  epoch: 0,
  replicas: [1],
  preferred_leader: 1,
  isr: [1],
  offline_replicas: [],
  load_error: null,
  log_start_offset: 3n,
  last_stable_offset: null,
  high_watermark: 9_007_199_254_740_993n,
  records: 9_007_199_254_740_990n,
  error: [],
};

/** The text of the given sections. */
function shown(row: Partial<DescribedTopic>, view = plainView, isWide = false): string {
  const has = (section: keyof DescribedTopic) => row[section] !== undefined;
  const sections = { summary: has('summary'), configs: has('configs'), partitions: has('partitions'), sizes: false };
  return [...descriptions([{ summary, configs: [], partitions: [], ...row }], { ...sections, isWide }, view)].join('');
}

describe('the text of a description', () => {
  it('says that a topic is internal', () => {
    expect(shown({ summary })).toBe('NAME        foo\nINTERNAL    true\nPARTITIONS  1\nREPLICAS    1\n');
  });

  it('shows sensitive values as such, and unset ones as nothing', () => {
    const configs = [
      { key: 'a.secret', value: null, source: 'DYNAMIC_TOPIC_CONFIG', sensitive: true },
      { key: 'b', value: null, source: 'DEFAULT_CONFIG', sensitive: false },
    ];
    expect(shown({ configs })).toBe(
      [
        'KEY       VALUE        SOURCE',
        'a.secret  (sensitive)  DYNAMIC_TOPIC_CONFIG',
        'b                      DEFAULT_CONFIG',
        '',
      ].join('\n'),
    );
  });

  it('shows why the configs could not be read, and continues', () => {
    const error: ItemError = {
      code: 'TOPIC_AUTHORIZATION_FAILED',
      number: 29,
      message: 'no',
      retryable: false,
      exit_code: 4,
    };
    expect(shown({ configs: [], configs_error: error, partitions: [] })).toContain(
      'CONFIGS\n=======\nTOPIC_AUTHORIZATION_FAILED: no\n\nPARTITIONS\n',
    );
  });

  it('keeps every digit of an offset', () => {
    expect(shown({ partitions: [partition] })).toContain('  3                 9007199254740993\n');
  });

  it('shows the last stable offsets if one is lower', () => {
    const behind = { ...partition, partition: 1, last_stable_offset: 4n, high_watermark: 5n };
    const settled = { ...partition, last_stable_offset: 5n, high_watermark: 5n };
    expect(shown({ partitions: [settled, behind] })).toBe(
      [
        'PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  LAST-STABLE-OFFSET  HIGH-WATERMARK',
        '0          1       0      [1]       3                 5                   5',
        '1          1       0      [1]       3                 4                   5',
        '',
      ].join('\n'),
    );
  });

  it('shows the reason in the place of an offset that could not be read', () => {
    const lost = {
      ...partition,
      log_start_offset: null,
      high_watermark: null,
      records: null,
      error: ['LEADER_NOT_AVAILABLE'],
    };
    expect(shown({ partitions: [lost] }, { ...plainView, noHeaders: true }, true)).toBe(
      '0  1  0  [1]  1  [1]  LEADER_NOT_AVAILABLE  LEADER_NOT_AVAILABLE  LEADER_NOT_AVAILABLE\n',
    );
  });
});

it.each<[string[], number]>([
  [[], 0],
  [['REQUEST_TIMEOUT', 'DIAL_TIMEOUT'], 5],
  [['TOPIC_AUTHORIZATION_FAILED'], 4],
  [['REQUEST_TIMEOUT', 'TOPIC_AUTHORIZATION_FAILED'], 1],
])('offsets that are missing because of %j have exit code %i', (error, exitCode) => {
  expect(exitCodeOfOffsets([partition, { ...partition, error }])).toBe(exitCode);
});
