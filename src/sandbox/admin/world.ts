import type { Clock } from '../clock.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Settings } from './settings.ts';
import type { Node, State } from './state.ts';

/** Everything that a route can use. */
export interface World {
  readonly scheme: 'http' | 'https';
  /** The port of every node. */
  readonly port: number;
  readonly clock: Clock;
  /** The cluster that the simulator reflects. */
  readonly view: ClusterView;
  readonly state: State;
  settings: Settings;
}

/** The nodes that are members of the cluster, by id. */
export function membersOf({ state }: Pick<World, 'state'>): readonly Node[] {
  return [...state.nodes.values()].filter(({ membership }) => membership !== 'removed').sort((a, b) => a.id - b.id);
}

/** Whether a node is a member that runs. */
export function isAlive({ state }: Pick<World, 'state'>, id: number): boolean {
  const node = state.nodes.get(id);
  return node?.alive === true && node.membership !== 'removed';
}

/** Converts a virtual time in milliseconds to whole seconds. */
export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
