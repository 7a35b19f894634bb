import { expect, it } from 'vitest';
import { createFakeCluster } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';
import { fetcherOf, positionsOf } from './reading.ts';

it('a backlog that always has the next answer ready does not delay what is due', async () => {
  const batches = Array.from({ length: 400 }, (_, index) => [`v${index}`]);
  const cluster = createFakeCluster({ t: { partitions: [logOf(1, ...batches)] } }, { perAnswer: 1 });
  const fetcher = fetcherOf(cluster);
  fetcher.setPositions(positionsOf(cluster, 't'));
  const seen: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    if (turn === 2) fetcher.wake();
    const next = await cluster.clock.runUntil(fetcher.next());
    seen.push(typeof next === 'string' ? next : 'records');
    // Printing takes longer than the next answer.
    await cluster.clock.runFor(100);
  }
  fetcher.close();
  cluster.deadline.dispose();
  expect(seen).toEqual(['records', 'records', 'woken', 'records', 'records', 'records']);
});
