import type { Partition, Replica } from '../state.ts';
import type { World } from '../world.ts';

/** The name of a partition in lists and paths: `ns/topic/0`. */
export function nameOf({ ns, topic, id }: Pick<Partition, 'ns' | 'topic' | 'id'>): string {
  return `${ns}/${topic}/${id}`;
}

/** The replicas that hold the data: the previous ones while it moves. */
export function voters(partition: Partition): readonly Replica[] {
  return partition.move?.previous ?? partition.replicas;
}

/** Whether a node holds data of the partition or will. */
export function isOn(partition: Partition, nodeId: number): boolean {
  return [...partition.replicas, ...voters(partition)].some((replica) => replica.nodeId === nodeId);
}

/** The body for a replica. */
export function showReplica({ nodeId, core }: Replica) {
  return { node_id: nodeId, core };
}

/** Whether each node chooses the cores of its replicas. */
export function choosesCores({ state }: Pick<World, 'state'>): boolean {
  return state.features.get('node_local_core_assignment')?.state === 'active';
}

/** The body for a replica as the shared table of topics has it: without a core where the nodes choose theirs. */
export function showTableReplica(world: Pick<World, 'state'>, { nodeId, core }: Replica) {
  return { node_id: nodeId, core: choosesCores(world) ? 0 : core };
}
