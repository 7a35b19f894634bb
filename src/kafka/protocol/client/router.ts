import { CliError, exitCodes, rephrased, unreachableError } from '../../../errors.ts';
import { type Address, isHost, showHostPort } from '../../../net/address.ts';
import { isRetriable } from '../errors.ts';
import type { KafkaOptions } from '../options.ts';
import type { Dial, OpenConnection } from '../transport/connection.ts';
import type { Pool } from '../transport/pool.ts';
import type { Api } from '../wire/api.ts';
import type { BrokerMetadata, DedicatedUse } from './client.ts';
import { createMetadataCache, type MetadataCache, type Node } from './metadata-cache.ts';
import { isRedpandaId, missingOnRedpanda } from './redpanda.ts';

/** Finds or opens the connection to a broker. One call is one attempt. */
export interface Router {
  readonly cache: MetadataCache;
  /** Opens a connection that is not shared; the caller destroys it. */
  dedicated(node: Node, how?: DedicatedUse): Promise<OpenConnection>;
  /** Sends one request, without retries; after a connection failure, what was at that broker is located again. */
  send<Request, Response>(api: Api<Request, Response>, request: Request, node: Node): Promise<Response>;
}

/** The state of a router. */
interface State {
  readonly pool: Pool;
  readonly seeds: readonly Address[];
  readonly cache: MetadataCache;
  /** Addresses that are known to work: those of the seed brokers and those that accepted a connection. */
  readonly proven: Set<string>;
}

type RouterOptions = Pick<KafkaOptions, 'brokers' | 'onChange'>;

/** Creates a router that uses the locations last reported by the cluster; locations that prove wrong are read again. */
export function createRouter(pool: Pool, { brokers: seeds, onChange }: RouterOptions): Router {
  const proven = new Set(seeds.map(showHostPort));
  const state: State = { pool, seeds, proven, cache: createMetadataCache((incomplete) => any(state, incomplete)) };
  const { cache } = state;
  return {
    cache,
    dedicated: (node, how) => toNode(state, node, (candidate) => pool.alone({ ...candidate, ...how })),
    async send(api, request, node) {
      const { held } = api;
      const open = await toNode(state, node, (candidate) => pool.shared({ ...candidate, held }));
      if (api.changes) onChange?.();
      try {
        return await open.send(api, request);
      } catch (error) {
        const gone = node === 'any' ? open.nodeId : node;
        if (gone !== undefined && isRetriable(error)) cache.forgetNode(gone);
        throw (await explained(error, api.name, cache)) ?? error;
      }
    },
  };
}

/** The error of a request that the brokers do not know because they are Redpanda's; undefined for another one. */
async function explained(error: unknown, api: string, cache: MetadataCache): Promise<CliError | undefined> {
  const missing = missingOnRedpanda(error, api);
  if (missing === undefined) return undefined;
  const cluster = cache.cluster ?? (await cache.read([]).catch(() => undefined));
  return isRedpandaId(cluster?.clusterId) === true ? missing : undefined;
}

/** Tries the seed brokers first, in order, then the brokers that the cluster reported, in case all seeds are gone. */
function any({ pool, seeds, cache }: State, incomplete: number): Promise<OpenConnection> {
  const candidates = seeds.map((address) => ({ address, nodeId: undefined as number | undefined }));
  const taken = new Set(seeds.map(showHostPort));
  for (const broker of cache.brokers()) {
    if (isDialable(broker) && !taken.has(showHostPort(broker))) candidates.push({ address: broker, nodeId: broker.id });
  }
  return pool.any(candidates, incomplete);
}

/** Connects to the listener that a broker advertises. */
async function toNode(state: State, node: Node, connect: Dial): Promise<OpenConnection> {
  if (node === 'any') return any(state, 0);
  const { cache, proven } = state;
  if (cache.broker(node) === undefined) await cache.read([]);
  const broker = cache.broker(node);
  const { source } = cache;
  if (broker === undefined) {
    cache.forgetNode(node);
    throw unreachableError(`broker ${node} is not in the cluster, according to ${source}`, {
      code: 'BROKER_NOT_AVAILABLE',
      target: String(node),
    });
  }
  if (!isDialable(broker)) {
    cache.forgetNode(node);
    throw unreachableError(`broker ${node} advertises no valid listener: "${broker.host}:${broker.port}"`, {
      code: 'BROKER_NOT_AVAILABLE',
      target: String(node),
      hints: [`set advertised.listeners of broker ${node} to an address that this machine can reach`],
    });
  }
  try {
    const open = await connect({ address: { host: broker.host, port: broker.port }, nodeId: node });
    proven.add(showHostPort(broker));
    return open;
  } catch (error) {
    // The broker, and what it led, may be gone or may have moved: the next attempt asks again.
    cache.forgetNode(node);
    throw proven.has(showHostPort(broker)) ? error : unreachableListener(error, broker, source);
  }
}

function isDialable({ host, port }: BrokerMetadata): boolean {
  // The zone of an address (fe80::1%eth0) means an interface of the broker's own machine. Here it would mean nothing, and
  // it could make an address end like the name of a host that secrets may be sent to.
  return isHost(host) && !host.includes('%') && port > 0 && port < 65_536;
}

/** Reports an advertised listener that this machine cannot reach, with the broker and the source of the address. */
export function unreachableListener(error: unknown, broker: BrokerMetadata, source: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) return error;
  const listener = showHostPort(broker);
  const message = `${error.message} (broker ${broker.id} advertises the listener ${listener}, according to ${source})`;
  // A proxy that fails leads nowhere, whatever the address.
  if (error.code === 'PROXY_FAILED') return rephrased(error, message, { target: listener });
  const who = error.code === 'PROXY_REFUSED' ? 'the proxy' : 'this machine';
  const hint = `set advertised.listeners of broker ${broker.id} to an address that ${who} can reach`;
  return rephrased(error, message, {
    // A hint about -X brokers would mislead: this address was not configured here.
    hints: [hint, ...error.hints.filter((other) => !other.includes('-X brokers'))],
    target: listener,
  });
}
