import type { Cluster } from '../../../../src/sandbox/broker/cluster-parts.ts';
import { groupHandlers } from '../../../../src/sandbox/broker/groups/handlers.ts';
import type { GroupSettings } from '../../../../src/sandbox/broker/groups/settings.ts';
import { createConnection } from '../../../../src/sandbox/broker/serve/connection.ts';
import { createFaults } from '../../../../src/sandbox/broker/serve/faults.ts';
import { defaultSettings } from '../../../../src/sandbox/broker/settings.ts';
import { createVirtualClock, type VirtualClock } from '../../../simulation/virtual-clock.ts';
import { type RawClient, rawClient } from '../client.ts';

/** Group coordinators alone, on a cluster of which nothing else is there. */
export interface Stage {
  readonly clock: VirtualClock;
  /** A client of a broker, by default of the coordinator. */
  client(broker?: number): RawClient;
  /** The topics that there are: name → number of partitions. */
  readonly topics: Map<string, number>;
  /** Makes another broker the coordinator of every group; undefined: there is none. */
  move(broker: number | undefined): void;
  readonly cluster: Cluster;
  readonly defects: readonly unknown[];
}

/** The id by which the stage knows a topic. */
export function idOf(topic: string): string {
  return Buffer.from(topic.padEnd(16, '.').slice(0, 16)).toString('base64url');
}

/** A stage with two brokers, the first the coordinator, and a topic `t` of four partitions. */
export function groupStage(settings: Partial<GroupSettings> = {}): Stage {
  const clock = createVirtualClock(1);
  const topics = new Map([['t', 4]]);
  const defects: unknown[] = [];
  let coordinator: number | undefined = 1;
  let loadedAt = 0;
  const moves: ((kind: 'group', partition: number, leader: number | undefined) => void)[] = [];
  const cluster: Cluster = {
    clock,
    settings: { ...defaultSettings, coordinatorLoadMs: 100 },
    clusterId: 'stage',
    brokers: [],
    faults: createFaults(),
    coordinators: {
      coordinatorOf: () => coordinator,
      check: (broker) => (broker !== coordinator ? 16 : clock.now() < loadedAt ? 14 : 0),
      partitionOf: () => 0,
      onMove: (call) => void moves.push(call),
    },
    transactionalOffsets: undefined,
    isUp: () => true,
    throttleMs: () => 0,
    reportDefect: (error) => void defects.push(error),
  };
  const all = () => [...topics].map(([name, partitions]) => ({ name, id: idOf(name), partitions }));
  const lookUp = {
    topic: (name: string) => all().find((one) => one.name === name),
    topicById: (id: string) => all().find((one) => one.id === id),
    topics: all,
  };
  const handlers = new Map(
    groupHandlers({ cluster, topics: lookUp, settings }).map((one) => [one.layout.key, one] as const),
  );
  const connect = (broker: number, peer: Parameters<typeof createConnection>[0]['peer']) =>
    createConnection({ cluster, broker, id: 1, handlers, peer });
  return {
    clock,
    topics,
    cluster,
    defects,
    client: (broker = 1) => rawClient({ connect, control: undefined as never }, broker),
    move(broker) {
      coordinator = broker;
      loadedAt = clock.now() + cluster.settings.coordinatorLoadMs;
      for (const call of moves) call('group', 0, broker);
    },
  };
}
