import type { ModelCluster } from './model-cluster.ts';

/** The faults of a run and their frequency. */
export interface Weather {
  readonly partitions: number;
  readonly acks: -1 | 0 | 1;
  /** Kafka before 2.5: an unknown producer must begin at 0. */
  readonly isStrict: boolean;
  /** DescribeProducers is refused. */
  readonly isSecretive: boolean;
  readonly elections: 'none' | 'clean' | 'unclean';
  /** No faults after this time, in milliseconds. */
  readonly calmAtMs: number;
  /** Pause between two events of the whole cluster, in milliseconds. */
  readonly pauseMs: number;
  readonly chances: Readonly<Record<'cutBefore' | 'cutAfter' | 'silence' | 'before' | 'after' | 'stale', number>>;
  readonly codesBefore: readonly number[];
  readonly codesAfter: readonly number[];
}

const codesBefore = [2, 3, 5, 6, 19, 56, 89];
const codesAfter = [3, 6, 7, 13, 20, 56];

/** The faults of a seed. */
export function weatherOf(random: () => number): Weather {
  const chance = (most: number): number => (random() < 0.6 ? random() * most : 0);
  const some = (codes: readonly number[]): number[] => codes.filter(() => random() < 0.5);
  const orAll = (codes: readonly number[], all: readonly number[]) => (codes.length > 0 ? codes : all);
  const kind = random();
  return {
    partitions: 1 + Math.floor(random() * 3),
    acks: kind < 0.08 ? 0 : kind < 0.18 ? 1 : -1,
    isStrict: random() < 0.1,
    isSecretive: random() < 0.1,
    elections: random() < 0.3 || kind < 0.08 ? 'none' : random() < 0.6 ? 'clean' : 'unclean',
    calmAtMs: 500 + random() * 4_000,
    pauseMs: 20 + random() * 600,
    chances: {
      ...{ cutBefore: chance(0.1), cutAfter: chance(0.1), silence: chance(0.02) },
      ...{ before: chance(0.2), after: chance(0.2), stale: chance(0.3) },
    },
    codesBefore: orAll(some(codesBefore), codesBefore),
    codesAfter: orAll(some(codesAfter), codesAfter),
  };
}

/** Applies faults to the cluster until the calm; afterwards everything is healthy. */
export async function storm(cluster: ModelCluster): Promise<void> {
  const { clock, weather, partitions, down, stalledUntil, connections } = cluster;
  const node = (): number => Math.floor(clock.random() * 3);
  while (cluster.isStormy) {
    await clock.sleep(clock.random() * 2 * weather.pauseMs);
    const event = clock.random();
    const partition = cluster.pick(partitions);
    if (event < 0.4) {
      if (weather.elections !== 'none') cluster.elect(partition, weather.elections === 'unclean' && event < 0.15);
    } else if (event < 0.5 && weather.elections !== 'none') {
      partition.leader = -1;
      void clock.sleep(clock.random() * 800).then(() => partition.leader < 0 && cluster.elect(partition, false));
    } else if (event < 0.6) partition.isShort = !partition.isShort;
    else if (event < 0.75) for (const connection of connections) connection.cut();
    else if (event < 0.85) {
      // Without answers this goes unnoticed, and the order relative to what others wrote is not kept.
      if (weather.acks !== 0) stalledUntil[node()] = clock.now() + clock.random() * 2_000;
    } else if (event < 0.95) down.add(node());
    else down.clear();
  }
  down.clear();
  for (const partition of partitions) partition.isShort = false;
  await clock.sleep(1_000);
}
