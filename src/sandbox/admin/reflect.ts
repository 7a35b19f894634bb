import { randomUUID } from 'node:crypto';
import type { ClusterSnapshot, SeenPartition, SeenTopic } from './cluster-view.ts';
import { electLeaders, lead } from './partitions/election.ts';
import { nameOf } from './partitions/partition.ts';
import type { Release } from './settings.ts';
import { type Node, nextNumber, type Partition, type Replica, type State } from './state.ts';
import { membersOf, type World } from './world.ts';

/** The versions that the nodes report. */
const versions = { '24.3': 'v24.3.1', '25.3': 'v25.3.3', '26.1': 'v26.1.1', '26.2': 'v26.2.1' } as const;
const commit = '0000000000000000000000000000000000000000';

const cores = 2;
const diskBytes = 100 * 2 ** 30;

/** The loopback address of the node at this place in the order of ids. */
export function loopback(index: number): string {
  return `127.0.0.${index + 1}`;
}

/** Creates the nodes of a new cluster. */
export function newNode(
  broker: ClusterSnapshot['brokers'][number],
  index: number,
  { config, release }: Pick<State, 'config'> & { readonly release: Release },
): Node {
  return {
    id: broker.id,
    uuid: randomUUID(),
    host: loopback(index),
    rpcHost: broker.rpcHost ?? loopback(index),
    listener: broker.listener ?? { host: loopback(index), port: 9092 },
    rack: broker.rack,
    cores,
    version: `${versions[release]} - ${commit}`,
    disk: { path: '/var/lib/redpanda/data', total: diskBytes, free: (diskBytes / 10) * 9 },
    alive: broker.alive,
    lags: false,
    recoveryMode: false,
    membership: 'active',
    drain: null,
    applied: config,
    booted: config,
    loggers: new Map(),
    bundle: null,
    selfTest: null,
  };
}

/**
 * Takes over what changed in the view since the last time: topics that are new or deleted, and the placement of those
 * that moved. What the Admin API changed stays until the view shows another placement.
 */
export function reflect(world: World, snapshot: ClusterSnapshot): void {
  const { nodes, users } = world.state;
  for (const name of users.keys()) if (!snapshot.users.includes(name)) users.delete(name);
  for (const { id, alive } of snapshot.brokers) {
    const node = nodes.get(id);
    if (node !== undefined) node.alive = alive;
  }
  const listed = new Set(snapshot.brokers.map(({ id }) => id));
  for (const node of nodes.values()) if (!listed.has(node.id)) node.alive = false;
  if (snapshot.topics !== undefined) reflectTopics(world, snapshot.topics);
  electLeaders(world, world.state.settledAt);
}

function reflectTopics(world: World, topics: readonly SeenTopic[]): void {
  const { partitions } = world.state;
  const seen = new Set<string>();
  for (const topic of [...topics, controllerTopic(world)])
    for (const partition of topic.partitions) {
      const name = nameOf({ ns: topic.ns, topic: topic.name, id: partition.id });
      seen.add(name);
      reflectPartition(world, topic, partition);
    }
  for (const [name, partition] of partitions) if (partition.seen !== '' && !seen.has(name)) partitions.delete(name);
}

function controllerTopic(world: World): SeenTopic {
  const replicas = membersOf(world).map(({ id }) => id);
  return {
    ns: 'redpanda',
    name: 'controller',
    partitions: [{ id: 0, leader: world.state.controller.leader, replicas, sizeBytes: 1 << 20 }],
  };
}

function reflectPartition(world: World, topic: SeenTopic, seen: SeenPartition): void {
  const { partitions, unmounted } = world.state;
  const name = nameOf({ ns: topic.ns, topic: topic.name, id: seen.id });
  if (unmounted.has(`${topic.ns}/${topic.name}`)) return;
  const placement = seen.replicas.join(',');
  const current = partitions.get(name);
  const { replicas, leader } = onMembers(world, seen);
  if (current === undefined) {
    const partition = newPartition(world.state, topic, { ...seen, replicas, leader });
    partitions.set(name, { ...partition, seen: placement, seenLeader: seen.leader });
  } else if (current.seen !== placement) {
    current.replicas = replicas.map((nodeId) => replicaOn(nodeId, seen.id));
    current.move = null;
    current.seen = placement;
    lead(current, leader);
  }
  if (current !== undefined && current.seenLeader !== seen.leader) {
    current.seenLeader = seen.leader;
    if (seen.leader === leader) lead(current, leader);
  }
}

/** The placement without nodes that have left: the cluster behind the view still has their brokers. */
function onMembers(world: World, { replicas, leader }: SeenPartition): Pick<SeenPartition, 'replicas' | 'leader'> {
  const members = membersOf(world).map(({ id }) => id);
  const spare = members.filter((id) => !replicas.includes(id));
  const placed = replicas.map((id) => (members.includes(id) ? id : spare.shift())).filter((id) => id !== undefined);
  return { replicas: placed, leader: leader === null || members.includes(leader) ? leader : (placed[0] ?? null) };
}

function replicaOn(nodeId: number, partition: number): Replica {
  return { nodeId, core: partition % cores };
}

/** Creates a partition as the view shows it. */
export function newPartition(
  state: State,
  { ns, name }: Pick<SeenTopic, 'ns' | 'name'>,
  seen: SeenPartition,
): Partition {
  return {
    ns,
    topic: name,
    id: seen.id,
    raftGroup: ns === 'redpanda' ? 0 : nextNumber(state),
    revision: ns === 'redpanda' ? 0 : nextNumber(state),
    replicas: seen.replicas.map((nodeId) => replicaOn(nodeId, seen.id)),
    leader: seen.leader,
    disabled: false,
    sizeBytes: seen.sizeBytes ?? 64 << 20,
    move: null,
    electAt: null,
    seen: seen.replicas.join(','),
    seenLeader: seen.leader,
  };
}
