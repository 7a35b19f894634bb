import { integer, list, object, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { type AdminRequest, done, ok, type Route, readJson, route } from '../request.ts';
import type { Partition, Replica } from '../state.ts';
import { membersOf, type World } from '../world.ts';
import { inOrder } from './cluster-partitions.ts';
import { startMove } from './moves.ts';
import { nameOf, showTableReplica, voters } from './partition.ts';

const toController = { level: 'user', duty: 'to-controller' } as const;

/** The routes that recover partitions whose majority of replicas is lost. */
export const forcedRecoveryRoutes: readonly Route[] = [
  route('partitions.majority_lost', 'GET /v1/partitions/majority_lost', toController, majorityLost),
  route('partitions.force_recover', 'POST /v1/partitions/force_recover_from_nodes', toController, forceRecover),
];

function lostWith(partition: Partition, dead: readonly number[]): readonly number[] | undefined {
  const lost = voters(partition).filter(({ nodeId }) => dead.includes(nodeId));
  return lost.length * 2 > voters(partition).length ? lost.map(({ nodeId }) => nodeId) : undefined;
}

function majorityLost(world: World, request: AdminRequest): Reply {
  const text = request.query.get('dead_nodes') ?? '';
  if (!/^\d{1,9}(,\d{1,9})*$/.test(text)) throw badRequest('the parameter dead_nodes must be a list of broker ids');
  const dead = text.split(',').map(Number);
  const lost = inOrder(world.state.partitions.values()).flatMap((partition) => {
    const gone = partition.ns === 'redpanda' ? undefined : lostWith(partition, dead);
    return gone === undefined ? [] : [show(world, partition, gone)];
  });
  return ok(lost);
}

function show(world: World, partition: Partition, dead: readonly number[]) {
  const { ns, topic, id, revision } = partition;
  return {
    ntp: { ns, topic, partition: id },
    topic_revision: revision,
    replicas: voters(partition).map((one) => showTableReplica(world, one)),
    dead_nodes: dead,
  };
}

const recoverBody = object({
  dead_nodes: list(integer),
  partitions_to_force_recover: list(
    object({
      ntp: object({ ns: text, topic: text, partition: integer }),
      topic_revision: integer,
      replicas: list(object({ node_id: integer, core: integer })),
      dead_nodes: list(integer),
    }),
  ),
});

function forceRecover(world: World, request: AdminRequest): Reply {
  const { dead_nodes: dead, partitions_to_force_recover: wanted } = readJson(request, recoverBody);
  const partitions = wanted.map(({ ntp, topic_revision: revision }) => {
    const name = nameOf({ ns: ntp.ns, topic: ntp.topic, id: ntp.partition });
    const partition = world.state.partitions.get(name);
    if (partition === undefined || partition.revision !== revision)
      throw badRequest(`partition ${name} with revision ${revision} does not exist`);
    if (lostWith(partition, dead) === undefined) throw badRequest(`partition ${name} has not lost its majority`);
    return partition;
  });
  for (const partition of partitions) recover(world, partition, dead);
  return done;
}

/** Keeps the replicas that are left and adds new ones on other nodes, as far as there are any. */
function recover(world: World, partition: Partition, dead: readonly number[]): void {
  const left = voters(partition).filter(({ nodeId }) => !dead.includes(nodeId));
  const spare: readonly Replica[] = membersOf(world)
    .filter(({ id, alive }) => alive && !dead.includes(id) && !left.some(({ nodeId }) => nodeId === id))
    .map(({ id, cores }) => ({ nodeId: id, core: partition.id % cores }));
  partition.move = null;
  startMove(world, partition, [...left, ...spare].slice(0, voters(partition).length), true);
}
