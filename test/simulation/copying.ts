import { CliError } from '../../src/errors.ts';
import { copyTopics } from '../../src/kafka/carry/copy/copy.ts';
import type { Copying } from '../../src/kafka/carry/copy/request.ts';
import { seededRandom } from '../../src/serde/random.ts';
import { applyFault } from './apply-fault.ts';
import { type ConsumePlan, startConsume } from './consuming.ts';
import { scenarioOf } from './draw.ts';
import { checkLeftovers } from './invariants/leftovers.ts';
import { runProduce } from './producing.ts';
import { names, type Scenario } from './scenario.ts';
import { writeTransactions } from './transactions.ts';
import { startFaults } from './troubles.ts';
import { createWorld, partitionsOf, type SimulatedClient, type World } from './world.ts';

const { topic } = names;
const target = `${topic}-copy`;
/** How long everything may take after the last fault, in simulated milliseconds. */
const patienceMs = 300_000;

/** How a topic is copied. */
interface CopyPlan {
  readonly isExactlyOnce: boolean;
  /** The number of processes that share the partitions; 0: one that shares them with nobody. */
  readonly members: number;
  readonly isByKey: boolean;
  /** When the copiers are killed, one after the other, in milliseconds after their start. */
  readonly kills: readonly number[];
}

interface Run {
  readonly world: World;
  readonly scenario: Scenario;
  readonly plan: CopyPlan;
  readonly clients: SimulatedClient[];
  readonly failures: string[];
}

/** What has become of the copy of a seed. */
export interface CopyReport {
  readonly plan: CopyPlan;
  /** The violated invariants, one sentence each. */
  readonly failures: readonly string[];
  readonly story: readonly string[];
  readonly records: number;
  readonly virtualMs: number;
}

/** Copies a topic while brokers fail and copiers are killed, and compares the copy with the topic. */
export async function runCopy(seed: number): Promise<CopyReport> {
  const scenario = safeScenario(seed);
  const { brokers, firstBroker, latencyMs, settings } = scenario;
  const world = createWorld({ seed, brokerCount: brokers, firstBroker, latencyMs, settings });
  const plan = drawPlan(seed);
  const run: Run = { world, scenario, plan, clients: [], failures: [] };
  const { partitions } = scenario.topic;
  world.cluster.control.createTopic({ name: topic, ...scenario.topic });
  const copies = plan.isByKey ? 1 + (seed % 3) : partitions + (seed % 2);
  world.cluster.control.createTopic({ name: target, ...scenario.topic, partitions: copies });
  for (const name of [topic, target]) world.topics.add(name);
  let records = 0;
  try {
    records = await copyAndCompare(run);
  } catch (error) {
    run.failures.push(`the run does not end: ${error instanceof Error ? error.stack : String(error)}`);
  }
  for (const client of run.clients) client.close();
  await world.clock.runFor(1_000);
  checkLeftovers(world, run.clients, run.failures);
  return { plan, failures: run.failures, story: world.story, records, virtualMs: world.clock.now() };
}

/** A scenario in which no acknowledged record may be lost, and no partition is added. */
export function safeScenario(seed: number): Scenario {
  for (let at = seed; ; at += 1_000_003) {
    const scenario = scenarioOf(at, 'consume');
    if (scenario.mode !== 'safe' || scenario.grown.length > 0) continue;
    return scenario;
  }
}

function drawPlan(seed: number): CopyPlan {
  const random = seededRandom(seed ^ 0xc0b1);
  const isExactlyOnce = random() < 0.6;
  const members = random() < 0.4 ? 1 + Math.floor(random() * 2) : 0;
  const kills = Array.from({ length: Math.floor(random() * 5) }, () => 20 + Math.floor(random() ** 2 * 6_000));
  return { isExactlyOnce, members, isByKey: random() < 0.25, kills };
}

async function copyAndCompare(run: Run): Promise<number> {
  const { world, scenario, plan } = run;
  const { clock } = world;
  if (scenario.transactions > 0) {
    await clock.runUntil(writeTransactions(world, { topic, count: scenario.transactions, prefix: 'tx' }), patienceMs);
  }
  const produce = (index: number, more = {}) =>
    runProduce(world, open(run, `p${index}`), { ...scenario.producers[0], ...more } as Scenario['producers'][number]);
  await clock.runUntil(produce(0), patienceMs);
  const healed = startFaults(world, scenario, new AbortController().signal);
  for (const fault of scenario.faults) {
    // Where the partitions are kept, the copy gets the same ones.
    if (fault.kind === 'add-partitions' && !plan.isByKey) clock.after(fault.at, () => applyFault(world, target, fault));
    if (fault.kind !== 'move-leader' || fault.partition >= partitionsOf(world.cluster, target)) continue;
    clock.after(fault.at, () => applyFault(world, target, fault));
  }
  // In some groups, one member stays while others come and go.
  const steady = plan.members > 1 ? startCopy(run, 'steady', true) : undefined;
  const live = scenario.isLive ? produce(1) : Promise.resolve();
  const killed = killOneByOne(run);
  await clock.runUntil(Promise.all([healed, live, killed]), scenario.healAt + patienceMs);
  steady?.stop();
  // The last ones are left alone.
  const last = Array.from(
    { length: Math.max(1, plan.members) },
    (_, index) => startCopy(run, `last-${index}`, false).ended,
  );
  const errors = await clock.runUntil(Promise.all([...last, steady?.ended]), patienceMs);
  for (const error of errors) {
    // A copy that begins while a broker says so is told that there is no such topic.
    const isVague = error instanceof CliError && error.code === 'UNKNOWN_TOPIC_OR_PARTITION';
    if (error !== undefined && !(isVague && scenario.faults.some(({ kind }) => kind === 'vague-metadata'))) {
      run.failures.push(`a copy fails: ${String(error)}`);
    }
  }
  // The markers of the last transaction are written after its end is acknowledged, and the transaction of a member that
  // was killed ends after 20 s.
  await clock.runFor(30_000);
  const [source, copy] = [await read(run, topic), await read(run, target)];
  compare(run, source, copy);
  return source.length;
}

