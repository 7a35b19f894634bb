import type { IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
import { notFound, unavailable } from './admin-error.ts';
import { coordinatorName } from './partitions/coordinator.ts';
import { controllerName } from './partitions/election.ts';
import { nameOf } from './partitions/partition.ts';
import type { Route } from './request.ts';
import type { Node, Partition } from './state.ts';
import type { World } from './world.ts';

/** A request that may have to go to another node. */
interface Routed {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly url: URL;
}

/**
 * Returns the redirect to the node that must answer; undefined if the asked node may answer itself.
 * @throws AdminError 503 without a leader, 404 for an unknown partition
 */
export function redirectOf(world: World, node: Node, routed: Routed, request: IncomingMessage): Reply | undefined {
  const { duty } = routed.route;
  if (duty === 'local') return undefined;
  const leader = leaderFor(world, routed);
  if (leader === null) throw unavailable('there is no leader');
  if (duty === 'forward' || leader === node.id) return undefined;
  const target = world.state.nodes.get(leader);
  if (target === undefined) throw unavailable('the address of the leader is not known');
  return redirectTo(world, hostFor(node, target, request), routed.url, request);
}

/** The host that the leader has for a client that knows the asked node by the address that it announces to Kafka clients. */
function hostFor(node: Node, target: Node, { headers }: IncomingMessage): string {
  const asked = (headers.host ?? '').replace(/:\d+$/, '');
  // Where all nodes announce the same host, as in a sandbox, the redirect would lead back to the asked node.
  const isKafkaHost = asked === node.listener.host && target.listener.host !== asked;
  return isKafkaHost ? target.listener.host : target.rpcHost;
}

function leaderFor(world: World, { route, params, url }: Routed): number | null {
  if (route.duty === 'forward' || route.duty === 'to-controller') return world.state.controller.leader;
  const { partitions, controller } = world.state;
  const name = route.duty === 'to-partition' ? partitionName(params) : coordinatorName(world, params, url.searchParams);
  const isIt = (one: Partition) =>
    params.group === undefined ? nameOf(one) === name : String(one.raftGroup) === params.group;
  const partition = [...partitions.values()].find(isIt);
  if (partition === undefined) throw notFound(`partition ${params.group ?? name} does not exist`);
  return nameOf(partition) === controllerName ? controller.leader : partition.leader;
}

// The paths of tiered storage have no namespace: their topics are those of Kafka clients.
function partitionName({ ns = 'kafka', topic = '', partition = '' }: Readonly<Record<string, string>>): string {
  return `${ns}/${topic}/${partition}`;
}

// The port is that of the Host header, because the server assumes that all nodes listen on the same one.
function redirectTo({ scheme }: World, host: string, url: URL, { headers }: IncomingMessage): Reply {
  const count = Number(url.searchParams.get('redirect') ?? 0) + 1;
  const query = new URLSearchParams(url.searchParams);
  query.set('redirect', String(count));
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1];
  const location = `${scheme}://${host}${port === undefined ? '' : `:${port}`}${url.pathname}?${query}`;
  return { status: 307, headers: { location, ...(count % 2 === 0 ? { 'retry-after': '1' } : {}) } };
}
