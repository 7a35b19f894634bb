import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { committedOffsets } from '../../src/kafka/streams/groups/commits.ts';
import { healAll } from './apply-fault.ts';
import { prepareProduce, type ReadyCommand } from './commanding.ts';
import { type Consuming, startConsume } from './consuming.ts';
import { scenarioOf } from './draw.ts';
import type { FaultEvent } from './faults.ts';
import { checkFarewells, type LastCommit, watchLastCommits } from './invariants/farewell.ts';
import { type Committed, checkCommits, checkGroup, watchCommits } from './invariants/group.ts';
import { checkLeftovers } from './invariants/leftovers.ts';
import { isEndless, logsOf } from './invariants/logs.ts';
import { checkMembership } from './invariants/membership.ts';
import { checkProduced } from './invariants/produced.ts';
import { checkConsumed, isRead } from './invariants/read.ts';
import { checkSessions, type SessionWatch, watchSessions } from './invariants/sessions.ts';
import { type SyncWatch, watchSync } from './invariants/sync.ts';
import { consumeEndsMs, produceEndsMs } from './limits.ts';
import { type Produced, runProduce } from './producing.ts';
import { type GrownTopic, names, type Scenario, topicsOf } from './scenario.ts';
import { writeTransactions } from './transactions.ts';
import { endHanging, startFaults } from './troubles.ts';
import { createWorld, partitionsOf, type SimulatedClient, type World } from './world.ts';

/** The result of a run. */
export interface SeedReport {
  readonly scenario: Scenario;
  /** The violated invariants, one sentence each; empty for a successful run. */
  readonly failures: readonly string[];
  readonly story: readonly string[];
  /** The duration in simulated milliseconds. */
  readonly virtualMs: number;
  readonly records: number;
}

const { topic, sideTopic } = names;
/** How long consumers may take to reach the end of a log on a healthy cluster, in simulated milliseconds. */
const settlingMs = 120_000;
/** How long the followers of a healthy cluster may take to catch up, or to leave the ISR, in simulated milliseconds. */
const replicationMs = 15_000;
/** How long a stop may take, in simulated milliseconds: five seconds plus the delay of a slow reader. */
const stopMs = 30_000;
/** How long the work may take after everything is repaired, in simulated milliseconds. */
const patienceMs = 120_000;

/** Runs the scenario of a seed and checks its result. */
export async function runSeed(seed: number, only?: Scenario['kind']): Promise<SeedReport> {
  return await runScenario(scenarioOf(seed, only));
}

