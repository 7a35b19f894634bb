import { inOrder, partitionOf, partitionsOf } from '../cluster/cluster-partitions.ts';
import { badRequest, unavailable } from '../http/admin-error.ts';
import { by, type Call, done, numberParam, ok, type Reply, type Route, route } from '../http/call.ts';
import { integer, list, object, readJson } from '../http/readers.ts';
import type { Node } from '../state.ts';
import { isAlive, type World } from '../world.ts';
import { controllerName } from './election.ts';
import { bytesMoved, bytesToMove, cancelMove, startMove } from './moves.ts';
import { isOn, nameOf, type Partition, showReplica, voters } from './partition.ts';

const toPartitionLine = '/v1/partitions/{ns}/{topic}/{partition}';

/** The routes under `/v1/partitions` that read placement and change it. */
export const partitionRoutes: readonly Route[] = [
  route('partitions.local', 'GET /v1/partitions', by.user, listLocal),
  route('partitions.summary', 'GET /v1/partitions/local_summary', by.user, summary),
  route('partitions.moves', 'GET /v1/partitions/reconfigurations', by.user, listMoves),
  route('partitions.topic', 'GET /v1/partitions/{ns}/{topic}', by.user, getTopic),
  route('partitions.get', `GET ${toPartitionLine}`, by.user, get),
  route('partitions.move', `POST ${toPartitionLine}/replicas`, by.controller, move),
  route('partitions.move_core', `POST ${toPartitionLine}/replicas/{node}`, by.forwarded, moveCore),
  route('partitions.cancel', `POST ${toPartitionLine}/cancel_reconfiguration`, by.forwarded, cancel),
  route('partitions.abort', `POST ${toPartitionLine}/unclean_abort_reconfiguration`, by.forwarded, cancel),
  route('partitions.rebalance', 'POST /v1/partitions/rebalance', by.controller, () => done),
  route('partitions.rebalance_cores', 'POST /v1/partitions/rebalance_cores', by.superuser, () => done),
];

function hostedBy({ state }: World, { id }: Node): readonly Partition[] {
  return inOrder(state.partitions.values()).filter((partition) => isOn(partition, id));
}

function coreOn(partition: Partition, { id }: Node): number {
  const all = [...partition.replicas, ...voters(partition)];
  return all.find(({ nodeId }) => nodeId === id)?.core ?? 0;
}

function listLocal(world: World, { node }: Call): Reply {
  const own = hostedBy(world, node).map((partition) => ({
    ...{ ns: partition.ns, topic: partition.topic, partition_id: partition.id },
    core: coreOn(partition, node),
    materialized: false,
    leader: partition.leader ?? -1,
  }));
  return ok(own);
}

function summary(world: World, { node }: Call): Reply {
  const own = hostedBy(world, node);
  const isShort = (partition: Partition) => voters(partition).some(({ nodeId }) => !isAlive(world, nodeId));
  return ok({
    count: own.length,
    leaderless: own.filter(({ leader }) => leader === null).length,
    under_replicated: own.filter((partition) => partition.leader === node.id && isShort(partition)).length,
  });
}

function show(partition: Partition) {
  const { ns, topic, id, move: running, leader, raftGroup, replicas, disabled } = partition;
  return {
    ...{ ns, topic, partition_id: id },
    status: running === null ? 'done' : 'in_progress',
    leader_id: leader ?? -1,
    raft_group_id: raftGroup,
    replicas: replicas.map(showReplica),
    disabled,
  };
}

function getTopic(world: World, call: Call): Reply {
  return ok(partitionsOf(world, call).map(show));
}

function get(world: World, call: Call): Reply {
  const partition = partitionOf(world, call);
  const { leader } = world.state.controller;
  // The elections of the controller take effect at once where its leader is looked up.
  return ok(nameOf(partition) === controllerName ? { ...show(partition), leader_id: leader ?? -1 } : show(partition));
}

function listMoves({ state }: World): Reply {
  const moving = inOrder(state.partitions.values()).filter((partition) => partition.move !== null);
  return ok(moving.map(showMove));
}

function showMove(partition: Partition) {
  const { ns, topic, id, replicas, sizeBytes, revision, move: running } = partition;
  const moved = bytesMoved(partition);
  return {
    ...{ ns, topic, partition: id },
    previous_replicas: voters(partition).map(showReplica),
    current_replicas: replicas.map(showReplica),
    bytes_left_to_move: bytesToMove(partition) - moved,
    bytes_moved: moved,
    partition_size: sizeBytes,
    reconfiguration_policy: 'full_local_retention',
    status: running?.forced ? 'forced' : 'in_progress',
    reconciliation_statuses: replicas.map(({ nodeId, core }) => ({
      node_id: nodeId,
      operations: [{ type: 'update', core, retry_number: 0, revision, status: 'waiting for the update' }],
    })),
  };
}

const replicasBody = list(object({ node_id: integer, core: integer }));
const coreBody = object({ core: integer });

function move(world: World, call: Call): Reply {
  const target = readJson(call, replicasBody).map(({ node_id: nodeId, core }) => ({ nodeId, core }));
  startMove(world, partitionOf(world, call), target);
  return done;
}

function moveCore(world: World, call: Call): Reply {
  const { core } = readJson(call, coreBody);
  const id = numberParam(call, 'node');
  const partition = partitionOf(world, call);
  const { state } = world;
  if (state.features.get('node_local_core_assignment')?.state !== 'active')
    throw badRequest('the feature node_local_core_assignment is not active');
  const node = state.nodes.get(id);
  if (node === undefined || !isOn(partition, id)) throw badRequest(`broker ${id} has no replica of the partition`);
  if (core >= node.cores) throw badRequest(`broker ${id} has no core ${core}`);
  if (!node.alive) throw unavailable(`broker ${id} is down`);
  partition.replicas = partition.replicas.map((one) => (one.nodeId === id ? { nodeId: id, core } : one));
  return done;
}

function cancel(world: World, call: Call): Reply {
  const partition = partitionOf(world, call);
  cancelMove(partition);
  const { ns, topic, id } = partition;
  return ok([{ ns, topic, partition: id, result: 'success' }]);
}
