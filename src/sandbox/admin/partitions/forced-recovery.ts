import { integer, list, object, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { badRequest, unexpected } from '../admin-error.ts';
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

/** Partitions that move are left out (redpanda src/v/cluster/topics_frontend.cc:1296, `partitions_with_lost_majority`). */
function isLost({ ns, move, replicas }: Partition, dead: readonly number[]): boolean {
  if (ns === 'redpanda' || move !== null) return false;
  const remaining = replicas.filter(({ nodeId }) => !dead.includes(nodeId));
  return remaining.length < Math.floor(replicas.length / 2) + 1;
}

function majorityLost(world: World, request: AdminRequest): Reply {
  const text = request.query.get('dead_nodes') ?? '';
  if (!/^\d{1,9}(,\d{1,9})*$/.test(text)) throw badRequest('the parameter dead_nodes must be a list of broker ids');
  const dead = text.split(',').map(Number);
  const lost = inOrder(world.state.partitions.values()).filter((partition) => isLost(partition, dead));
  // Each with all brokers that were asked about, also those without a replica.
  return ok(lost.map((partition) => show(world, partition, dead)));
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

const entry = object({
  ntp: object({ ns: text, topic: text, partition: integer }),
  topic_revision: integer,
  replicas: list(object({ node_id: integer, core: integer })),
  dead_nodes: list(integer),
});
const recoverBody = object({ dead_nodes: list(integer), partitions_to_force_recover: list(entry) });

function forceRecover(world: World, request: AdminRequest): Reply {
  const { dead_nodes: dead, partitions_to_force_recover: wanted } = readJson(request, recoverBody);
  const partitions = wanted.map((one) => partitionToRecover(world, one));
  for (const partition of partitions) recover(world, partition, dead);
  return done;
}

/** Only what is as it was listed is recovered (redpanda src/v/cluster/topics_frontend.cc:1366 and topic_table.cc:826). */
function partitionToRecover({ state }: World, wanted: ReturnType<typeof entry>): Partition {
  const { ntp, topic_revision: revision, replicas } = wanted;
  const partition = state.partitions.get(nameOf({ ns: ntp.ns, topic: ntp.topic, id: ntp.partition }));
  const listed = replicas.map(({ node_id: id }) => id).sort();
  const now = partition?.replicas.map(({ nodeId }) => nodeId).sort() ?? [];
  if (partition === undefined || partition.move !== null || listed.join() !== now.join())
    throw unexpected('Invalid request');
  if (partition.revision !== revision) throw badRequest('Topic does not exists');
  return partition;
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
