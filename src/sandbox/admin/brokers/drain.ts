import { candidates, lead, moveController } from '../partitions/election.ts';
import { voters } from '../partitions/partition.ts';
import type { Node, Partition } from '../state.ts';
import type { World } from '../world.ts';

/** Starts to drain the leaderships of a node; nothing happens when it is drained already. */
export function startDrain(world: World, node: Node): void {
  if (node.drain !== null) return;
  const led = ledBy(world, node);
  node.drain = {
    partitions: led.length,
    eligible: led.filter(isEligible).length,
    transferring: 0,
    failed: 0,
    finished: false,
    nextAt: world.state.settledAt + world.settings.transferMs,
  };
}

/** The body for the maintenance status of a node. */
export function showDrain({ drain }: Node) {
  // How far a drain is, is only reported while there is one.
  if (drain === null) return { draining: false };
  const { partitions, eligible, transferring, failed, finished } = drain;
  return { draining: true, finished, errors: failed > 0, partitions, eligible, transferring, failed };
}

/** Transfers one leadership after another away from the nodes in maintenance mode. */
export function progressDrains(world: World, at: number): void {
  for (const node of world.state.nodes.values()) {
    const { drain } = node;
    if (drain === null || !node.alive) continue;
    while (drain.nextAt <= at) {
      drain.nextAt += world.settings.transferMs;
      transferOne(world, node);
    }
    const left = ledBy(world, node).filter(isEligible);
    const movable = left.filter((partition) => targetOf(world, partition, node) !== undefined);
    drain.failed = left.length - movable.length;
    drain.transferring = Math.min(1, movable.length);
    drain.finished = left.length === 0;
  }
}

function ledBy({ state }: World, { id }: Node): readonly Partition[] {
  return [...state.partitions.values()].filter(({ leader }) => leader === id);
}

/** A partition with one replica keeps its leader. */
function isEligible(partition: Partition): boolean {
  return voters(partition).length > 1;
}

function targetOf(world: World, partition: Partition, node: Node): number | undefined {
  return candidates(world, partition).find((id) => id !== node.id);
}

function transferOne(world: World, node: Node): void {
  for (const partition of ledBy(world, node).filter(isEligible)) {
    const target = targetOf(world, partition, node);
    if (target === undefined) continue;
    if (partition.ns === 'redpanda') moveController(world, 0, target);
    else lead(partition, target);
    return;
  }
}
