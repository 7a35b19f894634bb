import type { Reply } from '../../http/reply.ts';
import { partitionOf } from '../cluster/cluster-partitions.ts';
import { AdminError, badRequest, notFound, unavailable } from '../http/admin-error.ts';
import { by, type Call, done, numberParam, numberQuery, ok, type Route, route } from '../http/call.ts';
import type { Partition } from '../state.ts';
import { isAlive, type World } from '../world.ts';
import { candidates, controllerName, lead, moveController } from './election.ts';
import { isOn, nameOf, voters } from './partition.ts';

const toPartition = { level: 'superuser', duty: 'to-partition' } as const;

/** The routes that move leadership, and the recovery of raft groups on one node. */
export const leadershipRoutes: readonly Route[] = [
  route(
    'partitions.transfer',
    'POST /v1/partitions/{ns}/{topic}/{partition}/transfer_leadership',
    toPartition,
    (world, call) => transfer(world, call, partitionOf(world, call)),
  ),
  route('raft.transfer', 'POST /v1/raft/{group}/transfer_leadership', toPartition, transferGroup),
  route('raft.recovery', 'GET /v1/raft/recovery/status', by.user, recovery),
];

function transferGroup(world: World, call: Call): Reply {
  const group = numberParam(call, 'group');
  const partition = [...world.state.partitions.values()].find((one) => one.raftGroup === group);
  if (partition === undefined) throw notFound(`raft group ${group} does not exist`);
  return transfer(world, call, partition);
}

function transfer(world: World, call: Call, partition: Partition): Reply {
  const target = numberQuery(call, 'target') ?? candidates(world, partition).find((id) => id !== partition.leader);
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

function recovery({ state }: World, { node }: Call): Reply {
  const moving = [...state.partitions.values()].filter(
    ({ move, replicas }) => move !== null && replicas.some(({ nodeId }) => nodeId === node.id),
  );
  return ok({ partitions_to_recover: moving.length, partitions_active: moving.length, offsets_pending: 0 });
}
