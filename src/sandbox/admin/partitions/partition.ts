import type { World } from '../world.ts';
import type { PartitionTransactions } from './transaction-state.ts';

/** A replica of a partition. */
export interface Replica {
  readonly nodeId: number;
  readonly core: number;
}

/** A partition that moves from one set of replicas to another. */
export interface Move {
  readonly previous: readonly Replica[];
  /** May be a fraction, because it grows with time. */
  bytesMoved: number;
  /** The virtual time since which it moves, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether it was forced, because the majority of the previous replicas is lost. */
  readonly forced: boolean;
}

/** One partition. While it moves, `replicas` is its target. */
export interface Partition {
  readonly ns: string;
  readonly topic: string;
  readonly id: number;
  readonly raftGroup: number;
  readonly revision: number;
  replicas: readonly Replica[];
  leader: number | null;
  previousLeader: number | null;
  term: number;
  disabled: boolean;
  readonly sizeBytes: number;
  move: Move | null;
  /** The virtual time of the next election, in milliseconds since the epoch; null when none is planned. */
  electAt: number | null;
  /** The placement that the view showed last, as a text to compare. */
  seen: string;
  /** The leader that the view showed last. */
  seenLeader: number | null;
  readonly transactions: PartitionTransactions;
}

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
