import { seededRandom } from '../../src/serde/random.ts';
import { type FaultEvent, type FaultRange, rollFault } from './faults.ts';
import type { Scenario } from './scenario.ts';

/** Makes these dice differ from those of the scenario itself. */
const salt = 0x80;

interface Draw {
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
}

/**
 * Adds what happens to stored records, with dice of their own: brokers that forget idle producers, records that are
 * deleted or compacted while the log is written or read, and disks that fail.
 */
export function withStorage(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed ^ salt);
  const upTo = (most: number): number => Math.floor(random() * most);
  const draw: Draw = { random, upTo, pick: (items) => items[upTo(items.length)] as never };
  return [withIdleProducers, withRemoval, withDisks].reduce((before, step) => step(draw, before), scenario);
}

/** How long the leaders remember a producer; longer than any record waits, in milliseconds. */
const rememberedMs = [9_000, 12_000];
/** Faults that are over before a leader forgets the producer of a record that waits. */
const shortKinds: FaultRange['kinds'] = [
  ...(['cut', 'cut-next', 'cut-next', 'kill', 'stop', 'move-leader', 'black-hole'] as const),
  ...(['refuse', 'refuse', 'do-and-refuse', 'late', 'tell-duplicate'] as const),
];

/** Codes that refuse a batch before it is appended. */
const refusedBatch = [5, 6, 19, 56, 72, 74];

/** Producers that are idle for so long that leaders forget them again and again: any first sequence number is then taken. */
function withIdleProducers({ random, upTo, pick }: Draw, scenario: Scenario): Scenario {
  const { kind, mode, producers, settings, brokers, topic } = scenario;
  const isCommand = producers.some(({ signals }) => signals !== undefined);
  if (kind !== 'produce' || mode !== 'safe' || isCommand || random() < 0.6) return scenario;
  const untilMs = 40_000;
  const range = { brokers, partitions: topic.partitions, untilMs, longestMs: 1_500, kinds: shortKinds };
  // The first batches after a pause fail, and others that follow may be taken.
  const meetsBatch = (fault: FaultEvent): FaultEvent => {
    if (fault.kind === 'refuse') return { ...fault, api: 'Produce', code: pick(refusedBatch), times: 1 };
    return fault.kind === 'late' ? { ...fault, api: 'Produce' } : fault;
  };
  const faults = Array.from({ length: upTo(30) }, () => meetsBatch(rollFrom(scenario, random, range)));
  return {
    ...scenario,
    settings: { ...settings, producerExpirationMs: pick(rememberedMs), producerExpirationCheckMs: pick([0, 500]) },
    producers: producers.map((plan) => {
      return { ...plan, records: 20 + upTo(60), burst: 20, pauseMs: 24_000, maxMessageBytes: pick([90, 150]) };
    }),
    healAt: untilMs + 3_000,
    faults: faults.toSorted((a, b) => a.at - b.at),
  };
}

/** The settings of brokers before Kafka 2.4. */
const forgetful = {
  keepsProducers: false,
  missingApis: ['DescribeProducers'],
  newestVersions: { Produce: 8, InitProducerId: 1 },
};

/** Records are deleted or compacted while they are written or read. */
function withRemoval(draw: Draw, scenario: Scenario): Scenario {
  const { random, upTo } = draw;
  const { kind, mode, producers, consumers, settings, diesAt, syncFailsMs, sideTopicUntil, brokers, topic } = scenario;
  const isCommand = producers.some(({ signals }) => signals !== undefined);
  const isOther = isCommand || diesAt !== undefined || syncFailsMs !== undefined || sideTopicUntil !== undefined;
  const isIdle = settings.producerExpirationMs !== undefined;
  const mayBegin = mode === 'safe' && kind !== 'consume' && scenario.grown.length === 0 && !isOther && !isIdle;
  if (mode !== 'trimmed' && (!mayBegin || random() < 0.75)) return scenario;
  const untilMs = Math.max(1, scenario.healAt - 8_000);
  const isCompacted = kind !== 'produce' && random() < 0.5;
  const kinds: FaultRange['kinds'] = isCompacted ? ['compact', 'compact', 'delete-records'] : ['delete-records'];
  const range = { brokers, partitions: topic.partitions, untilMs, longestMs: 6_000, kinds };
  const count = (kind === 'produce' ? 3 : 1) + upTo(6);
  const restarts: FaultRange['kinds'] = kind === 'produce' ? ['kill', 'stop', 'stop'] : [];
  const isForgetful = kind === 'produce' && random() < 0.4;
  const removals = Array.from({ length: count }, () => rollFrom(scenario, random, range));
  // What was written last is deleted as well, which takes the producer along.
  const whole = removals.map((fault) => (kind === 'produce' && random() < 0.5 ? { ...fault, part: 1 } : fault));
  return withMore(
    {
      ...{ ...scenario, mode: 'trimmed' },
      settings: isForgetful ? { ...settings, ...forgetful } : settings,
      producers: producers.map((plan) => ({ ...plan, hasKeys: plan.hasKeys || isCompacted })),
      consumers: consumers.map((plan) => {
        const isBounded = kind === 'consume' && isCompacted && random() < 0.4;
        return isBounded ? { ...plan, range: `${upTo(6)}:${8 + upTo(30)}` } : plan;
      }),
    },
    [
      ...whole,
      ...restarts.flatMap((one) => (random() < 0.5 ? rollFrom(scenario, random, { ...range, kinds: [one] }) : [])),
    ],
  );
}

/** Disks fail, and brokers lose what they have not written to them. */
function withDisks({ random, upTo, pick }: Draw, scenario: Scenario): Scenario {
  const { mode, brokers, topic, healAt, settings, syncFailsMs } = scenario;
  const isIdle = settings.producerExpirationMs !== undefined;
  if (isIdle || syncFailsMs !== undefined || random() < 0.75) return scenario;
  const untilMs = Math.max(1, Math.min(healAt - 8_000, 8_000));
  const range = { brokers, partitions: topic.partitions, untilMs, longestMs: 6_000, kinds: ['fail-disk'] as const };
  const more = Array.from({ length: 1 + upTo(3) }, (): FaultEvent => {
    const fault = rollFrom(scenario, random, { ...range, kinds: [pick(['fail-disk', 'power-cut'] as const)] });
    return fault.kind === 'power-cut' ? { ...fault, isSafe: mode !== 'lossy' } : fault;
  });
  return withMore(scenario, more);
}

/** Draws a fault; the ids of its brokers count from the first one of the scenario. */
function rollFrom({ firstBroker }: Scenario, random: () => number, range: FaultRange): FaultEvent {
  const fault = rollFault(random, range);
  const isNumbered = 'broker' in fault && typeof fault.broker === 'number';
  return isNumbered ? ({ ...fault, broker: fault.broker - 1 + firstBroker } as FaultEvent) : fault;
}

function withMore(scenario: Scenario, more: readonly FaultEvent[]): Scenario {
  return { ...scenario, faults: [...scenario.faults, ...more].toSorted((a, b) => a.at - b.at) };
}
