import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { seededRandom } from '../../src/serde/random.ts';
import type { FaultAction } from '../sandbox/broker/faults.ts';
import { prepareProduce } from './commanding.ts';
import { type ConsumePlan, type Consuming, startConsume } from './consuming.ts';
import { type Logs, logsOf, textOf } from './invariants/logs.ts';
import { checkRecreated } from './invariants/recreated.ts';
import { type ProducePlan, runProduce } from './producing.ts';
import { names } from './scenario.ts';
import { createWorld, type World } from './world.ts';

/** What is at work while the topic is deleted and created again. */
export type RecreatedUnder = 'producer' | 'reader' | 'classic' | 'consumer';

const { topic } = names;
const limits = { dial: 1_000, overhead: 5_000, retry: 60_000, command: 3_600_000 };
/** Everything is over by then, in simulated milliseconds. */
const patienceMs = 120_000;
/** Brokers that name topics only: Produce before Kafka 4.1, Fetch before 3.1. */
const byName = { Produce: 12, Fetch: 12 };

interface Run {
  readonly world: World;
  readonly partitions: number;
  readonly replicas: number;
  /** The logs of the deleted topics. */
  readonly graves: Logs[];
  /** When each of them was deleted, on the clock. */
  readonly deletedAt: number[];
  /** Whether the brokers know topics by their ids. */
  readonly hasIds: boolean;
  readonly failures: string[];
}

interface Draw {
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
}

/**
 * Deletes and creates the topic again under a producer, a reader or a group, at times that the seed determines.
 * @returns the violated invariants, one sentence each
 */
export async function runRecreation(seed: number, under: RecreatedUnder): Promise<readonly string[]> {
  const random = seededRandom(seed ^ 0x1d5);
  const upTo = (most: number): number => Math.floor(random() * most);
  const draw: Draw = { random, upTo, pick: (items) => items[upTo(items.length)] as never };
  const brokerCount = draw.pick([1, 3]);
  const hasIds = random() >= 0.6;
  const world = createWorld({
    ...{ seed, brokerCount, latencyMs: draw.pick([1, 20, 60]) },
    settings: {
      ...{ coordinatorPartitions: 5, initialRebalanceDelayMs: 0, metadataDelayMs: draw.pick([0, 1, 20]) },
      ...(hasIds ? {} : { newestVersions: byName }),
    },
  });
  const run: Run = {
    ...{ world, partitions: 1 + upTo(3), replicas: brokerCount, hasIds },
    ...{ graves: [], deletedAt: [], failures: [] },
  };
  create(run);
  world.topics.add(topic);
  await (under === 'producer' ? underProducer(run, draw) : underReaders(run, draw, under));
  for (const defect of world.cluster.control.defects) run.failures.push(`the model has an error: ${String(defect)}`);
  return run.failures;
}

function create({ world, partitions, replicas }: Run): void {
  world.cluster.control.createTopic({ name: topic, partitions, replicas });
}

function recreate(run: Run, pauseMs: number): void {
  const { world, graves, deletedAt } = run;
  graves.push(logsOf(world));
  deletedAt.push(world.clock.now());
  world.tell('the topic is deleted and created again');
  world.cluster.control.deleteTopic(topic);
  if (pauseMs === 0) create(run);
  else world.clock.after(pauseMs, () => create(run));
}

function planOf({ upTo, pick }: Draw): ProducePlan {
  return {
    ...{ topic, records: 60 + upTo(120), hasKeys: false, burst: 1 + upTo(20), pauseMs: 5 + upTo(40) },
    ...{ acks: -1, compression: 'none', maxMessageBytes: pick([90, 150]), deliveryTimeoutMs: undefined },
  };
}

function client(world: World, name: string) {
  return world.openClient(name, limits);
}

/** What happens to the requests that arrive around a re-creation. */
const answersLost: readonly (readonly FaultAction[])[] = [
  ...[[], [{ kind: 'cut' }], [{ kind: 'do-and-cut' }], [{ kind: 'refuse', code: 3 }], [{ kind: 'refuse', code: 6 }]],
  ...[[{ kind: 'do-and-refuse', code: 7 }], [{ kind: 'refuse', code: 6 }, { kind: 'do-and-cut' }]],
] as const;

async function underProducer(run: Run, draw: Draw): Promise<void> {
  const { world, failures, graves } = run;
  const { clock } = world;
  // The warnings of a command go through the layers of the command line.
  const isCommand = draw.random() < 0.4;
  const reportedAt: number[] = [];
  const onReport = (records: number): void => {
    for (let left = records; left > 0; left -= 1) reportedAt.push(clock.now());
  };
  // With few records between them, one re-creation is reported in the same words as another.
  const isSparse = isCommand && draw.random() < 0.5;
  // By name, what is in flight may reach either topic.
  const isDense = !run.hasIds && !isSparse;
  const plan = {
    ...planOf(draw),
    ...(isSparse ? { records: 20, burst: 1, pauseMs: 700 } : {}),
    ...(isDense ? { records: 400, burst: 8, pauseMs: 10 } : {}),
  };
  const count = 1 + draw.upTo(isSparse ? 10 : 4);
  const command = isCommand
    ? await prepareProduce(world, { name: 'p', limits, onReport }, plan, () => undefined)
    : undefined;
  for (let index = 0; index < count; index += 1) {
    clock.after(300 + index * 600 + draw.upTo(500), () => {
      for (const action of draw.pick(answersLost)) world.cluster.control.fault({ api: 'Produce', action });
      recreate(run, draw.pick([0, 0, 5, 50]));
    });
  }
  const producing = command?.start() ?? runProduce(world, client(world, 'p'), plan, onReport);
  const produced = await clock.runUntil(producing, patienceMs);
  await clock.runFor(5_000);
  checkRecreated(world, { ...run, produced, reportedAt, logs: [...graves, logsOf(world)] }, failures);
}

