import { redrive } from '../../src/kafka/carry/redrive/redrive.ts';
import type { RedrivenTopic } from '../../src/kafka/carry/redrive/redrive-rows.ts';
import type { Redriving } from '../../src/kafka/carry/redrive/request.ts';
import { openFilter } from '../../src/kafka/records/filter/filter.ts';
import { seededRandom } from '../../src/serde/random.ts';
import type { LoggedRecord } from '../sandbox/broker/logged-records.ts';
import { applyFault } from './apply-fault.ts';
import { safeScenario } from './copying.ts';
import { checkLeftovers } from './invariants/leftovers.ts';
import { logsOf, textOf } from './invariants/logs.ts';
import { runProduce } from './producing.ts';
import { names, type Scenario } from './scenario.ts';
import { writeTransactions } from './transactions.ts';
import { startFaults } from './troubles.ts';
import { createWorld, partitionsOf, type SimulatedClient, type World } from './world.ts';

const { topic } = names;
/** The topics that dead letters came from. */
const origins = [`${topic}-first`, `${topic}-second`, `${topic}-compacted`] as const;
const maxAttempts = 3;
/** How long everything may take after the last fault, in simulated milliseconds. */
const patienceMs = 300_000;

/** Dead letters with the same headers; their values begin with the name. */
interface Letters {
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Where they belong; undefined if they must be left. */
  readonly origin: string | undefined;
  /** The count after they were put back. */
  readonly count: number;
  /** Whether they have keys; undefined: as in the scenario. */
  readonly hasKeys?: boolean;
}

const letters: readonly Letters[] = [
  {
    name: 'placed',
    headers: [
      ['trace', 't'],
      ['__connect.errors.topic', origins[0]],
      ['__connect.errors.partition', '0'],
    ],
    origin: origins[0],
    count: 1,
  },
  { name: 'keyed', headers: [['dead-letter-topic', origins[1]]], origin: origins[1], count: 1 },
  {
    name: 'again',
    headers: [
      ['weir-redrive-count', '1'],
      ['topic_poisoned', origins[1]],
    ],
    origin: origins[1],
    count: 2,
  },
  // Brokers refuse records without keys for a topic that is compacted.
  { name: 'refused', headers: [['source_topic', origins[2]]], origin: undefined, count: 0, hasKeys: false },
  { name: 'taken', headers: [['source_topic', origins[2]]], origin: origins[2], count: 1, hasKeys: true },
  { name: 'lost', headers: [['trace', 't']], origin: undefined, count: 0 },
  { name: 'gone', headers: [['source_topic', 'no-such-topic']], origin: undefined, count: 0 },
  {
    name: 'worn',
    headers: [
      ['source_topic', origins[0]],
      ['weir-redrive-count', String(maxAttempts)],
    ],
    origin: undefined,
    count: 0,
  },
];

/** What a run chooses. */
interface Choice {
  readonly most?: number;
  readonly where?: string;
  readonly perSecond?: number;
}

/** How dead letters are put back. */
interface RedrivePlan {
  readonly isExactlyOnce: boolean;
  /** The runs before the last one: what they choose, and when they are killed, in milliseconds after their start. */
  readonly runs: readonly (Choice & { readonly killedAfterMs: number | undefined })[];
}

interface Run {
  readonly world: World;
  readonly scenario: Scenario;
  readonly plan: RedrivePlan;
  readonly clients: SimulatedClient[];
  readonly failures: string[];
}

/** What has become of the redrive of a seed. */
export interface RedriveReport {
  readonly plan: RedrivePlan;
  /** The violated invariants, one sentence each. */
  readonly failures: readonly string[];
  readonly story: readonly string[];
  /** The dead letters that were put back. */
  readonly sent: number;
  readonly virtualMs: number;
}

