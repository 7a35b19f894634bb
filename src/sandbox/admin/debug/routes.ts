import { integer, object, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { AdminError, badRequest, notFound } from '../admin-error.ts';
import { inOrder, partitionOf } from '../partitions/cluster-partitions.ts';
import { nameOf, voters } from '../partitions/partition.ts';
import { type AdminRequest, by, done, numberParam, numberQuery, ok, type Route, readJson, route } from '../request.ts';
import type { Node } from '../state.ts';
import type { World } from '../world.ts';

/** The routes that look into one node. */
export const debugRoutes: readonly Route[] = [
  route('debug.leaders', 'GET /v1/debug/partition_leaders_table', by.user, leaders),
  route('debug.is_isolated', 'GET /v1/debug/is_node_isolated', by.user, isIsolated),
  route('debug.controller', 'GET /v1/debug/controller_status', by.user, controllerStatus),
  route('debug.partition', 'GET /v1/debug/partition/{ns}/{topic}/{partition}', by.user, partitionState),
  route('debug.cpu_profile', 'GET /v1/debug/cpu_profile', by.superuser, cpuProfile),
  route('debug.local_usage', 'GET /v1/debug/local_storage_usage', by.user, localUsage),
  route('debug.cloud_usage', 'GET /v1/debug/cloud_storage_usage', by.user, () => ok(0)),
  route('debug.disk.data', 'GET /v1/debug/storage/disk_stat/data', by.superuser, diskStat),
  route('debug.disk.cache', 'GET /v1/debug/storage/disk_stat/cache', by.superuser, diskStat),
  route('debug.uuid.get', 'GET /v1/debug/broker_uuid', by.user, getUuid),
  route('debug.uuid.set', 'PUT /v1/debug/broker_uuid', by.superuser, setUuid),
  route('debug.peer', 'GET /v1/debug/peer_status/{id}', by.user, peerStatus),
  route('debug.restart_service', 'PUT /v1/debug/restart_service', by.user, restartService),
  route('debug.disk.refresh', 'POST /v1/debug/refresh_disk_health_info', by.superuser, () => done),
  route('debug.leaders.reset', 'POST /v1/debug/reset_leaders', by.superuser, () => done),
];

function leaders({ state }: World): Reply {
  const table = inOrder(state.partitions.values()).map((partition) => ({
    ns: partition.ns,
    topic: partition.topic,
    partition_id: partition.id,
    leader: partition.leader ?? -1,
    previous_leader: partition.previousLeader ?? -1,
    last_stable_leader_term: partition.term,
    update_term: partition.term,
    partition_revision: partition.revision,
  }));
  return ok(table);
}

function isIsolated({ state }: World, { node }: AdminRequest): Reply {
  return ok([...state.nodes.values()].every((other) => other === node || !other.alive) && state.nodes.size > 1);
}

function controllerStatus({ state }: World): Reply {
  const offset = state.sequence;
  return ok({ start_offset: 0, last_applied_offset: offset, committed_index: offset, dirty_offset: offset });
}

// The documents call the state of a replica large and do not list its fields; these name the replica and its term.
function partitionState(world: World, request: AdminRequest): Reply {
  const partition = partitionOf(world, request);
  const { term, leader } = partition;
  const replicas = voters(partition).map(({ nodeId }) => ({
    raft_state: { node_id: nodeId, term, is_leader: nodeId === leader },
  }));
  return ok({ ntp: nameOf(partition), replicas });
}

function cpuProfile(_: World, request: AdminRequest): Reply {
  numberQuery(request, 'wait_ms');
  const shards = Array.from({ length: request.node.cores }, (__, shard) => ({ shard_id: shard, samples: [] }));
  return ok({ arch: 'amd64', version: request.node.version, wait_ms: 0, sample_period_ms: 100, profile: shards });
}

function localUsage(_: World, { node: { disk } }: AdminRequest): Reply {
  return ok({
    data: disk.total - disk.free,
    index: 0,
    compaction: 0,
    cloud_storage_cache_bytes: 0,
    cloud_storage_cache_objects: 0,
    reclaimable_by_retention: 0,
    target_min_capacity: 0,
    target_min_capacity_wanted: 0,
  });
}

function diskStat(_: World, { node: { disk } }: AdminRequest): Reply {
  return ok({ total_bytes: disk.total, free_bytes: disk.free });
}

function getUuid(_: World, { node }: AdminRequest): Reply {
  return ok({ node_uuid: node.uuid, node_id: node.id });
}

const uuidBody = object({ current_node_uuid: text, new_node_id: integer, new_node_uuid: text });

// The new identity takes effect with a restart, which the simulator does not have for it: it only checks the request.
function setUuid({ state }: World, { node, ...request }: AdminRequest): Reply {
  const sent = readJson(request, uuidBody);
  if (sent.current_node_uuid !== node.uuid) throw badRequest('the current UUID is another one');
  const other: Node | undefined = state.nodes.get(sent.new_node_id);
  if (other !== undefined && other.uuid === sent.new_node_uuid && other !== node)
    throw badRequest(`broker ${other.id} has this UUID`);
  return done;
}

function peerStatus({ state }: World, request: AdminRequest): Reply {
  const id = numberParam(request, 'id');
  const peer = state.nodes.get(id);
  if (peer === undefined || peer === request.node) throw notFound(`peer ${id} does not exist`);
  return ok({ since_last_status: peer.alive ? 100 : 60_000 });
}

function restartService(_: World, request: AdminRequest): Reply {
  const service = request.query.get('service') ?? '';
  if (!['http-proxy', 'schema-registry'].includes(service)) throw new AdminError(404, `unknown service "${service}"`);
  return done;
}
