import type { Clock } from '../../clock.ts';
import type { BrokerAddress, Cluster } from './cluster-parts.ts';
import { type CoordinatorPart, createCoordinators } from './coordinators.ts';
import { createSessions, type Sessions } from './fetch/sessions.ts';
import { kafka } from './flavour/kafka.ts';
import { createMoves, type Moves } from './flavour/moves.ts';
import { createRedpanda } from './flavour/redpanda.ts';
import { createRedpandaHandlers } from './flavour/redpanda-handlers.ts';
import { groupHandlers } from './groups/handlers.ts';
import { handlersOf } from './handlers.ts';
import { acceptConnection, type BrokerConnection, type ModelConnection, type Peer } from './serve/connection.ts';
import type { Handler } from './serve/handler.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { createImages, type Images } from './topics/image.ts';
import { createTopics } from './topics/registry.ts';
import { createTransactions } from './transactions/transactions.ts';

/** An in-memory Kafka cluster that follows the protocol documentation and takes time and randomness from its clock. */
export interface ModelCluster {
  /** Connects a client to a broker, exchanging frames without their length; undefined when the broker is down. */
  connect(broker: number, peer: Peer): ModelConnection | undefined;
  /** What it consists of, for tests and simulations, which bypass the protocol. */
  readonly inside: Inside;
}

/** The process of a broker. A sandbox leaves all of them up; tests stop and start them. */
interface Node {
  isUp: boolean;
  /** Whether the controller considers it dead. */
  isFenced: boolean;
  readonly connections: Set<BrokerConnection>;
}

/** The processes of the brokers, by their ids. */
export interface Nodes {
  readonly all: ReadonlyMap<number, Node>;
  controller: number;
}

interface Inside {
  readonly cluster: Cluster;
  readonly nodes: Nodes;
  readonly knobs: Knobs;
  sessionsOf(broker: number): Sessions;
}

/** A throttle time that a broker reports after each request of an API (KIP-219). */
export interface Throttle {
  readonly api: string;
  /** The broker; undefined for all brokers. */
  readonly broker?: number | undefined;
  readonly milliseconds: number;
}

/** The parameters that can be changed while a cluster is running. */
export interface Knobs {
  readonly settings: { -readonly [K in keyof Settings]: Settings[K] };
  throttles: readonly Throttle[];
  readonly metadataDelays: Map<number, number>;
  readonly defects: unknown[];
}

/** The options of a cluster. */
interface ModelOptions {
  readonly clock: Clock;
  readonly brokers: readonly BrokerAddress[];
  readonly settings?: Partial<Settings>;
}

/** Creates a cluster whose brokers are all up. */
export function createModelCluster(options: ModelOptions): ModelCluster {
  const knobs: Knobs = {
    settings: { ...defaultSettings, ...options.settings },
    throttles: [],
    metadataDelays: new Map(),
    defects: [],
  };
  const nodes = upNodes(options.brokers);
  const images = createImages(() => cluster);
  const coordinators = createCoordinators(() => cluster);
  const moves = createMoves();
  const cluster = assemble(options, knobs, { nodes, images, coordinators, moves });
  const handlers = new Map<number, Handler>();
  const sessions = new Map(
    options.brokers.map(({ id }) => [id, createSessions(options.clock, () => knobs.settings.fetchSessions)]),
  );
  const sessionsOf = (broker: number): Sessions => {
    const session = sessions.get(broker);
    if (session === undefined) throw new Error(`there is no broker ${broker}`);
    return session;
  };
  cluster.onBrokerEnd((broker) => sessionsOf(broker).evictAll());
  const isRedpanda = knobs.settings.flavour === 'redpanda';
  const own = isRedpanda ? createRedpandaHandlers(moves) : [];
  const all = [...handlersOf(() => handlers.values(), sessionsOf), ...groupHandlers(cluster), ...own];
  for (const one of all) {
    const versions = cluster.flavour.versionsOf(one.layout.name, one.versions);
    if (versions !== undefined) handlers.set(one.layout.key, { ...one, versions });
  }
  cluster.publish();
  let connectionId = 0;
  return {
    connect(broker, peer) {
      const node = nodes.all.get(broker);
      if (node?.isUp !== true) return undefined;
      connectionId += 1;
      const connection = acceptConnection({ cluster, broker, id: connectionId, handlers, peer });
      node.connections.add(connection);
      connection.onClose(() => node.connections.delete(connection));
      return connection;
    },
    inside: { cluster, nodes, knobs, sessionsOf },
  };
}

function upNodes(addresses: readonly BrokerAddress[]): Nodes {
  const up = (): Node => ({ isUp: true, isFenced: false, connections: new Set() });
  return { all: new Map(addresses.map(({ id }) => [id, up()])), controller: addresses[0]?.id ?? -1 };
}

interface Parts {
  readonly nodes: Nodes;
  readonly images: Images;
  readonly coordinators: CoordinatorPart;
  readonly moves: Moves;
}

/** The id before the first one that is assigned: ids are int64, and brokers may use the whole range. */
const firstProducerId = 2n ** 62n;

function assemble(options: ModelOptions, knobs: Knobs, { nodes, images, coordinators, moves }: Parts): Cluster {
  let producerId = firstProducerId;
  const endCalls: ((broker: number) => void)[] = [];
  const cluster: Cluster = {
    clock: options.clock,
    settings: knobs.settings,
    flavour: knobs.settings.flavour === 'redpanda' ? createRedpanda(moves) : kafka,
    brokers: options.brokers,
    intercept: undefined,
    topics: createTopics(() => cluster),
    coordinators,
    transactions: createTransactions(() => cluster),
    get controller() {
      return nodes.controller;
    },
    transactionalOffsets: undefined,
    isUp: (broker) => nodes.all.get(broker)?.isUp ?? false,
    isFenced: (broker) => nodes.all.get(broker)?.isFenced ?? true,
    image: images.of,
    publish: images.changed,
    leaderMoved: coordinators.leaderMoved,
    onBrokerEnd: (call) => void endCalls.push(call),
    brokerEnded(broker) {
      for (const call of endCalls) call(broker);
    },
    metadataDelayMs: (broker) => knobs.metadataDelays.get(broker) ?? knobs.settings.metadataDelayMs,
    throttleMs(api, broker) {
      const throttle = knobs.throttles.find((one) => one.api === api && (one.broker ?? broker) === broker);
      return throttle?.milliseconds ?? 0;
    },
    nextProducerId() {
      producerId += 1n;
      return producerId;
    },
    reportDefect: (error) => void knobs.defects.push(error),
  };
  return cluster;
}
