import { applyFault, healAll } from './apply-fault.ts';
import { names, type Scenario } from './scenario.ts';
import { transactionMs } from './transactions.ts';
import { partitionsOf, type World } from './world.ts';

const { topic, sideTopic } = names;

/** Schedules the faults of a scenario; resolves when everything is repaired. */
export async function startFaults(world: World, scenario: Scenario, dead: AbortSignal): Promise<void> {
  const { clock, cluster } = world;
  for (const fault of scenario.faults)
    clock.after(fault.at, () => {
      if (!dead.aborted) applyFault(world, topic, fault);
    });
  const { sideTopicUntil, diesAt, idsFrom, syncFailsMs } = scenario;
  if (syncFailsMs !== undefined) failSync(world, syncFailsMs);
  if (idsFrom !== undefined) clock.after(idsFrom, () => cluster.control.set({ topicIds: true }));
  if (sideTopicUntil !== undefined) {
    clock.after(sideTopicUntil, () => {
      world.tell(`topic ${sideTopic} is deleted`);
      cluster.control.deleteTopic(sideTopic);
    });
  }
  if (diesAt === undefined) {
    await clock.sleep(scenario.healAt);
    healAll(world);
  } else clock.after(diesAt, () => endAll(world, dead));
}

/** Refuses SyncGroup with changing retriable codes. */
function failSync({ clock, cluster: { control } }: World, forMs: number): void {
  const until = clock.now() + forMs;
  for (let left = mostSyncs; left > 0; left -= 1) {
    const code = 14 + (left % 3);
    control.fault({ api: 'SyncGroup', action: { kind: 'refuse', code }, where: () => clock.now() < until });
  }
}

/** More requests than members can send in that time. */
const mostSyncs = 1_000;

/** Kills all brokers and keeps them down until `dead` is aborted. */
function endAll({ cluster: { control }, brokers, clock, tell }: World, dead: AbortSignal): void {
  tell('every broker ends');
  const end = (): void => {
    if (dead.aborted) return;
    for (const { id } of brokers) if (control.isUp(id)) control.kill(id);
    // A fault that ends may start one again.
    clock.after(100, end);
  };
  end();
}

/** Ends transactions whose markers an election has cut off, as an administrator would. */
export async function endHanging({ clock, cluster }: World): Promise<void> {
  // By then, the coordinator has ended those that are only late.
  await clock.runFor(transactionMs);
  for (let partition = 0; partition < partitionsOf(cluster, topic); partition += 1)
    cluster.control.abortOpen(topic, partition);
}
