import { expect, it } from 'vitest';
import { CliError, exitCodes } from '../../../../src/errors.ts';
import { readSizes } from '../../../../src/kafka/cluster/topics/sizes.ts';
import type { Client, TopicMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { describeLogDirs } from '../../../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';

const broker = (id: number) => ({ id, host: 'h', port: 1, rack: undefined });
const replica = { partitionIndex: 0, partitionSize: 10n, offsetLag: 2n, isFutureKey: false };
const held = (partition: typeof replica) => [{ name: 'a', partitions: [partition] }];
const dir = { errorCode: 0, logDir: '/d', topics: held(replica), totalBytes: -1n, usableBytes: -1n };
const topic: TopicMetadata = {
  ...{ name: 'a', errorCode: 0, internal: false },
  partitions: [
    { partition: 0, errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [4, 3, 2, 1], isr: [1], offlineReplicas: [] },
  ],
};
const answers: Readonly<Record<number, ResponseOf<typeof describeLogDirs> | CliError>> = {
  1: {
    throttleTimeMs: 0,
    errorCode: 0,
    results: [
      { ...dir, topics: held({ ...replica, isFutureKey: true }) },
      { ...dir, logDir: '/e' },
    ],
  },
  2: { throttleTimeMs: 0, errorCode: 0, results: [{ ...dir, errorCode: 56, topics: [] }] },
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
