import { compareText } from '../../../format/order.ts';
import { boolean, object } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { badRequest, notFound, unexpected } from '../admin-error.ts';
import { booleanQuery, by, type Call, done, numberParam, ok, type Route, readJson, route } from '../call.ts';
import type { Partition } from '../state.ts';
import { isAlive, type World } from '../world.ts';
import { lead } from './election.ts';
import { showReplica, showTableReplica } from './partition.ts';

/** The routes under `/v1/cluster/partitions`. */
export const clusterPartitionRoutes: readonly Route[] = [
  route('cluster.partitions', 'GET /v1/cluster/partitions', by.user, listAll),
  route('cluster.partitions.topic', 'GET /v1/cluster/partitions/{ns}/{topic}', by.user, listTopic),
  route('cluster.partitions.disable_topic', 'POST /v1/cluster/partitions/{ns}/{topic}', by.controller, disableTopic),
  route(
    'cluster.partitions.disable',
    'POST /v1/cluster/partitions/{ns}/{topic}/{partition}',
    by.controller,
    disableOne,
  ),
];

/** The partitions of a topic, by number. @throws AdminError 404 for an unknown topic */
export function partitionsOf({ state }: Pick<World, 'state'>, call: Pick<Call, 'params'>): readonly Partition[] {
  const [ns, topic] = [param(call, 'ns'), param(call, 'topic')];
  const own = [...state.partitions.values()].filter((one) => one.ns === ns && one.topic === topic);
  if (own.length === 0) throw notFound(`topic ${ns}/${topic} does not exist`);
  return own.sort((a, b) => a.id - b.id);
}

/** The partition that the path names. @throws AdminError 404 for an unknown one */
export function partitionOf(world: Pick<World, 'state'>, call: Pick<Call, 'params'>): Partition {
  const id = numberParam(call, 'partition');
  const found = partitionsOf(world, call).find((one) => one.id === id);
  if (found === undefined) throw notFound(`topic ${param(call, 'ns')}/${param(call, 'topic')} has no partition ${id}`);
  return found;
}

/**
 * The partition that a change names, where the real server has no answer of its own for one that does not exist.
 * @throws AdminError 400 for an unknown topic, 500 for an unknown partition
 */
export function partitionToChange(world: Pick<World, 'state'>, call: Pick<Call, 'params'>): Partition {
  const id = numberParam(call, 'partition');
  const found = topicToChange(world, call).find((one) => one.id === id);
  if (found === undefined) throw unexpected('Requested partition does not exists');
  return found;
}

/** The partitions of the topic that a change names. @throws AdminError 400 for an unknown topic */
function topicToChange({ state }: Pick<World, 'state'>, call: Pick<Call, 'params'>): readonly Partition[] {
  const [ns, topic] = [param(call, 'ns'), param(call, 'topic')];
  const own = [...state.partitions.values()].filter((one) => one.ns === ns && one.topic === topic);
  if (own.length === 0) throw badRequest(`topic ${ns}/${topic} does not exist`);
  return own;
}

/** Sorts partitions by namespace, topic and number. */
export function inOrder(partitions: Iterable<Partition>): readonly Partition[] {
  return [...partitions].sort((a, b) => compareText(a.ns, b.ns) || compareText(a.topic, b.topic) || a.id - b.id);
}

/** The cores come from the health reports, where the nodes choose them: none from a node that is down. */
function show(world: World, { ns, topic, id, leader, replicas, disabled }: Partition) {
  return {
    ns,
    topic,
    partition_id: id,
    ...(leader === null ? {} : { leader_id: leader }),
    replicas: replicas.map((one) => (isAlive(world, one.nodeId) ? showReplica(one) : showTableReplica(world, one))),
    disabled,
  };
}

/** The controller is in no table of topics. */
const isInTable = ({ ns }: Pick<Partition, 'ns'>): boolean => ns !== 'redpanda';

function listAll(world: World, call: Call): Reply {
  const withInternal = booleanQuery(call, 'with_internal') ?? false;
  const all = inOrder(world.state.partitions.values()).filter(
    (one) => isInTable(one) && (withInternal || one.ns === 'kafka'),
  );
  return ok(filtered(all, call).map((one) => show(world, one)));
}

function listTopic(world: World, call: Call): Reply {
  const own = partitionsOf(world, call);
  if (!own.every(isInTable)) throw notFound('the topic does not exist');
  return ok(filtered(own, call).map((one) => show(world, one)));
}

function filtered(partitions: readonly Partition[], call: Call): readonly Partition[] {
  const disabled = booleanQuery(call, 'disabled');
  return disabled === undefined ? partitions : partitions.filter((one) => one.disabled === disabled);
}

const disabledBody = object({ disabled: boolean });

function disableTopic(world: World, call: Call): Reply {
  const { disabled } = readJson(call, disabledBody);
  checkUserTopic(call);
  for (const partition of topicToChange(world, call)) disable(partition, disabled);
  return done;
}

function disableOne(world: World, call: Call): Reply {
  const { disabled } = readJson(call, disabledBody);
  checkUserTopic(call);
  const id = numberParam(call, 'partition');
  const name = `${param(call, 'ns')}/${param(call, 'topic')}/${id}`;
  const partition = world.state.partitions.get(name);
  if (partition === undefined) throw unexpected('Requested partition does not exists');
  disable(partition, disabled);
  return done;
}

function checkUserTopic(call: Call): void {
  if (param(call, 'ns') !== 'kafka') throw badRequest('Invalid partition operation');
}

function disable(partition: Partition, disabled: boolean): void {
  partition.disabled = disabled;
  if (disabled) lead(partition, null);
}
