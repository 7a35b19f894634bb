import type { ConfigSnapshot, Node } from '../state.ts';
import type { World } from '../world.ts';
import { convert } from './convert.ts';
import { valueIn } from './effective.ts';
import { properties } from './properties.ts';

/** Makes a snapshot the configuration of the cluster. The leader applies it at once, the other nodes after a while. */
export function distribute(world: World, snapshot: ConfigSnapshot, asked: number): void {
  const { state, settings } = world;
  state.config = snapshot;
  const first = state.controller.leader ?? asked;
  const at = state.settledAt + settings.configPropagationMs;
  for (const { id } of state.nodes.values())
    state.deliveries = [...state.deliveries, { at: id === first ? state.settledAt : at, nodeId: id, snapshot }];
  deliverConfig(world, state.settledAt);
}

/** Applies the configuration on the nodes that it has reached. A node that is down gets it when it is back. */
export function deliverConfig({ state }: World, at: number): void {
  const due = state.deliveries.filter((one) => one.at <= at && state.nodes.get(one.nodeId)?.alive);
  if (due.length === 0) return;
  state.deliveries = state.deliveries.filter((one) => !due.includes(one));
  for (const { nodeId, snapshot } of due) {
    const node = state.nodes.get(nodeId);
    if (node !== undefined && node.applied.version < snapshot.version) node.applied = snapshot;
  }
}

/** Whether a node runs with an old value of a property that needs a restart. */
function needsRestart({ applied, booted }: Node): boolean {
  return Object.entries(properties).some(
    ([name, { needsRestart: needed }]) =>
      needed && JSON.stringify(valueIn(applied, name)) !== JSON.stringify(valueIn(booted, name)),
  );
}

/** The body for the status of a node's configuration. */
export function showStatus(node: Node) {
  const names = [...node.applied.values.keys()];
  const isValid = (name: string) => {
    const property = properties[name];
    return property === undefined || 'value' in convert(property, node.applied.values.get(name));
  };
  return {
    node_id: node.id,
    restart: needsRestart(node),
    config_version: node.applied.version,
    invalid: names.filter((name) => !isValid(name)),
    unknown: names.filter((name) => !Object.hasOwn(properties, name)),
  };
}
