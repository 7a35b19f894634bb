import { beforeAll, describe, expect, test } from 'vitest';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { clientOf } from '../../../services/scripted-client.ts';
import { type Cluster3, cluster3 } from '../../../services/services.ts';

let cluster: Cluster3;
beforeAll(async () => {
  cluster = await cluster3();
});

describe('in a cluster of three brokers', () => {
  test('one seed broker is enough to reach each of them by its id', async () => {
    const [seed = ''] = cluster.brokers.split(',');
    await using client = clientOf([seed]);
    for (const { id, address } of cluster.nodes) {
      const connection = await client.dedicated(id);
      expect(connection).toMatchObject({ nodeId: id, address });
    }
  });

  test('every broker reports the same brokers, in any order of seeds', async () => {
    const tellings = await Promise.all(
      cluster.nodes.map(async ({ address }) => {
        await using client = clientOf(['127.0.0.1:1', address]);
        const { brokers, clusterId } = await client.metadata([]);
        return { clusterId, ids: brokers.map(({ id }) => id).sort() };
      }),
    );
    expect(new Set(tellings.map((telling) => JSON.stringify(telling))).size).toBe(1);
    expect(tellings[0]?.ids).toEqual([1, 2, 3]);
  });

  test('groups have coordinators, which are reached over a connection each', async () => {
    const nodes = new Set<string>();
    await using client = clientOf(cluster.brokers.split(','), {}, { trace: ({ node }) => nodes.add(node) });
    for (const group of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
      const answer = await client.request(findCoordinator, { keyType: 0, coordinatorKeys: [group] }, { group });
      expect(answer.coordinators[0]?.errorCode).toBe(0);
    }
    // The first seed, and the coordinators by their ids.
    expect(nodes.size).toBeGreaterThan(1);
  });
});
