import { integer, list, object } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { AdminError, badRequest, featureDisabled, unavailable, unexpected, updateInProgress } from '../admin-error.ts';
import { type AdminRequest, by, done, numberParam, numberQuery, ok, type Route, readJson, route } from '../request.ts';
import type { Partition, Replica } from '../state.ts';
import { isAlive, membersOf, type World } from '../world.ts';
import { inOrder, partitionOf, partitionsOf, partitionToChange } from './cluster-partitions.ts';
import { candidates, controllerName, lead, moveController } from './election.ts';
import { bytesMoved, bytesToMove, startMove } from './moves.ts';
import { choosesCores, isOn, nameOf, showReplica, showTableReplica, voters } from './partition.ts';

const toPartitionLine = '/v1/partitions/{ns}/{topic}/{partition}';

/** The routes under `/v1/partitions` that read placement and change it. */
export const partitionRoutes: readonly Route[] = [
  route('partitions.moves', 'GET /v1/partitions/reconfigurations', by.user, listMoves),
  route('partitions.topic', 'GET /v1/partitions/{ns}/{topic}', by.user, getTopic),
  route('partitions.get', `GET ${toPartitionLine}`, by.user, get),
  route('partitions.move', `POST ${toPartitionLine}/replicas`, by.controller, move),
  route('partitions.move_core', `POST ${toPartitionLine}/replicas/{node}`, by.forwarded, moveCore),
  route('partitions.rebalance', 'POST /v1/partitions/rebalance', by.controller, rebalance),
];

function show(world: World, partition: Partition) {
  const { ns, topic, id, move: running, raftGroup, replicas, disabled } = partition;
  return {
    ns,
    topic,
    partition_id: id,
    status: running === null ? 'done' : 'in_progress',
    raft_group_id: raftGroup,
    replicas: replicas.map((one) => showTableReplica(world, one)),
    disabled,
  };
}

/** The partition of the controller: on the first core of every node, and it cannot be disabled. */
function showController(world: World) {
  const { leader } = world.state.controller;
  const [ns, topic, id] = controllerName.split('/');
  const ids = membersOf(world).map((node) => node.id);
  const first = leader === null ? [] : [leader];
  const replicas = [...new Set([...first, ...ids])].map((nodeId) => showReplica({ nodeId, core: 0 }));
  const named = { ns, topic, partition_id: Number(id) };
  return { ...named, status: 'done', leader_id: leader ?? -1, raft_group_id: 0, replicas };
}

function getTopic(world: World, request: AdminRequest): Reply {
  // Its topic is answered with one object, not with a list.
  if (controllerName === `${param(request, 'ns')}/${param(request, 'topic')}/0`) return ok(showController(world));
  const withLeader = (one: Partition) => (one.leader === null ? {} : { leader_id: one.leader });
  return ok(partitionsOf(world, request).map((one) => ({ ...show(world, one), ...withLeader(one) })));
}

function get(world: World, request: AdminRequest): Reply {
  const partition = partitionOf(world, request);
  if (nameOf(partition) === controllerName) return ok(showController(world));
  return ok({ ...show(world, partition), leader_id: partition.leader ?? -1 });
}

function listMoves(world: World): Reply {
  const moving = inOrder(world.state.partitions.values()).filter((partition) => partition.move !== null);
  return ok(moving.map((one) => showMove(world, one)));
}

function showMove(world: World, partition: Partition) {
  const { ns, topic, id, replicas, sizeBytes, revision } = partition;
  const moved = bytesMoved(partition);
  return {
    ns,
    topic,
    partition: id,
    previous_replicas: voters(partition).map((one) => showTableReplica(world, one)),
    current_replicas: replicas.map((one) => showTableReplica(world, one)),
    bytes_left_to_move: bytesToMove(partition) - moved,
    bytes_moved: moved,
    partition_size: sizeBytes,
    reconfiguration_policy: 'full_local_retention',
    reconciliation_statuses: replicas.map(({ nodeId, core }) => ({
      node_id: nodeId,
      operations: [{ type: 'update', core, retry_number: 0, revision, status: 'waiting for the update' }],
    })),
  };
}

const replicasBody = list(object({ node_id: integer, core: integer }));
const coreBody = object({ core: integer });

/**
 * The partition that a change names.
 * @throws AdminError 400 for an unknown topic, 500 for an unknown partition or one that is disabled
 */
function changeable(world: World, request: AdminRequest): Partition {
  const partition = partitionToChange(world, request);
  if (partition.disabled) throw unexpected('Partition disabled by user');
  return partition;
}

function move(world: World, request: AdminRequest): Reply {
  const wanted = readJson(request, replicasBody).map(({ node_id: nodeId, core }) => ({ nodeId, core }));
  const partition = changeable(world, request);
  startMove(world, partition, choosesCores(world) ? wanted.map((one) => placed(world, partition, one)) : wanted);
  return done;
}

/** A replica on the core that it has; its node chooses that of a new one, whatever is asked for. */
function placed({ state }: World, { replicas, id }: Partition, { nodeId }: Replica): Replica {
  const cores = state.nodes.get(nodeId)?.cores ?? 1;
  return replicas.find((one) => one.nodeId === nodeId) ?? { nodeId, core: id % cores };
}

function moveCore(world: World, request: AdminRequest): Reply {
  const { core } = readJson(request, coreBody);
  const id = numberParam(request, 'node');
  if (!choosesCores(world)) throw featureDisabled();
  const partition = partitionToChange(world, request);
  const node = world.state.nodes.get(id);
  if (node === undefined || !isOn(partition, id)) throw unexpected('Partition replica does not exist');
  if (core >= node.cores) throw unexpected('Invalid request');
  if (!node.alive) throw unavailable(`broker ${id} is down`);
  partition.replicas = partition.replicas.map((one) => (one.nodeId === id ? { nodeId: id, core } : one));
  return done;
}

/** Only one runs at a time (redpanda src/v/cluster/partition_balancer_backend.cc:132, 26: 144). */
function rebalance({ state, settings }: World): Reply {
  if (state.settledAt < state.balancingUntil) throw updateInProgress();
  state.balancingUntil = state.settledAt + settings.balanceMs;
  return done;
}

const toPartition = { level: 'superuser', duty: 'to-partition' } as const;

/** The routes that move leadership, and the recovery of raft groups on one node. */
export const leadershipRoutes: readonly Route[] = [
  route(
    'partitions.transfer',
    'POST /v1/partitions/{ns}/{topic}/{partition}/transfer_leadership',
    toPartition,
    (world, request) => transfer(world, request, partitionOf(world, request)),
  ),
];

function transfer(world: World, request: AdminRequest, partition: Partition): Reply {
  const target = numberQuery(request, 'target') ?? candidates(world, partition).find((id) => id !== partition.leader);
  if (partition.leader === null) throw unavailable('the partition has no leader');
  if (target === undefined) throw badRequest('the partition has no other replica');
  if (target === partition.leader) return done;
  if (!isOn(partition, target) || !voters(partition).some(({ nodeId }) => nodeId === target))
    throw badRequest(`broker ${target} has no replica of the partition`);
  if (!isAlive(world, target)) throw new AdminError(504, `broker ${target} did not answer`);
  if (nameOf(partition) === controllerName) moveController(world, 0, target);
  else lead(partition, target);
  return done;
}
