import { CliError, unreachableError } from '../errors.ts';
import { type Address, showHostPort } from '../net/address.ts';
import type { BrokerMetadata, ClusterMetadata, Target } from './client.ts';
import { kafkaError, kafkaErrorText } from './errors.ts';
import { findCoordinator } from './protocol/find-coordinator.ts';
import { type MetadataResponse, metadata as metadataApi } from './protocol/metadata.ts';
import { unreachableListener, unreachableSeeds } from './router-errors.ts';
import type { OpenConnection } from './transport/connection.ts';

/** What the router needs from the outside. */
export interface RouterOptions {
  readonly seeds: readonly Address[];
  /** Dials one address, once. */
  readonly dial: (address: Address, nodeId: number | undefined) => Promise<OpenConnection>;
}

/** Finds the connection for a target, and makes it when there is none. One call is one attempt. */
export interface Router {
  connection(target: Target): Promise<OpenConnection>;
  /** A connection that nobody else gets; the caller destroys it. */
  dedicated(node: number): Promise<OpenConnection>;
  metadata(topics: readonly string[] | undefined): Promise<ClusterMetadata>;
  /** Forgets where the target was: it has moved, or its broker is gone. */
  forget(target: Target): void;
  destroy(reason: Error): void;
}

/** Where brokers are, and who said so. */
interface Listeners {
  /** The seed broker, or broker, that the metadata came from. */
  source: string;
  controller: number;
  readonly brokers: Map<number, BrokerMetadata>;
}

const seedFirst = -1;
const coordinatorNotAvailable = 15;

/** Routes by one Metadata answer, learned again when it proves wrong. */
export function createRouter({ seeds, dial }: RouterOptions): Router {
  const open = new Map<string, Promise<OpenConnection>>();
  const dedicatedOnes = new Set<OpenConnection>();
  const coordinators = new Map<string, number>();
  const known: Listeners = { source: '', controller: seedFirst, brokers: new Map() };

  /** One connection per address, shared while it is usable and while it is being made. */
  async function shared(address: Address, nodeId: number | undefined): Promise<OpenConnection> {
    const key = showHostPort(address);
    const current = open.get(key);
    if (current !== undefined) {
      const connection = await current;
      if (connection.usable) return connection;
      if (open.get(key) === current) open.delete(key);
      return shared(address, nodeId);
    }
    const dialled = dial(address, nodeId);
    open.set(key, dialled);
    dialled.catch(() => {
      if (open.get(key) === dialled) open.delete(key);
    });
    return dialled;
  }

  /** Any connection that stands already, else the first seed broker that answers; a dead one is passed at once. */
  async function any(): Promise<OpenConnection> {
    for (const pending of open.values()) {
      const connection = await pending.catch(() => undefined);
      if (connection?.usable) return connection;
    }
    const failures: CliError[] = [];
    for (const seed of seeds) {
      try {
        return await shared(seed, undefined);
      } catch (error) {
        if (!(error instanceof CliError) || !passesSeed(error)) throw error;
        failures.push(error);
      }
    }
    throw unreachableSeeds(failures);
  }

  function learn(answer: ClusterMetadata, source: string): void {
    known.source = source;
    known.controller = answer.controllerId;
    known.brokers.clear();
    for (const broker of answer.brokers) known.brokers.set(broker.id, broker);
  }

  async function metadata(topics: readonly string[] | undefined): Promise<ClusterMetadata> {
    const connection = await any();
    const answer = await connection.send(metadataApi, { topics });
    if (answer.errorCode !== 0) {
      throw kafkaError(answer.errorCode, `unable to read the metadata: ${kafkaErrorText(answer.errorCode)}`);
    }
    const cluster = clusterOf(answer);
    learn(
      cluster,
      connection.nodeId === undefined
        ? `seed broker ${connection.address}`
        : `broker ${connection.nodeId} (${connection.address})`,
    );
    return cluster;
  }

  async function listener(node: number): Promise<BrokerMetadata> {
    if (!known.brokers.has(node)) await metadata([]);
    const broker = known.brokers.get(node);
    if (broker !== undefined) return broker;
    throw unreachableError(`broker ${node} is not in the cluster, as told by ${known.source}`, {
      code: 'BROKER_NOT_AVAILABLE',
      target: String(node),
    });
  }

  /** Connects to the listener that a broker announces. */
  async function toNode(node: number, connect: typeof shared): Promise<OpenConnection> {
    const broker = await listener(node);
    try {
      return await connect({ host: broker.host, port: broker.port }, node);
    } catch (error) {
      // The broker may be gone or may have moved: the next attempt asks again.
      known.brokers.delete(node);
      throw unreachableListener(error, broker, known.source);
    }
  }

  async function coordinator(keyType: 'group' | 'transaction', key: string): Promise<number> {
    const id = `${keyType}:${key}`;
    const cached = coordinators.get(id);
    if (cached !== undefined) return cached;
    const answer = await (await any()).send(findCoordinator, { keyType, keys: [key] });
    const found = answer.coordinators[0];
    const code = found?.errorCode ?? coordinatorNotAvailable;
    if (found === undefined || code !== 0) {
      const what = keyType === 'group' ? 'group' : 'transactional id';
      throw kafkaError(
        code,
        `unable to find the coordinator of ${what} "${key}": ${kafkaErrorText(code, found?.errorMessage)}`,
        {
          target: key,
        },
      );
    }
    known.brokers.set(found.nodeId, { id: found.nodeId, host: found.host, port: found.port, rack: undefined });
    coordinators.set(id, found.nodeId);
    return found.nodeId;
  }

  async function controller(): Promise<number> {
    if (known.controller < 0) await metadata([]);
    if (known.controller >= 0) return known.controller;
    throw unreachableError(`the cluster has no controller at the moment, as told by ${known.source}`, {
      code: 'NOT_CONTROLLER',
    });
  }

  async function nodeOf(target: Exclude<Target, 'any'>): Promise<number> {
    if (target === 'controller') return controller();
    if ('node' in target) return target.node;
    return 'group' in target ? coordinator('group', target.group) : coordinator('transaction', target.transactionalId);
  }

  return {
    metadata,
    async connection(target) {
      return target === 'any' ? any() : toNode(await nodeOf(target), shared);
    },
    async dedicated(node) {
      const connection = await toNode(node, dial);
      for (const old of dedicatedOnes) if (!old.usable) dedicatedOnes.delete(old);
      dedicatedOnes.add(connection);
      return connection;
    },
    forget(target) {
      if (target === 'any') return;
      if (target === 'controller') known.controller = seedFirst;
      else if ('node' in target) known.brokers.delete(target.node);
      else coordinators.delete('group' in target ? `group:${target.group}` : `transaction:${target.transactionalId}`);
    },
    destroy(reason) {
      for (const pending of open.values())
        pending.then((connection) => connection.destroy(reason)).catch(() => undefined);
      for (const connection of dedicatedOnes) connection.destroy(reason);
      open.clear();
      dedicatedOnes.clear();
    },
  };
}

/** Whether the next seed broker is worth a try; credentials that one broker refuses are not tried on all of them. */
function passesSeed(error: CliError): boolean {
  return error.exitCode === 5;
}

function clusterOf({ clusterId, controllerId, brokers, topics }: MetadataResponse): ClusterMetadata {
  return { clusterId, controllerId, brokers, topics };
}