/** Puts dead letters back while brokers fail and runs are killed, and compares what is in the topics with the dead letters. */
export async function runRedrive(seed: number): Promise<RedriveReport> {
  const scenario = safeScenario(seed);
  const { brokers, firstBroker, latencyMs, settings } = scenario;
  const world = createWorld({ seed, brokerCount: brokers, firstBroker, latencyMs, settings });
  const plan = drawPlan(seed);
  const run: Run = { world, scenario, plan, clients: [], failures: [] };
  for (const [at, name] of [topic, ...origins].entries()) {
    const configs = name === origins[2] ? { 'cleanup.policy': 'compact' } : {};
    const partitions = scenario.topic.partitions + at;
    world.cluster.control.createTopic({ name, ...scenario.topic, partitions, configs });
    world.topics.add(name);
  }
  let sent = 0;
  try {
    sent = await redriveAndCompare(run);
  } catch (error) {
    run.failures.push(`the run does not end: ${error instanceof Error ? error.stack : String(error)}`);
  }
  for (const client of run.clients) client.close();
  await world.clock.runFor(1_000);
  checkLeftovers(world, run.clients, run.failures);
  return { plan, failures: run.failures, story: world.story, sent, virtualMs: world.clock.now() };
}

function drawPlan(seed: number): RedrivePlan {
  const random = seededRandom(seed ^ 0xd1d0);
  const choices: readonly (() => Choice)[] = [
    () => ({}),
    () => ({ most: 1 + Math.floor(random() * 60) }),
    () => ({ where: 'offset % 3 == 0' }),
    () => ({ where: 'partition == 0' }),
  ];
  const isExactlyOnce = random() < 0.6;
  const runs = Array.from({ length: Math.floor(random() * 6) }, () => ({
    ...choices[Math.floor(random() * choices.length)]?.(),
    // Slow runs are killed while records are on their way.
    ...(random() < 0.5 ? { perSecond: 10 + Math.floor(random() * 90) } : {}),
    killedAfterMs: random() < 0.6 ? 20 + Math.floor(random() ** 2 * 4_000) : undefined,
  }));
  return { isExactlyOnce, runs };
}

async function redriveAndCompare(run: Run): Promise<number> {
  const { world, scenario, plan, failures } = run;
  const { clock } = world;
  if (scenario.transactions > 0) {
    await clock.runUntil(
      writeTransactions(world, { topic, count: scenario.transactions, prefix: 'lost-tx' }),
      patienceMs,
    );
  }
  const [producer] = scenario.producers;
  if (producer === undefined) throw new Error('no producer');
  for (const { name, headers, hasKeys = producer.hasKeys } of letters) {
    const bytes = headers.map(([key, value]) => ({ key: Buffer.from(key), value: Buffer.from(value) }));
    const more = { topic, hasKeys, headers: bytes, records: Math.ceil(producer.records / 3) };
    await clock.runUntil(runProduce(world, open(run, name), { ...producer, ...more }), patienceMs);
  }
  const healed = startFaults(world, scenario, new AbortController().signal);
  for (const fault of scenario.faults) {
    for (const name of origins) {
      if (fault.kind !== 'move-leader' || fault.partition >= partitionsOf(world.cluster, name)) continue;
      clock.after(fault.at, () => applyFault(world, name, fault));
    }
  }
  await clock.runUntil(Promise.all([healed, runOneByOne(run)]), scenario.healAt + patienceMs);
  const last = await clock.runUntil(startRedrive(run, 'last', {}).ended, patienceMs);
  const repetition = await clock.runUntil(startRedrive(run, 'repetition', {}).ended, patienceMs);
  // The markers of the last transaction are written after its end is acknowledged.
  await clock.runFor(5_000);
  for (const { error } of [last, repetition]) if (error !== undefined) failures.push(`a run fails: ${String(error)}`);
  const repeated = repetition.rows.find(({ error }) => error === null);
  if (repeated !== undefined) failures.push(`a repetition sends ${repeated.records} records again`);
  return compare(run, plan, repetition.rows);
}

function open({ world, scenario, clients }: Run, name: string): SimulatedClient {
  const client = world.openClient(name, { ...scenario.limits, retry: patienceMs });
  clients.push(client);
  return client;
}

/** Runs the runs of the plan, of which some are killed. */
async function runOneByOne(run: Run): Promise<void> {
  const { clock } = run.world;
  for (const [index, { killedAfterMs, ...choice }] of run.plan.runs.entries()) {
    const one = startRedrive(run, `run-${index}`, choice);
    if (killedAfterMs !== undefined) {
      await clock.sleep(killedAfterMs);
      run.world.tell(`${one.name} is killed`);
      one.kill();
    }
    await one.ended;
  }
}

