import { seededRandom } from '../../src/serde/random.ts';
import type { ConsumePlan } from './consuming.ts';
import { withExtras } from './draw-extras.ts';
import { withStorage } from './draw-storage.ts';
import { type FaultEvent, type FaultRange, rollFault } from './faults.ts';
import type { ProducePlan } from './producing.ts';
import { names, type Scenario } from './scenario.ts';

/** The kinds, weighted by repetition. */
const drawn: readonly Scenario['kind'][] = ['produce', 'produce', 'consume', 'consume', 'group', 'group'];
const modes: Readonly<Record<Scenario['kind'], readonly Scenario['mode'][]>> = {
  produce: ['safe', 'safe', 'safe', 'lossy', 'impatient', 'unsure'],
  consume: ['safe', 'safe', 'safe', 'lossy', 'trimmed', 'impatient'],
  group: ['safe', 'safe', 'safe', 'safe', 'lossy', 'impatient'],
};

/** Faults that do not lose acknowledged records. */
const lossless: FaultRange['kinds'] = [
  ...(['kill', 'stop', 'black-hole', 'cut', 'cut', 'cut-next', 'cut-next', 'cut-next', 'evict-sessions'] as const),
  ...(['move-controller', 'slow', 'stale-metadata', 'move-leader', 'move-leader', 'hold-replication'] as const),
  ...(['refuse', 'refuse', 'refuse', 'do-and-refuse', 'do-and-refuse', 'late', 'throttle', 'throttle'] as const),
  ...(['add-partitions', 'tell-duplicate', 'vague-metadata', 'vague-metadata'] as const),
];

/** Faults that may lose acknowledged records. */
const losing: FaultRange['kinds'] = ['lose', 'lose', 'lose', 'lose', 'power-cut'];