/** Runs a scenario. */
export async function runScenario(scenario: Scenario): Promise<SeedReport> {
  const { seed, brokers, firstBroker, latencyMs, settings } = scenario;
  const losesMarkers = scenario.mode === 'lossy';
  const world = createWorld({ seed, brokerCount: brokers, firstBroker, losesMarkers, latencyMs, settings });
  const { control } = world.cluster;
  control.createTopic({ name: topic, ...scenario.topic });
  world.topics.add(topic);
  if (scenario.sideTopicUntil !== undefined) control.createTopic({ name: sideTopic, partitions: 2, replicas: brokers });
  const failures: string[] = [];
  let records = 0;
  try {
    records = await runIn(world, scenario, failures);
  } catch (error) {
    failures.push(`the run does not end: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  for (const defect of control.defects) failures.push(`the model has an internal error: ${String(defect)}`);
  return { scenario, failures, story: world.story, virtualMs: world.clock.now(), records };
}

interface Run {
  readonly world: World;
  readonly scenario: Scenario;
  readonly failures: string[];
  readonly sync: SyncWatch;
  readonly sessions: SessionWatch;
  readonly lastCommits: ReadonlyMap<string, LastCommit>;
  /** Aborted when the cluster comes back. */
  readonly dead: AbortController;
  /** @param retryMs replaces the retry timeout of the scenario */
  open(name: string, retryMs?: number): SimulatedClient;
}

async function runIn(world: World, scenario: Scenario, failures: string[]): Promise<number> {
  const { clock } = world;
  const clients: SimulatedClient[] = [];
  const run: Run = {
    ...{ world, scenario, failures, dead: new AbortController() },
    ...{ sync: watchSync(world, failures), sessions: watchSessions(world), lastCommits: watchLastCommits(world) },
    open(name, retryMs = scenario.limits.retry) {
      const client = world.openClient(name, { ...scenario.limits, retry: retryMs });
      clients.push(client);
      return client;
    },
  };
  if (scenario.transactions > 0) {
    const plan = { topic, count: scenario.transactions, prefix: 'tx' };
    await clock.runUntil(writeTransactions(world, plan), patienceMs);
  }
  const prepared = await prepareAll(run, (client) => clients.push(client));
  const produced = await (scenario.kind === 'consume' && !scenario.isLive
    ? readAfterwards(run)
    : doAllAtOnce(run, prepared));
  for (const client of clients) client.close();
  await clock.runFor(1_000);
  checkLeftovers(world, clients, failures);
  return produced.reduce((sum, { values }) => sum + values.length, 0);
}

/** Brings the cluster back. */
async function revive(run: Run): Promise<void> {
  run.dead.abort();
  healAll(run.world);
  await run.world.clock.runFor(20_000);
}

/** The time limit for all work: the client's limits, counted from the last possible fault. */
function deadlineOf({ scenario }: Run): number {
  const { producers, consumers, mode, diesAt, healAt } = scenario;
  if (mode !== 'impatient') return healAt + patienceMs;
  const most = [
    ...producers.map((plan) => produceEndsMs(scenario, plan)),
    ...consumers.map((plan) => consumeEndsMs(scenario, plan)),
  ];
  return (diesAt ?? healAt) + Math.max(...most);
}

/** How long the input of a production may take. */
function inputMs({ producers, grown }: Scenario): number {
  const plans = [...producers, ...grown.map(({ plan }) => plan)];
  return Math.max(0, ...plans.map(({ records, pauseMs }) => records * pauseMs));
}

function startAll({ world, scenario, open }: Run): Consuming[] {
  const all = scenario.consumers.map((plan, index) => startConsume(world, open(`c${index}`), plan));
  for (const [index, one] of all.entries()) {
    const [stop, crash] = [scenario.stops[index], scenario.crashes[index]];
    if (stop !== undefined) world.clock.after(stop, () => one.stop());
    if (crash === undefined) continue;
    world.clock.after(crash, () => {
      world.tell(`${one.name} is killed`);
      one.kill();
    });
  }
  return all;
}

/** Lets producers that are whole commands read their configuration, which takes real time. */
function prepareAll(
  { world, scenario }: Run,
  onClient: (client: SimulatedClient) => void,
): Promise<readonly (ReadyCommand | undefined)[]> {
  const { limits } = scenario;
  return Promise.all(
    scenario.producers.map(
      async (plan, index) =>
        plan.signals && (await prepareProduce(world, { name: `p${index}`, limits }, plan, onClient)),
    ),
  );
}

function startProducing(
  { world, scenario, open }: Run,
  prepared: readonly (ReadyCommand | undefined)[] = [],
): Promise<readonly Produced[]> {
  const { clock, cluster, topics, tell } = world;
  const grow = async ({ at, partitions, plan }: GrownTopic, index: number): Promise<Produced> => {
    const { replicas } = scenario.topic;
    // If few brokers are up now, it gets few replicas, and one of those brokers may die for good.
    const configs = { 'min.insync.replicas': '1' };
    await clock.sleep(at);
    while (!world.brokers.some(({ id }) => cluster.control.isUp(id))) await clock.sleep(100);
    tell(`topic ${plan.topic} is created`);
    cluster.control.createTopic({ name: plan.topic, partitions, replicas, configs });
    topics.add(plan.topic);
    // A broker that does not know the topic yet would make the producer fail.
    await clock.sleep(settledMs);
    return runProduce(world, open(`g${index}`), plan);
  };
  return Promise.all([
    ...scenario.producers.map((plan, index) => prepared[index]?.start() ?? runProduce(world, open(`p${index}`), plan)),
    ...scenario.grown.map(grow),
  ]);
}

/** The time after which all brokers know a new topic, in milliseconds. */
const settledMs = 7_000;

/** Writes and reads during the faults. */
async function doAllAtOnce(run: Run, prepared: readonly (ReadyCommand | undefined)[]): Promise<readonly Produced[]> {
  const { world, scenario, failures } = run;
  const { clock } = world;
  const startedAt = clock.now();
  const before = logsOf(world);
  const healed = startFaults(world, scenario, run.dead.signal);
  const consuming = startAll(run);
  if (scenario.kind === 'group') watchCommits(world, scenario, consuming, failures);
  const count = scenario.liveTransactions;
  const writing = count > 0 ? writeTransactions(world, { topic, count, prefix: 'live' }) : undefined;
  const until = startedAt + deadlineOf(run);
  const produced = await clock.runUntil(startProducing(run, prepared), until + inputMs(scenario) - clock.now());
  if (scenario.diesAt !== undefined) {
    await expectEnd(run, consuming, until);
    await revive(run);
  } else await clock.runUntil(healed);
  if (writing !== undefined) await clock.runUntil(writing, patienceMs);
  if (scenario.mode === 'lossy') await endHanging(world);
  if (consuming.length > 0) await finish(run, consuming, before);
  // What leaders acknowledged alone is committed once the others have it.
  else await clock.runFor(replicationMs);
  checkProduced(world, scenario, produced, failures);
  return produced;
}

async function expectEnd({ world: { clock } }: Run, consuming: readonly Consuming[], until: number): Promise<void> {
  const ended = Promise.all(consuming.map((one) => one.ended));
  await clock.runUntil(ended, Math.max(1, until - clock.now()));
}

/** Writes the log without faults, then reads it with faults. */
async function readAfterwards(run: Run): Promise<readonly Produced[]> {
  const { world, scenario } = run;
  const { clock } = world;
  const produced = await clock.runUntil(startProducing(run), patienceMs);
  checkProduced(world, scenario, produced, run.failures);
  const before = logsOf(world);
  const until = clock.now() + deadlineOf(run);
  const healed = startFaults(world, scenario, run.dead.signal);
  const all = startAll(run);
  if (scenario.diesAt !== undefined) {
    await expectEnd(run, all, until);
    await revive(run);
  } else await clock.runUntil(healed);
  await finish(run, all, before);
  return produced;
}

/** Lets all consumers reach the end of the log, stops them, and checks their output and commits. */
async function finish(run: Run, all: readonly Consuming[], before: ReturnType<typeof logsOf>): Promise<void> {
  const { world, scenario, failures } = run;
  const { clock } = world;
  const bounded = all.filter((one) => !isEndless(one)).map(({ ended }) => ended);
  await clock.runUntil(Promise.all(bounded), patienceMs);
  const endless = all.filter(isEndless);
  const isDone =
    scenario.kind === 'group'
      ? (): boolean => all.every(({ isEnded }) => isEnded) || isRead(world, scenario, all)
      : (): boolean => endless.every((one) => one.isEnded || isRead(world, scenario, [one]));
  await settleUntil(world, isDone, settlingMs);
  for (const one of all) one.stop();
  await clock.runUntil(Promise.all(all.map(({ ended }) => ended)), stopMs);
  if (scenario.kind === 'group') await checkMembers(run, all);
  else for (const one of all) checkConsumed(world, one, { scenario, before, failures });
}

async function checkMembers(run: Run, members: readonly Consuming[]): Promise<void> {
  const { world, scenario, failures } = run;
  const { clock } = world;
  checkGroup(world, scenario, { members, sync: run.sync }, failures);
  checkFarewells(members, run.lastCommits, failures);
  checkSessions(members, run.sessions, failures);
  const reader = run.open('reader', patienceMs);
  const committed = await clock.runUntil(readCommits(reader.client, world, scenario), patienceMs);
  checkCommits(world, scenario, { committed, members }, failures);
  const isExact = members.every(({ error, endedAt }, index) => {
    const isWell = endedAt > scenario.healAt + 10_000 || scenario.faults.length === 0;
    return error === undefined && scenario.crashes[index] === undefined && isWell;
  });
  if (isExact && scenario.diesAt === undefined && !scenario.faults.some(holdsJoin))
    await clock.runUntil(checkMembership(world, scenario, members, failures), patienceMs);
}

/** Checks whether a fault may make a member wait until the group continues without it (the rebalance timeout). */
function holdsJoin(fault: FaultEvent): boolean {
  // A coordinator that goes down without closing its connections never answers a join that waits for other members.
  if (fault.kind === 'die') return fault.isSilent;
  return fault.kind === 'in-a-row' && fault.api === 'JoinGroup' && fault.steps.includes('swallow');
}

/** Runs until a condition holds, and a little longer to notice what should not happen afterwards. */
async function settleUntil({ clock }: World, isDone: () => boolean, limitMs: number): Promise<void> {
  const until = clock.now() + limitMs;
  while (clock.now() < until && !isDone()) await clock.runFor(100);
  await clock.runFor(500 + clock.random() * 6_000);
}

async function readCommits(client: Client, { cluster }: World, scenario: Scenario): Promise<readonly Committed[]> {
  const items = topicsOf(scenario).flatMap((name) =>
    Array.from({ length: partitionsOf(cluster, name) }, (_, partition) => ({ topic: name, partition })),
  );
  const rows = await committedOffsets(client, names.group, items);
  return items.map((item) => {
    const row = rows.find((one) => one.topic === item.topic && one.partition === item.partition);
    return { ...item, offset: row === undefined ? undefined : Number(row.offset) };
  });
}
