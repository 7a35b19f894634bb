import { describe, expect, it } from 'vitest';
import { createFakeCluster, type FakeCluster, type FakeOptions } from './fake-cluster.ts';
import { type FakePartition, logOf } from './fake-log.ts';
import { fetcherOf, positionsOf } from './reading.ts';

/** A partition with a backlog that no test reads to the end. */
function backlog(leader: number): FakePartition {
  return logOf(leader, ...Array.from({ length: 400 }, (_, index) => [`v${index}`]));
}

/** Reads that many answers and returns the progress of each partition. */
async function readAnswers(cluster: FakeCluster, answers: number): Promise<number[]> {
  const fetcher = fetcherOf(cluster);
  const positions = Object.keys(cluster.topics).flatMap((topic) => positionsOf(cluster, topic));
  fetcher.setPositions(positions);
  for (let answer = 0; answer < answers; answer += 1) await cluster.clock.runUntil(fetcher.next());
  fetcher.close();
  cluster.deadline.dispose();
  return positions.map(({ offset }) => Number(offset));
}

const brokers: readonly (readonly [string, FakeOptions])[] = [
  ['that grant a session', { sessions: true }],
  ['that grant a session and keep its order', { sessions: true, keepsOrder: true }],
  ['without sessions', { sessions: false }],
];

describe.each(brokers)('with brokers %s', (_, options) => {
  it('three brokers with three partitions each and a backlog give every partition its turn', async () => {
    const partitions = Array.from({ length: 9 }, (__, index) => backlog((index % 3) + 1));
    const offsets = await readAnswers(createFakeCluster({ t: { partitions } }, { ...options, perAnswer: 1 }), 270);
    const isFairEnough = options.keepsOrder === true ? 10 : 25;
    expect(Math.min(...offsets)).toBeGreaterThanOrEqual(isFairEnough);
  });

  it('two brokers that alternate give every partition its turn', async () => {
    const partitions = [1, 2, 1, 2].map(backlog);
    const offsets = await readAnswers(createFakeCluster({ t: { partitions } }, { ...options, perAnswer: 1 }), 80);
    expect(Math.min(...offsets)).toBeGreaterThanOrEqual(options.keepsOrder === true ? 8 : 18);
  });

  it("idle partitions and other partitions of the same topic do not delay a partition's turn", async () => {
    const idle = logOf(1);
    const topics = { t: { partitions: [idle, backlog(1), backlog(1), backlog(1)] }, u: { partitions: [backlog(1)] } };
    const offsets = await readAnswers(createFakeCluster(topics, { ...options, perAnswer: 1 }), 80);
    expect(offsets[0]).toBe(0);
    expect(Math.min(...offsets.slice(1))).toBeGreaterThanOrEqual(options.keepsOrder === true ? 8 : 18);
  });
});
