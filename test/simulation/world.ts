import type { Deadline } from '../../src/deadline.ts';
import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { openClient } from '../../src/kafka/protocol/client/open-client.ts';
import type { BrokerAddress } from '../../src/sandbox/broker/cluster-parts.ts';
import type { Settings } from '../../src/sandbox/broker/settings.ts';
import { createModelCluster, type ModelCluster } from '../sandbox/broker/control.ts';
import type { LoggedRecord } from '../sandbox/broker/logged-records.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';
import { type AnsweredCommit, batchesOf, commitsOf, type TakenBatch } from './exchanges.ts';
import { createNetwork, type Exchange, type Network } from './network.ts';
import { createProcessClock, type ProcessClock, type Standstill } from './process-clock.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A simulated world of a cluster, a network and clients in virtual time, determined by one seed. */
export interface World {
  readonly clock: VirtualClock;
  readonly cluster: ModelCluster;
  readonly network: Network;
  readonly brokers: readonly BrokerAddress[];
  /** The topics that were created, without those of the coordinators. */
  readonly topics: Set<string>;
  /** Brokers that have died for good. */
  readonly gone: Set<number>;
  /** When the controller will have noticed the last death of a broker, on the clock. */
  readonly death: { noticedBy: number };
  /** One line per event, with the time in milliseconds. */
  readonly story: readonly string[];
  tell(line: string): void;
  /** Whether elections may cut off markers of transactions; the next marker of the producer then ends two of them. */
  readonly losesMarkers: boolean;
  /** The values of transactions for which no commit was requested yet. */
  readonly undecided: Set<string>;
  /** Acknowledged batches, in the order in which the answers reached their clients. */
  readonly batches: TakenBatch[];
  /** Records that were deleted or compacted at some replica, by topic and partition (`orders/0`) and offset. */
  readonly removed: Map<string, Map<number, RemovedRecord>>;
  /** Violations that were noticed during the run, one sentence each. */
  readonly breaches: string[];
  /** Registers a function that is called for every answer when its broker sends it. */
  onExchange(call: (exchange: Exchange) => void): void;
  /** Registers a function that is called for every answer when it reaches its client. */
  onArrival(call: (exchange: Exchange) => void): void;
  /** Registers a function that is called for every offset in the answer to a commit, when the coordinator sends it. */
  onCommit(call: (commit: AnsweredCommit) => void): void;
  openClient(name: string, limits: TestLimits): SimulatedClient;
  /** Lets the process of a client stand still for a time in milliseconds, if it runs. */
  standStill(name: string, how: Standstill, forMs: number): void;
  /** Opens a client with a deadline of its own, both on the same clock. */
  connect(name: string, clock: ProcessClock, deadline: Deadline): SimulatedClient;
}

/** A record that was deleted or compacted. */
export interface RemovedRecord {
  readonly record: LoggedRecord;
  /** Whether it was compacted: its reader sees nothing of that. */
  readonly isCompacted: boolean;
  /** The replicas that have lost it. */
  readonly by: ReadonlySet<number>;
  /** When the first of them lost it, on the clock. */
  readonly at: number;
}

/** A weir client in a world. */
export interface SimulatedClient {
  readonly name: string;
  readonly client: Client;
  readonly clock: Pick<ProcessClock, 'running'>;
  /** Closes the client like a command that ends. */
  close(): void;
  /** The number of its timers that are still waiting. */
  readonly timersLeft: number;
}

/** The options of a world. */
export interface WorldOptions {
  readonly seed: number;
  readonly brokerCount: number;
  /** The id of the first broker (default 1). */
  readonly firstBroker?: number;
  /** Whether elections may cut off markers of transactions (default false). */
  readonly losesMarkers?: boolean;
  readonly latencyMs: number;
  readonly settings: Partial<Settings>;
}

/** Creates a world with a healthy cluster and no clients. */
export function createWorld(options: WorldOptions): World {
  const { seed, brokerCount, firstBroker = 1, losesMarkers = false, latencyMs, settings } = options;
  const clock = createVirtualClock(seed);
  const brokers = Array.from({ length: brokerCount }, (_, index) => ({
    ...{ id: index + firstBroker, host: `broker-${index + firstBroker}`, port: 9092, rack: `rack-${(index % 2) + 1}` },
  }));
  const cluster = createModelCluster({ clock, brokers, settings });
  const calls: ((exchange: Exchange) => void)[] = [];
  const arrivals: ((exchange: Exchange) => void)[] = [];
  const batches: TakenBatch[] = [];
  const network = createNetwork({
    ...{ clock, cluster, brokers, latencyMs },
    onAnswer(exchange) {
      for (const call of calls) call(exchange);
    },
    onArrival(exchange) {
      batches.push(...batchesOf(exchange, (id) => cluster.control.topicName(id) ?? ''));
      for (const call of arrivals) call(exchange);
    },
  });
  const story: string[] = [];
  const tell = (line: string): void => void story.push(`${clock.now().toFixed(1).padStart(9)} ${line}`);
  /** The processes that run. */
  const running = new Map<string, ProcessClock>();
  const connect: World['connect'] = (name, own, deadline) => {
    running.set(name, own);
    const client = openClient({
      ...{ brokers, tls: undefined, sasl: undefined, clientId: name, deadline, dial: network.dialAs(name) },
      ...(process.env.WEIR_SIMULATION_TRACE === undefined
        ? {}
        : {
            trace: (event) => tell(`${name} ${event.api} ${event.node} ${event.milliseconds} ${event.error ?? ''}`),
          }),
    });
    return {
      name,
      client,
      clock: own,
      close() {
        running.delete(name);
        client.close();
        deadline.dispose();
        network.closed(name);
      },
      get timersLeft() {
        return own.waiting;
      },
    };
  };
  return {
    ...{ clock, cluster, network, brokers, story, tell },
    ...{
      topics: new Set(),
      gone: new Set(),
      death: { noticedBy: 0 },
      losesMarkers,
      undecided: new Set(),
      batches,
      removed: new Map(),
      breaches: [],
    },
    onExchange: (call) => void calls.push(call),
    onArrival: (call) => void arrivals.push(call),
    onCommit(call) {
      calls.push((exchange) => {
        for (const commit of commitsOf(exchange)) call(commit);
      });
    },
    openClient(name, limits) {
      const own = createProcessClock(clock);
      return connect(name, own, deadlineOf(limits, own));
    },
    connect,
    standStill(name, how, forMs) {
      const own = running.get(name);
      if (own === undefined) return;
      running.delete(name);
      tell(`${name} is ${how}`);
      const goOn = [own.hold(how), network.hold(name)];
      clock.after(forMs, () => {
        tell(`${name} goes on`);
        running.set(name, own);
        for (const call of clock.random() < 0.5 ? goOn : goOn.toReversed()) call();
      });
    },
  };
}

/** Counts the current partitions of a topic; 0 when it does not exist. */
export function partitionsOf({ control }: Pick<ModelCluster, 'control'>, topic: string): number {
  for (let count = 0; ; count += 1) {
    try {
      control.partition(topic, count);
    } catch {
      return count;
    }
  }
}
