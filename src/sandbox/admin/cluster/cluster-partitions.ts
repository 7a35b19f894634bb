import { notFound } from '../http/admin-error.ts';
import {
  booleanQuery,
  by,
  type Call,
  done,
  numberParam,
  ok,
  param,
  type Reply,
  type Route,
  route,
} from '../http/call.ts';
import { boolean, object, readJson } from '../http/readers.ts';
import { lead } from '../partitions/election.ts';
import { type Partition, showReplica } from '../partitions/partition.ts';
import type { World } from '../world.ts';

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

/** Sorts partitions by namespace, topic and number. */
export function inOrder(partitions: Iterable<Partition>): readonly Partition[] {
  return [...partitions].sort((a, b) => compare(a.ns, b.ns) || compare(a.topic, b.topic) || a.id - b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function show({ ns, topic, id, leader, replicas, disabled }: Partition) {
  return {
    ...{ ns, topic, partition_id: id },
    ...(leader === null ? {} : { leader_id: leader }),
    replicas: replicas.map(showReplica),
    disabled,
  };
}

function listAll(world: World, call: Call): Reply {
  const withInternal = booleanQuery(call, 'with_internal') ?? false;
  const all = inOrder(world.state.partitions.values()).filter(({ ns }) => withInternal || ns === 'kafka');
  return ok(filtered(all, call).map(show));
}

function listTopic(world: World, call: Call): Reply {
  return ok(filtered(partitionsOf(world, call), call).map(show));
}

function filtered(partitions: readonly Partition[], call: Call): readonly Partition[] {
  const disabled = booleanQuery(call, 'disabled');
  return disabled === undefined ? partitions : partitions.filter((one) => one.disabled === disabled);
}

const disabledBody = object({ disabled: boolean });

function disableTopic(world: World, call: Call): Reply {
  const { disabled } = readJson(call, disabledBody);
  for (const partition of partitionsOf(world, call)) disable(partition, disabled);
  return done;
}

function disableOne(world: World, call: Call): Reply {
  const { disabled } = readJson(call, disabledBody);
  disable(partitionOf(world, call), disabled);
  return done;
}

function disable(partition: Partition, disabled: boolean): void {
  partition.disabled = disabled;
  if (disabled) lead(partition, null);
}
