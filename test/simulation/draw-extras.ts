import type { Signal } from '../../src/host/host.ts';
import { seededRandom } from '../../src/serde/random.ts';
import type { SignalAt } from './commanding.ts';
import type { ConsumePlan } from './consuming.ts';
import { type FaultEvent, type FaultRange, rollFault } from './faults.ts';
import type { Standstill } from './process-clock.ts';
import type { ProducePlan } from './producing.ts';
import { type GrownTopic, names, type Scenario } from './scenario.ts';

/** Makes these dice differ from those of the scenario itself. */
const salt = 0x5eed;

interface Draw {
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
}

/**
 * Adds rarer events to a scenario, with dice of their own: brokers that die for good, coordinators that move,
 * consecutive faults, topics created later, brokers without some features, broker ids from 0, joins whose answers are
 * lost, removed members that stop, members that stop while their output is blocked or while they join, leaders that
 * know late how far the log is committed, producers that are whole commands and get signals, and processes that stand
 * still.
 */
export function withExtras(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed ^ salt);
  const upTo = (most: number): number => Math.floor(random() * most);
  const draw: Draw = { random, upTo, pick: (items) => items[upTo(items.length)] as never };
  const steps = [
    ...[withFaults, withElections, withFailingSync, withGrowth, withOldBrokers, fromBrokerZero],
    ...[withLostJoins, withLeavers, withBlockedReader, withLateWatermarks],
    ...[withStoppedJoin, withSignals, withStandstill],
  ];
  return steps.reduce((before, step) => step(draw, before), scenario);
}

/** More faults: a broker that dies for good, coordinators that move, consecutive faults. */
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

/** Elections that lose acknowledged records, or records that were already read. */
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

/** Topics that match a pattern and are created while it is read. */
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

