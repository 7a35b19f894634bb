import type { ConsumeRequest } from '../../src/kafka/consume/request.ts';
import type { Settings } from '../../src/sandbox/broker/settings.ts';
import type { TestLimits } from '../services/scripted-client.ts';
import type { ConsumePlan } from './consuming.ts';
import { type FaultEvent, type FaultRange, rollFault } from './faults.ts';
import type { ProducePlan } from './producing.ts';
import { dice } from './virtual-clock.ts';

/** What happens in one run, all of it by the seed. */
export interface Scenario {
  readonly seed: number;
  readonly kind: 'produce' | 'consume' | 'group';
  readonly brokers: number;
  readonly latencyMs: number;
  readonly topic: {
    readonly partitions: number;
    readonly replicas: number;
    readonly configs: Readonly<Record<string, string>>;
  };
  readonly settings: Partial<Settings>;
  readonly limits: TestLimits;
  readonly producers: readonly ProducePlan[];
  /** Transactions written besides, each by its own producer. */
  readonly transactions: number;
  readonly consumers: readonly ConsumePlan[];
  /** When a member of the group stops as by Ctrl-C; undefined for those that stay to the end. */
  readonly stops: readonly (number | undefined)[];
  readonly faults: readonly FaultEvent[];
  /** From then on nothing goes wrong. */
  readonly healAt: number;
}

const topicName = 'orders';
const kinds: readonly Scenario['kind'][] = ['produce', 'produce', 'consume', 'group'];

/** Faults that lose nothing that was acknowledged. */
const lossless: FaultRange['kinds'] = [
  ...(['kill', 'stop', 'black-hole', 'cut', 'cut', 'cut-next', 'cut-next', 'cut-next', 'evict-sessions'] as const),
  ...(['move-controller', 'slow', 'stale-metadata', 'move-leader', 'move-leader', 'hold-replication'] as const),
  ...(['refuse', 'refuse', 'refuse', 'do-and-refuse', 'do-and-refuse', 'late', 'throttle'] as const),
];

/** Draws the scenario of a seed. */
export function scenarioOf(seed: number, only?: Scenario['kind']): Scenario {
  const random = dice(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;
  const kind = only ?? pick(kinds);
  const brokers = pick([1, 3, 3, 3]);
  const partitions = 1 + upTo(4);
  const untilMs = 500 + upTo(8_000);
  const range: FaultRange = { brokers, partitions, untilMs, longestMs: 6_000, kinds: lossless };
  const faults = Array.from({ length: upTo(2) * upTo(14) }, () => rollFault(random, range)).sort((a, b) => a.at - b.at);
  const base = {
    ...{ seed, kind, brokers, latencyMs: pick([0, 1, 5, 20, 60]) },
    topic: {
      ...{ partitions, replicas: brokers },
      configs: { 'min.insync.replicas': brokers === 1 ? '1' : pick(['1', '2', '2']) },
    },
    settings: {
      replicationDelayMs: pick([0, 1, 5, 30]),
      failoverDelayMs: pick([50, 500, 2_000]),
      replicaLagTimeMs: pick([500, 2_000, 10_000]),
      metadataDelayMs: pick([0, 1, 20, 200]),
      coordinatorLoadMs: pick([0, 50, 1_000]),
      coordinatorPartitions: 5,
    },
    limits: { dial: 1_000, overhead: pick([2_000, 5_000]), retry: 300_000, command: 3_600_000 },
    ...{ faults, healAt: untilMs + range.longestMs + 2_000 },
  };
  const producePlan = (): ProducePlan => ({
    ...{ topic: topicName, records: 10 + upTo(120), hasKeys: random() < 0.4, burst: 1 + upTo(20), pauseMs: upTo(200) },
    ...{ acks: -1, compression: pick(['none', 'none', 'gzip', 'lz4']), maxMessageBytes: pick([90, 150, 400, 4_000]) },
    deliveryTimeoutMs: undefined,
  });
  const consumePlan = (more: Partial<ConsumePlan>): ConsumePlan => ({
    ...{ topic: topicName, range: 'start', readCommitted: random() < 0.5, rack: pick(['', '', 'rack-1', 'rack-2']) },
    ...{ fetchMaxBytes: pick([1, 200, 2_000, 1 << 20]), fetchMaxPartitionBytes: pick([1, 150, 1_000, 1 << 20]) },
    ...{ fetchMaxWaitMs: pick([10, 100, 500]), readerMs: pick([0, 0, 1, 50]) },
    ...more,
  });
  const none = { producers: [], transactions: 0, consumers: [], stops: [] };
  if (kind === 'produce') return { ...base, ...none, producers: Array.from({ length: 1 + upTo(2) }, producePlan) };
  const producers = [producePlan()];
  const transactions = random() < 0.5 ? 1 + upTo(8) : 0;
  if (kind === 'consume') {
    const consumers = Array.from({ length: 1 + upTo(2) }, () => consumePlan({ range: pick(['start', ':end']) }));
    return { ...base, ...none, producers, transactions, consumers };
  }
  const group: NonNullable<ConsumeRequest['group']> = {
    ...{ name: 'billing', instanceId: undefined, assignor: undefined },
    protocol: pick(['classic', 'consumer']),
    balancers: pick([['cooperative-sticky', 'sticky', 'roundrobin', 'range'], ['range'], ['cooperative-sticky']]),
  };
  const members = 1 + upTo(3);
  return {
    ...base,
    ...none,
    ...{ producers, transactions },
    consumers: Array.from({ length: members }, () => consumePlan({ group })),
    stops: Array.from({ length: members }, (_, index) => (index > 0 && random() < 0.6 ? upTo(base.healAt) : undefined)),
  };
}
