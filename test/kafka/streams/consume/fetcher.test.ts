import { expect, it } from 'vitest';
import { createFakeCluster } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';
import { fetcherOf, positionsOf } from './reading.ts';

const offsetOutOfRange = 1;

it('a position that ends when its offset is out of range is read no more, and the others to their end', async () => {
  const cluster = createFakeCluster(
    { foo: { partitions: [logOf(1, ['a'])] } },
    { onPartition: (row) => ({ ...row, records: Buffer.alloc(0), errorCode: offsetOutOfRange }) },
  );
  const reset = async (positions: readonly ReturnType<typeof positionsOf>[number][]) => ({
    ...{ open: [], ended: positions, failed: [] },
  });
  const fetcher = fetcherOf(cluster, { endless: false, reset });
  const positions = positionsOf(cluster, 'foo');
  fetcher.setPositions(positions);
  expect(await cluster.clock.runUntil(fetcher.next())).toBe('finished');
  expect(positions.map(({ done }) => done)).toEqual([true]);
  fetcher.close();
});
