import type { Reply } from '../../http/reply.ts';
import { nameOf, voters } from '../partitions/partition.ts';
import { by, ok, type Route, route } from '../request.ts';
import { isAlive, membersOf, type World } from '../world.ts';

/** The routes of the state of the whole cluster. */
export const healthRoutes: readonly Route[] = [
  route('cluster.health', 'GET /v1/cluster/health_overview', by.open, health),
  route('cluster.balancer', 'GET /v1/cluster/partition_balancer/status', { level: 'open', duty: 'forward' }, balancer),
  route('cluster.uuid', 'GET /v1/cluster/uuid', by.open, ({ state }) => ok({ cluster_uuid: state.clusterUuid })),
  route('status.ready', 'GET /v1/status/ready', by.open, ready),
];

function ready(_: World, { node }: { readonly node: { readonly alive: boolean } }): Reply {
  return ok({ status: node.alive ? 'ready' : 'booting' });
}

const forcedLists = [
  'unhealthy_reasons',
  'all_nodes',
  'nodes_down',
  'high_disk_usage_nodes',
  'leaderless_partitions',
  'under_replicated_partitions',
];

/** The share of a disk that is free when a broker warns of the little that is left. */
const alertShare = 0.05;

function health(world: World): Reply {
  const { state, settings } = world;
  const members = membersOf(world);
  const partitions = [...state.partitions.values()];
  const down = members.filter(({ alive }) => !alive).map(({ id }) => id);
  const leaderless = partitions.filter(({ leader, disabled }) => leader === null && !disabled).map(nameOf);
  const underReplicated = partitions
    .filter((partition) => partition.leader !== null && voters(partition).some(({ nodeId }) => !isAlive(world, nodeId)))
    .map(nameOf);
  const controller = state.controller.leader;
  // Releases of 2025 and later name them (redpanda 26: src/v/redpanda/admin/server.cc:4123).
  const isNewer = settings.release !== '24.3';
  const full = members.filter(({ disk }) => isNewer && disk.free < disk.total * alertShare).map(({ id }) => id);
  const reasons = [
    ...(down.length > 0 ? ['nodes_down'] : []),
    ...(full.length > 0 ? ['high_disk_usage_nodes'] : []),
    ...(leaderless.length > 0 ? ['leaderless_partitions'] : []),
    ...(underReplicated.length > 0 ? ['under_replicated_partitions'] : []),
    ...(controller === null ? ['no_elected_controller'] : []),
  ];
  const overview = {
    is_healthy: reasons.length === 0,
    unhealthy_reasons: reasons,
    controller_id: controller ?? -1,
    all_nodes: members.map(({ id }) => id),
    nodes_down: down,
    ...(isNewer ? { high_disk_usage_nodes: full } : {}),
    nodes_in_recovery_mode: members.filter(({ recoveryMode }) => recoveryMode).map(({ id }) => id),
    leaderless_partitions: leaderless.sort().slice(0, settings.healthListLimit),
    leaderless_count: leaderless.length,
    under_replicated_partitions: underReplicated.sort().slice(0, settings.healthListLimit),
    under_replicated_count: underReplicated.length,
    bytes_in_cloud_storage: -1,
  };
  return ok(overview, forcedLists);
}

/** The most of a disk that may be used before the balancer moves partitions away, in percent. */
const fullPercent = 80;

function balancer(world: World): Reply {
  const partitions = [...world.state.partitions.values()];
  const moving = partitions.filter(({ move }) => move !== null);
  const forced = moving.filter(({ move }) => move?.forced).map(nameOf);
  const members = membersOf(world);
  const unavailable = members.filter(({ alive }) => !alive).map(({ id }) => id);
  const full = members.filter(({ disk }) => disk.free < disk.total * (1 - fullPercent / 100)).map(({ id }) => id);
  return ok({
    status: moving.length > 0 ? 'in_progress' : unavailable.length > 0 ? 'stalled' : 'ready',
    violations: { unavailable_nodes: unavailable, over_disk_limit_nodes: full },
    seconds_since_last_tick: 0,
    current_reassignments_count: moving.length,
    partitions_pending_force_recovery_count: forced.length,
    partitions_pending_force_recovery_sample: forced.slice(0, 10),
  });
}