interface Ended {
  readonly rows: readonly RedrivenTopic[];
  readonly error: unknown;
}

/** Starts a run like a process. */
function startRedrive(run: Run, name: string, { most, where, perSecond }: Choice) {
  const { world, plan } = run;
  const simulated = open(run, name);
  const work = async (): Promise<Ended> => {
    try {
      const filter = where === undefined ? undefined : await openFilter({ where: [where] });
      const redriving: Redriving = await redrive(simulated.client, {
        topic,
        to: 'origin',
        only: [],
        partitions: [],
        range: { start: { at: 'start' }, end: { at: 'end' } },
        partitionsBy: 'origin',
        filter: filter === undefined ? undefined : { filter, onSifted: () => undefined },
        most,
        perSecond,
        maxAttempts,
        keepsHeaders: false,
        group: undefined,
        restarts: false,
        isExactlyOnce: plan.isExactlyOnce,
        fetchMaxWaitMs: 500,
        warn: (line) => world.tell(`${name} warns: ${line}`),
      });
      const rows = await redriving.run(() => undefined);
      world.tell(`${name} ends`);
      return { rows, error: undefined };
    } catch (error) {
      world.tell(`${name} fails: ${error instanceof Error ? error.message : String(error)}`);
      return { rows: [], error };
    } finally {
      simulated.close();
    }
  };
  return { name, ended: work(), kill: () => simulated.close() };
}

const committedIn = ({ world }: Run, name: string): readonly (readonly LoggedRecord[])[] =>
  logsOf(world, name).map((log) => log.filter(({ isAborted }) => !isAborted));

/** Every dead letter with an origin is there once, with the right headers; all others are reported. */
function compare(run: Run, { isExactlyOnce, runs }: RedrivePlan, rows: readonly RedrivenTopic[]): number {
  const { failures } = run;
  const mayRepeat = !isExactlyOnce && runs.some(({ killedAfterMs }) => killedAfterMs !== undefined);
  const dead = committedIn(run, topic).flat().map(textOf);
  const ofName = (name: string): readonly string[] => dead.filter((value) => value.startsWith(`${name}-`));
  let sent = 0;
  for (const origin of origins) {
    const seen = new Set<string>();
    for (const [partition, log] of committedIn(run, origin).entries()) {
      for (const record of log) failures.push(...faultsOf(record, { origin, partition, seen, mayRepeat }));
    }
    const expected = letters.filter((one) => one.origin === origin).flatMap(({ name }) => ofName(name));
    const missing = expected.filter((value) => !seen.has(value));
    if (missing.length > 0) failures.push(`${missing.length} records are missing in ${origin}, such as ${missing[0]}`);
    const strange = [...seen].find((value) => !expected.includes(value));
    if (strange !== undefined) failures.push(`${strange} does not belong in ${origin}`);
    sent += seen.size;
  }
  const leftBehind = rows.reduce((sum, { records }) => sum + records, 0);
  const expected = letters.filter(({ origin }) => origin === undefined).flatMap(({ name }) => ofName(name));
  if (leftBehind !== expected.length)
    failures.push(`${leftBehind} records are reported as left, not ${expected.length}`);
  return sent;
}

interface Place {
  readonly origin: string;
  readonly partition: number;
  readonly seen: Set<string>;
  readonly mayRepeat: boolean;
}

function* faultsOf(record: LoggedRecord, { origin, partition, seen, mayRepeat }: Place): Iterable<string> {
  const value = textOf(record);
  if (seen.has(value) && !mayRepeat) yield `${value} is in ${origin} twice`;
  seen.add(value);
  const of = letters.find(({ name }) => value.startsWith(`${name}-`));
  const shown = record.headers.map(([name, bytes]) => `${name}=${bytes?.toString()}`).join();
  const expected = [...(of?.name === 'placed' ? ['trace=t'] : []), `weir-redrive-count=${of?.count}`].join();
  if (shown !== expected) yield `${value} has the headers ${shown}, not ${expected}`;
  if (of?.name === 'placed' && partition !== 0) yield `${value} is in partition ${partition} of ${origin}`;
}