interface Draw {
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Draws the scenario of a seed. */
export function scenarioOf(seed: number, only?: Scenario['kind']): Scenario {
  return withStorage(withExtras(drawScenario(seed, only)));
}

function drawScenario(seed: number, only: Scenario['kind'] | undefined): Scenario {
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const draw: Draw = { random, upTo, pick: (items) => items[upTo(items.length)] as never };
  const kind = only ?? draw.pick(drawn);
  const mode = draw.pick(modes[kind]);
  const base = drawBase(draw, { seed, kind, mode });
  if (kind === 'produce') {
    return { ...base, producers: Array.from({ length: 1 + upTo(2) }, () => drawProduce(draw, mode)) };
  }
  const transactions = random() < 0.6 ? 1 + upTo(10) : 0;
  const isLive = kind === 'group' || mode === 'lossy' || (mode !== 'trimmed' && random() < 0.4);
  const more = {
    ...{ producers: [drawProduce(draw, 'safe')], transactions, isLive },
    liveTransactions: isLive && random() < 0.5 ? 1 + upTo(8) : 0,
    sideTopicUntil: isLive && random() < 0.15 ? upTo(base.healAt) : undefined,
  };
  if (kind === 'consume') return { ...base, ...more, consumers: drawReaders(draw, isLive, more.sideTopicUntil) };
  return { ...base, ...more, ...drawGroup(draw, base, more.sideTopicUntil) };
}

function drawBase({ random, upTo, pick }: Draw, { seed, kind, mode }: Pick<Scenario, 'seed' | 'kind' | 'mode'>) {
  const brokers = mode === 'lossy' ? 3 : pick([1, 3, 3, 3]);
  const partitions = 1 + upTo(4);
  // Only long outages make a group remove members.
  const isLong = kind === 'group' && random() < 0.2;
  const untilMs = isLong ? 60_000 + upTo(60_000) : 500 + upTo(8_000);
  const longestMs = isLong ? 70_000 : 6_000;
  const kinds: FaultRange['kinds'] = [
    ...lossless,
    ...(mode === 'lossy' ? losing : []),
    ...(mode === 'trimmed' ? (['move-log-start', 'move-log-start', 'move-log-start'] as const) : []),
    ...(isLong ? (['isolate', 'isolate', 'isolate', 'isolate', 'isolate'] as const) : []),
  ];
  const range: FaultRange = { brokers, partitions, untilMs, longestMs, kinds };
  const faults: readonly FaultEvent[] = Array.from({ length: upTo(2) * upTo(14) }, () => rollFault(random, range));
  const isShort = random() < 0.3;
  const base: Scenario = {
    ...{ seed, kind, mode, brokers, firstBroker: 1, latencyMs: pick([0, 1, 5, 20, 60]) },
    topic: {
      ...{ partitions, replicas: brokers },
      configs: { 'min.insync.replicas': brokers === 1 ? '1' : pick(['1', '2', '2']) },
    },
    settings: {
      replicationDelayMs: pick(kind === 'produce' ? [0, 1, 5, 30] : [0, 1, 5, 30, 400]),
      failoverDelayMs: pick([50, 500, 2_000]),
      replicaLagTimeMs: pick([500, 2_000, 10_000]),
      metadataDelayMs: pick([0, 1, 20, 200]),
      coordinatorLoadMs: pick([0, 50, 1_000]),
      coordinatorPartitions: 5,
      rackAware: random() < 0.6,
      fetchSessions: pick([1_000, 1_000, 1_000, 1, 0]),
      markerDelayMs: pick([1, 20, 300]),
      initialRebalanceDelayMs: pick([0, 500, 3_000]),
      ...(isShort ? { consumerSessionTimeoutMs: 4_000, consumerHeartbeatIntervalMs: 1_000 } : {}),
    },
    limits: {
      dial: 1_000,
      overhead: pick([2_000, 5_000]),
      retry: mode === 'impatient' ? pick([0, 500, 3_000]) : 300_000,
      command: 3_600_000,
    },
    faults: faults.toSorted((a, b) => a.at - b.at),
    healAt: untilMs + longestMs + 2_000,
    diesAt: mode === 'impatient' && random() < 0.5 ? upTo(untilMs) : undefined,
    ...{ producers: [], transactions: 0, liveTransactions: 0, consumers: [], stops: [], crashes: [] },
    ...{ isLive: false, sideTopicUntil: undefined, grown: [], idsFrom: undefined, syncFailsMs: undefined },
  };
  return base;
}

function drawProduce({ random, upTo, pick }: Draw, mode: Scenario['mode']): ProducePlan {
  return {
    topic: names.topic,
    ...{ records: 10 + upTo(120), hasKeys: random() < 0.4, burst: 1 + upTo(20), pauseMs: upTo(200) },
    acks: mode === 'unsure' ? pick([0, 1, 1]) : -1,
    ...{ compression: pick(['none', 'none', 'gzip', 'lz4']), maxMessageBytes: pick([90, 150, 400, 4_000]) },
    deliveryTimeoutMs: mode === 'impatient' && random() < 0.5 ? 100 + upTo(3_000) : undefined,
  };
}

function drawConsume({ random, pick }: Draw, more: Partial<ConsumePlan>): ConsumePlan {
  return {
    ...{ topic: names.topic, isRegex: false, range: 'start', readCommitted: random() < 0.6 },
    rack: pick(['', 'rack-1', 'rack-2']),
    ...{ fetchMaxBytes: pick([1, 200, 2_000, 1 << 20]), fetchMaxPartitionBytes: pick([1, 150, 1_000, 1 << 20]) },
    ...{ fetchMaxWaitMs: pick([20, 100, 500, 2_000]), readerMs: pick([0, 0, 1, 50]) },
    ...{ startsAt: 0, stall: undefined, sideTopic: undefined },
    ...more,
  };
}

function sideTopicOf(until: number | undefined): string | undefined {
  return until === undefined ? undefined : names.sideTopic;
}

function drawReaders(draw: Draw, isLive: boolean, sideTopicUntil: number | undefined): readonly ConsumePlan[] {
  const sideTopic = sideTopicOf(sideTopicUntil);
  // An offset that does not exist yet would be replaced by the end of the log.
  const ranges = ['start', ':end', ...(isLive ? [] : [':end', '3', '7:end'])];
  return Array.from({ length: 1 + draw.upTo(3) }, () =>
    drawConsume(draw, { range: draw.pick(ranges), sideTopic, startsAt: isLive ? draw.upTo(2_500) : 0 }),
  );
}

function drawGroup(draw: Draw, { healAt, settings, faults }: Scenario, sideTopicUntil: number | undefined) {
  const { random, upTo, pick } = draw;
  const group = {
    ...{ name: names.group, instanceId: undefined, assignor: undefined },
    protocol: pick(['classic', 'consumer'] as const),
    balancers: pick([
      ['cooperative-sticky', 'sticky', 'roundrobin', 'range'],
      ['range'],
      ['cooperative-sticky'],
    ] as const),
  };
  const members = 1 + upTo(3);
  const isStatic = random() < 0.2;
  const isLong = healAt > 60_000;
  const stops = Array.from({ length: members }, (_, index) =>
    index > 0 && random() < 0.5 ? pick([upTo(healAt), upTo(healAt), upTo(1_000)]) : undefined,
  );
  const stallOf = (index: number): ConsumePlan['stall'] => {
    if (random() < 0.7) return undefined;
    const stop = stops[index];
    return { at: Math.max(0, (stop ?? upTo(healAt)) - upTo(600)), forMs: upTo(8_000) };
  };
  const waits = isLong ? { fetchMaxWaitMs: 2_000 } : {};
  return {
    settings: isStatic ? { ...settings, consumerSessionTimeoutMs: 45_000 } : settings,
    consumers: Array.from({ length: members }, (_, index) =>
      drawConsume(draw, {
        group: isStatic ? { ...group, instanceId: `static-${index}` } : group,
        ...{ stall: stallOf(index), sideTopic: sideTopicOf(sideTopicUntil), ...waits },
      }),
    ),
    stops,
    crashes: Array.from({ length: members }, (_, index) => (index > 0 && random() < 0.2 ? upTo(healAt) : undefined)),
    faults: faults.map((fault) => (fault.kind === 'isolate' ? { ...fault, client: fault.client % members } : fault)),
  };
}
