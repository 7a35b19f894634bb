import { expect, it } from 'vitest';
import { CliError, exitCodes } from '../../../src/errors.ts';
import type { Client, TopicMetadata } from '../../../src/kafka/client/client.ts';
import type { DescribeLogDirsResponse } from '../../../src/kafka/protocol/describe-log-dirs.ts';
import { readSizes } from '../../../src/kafka/topics/sizes.ts';

const broker = (id: number) => ({ id, host: 'h', port: 1, rack: undefined });
const replica = { topic: 'a', partition: 0, size: 10n, offsetLag: 2n, isFuture: false };
const dir = { errorCode: 0, path: '/d', replicas: [replica], totalBytes: undefined, usableBytes: undefined };
const topic: TopicMetadata = {
  ...{ name: 'a', errorCode: 0, internal: false },
  partitions: [
    { partition: 0, errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [4, 3, 2, 1], isr: [1], offlineReplicas: [] },
  ],
};
const answers: Readonly<Record<number, DescribeLogDirsResponse | CliError>> = {
  1: {
    errorCode: 0,
    dirs: [
      { ...dir, replicas: [{ ...replica, isFuture: true }] },
      { ...dir, path: '/e' },
    ],
  },
  2: { errorCode: 0, dirs: [{ ...dir, errorCode: 56, replicas: [] }] },
  3: new CliError(exitCodes.auth, 'no', { code: 'CLUSTER_AUTHORIZATION_FAILED' }),
};

it('takes the current replica of each broker, and says why a size is missing', async () => {
  const asked: number[] = [];
  const client = {
    async ask(_: unknown, items: readonly number[]) {
      asked.push(...items);
      return items.map((item) => {
        const answer = answers[item];
        return answer instanceof CliError
          ? { item, row: undefined, error: answer }
          : { item, row: answer, error: undefined };
      });
    },
  } as unknown as Client;
  const sizes = await readSizes(client, { brokers: [1, 2, 3, 9].map(broker), topics: [topic] });
  // Broker 9 has no replica, and broker 4 is not in the cluster.
  expect(asked).toEqual([1, 2, 3]);
  const missing = (code: string) => ({ bytes: null, lag: null, dir: null, error: expect.objectContaining({ code }) });
  expect(sizes.get('a')).toEqual([
    {
      ...{ partition: 0, bytes: 10n, total_bytes: 10n },
      replicas: [
        { broker: 1, bytes: 10n, lag: 2n, dir: '/e', error: null },
        { broker: 2, ...missing('KAFKA_STORAGE_ERROR') },
        { broker: 3, ...missing('CLUSTER_AUTHORIZATION_FAILED') },
        { broker: 4, ...missing('BROKER_NOT_AVAILABLE') },
      ],
    },
  ]);
});
