import { CliError, exitCodes, rephrased, unreachableError } from '../../errors.ts';
import { type Address, showHostPort } from '../../net/address.ts';
import type { Api } from '../protocol/api.ts';
import type { OpenConnection } from '../transport/connection.ts';
import type { Dial, Pool } from '../transport/pool.ts';
import type { BrokerMetadata, DedicatedUse } from './client.ts';
import { createPlaces, type Places } from './places.ts';
import { nameOfTarget, nowhereError, type Target } from './targets.ts';

/** Finds the connection for a target, and makes it when there is none. One call is one attempt. */
export interface Router {
  readonly places: Places;
  /** @param held a connection for requests that the broker holds, apart from all others */
  connection(target: Target, held?: boolean): Promise<OpenConnection>;
  /** A connection that nobody else gets; the caller destroys it. */
  dedicated(target: Exclude<Target, 'any'>, how?: DedicatedUse): Promise<OpenConnection>;
  /** Sends one request, one try; a target that cannot be reached, or is lost on the way, is looked for anew next time. */
  exchange<Request, Response>(api: Api<Request, Response>, request: Request, target: Target): Promise<Response>;
}

/** What the parts of a router share. */
interface Routes {
  readonly pool: Pool;
  readonly seeds: readonly Address[];
  readonly places: Places;
  /** Addresses that are known to be right: those of the seed brokers, and those that took a connection. */
  readonly proven: Set<string>;
}

/** Routes by what the cluster told last; what proves wrong is learned again. */
export function createRouter(pool: Pool, seeds: readonly Address[]): Router {
  const proven = new Set(seeds.map(showHostPort));
  const routes: Routes = { pool, seeds, proven, places: createPlaces((vain) => any(routes, vain)) };
  const { places } = routes;
  const connection = async (target: Target, held = false): Promise<OpenConnection> =>
    target === 'any'
      ? any(routes, 0)
      : toNode(routes, await nodeOf(routes, target), (candidate) => pool.shared({ ...candidate, held }));
  return {
    places,
    connection,
    dedicated: async (target, how) =>
      toNode(routes, await nodeOf(routes, target), (candidate) => pool.alone({ ...candidate, ...how })),
    async exchange(api, request, target) {
      const open = await connection(target, api.held);
      try {
        return await open.send(api, request);
      } catch (error) {
        if (error instanceof CliError && error.retryable) {
          places.forget(target);
          if (open.nodeId !== undefined) places.forgetNode(open.nodeId);
        }
        throw error;
      }
    },
  };
}

/** The seed brokers come first, in their order; then whoever the cluster told of, should all seeds be gone by now. */
function any({ pool, seeds, places }: Routes, vain: number): Promise<OpenConnection> {
  const candidates = seeds.map((address) => ({ address, nodeId: undefined as number | undefined }));
  const taken = new Set(seeds.map(showHostPort));
  for (const broker of places.brokers()) {
    if (!taken.has(showHostPort(broker))) candidates.push({ address: broker, nodeId: broker.id });
  }
  return pool.any(candidates, vain);
}

async function nodeOf({ places }: Routes, target: Exclude<Target, 'any'>): Promise<number> {
  const place = (await places.locate([target])).get(nameOfTarget(target));
  if (place !== undefined && !('code' in place)) return place.node;
  throw nowhereError(target, place ?? { code: -1, text: undefined }, places.source);
}

/** Connects to the listener that a broker announces. */
async function toNode({ places, proven }: Routes, node: number, connect: Dial): Promise<OpenConnection> {
  if (places.broker(node) === undefined) await places.read([]);
  const broker = places.broker(node);
  const { source } = places;
  if (broker === undefined) {
    places.forgetNode(node);
    throw unreachableError(`broker ${node} is not in the cluster, as told by ${source}`, {
      code: 'BROKER_NOT_AVAILABLE',
      target: String(node),
    });
  }
  try {
    const open = await connect({ address: { host: broker.host, port: broker.port }, nodeId: node });
    proven.add(showHostPort(broker));
    return open;
  } catch (error) {
    // The broker may be gone or may have moved, and what it led with it: the next attempt asks again.
    places.forgetNode(node);
    throw proven.has(showHostPort(broker)) ? error : unreachableListener(error, broker, source);
  }
}

/** A listener that a broker announces and this machine cannot reach: which, who announced it, who told us. */
function unreachableListener(error: unknown, broker: BrokerMetadata, source: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) return error;
  const listener = showHostPort(broker);
  const message = `${error.message} (broker ${broker.id} advertises the listener ${listener}, says ${source})`;
  const hint = `advertised.listeners of broker ${broker.id} must name an address that this machine can reach`;
  return rephrased(error, message, {
    // It is not the address that was configured.
    hints: [hint, ...error.hints.filter((other) => !other.includes('-X brokers'))],
    target: listener,
  });
}
