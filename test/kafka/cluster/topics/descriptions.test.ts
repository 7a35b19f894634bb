import { describe, expect, test } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { describeTopics } from '../../../../src/kafka/cluster/topics/descriptions.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { Outcome, Question } from '../../../../src/kafka/protocol/client/question.ts';

const call = { topics: ['.*'], regex: true, configs: true, partitions: true, stable: false };
const down = unreachableError('the broker is gone', { code: 'CONNECTION_REFUSED' });

function topicOf(number: number): TopicMetadata {
  const ids = { replicas: [2, 1], isr: [1], offlineReplicas: [] };
  const partition = { partition: 0, errorCode: 0, leader: 1, leaderEpoch: 0, ...ids };
  const name = `t${String(number).padStart(4, '0')}`;
  return { name, errorCode: 0, internal: false, partitions: [partition] };
}

const config = { readOnly: false, configSource: 5, isSensitive: false, synonyms: [] };

/** A cluster of topics; `fails` tells of which API no broker answers. Records the number of items of each call. */
function clusterOf(count: number, fails: (api: string) => boolean = () => false) {
  const asked: [api: string, items: number][] = [];
  const topics = Array.from({ length: count }, (_, number) => topicOf(number));
  const metadata: ClusterMetadata = {
    ...{ clusterId: 'c', controllerId: 1, topics },
    brokers: [{ id: 1, host: 'h', port: 1, rack: undefined }],
  };
  const rows: Readonly<Record<string, (item: unknown) => object>> = {
    DescribeConfigs: (name) => ({
      errorCode: 0,
      configs: [
        { ...config, name: 'z', value: name },
        { ...config, name: 'a', value: '1' },
      ],
    }),
    ListOffsets: () => ({ errorCode: 0, offset: 7n, timestamp: -1n }),
    DescribeLogDirs: () => ({ errorCode: 0, results: [] }),
  };
  const client = {
    metadata: async () => metadata,
    async ask(question: Question<unknown, unknown>, items: readonly unknown[]) {
      const { name } = question.api;
      asked.push([name, items.length]);
      return items.map(
        (item): Outcome<unknown, unknown> =>
          fails(name)
            ? { item, row: undefined, error: down }
            : { item, row: rows[name]?.(item) as { errorCode: number }, error: undefined },
      );
    },
  } as unknown as Client;
  return { client, of: (api: string) => asked.filter(([name]) => name === api).map(([, items]) => items) };
}

describe('many topics', () => {
  test('are described 500 at a time, and no row is lost', async () => {
    const { client, of } = clusterOf(1_001);
    const rows = await describeTopics(client, call);
    expect(of('DescribeConfigs')).toEqual([500, 500, 1]);
    expect(of('ListOffsets')).toEqual([500, 500, 500, 500, 1, 1]);
    expect(rows.map(({ summary }) => summary.name)).toEqual(Array.from({ length: 1_001 }, (_, at) => topicOf(at).name));
    expect(rows.at(-1)).toEqual({
      summary: { name: 't1000', internal: false, partitions: 1, replicas: 2, error: null },
      configs: [
        { key: 'a', value: '1', source: 'DEFAULT_CONFIG', sensitive: false },
        { key: 'z', value: 't1000', source: 'DEFAULT_CONFIG', sensitive: false },
      ],
      partitions: [expect.objectContaining({ replicas: [1, 2], isr: [1], high_watermark: 7n, error: [] })],
    });
  });

  test('share the rows of configs with equal values', async () => {
    const { client } = clusterOf(501);
    const rows = await describeTopics(client, call);
    const [first, last] = [rows[0]?.configs?.[0], rows[500]?.configs?.[0]];
    expect(first?.key).toBe('a');
    expect(last).toBe(first);
  });

  test('need one request of each kind for 500', async () => {
    const { client, of } = clusterOf(500);
    await describeTopics(client, call);
    expect([of('DescribeConfigs'), of('ListOffsets')]).toEqual([[500], [500, 500]]);
  });

  test.each(['DescribeConfigs', 'ListOffsets', 'DescribeLogDirs'])(
    'wait only twice for brokers that do not answer to %s',
    async (api) => {
      const { client, of } = clusterOf(2_000, (asked) => asked === api);
      const rows = await describeTopics(client, { ...call, sizes: true });
      expect(of('DescribeConfigs')).toEqual([500, 1_500]);
      expect(rows).toHaveLength(2_000);
    },
  );
});
