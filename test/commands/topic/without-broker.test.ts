import { describe, expect, test } from 'vitest';
import { clusterText } from '../../../src/commands/cluster/info.ts';
import { create } from '../../../src/commands/topic/create.ts';
import { describe as describeTopics } from '../../../src/commands/topic/describe.ts';
import { descriptions } from '../../../src/commands/topic/describe-text.ts';
import type { ItemError } from '../../../src/errors.ts';
import { countAndNames } from '../../../src/format/name-lists.ts';
import { plainView } from '../../../src/format/view.ts';
import type { DescribedPartition, DescribedTopic, TopicSummary } from '../../../src/kafka/cluster/topics/topic-rows.ts';

/** Behaviour of the commands for topics and the cluster that a real broker does not show, or not cheaply. */
const failed: ItemError = { code: 'X', number: 29, message: 'no', retryable: false, exit_code: 4 };

describe('names in a question', () => {
  const names = Array.from({ length: 12 }, (_, at) => `t${String(at).padStart(2, '0')}`);

  test.each([
    [1, '1 topic (t00)'],
    [2, '2 topics (t00, t01)'],
    [10, '10 topics (t00, t01, t02, t03, t04, t05, t06, t07, t08, t09)'],
    [11, '11 topics (t00, t01, t02, t03, t04, t05, t06, t07, t08, t09 and 1 more)'],
    [12, '12 topics (t00, t01, t02, t03, t04, t05, t06, t07, t08, t09 and 2 more)'],
  ])('of %d topics are up to ten', (count, text) => {
    expect(countAndNames('topic', names.slice(0, count))).toBe(text);
  });
});

describe('topic create', () => {
  const row = {
    ...{ topic: 'a', status: 'OK', topic_id: 'id', partitions: 3, replicas: 1, dry_run: false, error: null },
  };
  const { text, wide } = create.show as unknown as {
    readonly [K in 'text' | 'wide']: (rows: readonly object[], view: typeof plainView) => string;
  } & { exitCode(rows: readonly object[]): number };
  const statusOf = (part: object) => text([{ ...row, ...part }], { ...plainView, noHeaders: true });

  test('shows sizes and ids in the wide format', () => {
    expect(wide([row], plainView)).toBe(
      'TOPIC  PARTITIONS  REPLICAS  TOPIC-ID  STATUS\na      3           1         id        OK\n',
    );
  });

  test.each<[object, string]>([
    [{}, 'OK'],
    [{ status: 'NOT_NEEDED', dry_run: true }, 'OK (already exists)'],
    [{ dry_run: true }, 'OK (dry run: would be created with 3 partitions and 1 replica)'],
    [{ dry_run: true, partitions: null }, 'OK (dry run: would be created with the requested sizes)'],
    [{ dry_run: true, replicas: null }, 'OK (dry run: would be created with the requested sizes)'],
    [{ status: 'ERROR', error: failed, dry_run: true }, 'X: no'],
  ])('has a status for %j', (part, status) => {
    expect(statusOf(part)).toBe(`a  ${status}\n`);
  });
});

describe('topic describe', () => {
  const summary: TopicSummary = { name: 'a', internal: false, partitions: 1, replicas: 1, error: null };
  const partition: DescribedPartition = {
    ...{ partition: 0, leader: 1, epoch: 0, replicas: [1], preferred_leader: 1 },
    ...{ isr: [1], offline_replicas: [], load_error: null },
    ...{ log_start_offset: 0n, last_stable_offset: null, high_watermark: 5n, records: 5n, error: [] },
  };
  const { exitCode } = describeTopics.show as unknown as {
    exitCode(rows: readonly object[], values: object): number;
  };
  const row: DescribedTopic = { summary, configs: [], partitions: [partition] };
  const sizes = [{ replicas: [{ error: failed }] }];

  test.each<[string, object, number]>([
    ['nothing failed', {}, 0],
    ['no leader of a partition answers', { partitions: [partition, { error: ['REQUEST_TIMEOUT'] }] }, 5],
    ['partitions failed in two ways', { partitions: [{ error: ['X'] }, { error: ['TOPIC_AUTHORIZATION_FAILED'] }] }, 1],
    ['the configs failed', { configs_error: failed }, 4],
    [
      'the topic failed, and a partition',
      { summary: { ...summary, error: failed }, partitions: [{ error: ['X'] }] },
      4,
    ],
    ['sizes failed', { sizes }, 4],
  ])('has its exit code if %s', (_, part, expected) => {
    expect(exitCode([{ ...row, ...part }], { printSizes: true })).toBe(expected);
  });

  test('does not fail for sizes that were not asked for', () => {
    expect(exitCode([{ ...row, sizes }], { printSizes: false, printAll: true })).toBe(0);
  });

  test('shows nothing but the summary of a topic with an error, and in-sync replicas only in the wide format', () => {
    const shown = (topic: DescribedTopic, isWide: boolean) =>
      [
        ...descriptions([topic], { summary: true, configs: true, partitions: true, sizes: false, isWide }, plainView),
      ].join('');
    const missing = { summary: { ...summary, partitions: 0, error: failed }, configs: [], partitions: [] };
    expect(shown(missing, false)).toBe('NAME        a\nPARTITIONS  0\nERROR       X: no\n');
    expect(shown(row, false)).not.toContain('ISR');
    expect(shown(row, true)).toContain('ISR');
  });
});

describe('cluster info', () => {
  const broker = { id: 1, host: 'h', port: 9092, rack: null, controller: false };

  test('shows racks only if a broker has one, and marks the controller', () => {
    expect(clusterText({ brokers: [broker] }, plainView, false)).toBe('ID  HOST  PORT\n1   h     9092\n');
    const brokers = [broker, { ...broker, id: 2, rack: 'r', controller: true }];
    expect(clusterText({ brokers }, plainView, false)).toBe(
      'ID  HOST  PORT  RACK\n1   h     9092  -\n2*  h     9092  r\n',
    );
  });

  test('shows in-sync replicas only in the wide format, and no section for a cluster without an id', () => {
    const partition = {
      partition: 0,
      leader: 1,
      epoch: 0,
      replicas: [1],
      preferred_leader: 1,
      isr: [1],
      offline_replicas: [],
      load_error: null,
    };
    const topic = { name: 'a', internal: false, partitions: 1, replicas: 1, error: null, partition_list: [partition] };
    expect(clusterText({ topics: [topic] }, plainView, true)).toContain('ISR');
    expect(clusterText({ topics: [topic] }, plainView, false)).not.toContain('ISR');
    expect(clusterText({ cluster_id: null, brokers: [broker] }, plainView, false)).not.toContain('CLUSTER');
    expect(clusterText({ cluster_id: 'c', brokers: [broker] }, plainView, false)).toMatch(
      /^CLUSTER\n=======\nc\n\nBROKERS\n/,
    );
  });
});