function readerPlan(more: Partial<ConsumePlan>): ConsumePlan {
  return {
    ...{ topic, isRegex: false, range: 'start', readCommitted: false, rack: '', fetchMaxBytes: 1 << 20 },
    ...{ fetchMaxPartitionBytes: 1 << 20, fetchMaxWaitMs: 100, readerMs: 0, startsAt: 0, stall: undefined },
    ...{ sideTopic: undefined, ...more },
  };
}

/**
 * A reader whose output is blocked while the topic is created again, as long as its last commit belongs to the deleted
 * topic. In a group it then stops, and another member goes on.
 */
async function underReaders(run: Run, draw: Draw, under: Exclude<RecreatedUnder, 'producer'>): Promise<void> {
  const { world, failures, graves } = run;
  const { clock } = world;
  const balancers = ['cooperative-sticky'] as const;
  const shared = { name: names.group, instanceId: undefined, assignor: undefined };
  const group = under === 'reader' ? undefined : { ...shared, protocol: under, balancers };
  const plan = group === undefined ? {} : { group };
  const race = watchRace(run);
  await clock.runUntil(runProduce(world, client(world, 'before'), planOf(draw)), patienceMs);
  const stall = { at: 500 + draw.upTo(6_000), forMs: 2_000 + draw.upTo(9_000) };
  // Stopped before it can notice anything: what it has printed of the deleted topic is not committed yet.
  const isHasty = group !== undefined && draw.random() < 0.5;
  const slow = { stall: undefined, readerMs: 300, fetchMaxPartitionBytes: 1 };
  const reading = isHasty ? slow : { stall, readerMs: draw.pick([0, 50]) };
  const first = startConsume(world, client(world, 'c0'), readerPlan({ ...plan, ...reading }));
  await clock.runFor(stall.at + draw.upTo(stall.forMs));
  recreate(run, isHasty ? 0 : draw.pick([0, 0, 50, 500]));
  if (isHasty) {
    await clock.runFor(draw.upTo(200));
    first.stop();
  }
  await clock.runFor(1_000);
  await clock.runUntil(runProduce(world, client(world, 'after'), planOf(draw)), patienceMs);
  const readers: Consuming[] = [first];
  if (group !== undefined) {
    await clock.runFor(draw.upTo(12_000));
    first.stop();
    await clock.runUntil(first.ended, patienceMs);
    readers.push(startConsume(world, client(world, 'c1'), readerPlan(plan)));
  }
  await clock.runFor(40_000);
  for (const one of readers) one.stop();
  await clock.runUntil(Promise.all(readers.map(({ ended }) => ended)), patienceMs);
  const placesIn = (logs: Logs): readonly string[] =>
    logs.flatMap((log, partition) => log.map((record) => `${partition}/${record.offset}/${textOf(record)}`));
  const printed = readers.flatMap((one) => one.printed.map((row) => `${row.partition}/${row.offset}/${row.value}`));
  const known = new Set([...graves, logsOf(world)].flatMap(placesIn));
  const missing = placesIn(logsOf(world)).filter((place) => !printed.includes(place));
  if (missing.length > 0 && !race.isLost)
    failures.push(`${missing.length} records of the new topic are not printed: ${missing[0]}`);
  for (const place of printed) if (!known.has(place)) failures.push(`${place} is printed, but was in no log`);
  for (const { name, error } of readers) if (error !== undefined) failures.push(`${name} fails: ${String(error)}`);
  if (graves.flat(2).length > 0 && !readers.some(({ warnings }) => warnings.some(isAboutTopic)) && under === 'reader') {
    failures.push('nothing says that the topic was created again');
  }
}

/**
 * Notices a commit whose member asked for the topic's id before the topic was created again, and which arrives after that:
 * before version 10 of OffsetCommit, nothing prevents it.
 */
function watchRace({ world, deletedAt }: Run): { readonly isLost: boolean } {
  const { clock } = world;
  const race = { isLost: false };
  const askedAt = new Map<string, number>();
  world.onExchange(({ client: name, request }) => {
    if (request.readInt16BE(0) === metadata.key) askedAt.set(name, clock.now());
  });
  world.onCommit(({ client: name }) => {
    if (deletedAt.some((at) => (askedAt.get(name) ?? 0) < at)) race.isLost = true;
  });
  return race;
}

function isAboutTopic(warning: string): boolean {
  return warning.includes('was deleted and created again');
}
