import type { Client } from '../../src/kafka/client/client.ts';
import { committedOffsets } from '../../src/kafka/groups/commits.ts';
import { type Consuming, startConsume } from './consuming.ts';
import { applyFault, healAll } from './faults.ts';
import { checkCommits, checkConsumed, checkGroup, checkLeftovers, checkProduced, isRead } from './invariants.ts';
import { runProduce } from './producing.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { writeTransactions } from './transactions.ts';
import { createWorld, type SimulatedClient, type World } from './world.ts';

/** How a run ended. */
export interface SeedReport {
  readonly scenario: Scenario;
  /** Invariants that do not hold, a sentence each; empty when all is well. */
  readonly failures: readonly string[];
  readonly story: readonly string[];
  /** How long it took in the simulated world. */
  readonly virtualMs: number;
  readonly records: number;
}

const topic = 'orders';
/** How long consumers may take to come to the end of a log on a cluster that is well, in simulated milliseconds. */
const settlingMs = 60_000;
/** How long a stop may take. */
const stopMs = 30_000;
/** The longest time that the work may take once everything is healed, in simulated milliseconds. */
const patienceMs = 120_000;

/** Runs the scenario of a seed and checks what came of it. */
export async function runSeed(seed: number, only?: Scenario['kind']): Promise<SeedReport> {
  return await runScenario(scenarioOf(seed, only));
}

/** Runs one scenario. */
export async function runScenario(scenario: Scenario): Promise<SeedReport> {
  const { seed, brokers, latencyMs, settings } = scenario;
  const world = createWorld({ seed, brokerCount: brokers, latencyMs, settings });
  world.cluster.control.createTopic({ name: topic, ...scenario.topic });
  const failures: string[] = [];
  let records = 0;
  try {
    records = await runIn(world, scenario, failures);
  } catch (error) {
    failures.push(`the run does not end: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  for (const defect of world.cluster.control.defects) failures.push(`the model has a defect: ${String(defect)}`);
  return { scenario, failures, story: world.story, virtualMs: world.clock.now(), records };
}

async function runIn(world: World, scenario: Scenario, failures: string[]): Promise<number> {
  const { clock } = world;
  const clients: SimulatedClient[] = [];
  const run: Run = {
    ...{ world, scenario, failures },
    open(name) {
      const client = world.openClient(name, scenario.limits);
      clients.push(client);
      return client;
    },
  };
  if (scenario.transactions > 0) {
    await clock.runUntil(writeTransactions(world, topic, scenario.transactions), patienceMs);
  }
  const isReadLater = scenario.kind === 'consume';
  if (!isReadLater) startFaults(run);
  const startedAt = clock.now();
  const consuming = isReadLater ? [] : startAll(run);
  planEnds(run, consuming);
  const producing = Promise.all(
    scenario.producers.map((plan, index) => runProduce(world, run.open(`p${index}`), plan)),
  );
  const produced = await clock.runUntil(producing, scenario.healAt + patienceMs);
  if (!isReadLater) await clock.advanceTo(Math.max(clock.now(), startedAt + scenario.healAt + 1));
  checkProduced(world, scenario, produced, failures);
  if (isReadLater) await readAfterwards(run);
  else if (consuming.length > 0) await finishGroup(run, consuming, startedAt);
  for (const client of clients) client.close();
  await clock.runFor(1_000);
  checkLeftovers(world, clients, failures);
  return produced.reduce((sum, { values }) => sum + values.length, 0);
}

interface Run {
  readonly world: World;
  readonly scenario: Scenario;
  readonly failures: string[];
  open(name: string): SimulatedClient;
}

function startFaults({ world, scenario }: Run): void {
  for (const fault of scenario.faults) world.clock.after(fault.at, () => applyFault(world, topic, fault));
  world.clock.after(scenario.healAt, () => healAll(world));
}

function startAll({ world, scenario, open }: Run): Consuming[] {
  return scenario.consumers.map((plan, index) => startConsume(world, open(`c${index}`), plan));
}

/** Members that leave before the end: some stop, some are killed. */
function planEnds({ world, scenario: { stops, crashes } }: Run, consuming: readonly Consuming[]): void {
  for (const [index, one] of consuming.entries()) {
    const [stop, crash] = [stops[index], crashes[index]];
    if (stop !== undefined) world.clock.after(stop, () => one.stop());
    if (crash === undefined) continue;
    world.clock.after(crash, () => {
      world.tell(`${one.name} is killed`);
      one.kill();
    });
  }
}

/** Reads the log, with faults, after it was written without. */
async function readAfterwards(run: Run): Promise<void> {
  const { world, scenario, failures } = run;
  const { clock } = world;
  const { partitions } = scenario.topic;
  const startedAt = clock.now();
  startFaults(run);
  const all = startAll(run);
  const bounded = all.filter(({ plan }) => plan.range !== 'start').map(({ ended }) => ended);
  await clock.runUntil(Promise.all(bounded), scenario.healAt + patienceMs);
  await clock.advanceTo(Math.max(clock.now(), startedAt + scenario.healAt));
  await settleUntil(world, () => all.every((one) => one.isEnded || isRead(world, partitions, [one])), settlingMs);
  for (const one of all) one.stop();
  await clock.runUntil(Promise.all(all.map(({ ended }) => ended)), stopMs);
  for (const one of all) checkConsumed(world, scenario, one, failures);
}

/** Lets the members of a group come to the end of the log, stops them, and looks at what they have committed. */
async function finishGroup(run: Run, consuming: readonly Consuming[], startedAt: number): Promise<void> {
  const { world, scenario, failures } = run;
  const { clock } = world;
  await clock.advanceTo(Math.max(clock.now(), startedAt + scenario.healAt));
  await settleUntil(world, () => isRead(world, scenario.topic.partitions, consuming), patienceMs);
  for (const one of consuming) one.stop();
  await clock.runUntil(Promise.all(consuming.map(({ ended }) => ended)), stopMs);
  checkGroup(world, scenario, consuming, failures);
  const reader = run.open('reader');
  const committed = await clock.runUntil(readCommits(reader.client, scenario.topic.partitions), patienceMs);
  const isExact = consuming.every(({ error }, index) => error === undefined && scenario.crashes[index] === undefined);
  checkCommits(world, { committed, isExact }, consuming, failures);
}

/** Gives the world time until something holds, and a moment more in which it could do too much. */
async function settleUntil({ clock }: World, isDone: () => boolean, limitMs: number): Promise<void> {
  const until = clock.now() + limitMs;
  while (clock.now() < until && !isDone()) await clock.runFor(100);
  await clock.runFor(500 + clock.random() * 6_000);
}

async function readCommits(client: Client, partitions: number): Promise<readonly (number | undefined)[]> {
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  const rows = await committedOffsets(
    client,
    'billing',
    all.map((partition) => ({ topic, partition })),
  );
  return all.map((partition) => {
    const row = rows.find((candidate) => candidate.partition === partition);
    return row === undefined ? undefined : Number(row.offset);
  });
}
