import type { Clock } from '../../clock.ts';
import type { BrokerAddress, Cluster } from './cluster-parts.ts';
import { apiVersionsHandler } from './serve/api-versions.ts';
import { type BrokerConnection, createConnection, type ModelConnection, type Peer } from './serve/connection.ts';
import { createFaults, type Fault } from './serve/faults.ts';
import type { Handler } from './serve/handler.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** A Kafka cluster in memory: behaviour by the protocol's documents, time and dice by the clock it is given. */
export interface ModelCluster {
  /** A client's connection to a broker; frames come without their length. Undefined: the broker is down. */
  connect(broker: number, peer: Peer): ModelConnection | undefined;
  readonly control: Control;
}

/** What a test or a simulation does to a cluster. */
export interface Control {
  fault(fault: Fault): void;
  /** Errors of the model itself; there should be none. */
  readonly defects: readonly unknown[];
}

/** Makes a cluster whose brokers are all up. */
export function createModelCluster(options: {
  readonly clock: Clock;
  readonly brokers: readonly BrokerAddress[];
  readonly settings?: Partial<Settings>;
}): ModelCluster {
  const defects: unknown[] = [];
  const faults = createFaults();
  const cluster: Cluster = {
    clock: options.clock,
    settings: { ...defaultSettings, ...options.settings },
    clusterId: 'weir',
    brokers: options.brokers,
    faults,
    coordinators: {
      coordinatorOf: () => options.brokers[0]?.id,
      check: () => 0,
      partitionOf: () => 0,
      onMove: () => undefined,
    },
    transactionalOffsets: undefined,
    isUp: () => true,
    throttleMs: () => 0,
    reportDefect: (error) => void defects.push(error),
  };
  const handlers = new Map<number, Handler>();
  for (const one of [apiVersionsHandler(() => handlers.values())]) handlers.set(one.layout.key, one);
  const connections = new Set<BrokerConnection>();
  let connectionId = 0;
  return {
    connect(broker, peer) {
      if (!cluster.isUp(broker)) return undefined;
      connectionId += 1;
      const connection = createConnection({ cluster, broker, id: connectionId, handlers, peer });
      connections.add(connection);
      connection.onClose(() => connections.delete(connection));
      return connection;
    },
    control: { fault: (fault) => faults.add(fault), defects },
  };
}
