import type { Deadline } from '../../../../../src/deadline.ts';
import { unreachableError, usageError } from '../../../../../src/errors.ts';
import type { Client, ClusterMetadata } from '../../../../../src/kafka/protocol/client/client.ts';
import { createRetry } from '../../../../../src/net/retry.ts';
import type { ModelCluster } from './model-cluster.ts';
import { ModelConnection } from './model-connection.ts';

/** A client of the model, as far as a producer uses one. */
export function createModelClient(cluster: ModelCluster, deadline: Deadline): Client {
  const { clock, weather } = cluster;
  const retry = createRetry(deadline);
  let producerIds = 0;

  async function request(name: string, body: unknown, target: unknown): Promise<unknown> {
    await clock.sleep(1 + clock.random() * 10);
    if (name === 'InitProducerId') {
      producerIds += 1;
      return { errorCode: 0, producerId: BigInt(76 + producerIds), producerEpoch: 0 };
    }
    if (name !== 'DescribeProducers') throw new Error(`the model does not know ${name}`);
    if (weather.isSecretive || weather.isStrict) throw usageError('DescribeProducers is not available');
    return describe(cluster, body, (target as { node: number }).node);
  }

  return {
    options: { brokers: [], tls: undefined, sasl: undefined, clientId: 'model', deadline },
    retry,
    request: (api, body, target) => retry(api.name, () => request(api.name, body, target)) as Promise<never>,
    requestOnce: (api, body, target) => request(api.name, body, target) as Promise<never>,
    metadata: () =>
      retry('Metadata', async () => {
        await clock.sleep(1 + clock.random() * 10);
        return metadataOf(cluster);
      }),
    ask: () => {
      throw new Error('a producer asks about nothing');
    },
    dedicated: (target) => cluster.dial(target as number),
    isRedpanda: async () => false,
    close: () => undefined,
  };
}

function describe(cluster: ModelCluster, body: unknown, node: number): unknown {
  const { clock, weather, partitions } = cluster;
  if (cluster.down.has(node)) throw ModelConnection.refused(node);
  const [asked] = (body as { topics: { partitionIndexes: number[] }[] }).topics;
  const [number = -1] = asked?.partitionIndexes ?? [];
  const partition = partitions[number];
  const answerOf = (errorCode: number, activeProducers: readonly unknown[]) => ({
    topics: [{ name: 'foo', partitions: [{ partitionIndex: number, errorCode, activeProducers }] }],
  });
  if (partition === undefined || partition.leader !== node) {
    return answerOf(6, []);
  }
  const isLost = cluster.isStormy && clock.random() < weather.chances.cutAfter;
  if (isLost) throw unreachableError('lost the answer', { code: 'CONNECTION_LOST' });
  for (const { values } of partition.entries) for (const value of values) partition.told.add(value);
  const producers = [...partition.producers].map(([producerId, { epoch, last }]) => ({
    ...{ producerId, producerEpoch: epoch, lastSequence: last, lastTimestamp: 1n },
    ...{ coordinatorEpoch: -1, currentTxnStartOffset: -1n },
  }));
  return answerOf(0, producers);
}

function metadataOf({ clock, weather, partitions, isStormy }: ModelCluster): ClusterMetadata {
  const rows = partitions.map(({ leader }, partition) => {
    const isStale = isStormy && clock.random() < weather.chances.stale;
    const told = isStale ? Math.floor(clock.random() * 4) - 1 : leader;
    return {
      ...{ partition, leader: told, errorCode: told < 0 ? 5 : 0, leaderEpoch: -1 },
      ...{ replicas: [0, 1, 2], isr: [0, 1, 2], offlineReplicas: [] },
    };
  });
  const brokers = [0, 1, 2].map((id) => ({ id, host: `broker${id}`, port: 9092, rack: undefined }));
  const topics = [{ name: 'foo', id: 'AAAAAAAAAAAAAAAAAAAAAQ', errorCode: 0, internal: false, partitions: rows }];
  return { clusterId: 'model', controllerId: 0, brokers, topics };
}
