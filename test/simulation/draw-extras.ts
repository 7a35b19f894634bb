import type { ConsumePlan } from './consuming.ts';
import { type FaultEvent, type FaultRange, rollFault } from './faults.ts';
import type { ProducePlan } from './producing.ts';
import { type GrownTopic, names, type Scenario } from './scenario.ts';
import { dice } from './virtual-clock.ts';

/** Sets these dice apart from those of the scenario itself. */
const salt = 0x5eed;

interface Draw {
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
}

/**
 * Adds what is rarer to a scenario, by dice of its own: brokers that die for good, coordinators that move, faults in a
 * row, topics that come later, brokers that lack something, ids that begin with 0.
 */
export function withExtras(scenario: Scenario): Scenario {
  const random = dice(scenario.seed ^ salt);
  const upTo = (most: number): number => Math.floor(random() * most);
  const draw: Draw = { random, upTo, pick: (items) => items[upTo(items.length)] as never };
  const steps = [withFaults, withElections, withFailingSync, withGrowth, withOldBrokers, fromBrokerZero];
  return steps.reduce((before, step) => step(draw, before), scenario);
}

/** More faults: a broker that never comes back, coordinators that stay where they are moved to, faults in a row. */
function withFaults({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { brokers, topic, kind, healAt, diesAt } = scenario;
  const isRow = random() < 0.3;
  const isDeath = brokers === 3 && random() < 0.25 && diesAt === undefined;
  const isMove = brokers === 3 && kind !== 'produce' && random() < 0.3;
  const kinds: FaultRange['kinds'] = [
    ...Array.from({ length: isRow ? 1 + upTo(3) : 0 }, () => 'in-a-row' as const),
    ...(isDeath ? (['die'] as const) : []),
    ...Array.from({ length: isMove ? 1 + upTo(3) : 0 }, () => 'move-coordinator' as const),
  ];
  const range = { brokers, partitions: topic.partitions, untilMs: Math.max(1, healAt - 8_000), longestMs: 6_000 };
  const more = kinds.map((one) => rollFault(random, { ...range, kinds: [one] }));
  return withMore(scenario, more);
}

/** Elections in which what a producer was told, or a reader has read, is lost. */
function withElections({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { brokers, topic, mode, healAt } = scenario;
  const mayLose = mode === 'unsure' || mode === 'lossy';
  if (!mayLose || brokers < 3 || random() < 0.4) return scenario;
  const range = { brokers, partitions: topic.partitions, untilMs: healAt - 8_000, longestMs: 6_000 };
  const kinds = mode === 'unsure' ? (['lose', 'lose', 'kill'] as const) : (['elect-unclean'] as const);
  return withMore(
    scenario,
    Array.from({ length: 1 + upTo(4) }, () => rollFault(random, { ...range, kinds })),
  );
}

function withMore(scenario: Scenario, more: readonly FaultEvent[]): Scenario {
  if (more.length === 0) return scenario;
  return { ...scenario, faults: [...scenario.faults, ...more].toSorted((a, b) => a.at - b.at) };
}

/** Topics that match a pattern and come while it is read. */
function withGrowth(draw: Draw, scenario: Scenario): Scenario {
  const { random, upTo } = draw;
  const { kind, mode, isLive, diesAt, consumers, healAt, producers } = scenario;
  const isEndless = consumers.length > 0 && consumers.every(({ range }) => range === 'start');
  const mayGrow = kind !== 'produce' && mode === 'safe' && isLive && diesAt === undefined && isEndless;
  const [model] = producers;
  if (!mayGrow || model === undefined || random() < 0.6) return scenario;
  const grown = Array.from({ length: 1 + upTo(3) }, (_, index): GrownTopic => {
    const plan: ProducePlan = { ...model, topic: `${names.topic}-${index + 2}`, records: 5 + upTo(40) };
    return { at: upTo(healAt), partitions: 1 + upTo(2), plan };
  });
  return { ...scenario, grown, consumers: consumers.map((plan): ConsumePlan => ({ ...plan, isRegex: true })) };
}

/** Brokers without OffsetForLeaderEpoch, or that name the ids of topics only from some time on. */
function withOldBrokers({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { kind, consumers, settings, healAt } = scenario;
  const isWithoutEpochs = kind !== 'produce' && random() < 0.15;
  // The consumer protocol knows topics by their ids.
  const needsIds = consumers.some(({ group }) => group?.protocol === 'consumer');
  const idsFrom = !needsIds && random() < 0.2 ? upTo(healAt) : undefined;
  return {
    ...{ ...scenario, idsFrom },
    settings: {
      ...settings,
      ...(isWithoutEpochs ? { missingApis: ['OffsetForLeaderEpoch'] } : {}),
      ...(idsFrom === undefined ? {} : { topicIds: false }),
    },
  };
}

/** How long SyncGroup fails: less than its limit (60 s), or more. */
const syncFailures = [20_000, 40_000, 90_000, 150_000];
const shortRetryMs = 5_000;

/** Nothing but SyncGroup fails, and the retry timeout is shorter than that. */
function withFailingSync({ random, pick }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, consumers, limits } = scenario;
  const isClassic = consumers.every(({ group }) => group?.protocol === 'classic');
  if (kind !== 'group' || mode !== 'safe' || !isClassic || random() < 0.85) return scenario;
  const syncFailsMs = pick(syncFailures);
  return {
    ...scenario,
    ...{ syncFailsMs, faults: [], healAt: syncFailsMs, limits: { ...limits, retry: shortRetryMs } },
    stops: scenario.stops.map(() => undefined),
    crashes: scenario.crashes.map(() => undefined),
    consumers: consumers.map((plan) => ({ ...plan, stall: undefined })),
  };
}

/** The brokers count from 0 instead of 1. */
function fromBrokerZero({ random }: Draw, scenario: Scenario): Scenario {
  if (random() < 0.7) return scenario;
  const faults = scenario.faults.map((fault) =>
    'broker' in fault && fault.broker !== undefined ? ({ ...fault, broker: fault.broker - 1 } as FaultEvent) : fault,
  );
  return { ...scenario, firstBroker: 0, faults };
}