/** Brokers without OffsetForLeaderEpoch, or that report topic ids only after some time. */
function withOldBrokers({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { kind, consumers, settings, healAt } = scenario;
  const isWithoutEpochs = kind !== 'produce' && random() < 0.15;
  // The consumer protocol identifies topics by their ids.
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

/** How long SyncGroup fails, in milliseconds: below and above its limit (60 s). */
const syncFailures = [20_000, 40_000, 90_000, 150_000];
const shortRetryMs = 5_000;

/** Only SyncGroup fails, for longer than the retry timeout. */
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

/** The broker ids begin with 0 instead of 1. */
function fromBrokerZero({ random }: Draw, scenario: Scenario): Scenario {
  if (random() < 0.7) return scenario;
  const faults = scenario.faults.map((fault) =>
    'broker' in fault && typeof fault.broker === 'number'
      ? ({ ...fault, broker: fault.broker - 1 } as FaultEvent)
      : fault,
  );
  return { ...scenario, firstBroker: 0, faults };
}

/** The answers to the first joins are lost: the coordinator has members that do not know about it. */
function withLostJoins({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { consumers, brokers, firstBroker } = scenario;
  const [group] = consumers.flatMap((plan) => plan.group ?? []);
  if (group?.protocol !== 'consumer' || random() < (group.instanceId === undefined ? 0.9 : 0.5)) return scenario;
  const steps = Array.from({ length: 1 + upTo(consumers.length) }, () => 'do-and-cut' as const);
  // Any broker may be the coordinator.
  const more = Array.from({ length: brokers }, (_, index): FaultEvent => {
    return { at: 0, kind: 'in-a-row', broker: index + firstBroker, api: 'ConsumerGroupHeartbeat', steps };
  });
  return withMore(scenario, more);
}

/** A session shorter than the outage of a member, in milliseconds. */
const shortSession = { consumerSessionTimeoutMs: 4_000, consumerHeartbeatIntervalMs: 1_000 };

/** A member stops at about the end of an outage for which the group has removed it. */
function withLeavers({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { consumers, diesAt, settings } = scenario;
  const [group] = consumers.flatMap((plan) => plan.group ?? []);
  const mayLeave = group?.protocol === 'consumer' && group.instanceId === undefined && diesAt === undefined;
  if (!mayLeave || consumers.length < 2 || random() < 0.8) return scenario;
  // The first member stays to the end.
  const client = 1 + upTo(consumers.length - 1);
  const [at, forMs] = [upTo(4_000), 5_000 + upTo(2_000)];
  const stop = at + forMs - 2_000 + upTo(3_000);
  return withMore(
    {
      ...{ ...scenario, settings: { ...settings, ...shortSession } },
      healAt: Math.max(scenario.healAt, at + forMs + 1_000),
      stops: scenario.stops.map((other, index) => (index === client ? stop : other)),
      crashes: scenario.crashes.map((other, index) => (index === client ? undefined : other)),
    },
    [{ at, kind: 'isolate', client, forMs }],
  );
}

/** A member prints single records and stops while its reader accepts nothing, for longer than a stop may take. */
function withBlockedReader({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, consumers, topic, settings, stops, syncFailsMs } = scenario;
  const mayBlock = kind === 'group' && mode === 'safe' && syncFailsMs === undefined && topic.partitions > 1;
  if (!mayBlock || consumers.length < 2 || random() < 0.8) return scenario;
  // The first member stays to the end.
  const blocked = 1 + upTo(consumers.length - 1);
  const at = 300 + (settings.initialRebalanceDelayMs ?? 0) + upTo(2_000);
  const stop = at + 100 + upTo(500);
  return {
    ...scenario,
    producers: scenario.producers.map((plan) => ({ ...plan, records: 120, maxMessageBytes: 90 })),
    consumers: consumers.map((plan, index): ConsumePlan => {
      if (index !== blocked) return plan;
      const stall = { at, forMs: 6_000 + upTo(2_000) };
      return { ...plan, stall, readerMs: 50, fetchMaxBytes: 1, fetchMaxPartitionBytes: 1 };
    }),
    stops: stops.map((other, index) => (index === blocked ? stop : other)),
    crashes: scenario.crashes.map((other, index) => (index === blocked ? undefined : other)),
  };
}

/**
 * While a range is read, brokers become leaders that do not know yet that records below its end are committed, and no
 * replica confirms it for a while.
 */
function withLateWatermarks({ random, upTo }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, isLive, brokers, firstBroker, topic, consumers, latencyMs, diesAt } = scenario;
  const ranges = consumers.flatMap(({ range }, index) => (range.endsWith('end') ? [index] : []));
  const mayLag = kind === 'consume' && mode === 'safe' && isLive && brokers === 3 && diesAt === undefined;
  const [late] = ranges;
  if (!mayLag || late === undefined || random() < 0.3) return scenario;
  const startsAt = 500 + upTo(1_500);
  // Shortly after the reader has learned where its range ends.
  const at = startsAt + 4 * latencyMs + upTo(400);
  const leader = firstBroker + upTo(brokers);
  const others = Array.from({ length: brokers }, (_, index) => index + firstBroker).filter((id) => id !== leader);
  const forMs = 1_000 + upTo(2_000);
  const more = Array.from({ length: topic.partitions }, (_, partition): FaultEvent[] => [
    ...others.map((broker): FaultEvent => ({ at, kind: 'hold-replication', partition, broker, forMs })),
    { at, kind: 'move-leader', partition, broker: leader },
  ]).flat();
  const slow = { startsAt, fetchMaxBytes: 200, fetchMaxWaitMs: 100 };
  return withMore(
    {
      ...scenario,
      settings: { ...scenario.settings, replicationDelayMs: 400 },
      producers: scenario.producers.map((plan) => ({
        ...plan,
        records: 120,
        burst: 3,
        pauseMs: 200,
        maxMessageBytes: 90,
      })),
      consumers: consumers.map((plan, index): ConsumePlan => (index === late ? { ...plan, ...slow } : plan)),
    },
    more,
  );
}

/** A session that does not expire before the run ends, in milliseconds. */
const endlessSession = { consumerSessionTimeoutMs: 300_000 };

/** A member stops at about the time when it joins, without faults: the coordinator must not keep it. */
function withStoppedJoin({ random, upTo, pick }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, consumers, settings, stops, crashes } = scenario;
  const [group] = consumers.flatMap((plan) => plan.group ?? []);
  const mayStop = kind === 'group' && mode === 'safe' && group?.protocol === 'consumer' && consumers.length > 1;
  if (!mayStop || group.instanceId !== undefined || random() < 0.8) return scenario;
  const latencyMs = pick([5, 20, 60]);
  // The first member stays to the end.
  const client = 1 + upTo(consumers.length - 1);
  // The coordinator must be found before.
  const stop = 3 * latencyMs + upTo(4 * latencyMs);
  return {
    ...{ ...scenario, latencyMs, faults: [] },
    settings: { ...settings, ...endlessSession },
    stops: stops.map((other, index) => (index === client ? stop : other)),
    crashes: crashes.map(() => undefined),
  };
}

/** The signals that a command may get, in their order. */
const signalRows: readonly (readonly Signal[])[] = [
  ...[[], ['SIGINT'], ['SIGINT'], ['SIGINT', 'SIGINT'], ['SIGINT', 'SIGTERM']],
  ...[['SIGTERM'], ['SIGTERM', 'SIGINT'], ['SIGHUP']],
] as const;
/** The shortest delivery timeout of a command, in milliseconds. */
const leastDeliveryMs = 1_000;

/** Producers are whole commands, which get signals, often while no broker can be reached for longer than a stop may take. */
function withSignals({ random, upTo, pick }: Draw, scenario: Scenario): Scenario {
  const { kind, producers, brokers, firstBroker, healAt, diesAt } = scenario;
  if (kind !== 'produce' || random() < 0.4) return scenario;
  const outageAt = random() < 0.4 && diesAt === undefined ? upTo(1_500) : undefined;
  const forMs = 5_500 + upTo(4_000);
  const outage = Array.from({ length: outageAt === undefined ? 0 : brokers }, (_, index): FaultEvent => {
    return { at: outageAt ?? 0, kind: 'black-hole', broker: index + firstBroker, forMs };
  });
  return withMore(
    {
      ...scenario,
      healAt: Math.max(healAt, (outageAt ?? 0) + forMs + 1_000),
      producers: producers.map((plan): ProducePlan => {
        let at = (outageAt ?? 0) + upTo(random() < 0.7 ? 1_500 : healAt);
        const signals = pick(signalRows).map((signal): SignalAt => {
          const sent = { at, signal };
          at += upTo(random() < 0.5 ? 500 : 8_000);
          return sent;
        });
        const { deliveryTimeoutMs } = plan;
        return {
          ...{ ...plan, signals },
          deliveryTimeoutMs: deliveryTimeoutMs === undefined ? undefined : leastDeliveryMs + deliveryTimeoutMs,
        };
      }),
    },
    outage,
  );
}

/** A process stands still for a while; a member often for longer than its session, while it has records to print. */
function withStandstill({ random, upTo, pick }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, producers, consumers, settings, healAt, diesAt, syncFailsMs } = scenario;
  const isHarsh = mode === 'impatient' || diesAt !== undefined || syncFailsMs !== undefined;
  const isCommand = producers.some(({ signals }) => signals !== undefined);
  // What static members leave behind is checked exactly only within their sessions.
  const isStatic = consumers.some(({ group }) => group?.instanceId !== undefined);
  if (isHarsh || isCommand || isStatic || random() < 0.7) return scenario;
  const isLong = consumers.length > 1 && kind === 'group' && random() < 0.6;
  const all = consumers.length > 0 ? consumers : producers;
  const index = upTo(all.length);
  const fault = {
    ...({ kind: 'stand-still', how: pick<Standstill>(['stopped', 'suspended']) } as const),
    at: isLong ? 300 + (settings.initialRebalanceDelayMs ?? 0) + upTo(2_000) : upTo(Math.min(healAt, 6_000)),
    client: `${consumers.length > 0 ? 'c' : 'p'}${index}`,
    forMs: isLong ? sessionMs + 1_000 + upTo(20_000) : pick([100, 1_000, 8_000, 20_000]),
  };
  const longer = withMore({ ...scenario, healAt: Math.max(healAt, fault.at + fault.forMs + 1_000) }, [fault]);
  if (!isLong) return longer;
  // Whenever it stops, it has fetched more than it has printed.
  const slow = { readerMs: 50, fetchMaxBytes: 1 << 20, fetchMaxPartitionBytes: 1 };
  return {
    ...longer,
    producers: producers.map((plan) => ({ ...plan, records: 120, maxMessageBytes: 90 })),
    consumers: consumers.map((plan, other) => (other === index ? { ...plan, ...slow } : plan)),
  };
}

/** The session timeout of members, in milliseconds. */
const sessionMs = 45_000;
