import { integer, object, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { badRequest, notFound } from '../admin-error.ts';
import { cancelMove } from '../partitions/moves.ts';
import { isOn } from '../partitions/partition.ts';
import { type AdminRequest, by, done, numberParam, ok, type Route, readJson, route } from '../request.ts';
import type { Node, Partition } from '../state.ts';
import { membersOf, type World } from '../world.ts';
import { recommission, showDecommission } from './decommission.ts';
import { showDrain, startDrain } from './drain.ts';

/** The routes of brokers: membership, maintenance mode, moves and identities. */
export const brokerRoutes: readonly Route[] = [
  route('brokers.list', 'GET /v1/brokers', by.user, list),
  route('brokers.get', 'GET /v1/brokers/{id}', by.user, get),
  route('brokers.uuids', 'GET /v1/broker_uuids', by.user, uuids),
  route('brokers.decommission', 'PUT /v1/brokers/{id}/decommission', by.forwarded, decommission),
  route('brokers.decommission.progress', 'GET /v1/brokers/{id}/decommission', by.user, decommissionProgress),
  route('brokers.recommission', 'PUT /v1/brokers/{id}/recommission', by.forwarded, recommissionBroker),
  route('brokers.maintenance.start', 'PUT /v1/brokers/{id}/maintenance', by.forwarded, startMaintenance),
  route('brokers.maintenance.stop', 'DELETE /v1/brokers/{id}/maintenance', by.forwarded, stopMaintenance),
  route('brokers.moves.cancel', 'POST /v1/brokers/{id}/cancel_partition_moves', by.forwarded, cancelBrokerMoves),
  route('debug.uuid.get', 'GET /v1/debug/broker_uuid', by.user, getUuid),
  route('debug.uuid.set', 'PUT /v1/debug/broker_uuid', by.superuser, setUuid),
  route('cluster.moves.cancel', 'POST /v1/cluster/cancel_reconfigurations', by.forwarded, cancelAllMoves),
];

function brokerOf(world: World, request: AdminRequest): Node {
  const id = numberParam(request, 'id');
  const node = membersOf(world).find((one) => one.id === id);
  if (node === undefined) throw notFound(`broker ${id} does not exist`);
  return node;
}

const rpcPort = 33_145;

function show(node: Node) {
  const { id, cores, rack, rpcHost, membership } = node;
  return {
    node_id: id,
    num_cores: cores,
    ...(rack === null ? {} : { rack }),
    internal_rpc_address: rpcHost,
    internal_rpc_port: rpcPort,
    membership_status: membership,
    maintenance_status: showDrain(node),
  };
}

/** What the list adds, most of which comes from the health reports: none from a node that is down. */
function showListed(node: Node) {
  const { alive, version, recoveryMode, disk } = node;
  const reported = {
    version,
    recovery_mode_enabled: recoveryMode,
    disk_space: [{ path: disk.path, free: disk.free, total: disk.total }],
  };
  return { ...show(node), is_alive: alive, in_fips_mode: 'disabled', ...(alive ? reported : {}) };
}

function list(world: World): Reply {
  return ok(membersOf(world).map(showListed));
}

function get(world: World, request: AdminRequest): Reply {
  return ok(show(brokerOf(world, request)));
}

// Nodes that have been removed stay in this list.
function uuids({ state }: World): Reply {
  return ok([...state.nodes.values()].map(({ id, uuid }) => ({ node_id: id, uuid })));
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

function decommission(world: World, request: AdminRequest): Reply {
  const node = brokerOf(world, request);
  if (node.membership !== 'active') throw badRequest(`broker ${node.id} is being decommissioned`);
  node.membership = 'draining';
  return done;
}

function decommissionProgress(world: World, request: AdminRequest): Reply {
  const node = world.state.nodes.get(numberParam(request, 'id'));
  const isGone = node?.membership === 'removed' && world.settings.endedDecommission === 'not-found';
  if (node === undefined || isGone) throw notFound(`broker ${numberParam(request, 'id')} does not exist`);
  if (node.membership === 'active') throw badRequest(`broker ${node.id} is not being decommissioned`);
  return ok(showDecommission(world, node));
}

function recommissionBroker(world: World, request: AdminRequest): Reply {
  const node = brokerOf(world, request);
  if (node.membership !== 'draining') throw badRequest(`broker ${node.id} is not being decommissioned`);
  recommission(world, node);
  return done;
}

function startMaintenance(world: World, request: AdminRequest): Reply {
  const node = brokerOf(world, request);
  const members = membersOf(world);
  if (members.length === 1) throw badRequest('a cluster of one broker has no maintenance mode');
  const other = members.find((one) => one !== node && one.drain !== null);
  if (other !== undefined) throw badRequest(`broker ${other.id} is already in maintenance mode`);
  startDrain(world, node);
  return done;
}

function stopMaintenance(world: World, request: AdminRequest): Reply {
  brokerOf(world, request).drain = null;
  return done;
}

function cancelBrokerMoves(world: World, request: AdminRequest): Reply {
  const id = numberParam(request, 'id');
  return cancelMoves(world, (partition) => isOn(partition, id));
}

function cancelAllMoves(world: World): Reply {
  return cancelMoves(world, () => true);
}

function cancelMoves({ state }: World, concerns: (partition: Partition) => boolean): Reply {
  const moving = [...state.partitions.values()].filter((partition) => partition.move !== null && concerns(partition));
  for (const partition of moving) cancelMove(partition);
  return ok(moving.map(({ ns, topic, id }) => ({ ns, topic, partition: id, result: 'Success' })));
}
