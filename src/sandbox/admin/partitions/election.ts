import type { Partition } from '../state.ts';
import { isAlive, type World } from '../world.ts';
import { voters } from './partition.ts';

/** The internal partition that replicates the controller's log. */
export const controllerName = 'redpanda/controller/0';

/** Makes a node the leader of a partition. */
export function lead(partition: Partition, leader: number | null): void {
  if (partition.leader === leader) return;
  partition.leader = leader;
  partition.electAt = null;
}

/** The nodes that can lead a partition: alive, with its data, and not drained unless there is no other. */
export function candidates(world: World, partition: Partition): readonly number[] {
  const alive = voters(partition)
    .map(({ nodeId }) => nodeId)
    .filter((id) => isAlive(world, id));
  const free = alive.filter((id) => world.state.nodes.get(id)?.drain === null);
  return free.length > 0 ? free : alive;
}

/** Whether most of a partition's replicas are on nodes that are alive, without which raft elects no leader. */
function hasMajority(world: World, partition: Partition): boolean {
  const all = voters(partition);
  return all.filter(({ nodeId }) => isAlive(world, nodeId)).length * 2 > all.length;
}

/** Notices lost leaders and elects new ones when their election is due. */
export function electLeaders(world: World, at: number): void {
  electController(world, at);
  for (const partition of world.state.partitions.values()) {
    const isController = `${partition.ns}/${partition.topic}/${partition.id}` === controllerName;
    if (isController) lead(partition, world.state.controller.leader);
    else electLeader(world, partition, at);
  }
}

function electLeader(world: World, partition: Partition, at: number): void {
  const { leader } = partition;
  if (partition.disabled) {
    lead(partition, null);
    return;
  }
  const isLost = leader !== null && !(isAlive(world, leader) && hasMajority(world, partition));
  if (isLost) lead(partition, null);
  if (partition.leader !== null) return;
  partition.electAt ??= at + (isLost ? world.settings.electionMs : 0);
  const next = candidates(world, partition)[0];
  if (partition.electAt > at || next === undefined || !hasMajority(world, partition)) return;
  lead(partition, next);
}

function electController(world: World, at: number): void {
  const { controller } = world.state;
  const members = [...world.state.nodes.values()].filter(({ membership }) => membership !== 'removed');
  const alive = members.filter((node) => node.alive).map(({ id }) => id);
  const hasQuorum = alive.length * 2 > members.length;
  if (controller.leader !== null && !(hasQuorum && alive.includes(controller.leader))) controller.leader = null;
  if (controller.leader !== null) return;
  controller.electAt ??= at + world.settings.electionMs;
  if (controller.electAt > at || !hasQuorum) return;
  const free = alive.filter((id) => world.state.nodes.get(id)?.drain === null);
  const wanted = alive.find((id) => id === controller.candidate);
  controller.leader = wanted ?? free[0] ?? alive[0] ?? null;
  controller.electAt = null;
  controller.candidate = null;
  controller.term += 1;
}

/** Takes the leadership from the controller's leader; the next one is `to`, or any other node. */
export function moveController(world: World, electionMs: number, to?: number): void {
  const { controller, settledAt } = world.state;
  const others = [...world.state.nodes.values()].filter(({ id, alive }) => alive && id !== controller.leader);
  controller.candidate = to ?? others[0]?.id ?? null;
  controller.leader = null;
  controller.electAt = settledAt + electionMs;
}
