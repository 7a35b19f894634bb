import { expect, test } from 'vitest';
import type {
  BrokerMetadata,
  ClusterMetadata,
  PartitionMetadata,
} from '../../../../src/kafka/protocol/client/client.ts';
import { createMetadataCache, type MetadataCache } from '../../../../src/kafka/protocol/client/metadata-cache.ts';
import type { Target } from '../../../../src/kafka/protocol/client/targets.ts';
import type { OpenConnection } from '../../../../src/kafka/protocol/transport/connection.ts';
import type { ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { metadataResponse } from './metadata-response.ts';

interface Told {
  readonly Metadata?: Partial<ClusterMetadata>;
  readonly FindCoordinator?: Pick<ResponseOf<typeof findCoordinator>, 'coordinators'>;
}

/** What is learned from one broker with this metadata; `asked` gets the incomplete answers before each question. */
function cacheToldBy({ Metadata = {}, FindCoordinator }: Told, asked: number[] = []): MetadataCache {
  const answers: Readonly<Record<string, unknown>> = {
    Metadata: metadataResponse(Metadata),
    FindCoordinator,
  };
  const connection = {
    ...{ nodeId: undefined, address: 'seed:9092', version: () => 4 },
    send: async ({ name }: { readonly name: string }) => answers[name],
  };
  return createMetadataCache(async (vain) => {
    asked.push(vain);
    return connection as unknown as OpenConnection;
  });
}

const broker = (id: number, rack?: string): BrokerMetadata => ({ id, host: `b${id}`, port: 9092, rack });
const ledBy = (leader: number): PartitionMetadata => ({
  ...{ partition: 0, errorCode: 0, leader, leaderEpoch: 3, replicas: [], isr: [], offlineReplicas: [] },
});

test('broker 0 leads partitions, is the controller and coordinates groups like any other', async () => {
  const cache = cacheToldBy({
    Metadata: {
      brokers: [broker(0)],
      topics: [{ name: 'foo', id: noUuid, errorCode: 0, internal: false, partitions: [ledBy(0)] }],
    },
    FindCoordinator: {
      coordinators: [{ key: 'g', nodeId: 0, host: 'b0', port: 9092, errorCode: 0, errorMessage: undefined }],
    },
  });
  const targets: readonly Target[] = [{ topic: 'foo', partition: 0 }, 'controller', { group: 'g' }];
  expect(targets.map(await cache.locate(targets))).toEqual([
    { node: 0, leaderEpoch: 3 },
    { node: 0, leaderEpoch: -1 },
    { node: 0, leaderEpoch: -1 },
  ]);
});

test('what cannot be located is reported with the most specific error code', async () => {
  const leaderless = { ...ledBy(-1), errorCode: 0 };
  const offline = { ...ledBy(-1), partition: 1, errorCode: 56 };
  const cache = cacheToldBy({
    Metadata: {
      controllerId: -1,
      topics: [
        { name: 'secret', id: noUuid, errorCode: 29, internal: false, partitions: [] },
        { name: 'foo', id: noUuid, errorCode: 0, internal: false, partitions: [leaderless, offline] },
      ],
    },
  });
  const targets: readonly Target[] = [
    { topic: 'secret', partition: 0 },
    { topic: 'foo', partition: 0 },
    { topic: 'foo', partition: 1 },
    { topic: 'foo', partition: 2 },
    { topic: 'gone', partition: 0 },
    'controller',
  ];
  const found = targets.map(await cache.locate(targets));
  expect(found.map((location) => ('code' in location ? location.code : location))).toEqual([29, 5, 56, 3, 3, 41]);
});

test.each([
  ['that knows the leader', 1, [0, 0, 0]],
  ['that knows no leader', -1, [0, 1, 2]],
])(
  'the next question goes to another broker only after a broker without the answer: after one %s',
  async (_, leader, expected) => {
    const topics = [{ name: 'foo', id: noUuid, errorCode: 0, internal: false, partitions: [ledBy(leader)] }];
    const asked: number[] = [];
    const cache = cacheToldBy({ Metadata: { brokers: [broker(1)], topics } }, asked);
    for (let times = 1; times <= 3; times += 1) await cache.read(['foo']);
    expect(asked).toEqual(expected);
  },
);
