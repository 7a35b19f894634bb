import { badRequest, updateInProgress } from '../admin-error.ts';
import type { Partition, Replica } from '../state.ts';
import { isAlive, type World } from '../world.ts';
import { lead } from './election.ts';
import { voters } from './partition.ts';

/** Whether two lists of replicas are on the same nodes. */
function isSame(a: readonly Replica[], b: readonly Replica[]): boolean {
  const ids = (list: readonly Replica[]) => list.map(({ nodeId }) => nodeId).sort((x, y) => x - y);
  return ids(a).join() === ids(b).join();
}

/**
 * Starts to move a partition. The same set of nodes is no move.
 * @throws AdminError 400 for a set that is impossible, 503 while another move runs
 */
export function startMove(world: World, partition: Partition, target: readonly Replica[], forced = false): void {
  const { state } = world;
  if (partition.ns === 'redpanda') throw badRequest('the partition of the controller cannot be moved');
  if (target.length === 0) throw badRequest('the set of replicas is empty');
  if (new Set(target.map(({ nodeId }) => nodeId)).size < target.length) throw badRequest('a broker is named twice');
  for (const { nodeId, core } of target) {
    const node = state.nodes.get(nodeId);
    if (node === undefined || node.membership === 'removed') throw badRequest(`broker ${nodeId} does not exist`);
    if (core >= node.cores) throw badRequest(`broker ${nodeId} has no core ${core}`);
  }
  if (isSame(partition.replicas, target)) {
    partition.replicas = target;
    return;
  }
  if (partition.move !== null) throw updateInProgress();
  partition.move = { previous: partition.replicas, bytesMoved: 0, startedAt: state.settledAt, forced };
  partition.replicas = target;
}

/** Cancels a move: the partition stays where it was. @throws AdminError 400 when none is running */
export function cancelMove(partition: Partition): void {
  if (partition.move === null) throw badRequest('the partition is not being moved');
  partition.replicas = partition.move.previous;
  partition.move = null;
}

/** The bytes that a move copies: the partition once for each new node. */
export function bytesToMove(partition: Partition): number {
  const { move, replicas, sizeBytes } = partition;
  if (move === null) return 0;
  const added = replicas.filter(({ nodeId }) => !move.previous.some((old) => old.nodeId === nodeId));
  return added.length === 0 ? 0 : sizeBytes;
}

/** The bytes that a move has copied so far. */
export function bytesMoved({ move }: Partition): number {
  return Math.round(move?.bytesMoved ?? 0);
}

/** Copies bytes for every move whose nodes are alive, and ends the moves that have copied all of them. */
export function progressMoves(world: World, _: number, elapsedMs: number): void {
  const bytes = (world.settings.moveBytesPerS * elapsedMs) / 1000;
  for (const partition of world.state.partitions.values()) {
    const { move } = partition;
    if (move === null) continue;
    const hasSource = move.forced || voters(partition).some(({ nodeId }) => isAlive(world, nodeId));
    if (!hasSource || !partition.replicas.every(({ nodeId }) => isAlive(world, nodeId))) continue;
    const total = move.forced ? 0 : bytesToMove(partition);
    move.bytesMoved = Math.min(total, move.bytesMoved + bytes);
    // The steps are fractions of a byte, whose sum may be a little less than the whole.
    if (move.bytesMoved >= total - 1 && elapsedMs > 0) endMove(partition);
  }
}

function endMove(partition: Partition): void {
  partition.move = null;
  const isLedInside = partition.replicas.some(({ nodeId }) => nodeId === partition.leader);
  if (!isLedInside) {
    lead(partition, null);
    partition.electAt = 0; // the new replicas elect a leader at once
  }
}
