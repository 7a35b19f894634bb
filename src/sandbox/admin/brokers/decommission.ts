import { inOrder } from '../partitions/cluster-partitions.ts';
import { bytesMoved, bytesToMove, cancelMove, startMove } from '../partitions/moves.ts';
import { isOn, nameOf, showTableReplica } from '../partitions/partition.ts';
import type { Node, Partition } from '../state.ts';
import { membersOf, type World } from '../world.ts';

/** The partitions with a replica on a node; the controller's own partition follows the membership. */
function partitionsOn({ state }: World, { id }: Node): readonly Partition[] {
  return [...state.partitions.values()].filter((one) => one.ns !== 'redpanda' && isOn(one, id));
}

/** Moves the replicas away from the nodes that are decommissioned, and removes those that have none left. */
export function progressDecommissions(world: World): void {
  for (const node of world.state.nodes.values()) {
    if (node.membership !== 'draining') continue;
    const left = partitionsOn(world, node);
    for (const partition of left) if (partition.move === null) moveAway(world, node, partition);
    if (left.length > 0) continue;
    node.membership = 'removed';
    node.drain = null;
  }
}

function moveAway(world: World, node: Node, partition: Partition): void {
  const spare = spareFor(world, partition);
  if (spare === undefined) return;
  const stay = partition.replicas.filter(({ nodeId }) => nodeId !== node.id);
  startMove(world, partition, [...stay, { nodeId: spare.id, core: partition.id % spare.cores }]);
}

/** The node with the fewest replicas that can take one of the partition's; undefined when there is none. */
function spareFor(world: World, partition: Partition): Node | undefined {
  const able = membersOf(world).filter((one) => one.alive && one.membership === 'active' && !isOn(partition, one.id));
  return able.toSorted((a, b) => partitionsOn(world, a).length - partitionsOn(world, b).length)[0];
}

/** Makes a node a full member again: moves away from it are cancelled. */
export function recommission(world: World, node: Node): void {
  node.membership = 'active';
  for (const partition of partitionsOn(world, node)) {
    const wasOn = partition.move?.previous.some(({ nodeId }) => nodeId === node.id) ?? false;
    if (wasOn && !partition.replicas.some(({ nodeId }) => nodeId === node.id)) cancelMove(partition);
  }
}

/** The body for the progress of a decommission. */
export function showDecommission(world: World, node: Node) {
  const left = node.membership === 'removed' ? [] : partitionsOn(world, node);
  const moving = left.filter(({ move }) => move !== null);
  const stuck = inOrder(left.filter((one) => one.move === null && spareFor(world, one) === undefined));
  return {
    finished: node.membership === 'removed',
    replicas_left: left.length,
    allocation_failures: stuck.map(nameOf),
    ...(world.settings.release === '24.3' ? {} : { reallocation_failure_details: stuck.map(showFailure) }),
    partitions: moving.map((one) => showMoving(world, one)),
  };
}

/** In the words of redpanda 26: src/v/cluster/partition_balancer_types.cc:164. */
function showFailure({ ns, topic, id, disabled }: Partition) {
  const error = disabled ? 'Partition is disabled' : 'No eligible node found to move replica';
  return { ns, topic, partition: id, error };
}

function showMoving(world: World, partition: Partition) {
  const { ns, topic, id, move, replicas, sizeBytes } = partition;
  const target = replicas.find(({ nodeId }) => !move?.previous.some((old) => old.nodeId === nodeId));
  const moved = bytesMoved(partition);
  return {
    ns,
    topic,
    partition: id,
    moving_to: showTableReplica(world, target ?? { nodeId: -1, core: 0 }),
    bytes_left_to_move: bytesToMove(partition) - moved,
    bytes_moved: moved,
    partition_size: sizeBytes,
    reconfiguration_policy: 'full_local_retention',
  };
}
