import type { IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
import { findRoute } from '../http/router.ts';
import type { Around, Outcome, Site } from '../http/server.ts';
import { AdminError, notFound, unavailable } from './admin-error.ts';
import { controllerName } from './partitions/election.ts';
import { progressTo } from './progress.ts';
import type { Route } from './request.ts';
import { servedRoutes } from './routes.ts';
import { asRpcError, rpcPath } from './rpc.ts';
import { authenticate, authorize } from './security/authenticate.ts';
import type { Node } from './state.ts';
import type { World } from './world.ts';

/** What a request to a node led to. */
export interface AdminOutcome extends Outcome {
  /** The user that the credentials proved; null when they proved none. */
  readonly user: string | null;
}

/** The largest body, in bytes: room for a WebAssembly module. */
const largestBody = 16 << 20;

/** Returns what a node's listener needs to answer requests; `settle` brings the state up to the current time. */
export function siteOf(
  world: World,
  node: Node,
  settle: () => Promise<void>,
  around?: Around<Route, AdminOutcome>,
): Site<Route, AdminOutcome> {
  return {
    origin: `${world.scheme}://${node.host}`,
    largestBody,
    // Clients write list paths with or without a slash at the end.
    find: (method, path) => findRoute(servedRoutes, method, path.length > 1 ? path.replace(/\/$/, '') : path),
    async handle({ request, url, match, bytes }) {
      let user: string | null = null;
      try {
        await settle();
        if (typeof match !== 'object' || (match.route.since ?? '') > world.settings.release)
          throw notFound('Not found');
        const { headers } = request;
        const caller = await authenticate(world, node, headers.authorization);
        user = caller.user;
        authorize(caller, match.route.level);
        const read = { node, params: match.params, query: url.searchParams, bytes, headers, user };
        const isOwn = match.route.answersItself?.(world, read) ?? false;
        const redirect = isOwn ? undefined : redirectOf(world, node, { ...match, url }, request);
        if (redirect !== undefined) return { reply: redirect, user };
        const reply = await match.route.handle(world, read);
        progressTo(world, world.clock.now());
        return { reply, user };
      } catch (error) {
        return { reply: refusal(url.pathname.startsWith(rpcPath) ? asRpcError(error) : error), user };
      }
    },
    around,
  };
}

/** A request that may have to go to another node. */
interface Routed {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly url: URL;
}

/**
 * Returns the redirect to the node that must answer; undefined if the asked node may answer itself.
 * @throws AdminError 503 without a leader, and for an unknown partition
 */
function redirectOf(world: World, node: Node, routed: Routed, request: IncomingMessage): Reply | undefined {
  const { duty } = routed.route;
  if (duty === 'local') return undefined;
  const { name, leader } = leaderFor(world, routed);
  if (leader === null) throw noLeader(duty, name);
  if (duty === 'forward' || leader === node.id) return undefined;
  const target = world.state.nodes.get(leader);
  if (target === undefined) throw unavailable('the address of the leader is not known');
  return redirectTo(world, hostFor(node, target, request), routed.url, request);
}

/** The host that the leader has for a client that knows the asked node by the address that it announces to Kafka clients. */
function hostFor(node: Node, target: Node, { headers }: IncomingMessage): string {
  const [asked = ''] = (headers.host ?? '').split(':');
  // Where all nodes announce the same host, as in a sandbox, the redirect would lead back to the asked node.
  const isKafkaHost = asked === node.listener.host && target.listener.host !== asked;
  return isKafkaHost ? target.listener.host : target.rpcHost;
}

/** The partition whose leader must answer, and that leader. */
function leaderFor({ state }: World, { route, params }: Routed) {
  const { partitions, controller } = state;
  const name = route.duty === 'to-partition' ? partitionName(params) : controllerName;
  return { name, leader: name === controllerName ? controller.leader : (partitions.get(name)?.leader ?? null) };
}

/** In the words of redpanda src/v/redpanda/admin/server.cc:864 and 1065. */
function noLeader(duty: Route['duty'], name: string): AdminError {
  return unavailable(
    duty === 'forward'
      ? 'Service unavailable (Currently there is no leader controller elected in the cluster)'
      : `Partition {${name}} does not have a leader, cannot redirect`,
  );
}

// The paths of tiered storage have no namespace: their topics are those of Kafka clients.
function partitionName({ ns = 'kafka', topic = '', partition = '' }: Readonly<Record<string, string>>): string {
  return `${ns}/${topic}/${partition}`;
}

// The port is that of the Host header, because the server assumes that all nodes listen on the same one. It begins at the
// first colon, also of an IPv6 address (redpanda src/v/redpanda/admin/server.cc:780).
function redirectTo({ scheme }: World, host: string, url: URL, { headers }: IncomingMessage): Reply {
  const count = Number(url.searchParams.get('redirect') ?? 0) + 1;
  const query = new URLSearchParams(url.searchParams);
  query.set('redirect', String(count));
  const [port = ''] = /:.*$/.exec(headers.host ?? '') ?? [];
  const location = `${scheme}://${host}${port}${url.pathname}?${query}`;
  return { status: 307, headers: { location, ...(count % 2 === 0 ? { 'retry-after': '1' } : {}) } };
}

/** Converts an error to a response: the API's own error, or 500 for a bug in the simulator. */
function refusal(error: unknown): Reply {
  if (error instanceof AdminError) return { status: error.status, body: error.body };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: new AdminError(500, `internal error of the simulator: ${text}`).body };
}
