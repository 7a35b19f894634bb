import { committedOffsets } from '../../../src/kafka/streams/groups/commits.ts';
import { type Brokers, controllerOf, coordinatorsOf, leadersOf, until } from './brokers.ts';
import { type Group, protocols, type Scene, topic } from './scene.ts';
import type { Printed } from './tally.ts';

/** Time from the election until a workload continued, in milliseconds of the scene's clock. */
export interface Recovery {
  readonly fault: string;
  readonly workload: string;
  readonly tookMs: number;
}

/** The consequences of a fault. */
export interface Aftermath {
  /** Resolves when living brokers lead every partition, coordinate the groups and control the cluster. */
  readonly elected: Promise<unknown>;
  /** Resolves when every workload has continued. */
  readonly recovered: Promise<readonly Recovery[]>;
}

/** Enough to have requests in flight to every broker. */
const burst = 2000;

/**
 * Stops a broker and measures when each workload continues: from the moment that metadata names running leaders (for
 * groups also a running coordinator, for topics a running controller) until every partition has passed on a record
 * produced after that moment, every group has committed one, and a topic was created and another described.
 * @param takeAway resolves when the broker is dead, or about to hand over its partitions
 */
export async function strike(
  scene: Scene,
  fault: string,
  id: number,
  takeAway: () => Promise<void>,
): Promise<Aftermath> {
  const { brokers, clock, producer, reader, groups, administrator } = scene;
  producer.feed(burst);
  await takeAway();
  const { leaders, coordinators, controller } = elections(scene, id);
  const goesOn = async (
    workload: string,
    from: Promise<unknown>,
    progress: () => Promise<unknown>,
  ): Promise<Recovery> => {
    await from;
    const at = clock.now();
    await progress();
    return { fault, workload, tookMs: clock.now() - at };
  };
  const both = Promise.all([leaders, coordinators]);
  const recovered = Promise.all([
    goesOn('produce', leaders, () => producer.tally.passed(producer.fed)),
    goesOn('consume', leaders, () => reader.tally.passed(producer.fed)),
    ...protocols.flatMap((protocol) => {
      const group = groups[protocol];
      return [
        goesOn(`${protocol} group`, both, () => group.tally.passed(producer.fed)),
        goesOn(`commits of the ${protocol} group`, both, async () =>
          untilCommitted(brokers, group, await group.tally.passed(producer.fed)),
        ),
      ];
    }),
    goesOn('topics', controller, () => administrator.succeeds()),
  ]);
  return { elected: Promise.all([both, controller]), recovered };
}

/** When other brokers lead, coordinate and control everything that this one did. */
function elections(
  { brokers, groups }: Scene,
  id: number,
): Record<'leaders' | 'coordinators' | 'controller', Promise<void>> {
  const isElsewhere = (node: number): boolean => node >= 0 && node !== id;
  const names = Object.values(groups).map(({ name }) => name);
  return {
    leaders: until(async () => (await leadersOf(brokers, topic)).every(isElsewhere)),
    coordinators: until(async () => (await coordinatorsOf(brokers, names)).every(isElsewhere)),
    controller: until(async () => isElsewhere(await controllerOf(brokers))),
  };
}

/** Resolves when the group has committed what comes after each of these records. */
async function untilCommitted({ client }: Brokers, { name }: Group, records: readonly Printed[]): Promise<void> {
  const items = records.map(({ partition }) => ({ topic, partition }));
  await until(async () => {
    const rows = await committedOffsets(client, name, items);
    const committed = new Map(rows.map(({ partition, offset }) => [partition, offset]));
    return records.every(({ partition, offset }) => (committed.get(partition) ?? -1n) > offset);
  });
}