function open({ world, scenario, clients }: Run, name: string): SimulatedClient {
  const client = world.openClient(name, { ...scenario.limits, retry: patienceMs });
  clients.push(client);
  return client;
}

/** Runs copiers until each is killed. */
async function killOneByOne(run: Run): Promise<void> {
  const { clock } = run.world;
  for (const [index, afterMs] of run.plan.kills.entries()) {
    const copies = Array.from({ length: Math.max(1, run.plan.members) }, (_, member) =>
      startCopy(run, `copy-${index}-${member}`, true),
    );
    for (const copy of copies) {
      await clock.sleep(afterMs);
      run.world.tell(`${copy.name} is killed`);
      copy.kill();
      await copy.ended;
    }
  }
}

/** Starts a copier like a process; `ended` resolves to its error, if it has one. */
function startCopy(run: Run, name: string, isEndless: boolean) {
  const { world, plan } = run;
  const simulated = open(run, name);
  const { client } = simulated;
  let copying: Copying | undefined;
  let isStopped = false;
  const work = async (): Promise<unknown> => {
    try {
      copying = await copyTopics(client, {
        target: { client, profile: undefined },
        profile: undefined,
        hasStart: false,
        topics: [{ source: topic, target }],
        partitions: [],
        range: { start: { at: 'start' }, end: isEndless ? undefined : { at: 'end' } },
        restarts: false,
        appends: false,
        group: plan.members > 0 ? 'copiers' : undefined,
        isExactlyOnce: plan.isExactlyOnce,
        filter: undefined,
        schemas: undefined,
        creates: false,
        isDry: false,
        groups: [],
        isByKey: plan.isByKey,
        fetchMaxWaitMs: 500,
        warn: (line) => world.tell(`${name} warns: ${line}`),
        notice: () => undefined,
      });
      if (isStopped) copying.stop();
      await copying.run(() => undefined);
      world.tell(`${name} ends`);
      return undefined;
    } catch (error) {
      world.tell(`${name} fails: ${error instanceof Error ? error.message : String(error)}`);
      return error;
    } finally {
      simulated.close();
    }
  };
  const stop = (): void => {
    isStopped = true;
    copying?.stop();
  };
  return { name, ended: work(), stop, kill: () => simulated.close() };
}

interface Read {
  readonly partition: number;
  readonly value: string;
}

/** The committed records of a topic, as a reader gets them. */
async function read(run: Run, name: string): Promise<readonly Read[]> {
  const plan: ConsumePlan = {
    ...{ topic: name, isRegex: false, range: ':end', readCommitted: true, rack: '' },
    ...{ fetchMaxBytes: 1 << 20, fetchMaxPartitionBytes: 1 << 20, fetchMaxWaitMs: 100 },
    ...{ readerMs: 0, startsAt: 0, stall: undefined, sideTopic: undefined },
  };
  const reading = startConsume(run.world, open(run, `reader of ${name}`), plan);
  await run.world.clock.runUntil(reading.ended, patienceMs);
  if (reading.error !== undefined) run.failures.push(`${name} cannot be read: ${String(reading.error)}`);
  return reading.printed;
}

/** Every record once and in order; without transactions, those that a killed copier wrote last may be there again. */
function compare({ plan, failures }: Run, source: readonly Read[], copy: readonly Read[]): void {
  const mayRepeat = !plan.isExactlyOnce && plan.kills.length > 0;
  const seen = new Set<string>();
  const once = copy.filter(({ value }) => {
    const isNew = !seen.has(value);
    seen.add(value);
    if (!isNew && !mayRepeat) failures.push(`${value} is in the copy twice`);
    return isNew;
  });
  const missing = source.filter(({ value }) => !seen.has(value));
  if (missing.length > 0) failures.push(`${missing.length} records are missing, such as ${missing[0]?.value}`);
  const known = new Set(source.map(({ value }) => value));
  const strange = once.filter(({ value }) => !known.has(value));
  if (strange.length > 0) failures.push(`${strange[0]?.value} was never committed`);
  // The records of one partition may be spread by their keys, where their order cannot be told apart from that of others.
  if (plan.isByKey) return;
  for (const partition of new Set(source.map((one) => one.partition))) {
    const valuesIn = (reads: readonly Read[]) =>
      reads.filter((one) => one.partition === partition).map(({ value }) => value);
    if (valuesIn(once).join() !== valuesIn(source).join()) failures.push(`partition ${partition} has another order`);
  }
}
