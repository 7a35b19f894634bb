import type { Client } from '../../src/kafka/client/client.ts';
import { createClient } from '../../src/kafka/client/create-client.ts';
import { createModelCluster, type ModelCluster } from '../../src/sandbox/broker/cluster.ts';
import type { BrokerAddress } from '../../src/sandbox/broker/cluster-parts.ts';
import type { Settings } from '../../src/sandbox/broker/settings.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';
import { createCountingClock } from './counting-clock.ts';
import { batchesOf, commitsOf, type TakenBatch, type TakenCommit } from './exchanges.ts';
import { createNetwork, type Exchange, type Network } from './network.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A simulated world of a cluster, a network and clients in virtual time, determined by one seed. */
export interface World {
  readonly clock: VirtualClock;
  readonly cluster: ModelCluster;
  readonly network: Network;
  readonly brokers: readonly BrokerAddress[];
  /** Topics that were created, coordinators' left out. */
  readonly topics: Set<string>;
  /** Brokers that have died for good. */
  readonly gone: Set<number>;
  /** When the death of a broker will have been noticed, on the clock. */
  readonly death: { noticedBy: number };
  /** What happened, a line each, with the time in milliseconds. */
  readonly story: readonly string[];
  tell(line: string): void;
  /** Elections may cut off the markers of transactions: the next marker of the producer then ends two of them. */
  readonly losesMarkers: boolean;
  /** Values of transactions that nobody has decided to commit yet. */
  readonly undecided: Set<string>;
  /** Batches that leaders have acknowledged, as their clients heard of it. */
  readonly batches: TakenBatch[];
  /** What was seen to be wrong while it happened, a sentence each. */
  readonly breaches: string[];
  /** Calls for every answer as its broker sends it. */
  onExchange(call: (exchange: Exchange) => void): void;
  /** Calls for every offset that a coordinator takes. */
  onCommit(call: (commit: TakenCommit) => void): void;
  openClient(name: string, limits: TestLimits): SimulatedClient;
}

/** A weir client in a world. */
export interface SimulatedClient {
  readonly name: string;
  readonly client: Client;
  /** Closes the client like a command that ends. */
  close(): void;
  /** The number of timers that it has left on its clock. */
  readonly timersLeft: number;
}

/** The options of a world. */
export interface WorldOptions {
  readonly seed: number;
  readonly brokerCount: number;
  /** The id of the first broker (default 1). */
  readonly firstBroker?: number;
  /** Elections may cut off the markers of transactions (default false). */
  readonly losesMarkers?: boolean;
  readonly latencyMs: number;
  readonly settings: Partial<Settings>;
}

/** Makes a world in which nothing has happened. */
export function createWorld(options: WorldOptions): World {
  const { seed, brokerCount, firstBroker = 1, losesMarkers = false, latencyMs, settings } = options;
  const clock = createVirtualClock(seed);
  const brokers = Array.from({ length: brokerCount }, (_, index) => ({
    ...{ id: index + firstBroker, host: `broker-${index + firstBroker}`, port: 9092, rack: `rack-${(index % 2) + 1}` },
  }));
  const cluster = createModelCluster({ clock, brokers, settings });
  const calls: ((exchange: Exchange) => void)[] = [];
  const batches: TakenBatch[] = [];
  const network = createNetwork({
    ...{ clock, cluster, brokers, latencyMs },
    onAnswer(exchange) {
      for (const call of calls) call(exchange);
    },
    onArrival: (exchange) => void batches.push(...batchesOf(exchange)),
  });
  const story: string[] = [];
  const tell = (line: string): void => void story.push(`${clock.now().toFixed(1).padStart(9)} ${line}`);
  return {
    ...{ clock, cluster, network, brokers, story, tell },
    ...{
      topics: new Set(),
      gone: new Set(),
      death: { noticedBy: 0 },
      losesMarkers,
      undecided: new Set(),
      batches,
      breaches: [],
    },
    onExchange: (call) => void calls.push(call),
    onCommit(call) {
      calls.push((exchange) => {
        for (const commit of commitsOf(exchange)) call(commit);
      });
    },
    openClient(name, limits) {
      const own = createCountingClock(clock);
      const deadline = deadlineOf(limits, own);
      const client = createClient({
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
        close() {
          client.close();
          deadline.dispose();
          network.closed(name);
        },
        get timersLeft() {
          return own.waiting;
        },
      };
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
