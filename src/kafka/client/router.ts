import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { type Address, showHostPort } from '../../net/address.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { metadata as metadataApi } from '../protocol/metadata.ts';
import type { OpenConnection } from '../transport/connection.ts';
import type { Dial, Pool } from '../transport/pool.ts';
import type { BrokerMetadata, ClusterMetadata, DedicatedUse, Target } from './client.ts';
import { type Coordinators, createCoordinators } from './coordinators.ts';

/** Finds the connection for a target, and makes it when there is none. One call is one attempt. */
export interface Router {
  /** @param held a connection for requests that the broker holds, apart from all others */
  connection(target: Target, held?: boolean): Promise<OpenConnection>;
  /** A connection that nobody else gets; the caller destroys it. */
  dedicated(target: Exclude<Target, 'any'>, how?: DedicatedUse): Promise<OpenConnection>;
  /** Fresh metadata; undefined topics are all. */
  metadata(topics: readonly string[] | undefined): Promise<ClusterMetadata>;
  /** Forgets where the target was: it has moved, or its broker is gone. */
  forget(target: Target): void;
}

/** Where the brokers are, and who said so. */
interface Known {
  source: string;
  /** -1 when unknown. */
  controller: number;
  readonly brokers: Map<number, BrokerMetadata>;
}

/** What the parts of a router share. */
interface Routes {
  readonly pool: Pool;
  readonly seeds: readonly Address[];
  readonly known: Known;
  readonly coordinators: Coordinators;
}

/** Routes by what the last Metadata answer told; what proves wrong is learned again. */
export function createRouter(pool: Pool, seeds: readonly Address[]): Router {
  const known: Known = { source: '', controller: -1, brokers: new Map() };
  const routes: Routes = { pool, seeds, known, coordinators: createCoordinators(() => any(routes)) };
  return {
    async connection(target, held = false) {
      if (target === 'any') return any(routes);
      return toNode(routes, await nodeOf(routes, target), (candidate) => pool.shared({ ...candidate, held }));
    },
    dedicated: async (target, how) =>
      toNode(routes, await nodeOf(routes, target), (candidate) => pool.alone({ ...candidate, ...how })),
    metadata: (topics) => readMetadata(routes, topics),
    forget(target) {
      if (target === 'any') return;
      if (target === 'controller') known.controller = -1;
      else if ('node' in target) known.brokers.delete(target.node);
      else routes.coordinators.forget(target);
    },
  };
}

/** The seed brokers come first, in their order; then whoever the cluster told of, should all seeds be gone by now. */
function any({ pool, seeds, known }: Routes): Promise<OpenConnection> {
  const candidates = seeds.map((address) => ({ address, nodeId: undefined as number | undefined }));
  const taken = new Set(seeds.map(showHostPort));
  for (const broker of known.brokers.values()) {
    if (!taken.has(showHostPort(broker))) candidates.push({ address: broker, nodeId: broker.id });
  }
  return pool.any(candidates);
}

async function readMetadata(routes: Routes, topics: readonly string[] | undefined): Promise<ClusterMetadata> {
  const connection = await any(routes);
  const { clusterId, controllerId, brokers, ...answer } = await connection.send(metadataApi, { topics });
  if (answer.errorCode !== 0) {
    throw kafkaError(answer.errorCode, `unable to read the metadata: ${kafkaErrorText(answer.errorCode)}`);
  }
  const { known } = routes;
  const { nodeId, address } = connection;
  known.source = nodeId === undefined ? `seed broker ${address}` : `broker ${nodeId} (${address})`;
  known.controller = controllerId;
  known.brokers.clear();
  for (const broker of brokers) known.brokers.set(broker.id, broker);
  return { clusterId, controllerId, brokers, topics: answer.topics };
}

async function nodeOf(routes: Routes, target: Exclude<Target, 'any'>): Promise<number> {
  if (target === 'controller') return controller(routes);
  if ('node' in target) return target.node;
  const broker = await routes.coordinators.find(target);
  if (!routes.known.brokers.has(broker.id)) routes.known.brokers.set(broker.id, broker);
  routes.known.source ||= 'the answer to FindCoordinator';
  return broker.id;
}

async function controller(routes: Routes): Promise<number> {
  const { known } = routes;
  if (known.controller < 0) await readMetadata(routes, []);
  if (known.controller >= 0) return known.controller;
  throw unreachableError(`the cluster has no controller at the moment, as told by ${known.source}`, {
    code: 'NOT_CONTROLLER',
  });
}

/** Connects to the listener that a broker announces. */
async function toNode(routes: Routes, node: number, connect: Dial): Promise<OpenConnection> {
  const { known } = routes;
  if (!known.brokers.has(node)) await readMetadata(routes, []);
  const broker = known.brokers.get(node);
  if (broker === undefined) {
    throw unreachableError(`broker ${node} is not in the cluster, as told by ${known.source}`, {
      code: 'BROKER_NOT_AVAILABLE',
      target: String(node),
    });
  }
  try {
    return await connect({ address: { host: broker.host, port: broker.port }, nodeId: node });
  } catch (error) {
    // The broker may be gone or may have moved: the next attempt asks again.
    known.brokers.delete(node);
    throw unreachableListener(error, broker, known.source);
  }
}

/** A listener that a broker announces and this machine cannot reach: which, who announced it, who told us. */
function unreachableListener(error: unknown, broker: BrokerMetadata, source: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) return error;
  const listener = showHostPort(broker);
  const message = `${error.message} (broker ${broker.id} advertises the listener ${listener}, says ${source})`;
  const hint = `advertised.listeners of broker ${broker.id} must name an address that this machine can reach`;
  return new CliError(error.exitCode, message, {
    code: error.code,
    // It is not the address that was configured.
    hints: [hint, ...error.hints.filter((other) => !other.includes('-X brokers'))],
    retryable: error.retryable,
    target: listener,
    cause: error,
  });
}
