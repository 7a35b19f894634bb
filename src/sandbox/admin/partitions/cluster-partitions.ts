import { compareText } from '../../../format/order.ts';
import { boolean, object } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { badRequest, notFound, unexpected } from '../admin-error.ts';
import { type AdminRequest, booleanQuery, by, done, numberParam, ok, type Route, readJson, route } from '../request.ts';
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

function namedPartitions({ state }: Pick<World, 'state'>, { params }: Pick<AdminRequest, 'params'>) {
  return inOrder([...state.partitions.values()].filter(({ ns, topic }) => ns === params.ns && topic === params.topic));
}

function topicName(request: Pick<AdminRequest, 'params'>): string {
  return `${param(request, 'ns')}/${param(request, 'topic')}`;
}

/** The partitions of a topic, by number. @throws AdminError 404 for an unknown topic */
export function partitionsOf(world: Pick<World, 'state'>, request: Pick<AdminRequest, 'params'>): readonly Partition[] {
  const partitions = namedPartitions(world, request);
  if (partitions.length === 0) throw notFound(`topic ${topicName(request)} does not exist`);
  return partitions;
}

/** The partition that the path names. @throws AdminError 404 for an unknown one */
export function partitionOf(world: Pick<World, 'state'>, request: Pick<AdminRequest, 'params'>): Partition {
  const id = numberParam(request, 'partition');
  const partition = partitionsOf(world, request).find((one) => one.id === id);
  if (partition === undefined) throw notFound(`topic ${topicName(request)} has no partition ${id}`);
  return partition;
}

/**
 * The partition that a change names, where the real server has no answer of its own for one that does not exist.
 * @throws AdminError 400 for an unknown topic, 500 for an unknown partition
 */
export function partitionToChange(world: Pick<World, 'state'>, request: Pick<AdminRequest, 'params'>): Partition {
  const id = numberParam(request, 'partition');
  const partition = topicToChange(world, request).find((one) => one.id === id);
  if (partition === undefined) throw unexpected('Requested partition does not exists');
  return partition;
}

/** The partitions of the topic that a change names. @throws AdminError 400 for an unknown topic */
function topicToChange(world: Pick<World, 'state'>, request: Pick<AdminRequest, 'params'>): readonly Partition[] {
  const partitions = namedPartitions(world, request);
  if (partitions.length === 0) throw badRequest(`topic ${topicName(request)} does not exist`);
  return partitions;
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

function listAll(world: World, request: AdminRequest): Reply {
  const withInternal = booleanQuery(request, 'with_internal') ?? false;
  const all = inOrder(world.state.partitions.values()).filter(
    (one) => isInTable(one) && (withInternal || one.ns === 'kafka'),
  );
  return ok(filtered(all, request).map((one) => show(world, one)));
}

function listTopic(world: World, request: AdminRequest): Reply {
  const partitions = partitionsOf(world, request);
  if (!partitions.every(isInTable)) throw notFound('the topic does not exist');
  return ok(filtered(partitions, request).map((one) => show(world, one)));
}

function filtered(partitions: readonly Partition[], request: AdminRequest): readonly Partition[] {
  const disabled = booleanQuery(request, 'disabled');
  return disabled === undefined ? partitions : partitions.filter((one) => one.disabled === disabled);
}

const disabledBody = object({ disabled: boolean });

function disableTopic(world: World, request: AdminRequest): Reply {
  const { disabled } = readJson(request, disabledBody);
  checkUserTopic(request);
  for (const partition of topicToChange(world, request)) disable(partition, disabled);
  return done;
}

function disableOne(world: World, request: AdminRequest): Reply {
  const { disabled } = readJson(request, disabledBody);
  checkUserTopic(request);
  const id = numberParam(request, 'partition');
  const name = `${param(request, 'ns')}/${param(request, 'topic')}/${id}`;
  const partition = world.state.partitions.get(name);
  if (partition === undefined) throw unexpected('Requested partition does not exists');
  disable(partition, disabled);
  return done;
}

/** Topics of the brokers in the namespace of Kafka topics (redpanda src/v/model/namespace.h:87). */
const internalTopics = ['__consumer_offsets', '_schemas', '_redpanda.audit_log', '_redpanda.transform_logs'];

function checkUserTopic(request: AdminRequest): void {
  if (param(request, 'ns') !== 'kafka' || internalTopics.includes(param(request, 'topic')))
    throw badRequest('Invalid partition operation');
}

function disable(partition: Partition, disabled: boolean): void {
  partition.disabled = disabled;
  if (disabled) lead(partition, null);
}
