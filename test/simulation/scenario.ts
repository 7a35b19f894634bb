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
  /**
   * `safe`: nothing that was acknowledged may be lost, and all work comes to its end. `lossy`: replicas that lag become
   * leaders, so that acknowledged records go. `impatient`: limits are so short that work may fail. `unsure`: acks 0 or 1.
   */
  readonly mode: 'safe' | 'lossy' | 'impatient' | 'unsure';
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
  /** When a member is gone without a word, as a process that is killed. */
  readonly crashes: readonly (number | undefined)[];
  readonly faults: readonly FaultEvent[];
  /** From then on nothing goes wrong. */
  readonly healAt: number;
}

const topicName = 'orders';
/** What a run can be about. */
export const kinds: readonly Scenario['kind'][] = ['produce', 'consume', 'group'];
/** How often each is drawn. */
const drawn: readonly Scenario['kind'][] = ['produce', 'produce', 'consume', 'group', 'group'];
const modes: Readonly<Record<Scenario['kind'], readonly Scenario['mode'][]>> = {
  produce: ['safe', 'safe', 'safe', 'lossy', 'impatient', 'unsure'],
  consume: ['safe', 'safe', 'impatient'],
  group: ['safe', 'safe', 'safe', 'impatient'],
};

/** Faults that lose nothing that was acknowledged. */
const lossless: FaultRange['kinds'] = [
  ...(['kill', 'stop', 'black-hole', 'cut', 'cut', 'cut-next', 'cut-next', 'cut-next', 'evict-sessions'] as const),
  ...(['move-controller', 'slow', 'stale-metadata', 'move-leader', 'move-leader', 'hold-replication'] as const),
  ...(['refuse', 'refuse', 'refuse', 'do-and-refuse', 'do-and-refuse', 'late', 'throttle'] as const),
];

/** Faults that may lose what was acknowledged. */
const losing: FaultRange['kinds'] = ['lose', 'lose', 'lose', 'lose'];

/** Draws the scenario of a seed. */
export function scenarioOf(seed: number, only?: Scenario['kind']): Scenario {
  const random = dice(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;
  const kind = only ?? pick(drawn);
  const brokers = pick([1, 3, 3, 3]);
  const partitions = 1 + upTo(4);
  const untilMs = 500 + upTo(8_000);
  const mode = pick(modes[kind]);
  const faultKinds = mode === 'lossy' ? [...lossless, ...losing] : lossless;
  const range: FaultRange = { brokers, partitions, untilMs, longestMs: 6_000, kinds: faultKinds };
  const faults = Array.from({ length: upTo(2) * upTo(14) }, () => rollFault(random, range)).sort((a, b) => a.at - b.at);
  const base = {
    ...{ seed, kind, mode, brokers, latencyMs: pick([0, 1, 5, 20, 60]) },
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
    limits: {
      dial: 1_000,
      overhead: pick([2_000, 5_000]),
      retry: mode === 'impatient' ? pick([0, 500, 3_000]) : 300_000,
      command: 3_600_000,
    },
    ...{ faults, healAt: untilMs + range.longestMs + 2_000 },
  };
  const producePlan = (): ProducePlan => ({
    ...{ topic: topicName, records: 10 + upTo(120), hasKeys: random() < 0.4, burst: 1 + upTo(20), pauseMs: upTo(200) },
    acks: mode === 'unsure' ? pick([0, 1, 1]) : -1,
    ...{ compression: pick(['none', 'none', 'gzip', 'lz4']), maxMessageBytes: pick([90, 150, 400, 4_000]) },
    deliveryTimeoutMs: mode === 'impatient' && random() < 0.3 ? 100 + upTo(3_000) : undefined,
  });
  const consumePlan = (more: Partial<ConsumePlan>): ConsumePlan => ({
    ...{ topic: topicName, range: 'start', readCommitted: random() < 0.5, rack: pick(['', '', 'rack-1', 'rack-2']) },
    ...{ fetchMaxBytes: pick([1, 200, 2_000, 1 << 20]), fetchMaxPartitionBytes: pick([1, 150, 1_000, 1 << 20]) },
    ...{ fetchMaxWaitMs: pick([20, 100, 500, 2_000]), readerMs: pick([0, 0, 1, 50]) },
    ...more,
  });
  const none = { producers: [], transactions: 0, consumers: [], stops: [], crashes: [] };
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
  const isStatic = random() < 0.2;
  return {
    ...base,
    ...none,
    ...{ producers, transactions },
    consumers: Array.from({ length: members }, (_, index) =>
      consumePlan({ group: isStatic ? { ...group, instanceId: `static-${index}` } : group }),
    ),
    stops: Array.from({ length: members }, (_, index) => (index > 0 && random() < 0.5 ? upTo(base.healAt) : undefined)),
    crashes: Array.from({ length: members }, (_, index) =>
      index > 0 && random() < 0.2 ? upTo(base.healAt) : undefined,
    ),
  };
}
