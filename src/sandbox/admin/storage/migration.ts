import { badRequest } from '../admin-error.ts';
import { newPartition } from '../reflect.ts';
import type { Migration, MigrationState, TopicName } from '../state.ts';
import type { World } from '../world.ts';

/** The states that a migration goes through. */
const steps: readonly MigrationState[] = [
  'planned',
  'preparing',
  'prepared',
  'executing',
  'executed',
  'cut_over',
  'finished',
];

/** The actions with the states in which they are possible and the ones that they lead to. */
const actions: Readonly<Record<string, { readonly from: readonly MigrationState[]; readonly to: MigrationState }>> = {
  prepare: { from: ['planned'], to: 'preparing' },
  execute: { from: ['prepared'], to: 'executing' },
  finish: { from: ['executed'], to: 'cut_over' },
  cancel: { from: ['preparing', 'prepared', 'executing', 'executed'], to: 'canceling' },
};

/** Performs an action on a migration. @throws AdminError 400 when there is no such action, or not in its state */
export function act({ state }: World, migration: Migration, name: string): void {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw badRequest(`invalid action "${name}"`);
  if (!action.from.includes(migration.state))
    throw badRequest(`migration ${migration.id} is ${migration.state}: unable to ${name} it`);
  state.migrations.set(migration.id, { ...migration, state: action.to, changedAt: state.settledAt });
}

/** The states that last a step and then give way to the next. */
const passing: readonly MigrationState[] = ['preparing', 'executing', 'cut_over'];

/** Moves every migration to its next state when it is due. */
export function progressMigrations(world: World, at: number): void {
  const { state, settings } = world;
  for (const migration of state.migrations.values()) {
    const next = at < migration.changedAt + settings.migrationStepMs ? undefined : nextState(migration);
    if (next === undefined) continue;
    const isOver = next === 'finished' || next === 'cancelled';
    state.migrations.set(migration.id, { ...migration, state: next, changedAt: at, completedAt: isOver ? at : null });
    if (next === 'finished') complete(world, migration);
  }
}

/** Returns the state that follows by itself; undefined when the migration waits for an action, or is over. */
function nextState({ state, advances }: Migration): MigrationState | undefined {
  if (state === 'canceling') return 'cancelled';
  if (state === 'cancelled' || !(advances || passing.includes(state))) return undefined;
  return steps[steps.indexOf(state) + 1];
}

function complete(world: World, { type, topics }: Migration): void {
  for (const { source, alias } of topics) {
    if (type === 'inbound') mount(world, source, alias ?? source);
    else unmount(world, source);
  }
}

function mount({ state }: World, source: TopicName, target: TopicName): void {
  const stored = state.mountable.find(({ ns, topic }) => ns === source.ns && topic === source.topic);
  state.mountable = state.mountable.filter((one) => one !== stored);
  state.unmounted.delete(`${target.ns}/${target.topic}`);
  const members = [...state.nodes.values()].filter(({ membership, alive }) => membership === 'active' && alive);
  for (let id = 0; id < (stored?.partitions ?? 0); id += 1) {
    const replicas = members.map((_, index) => members[(index + id) % members.length]?.id ?? 0).slice(0, 3);
    const seen = { id, leader: replicas[0] ?? null, replicas };
    const partition = newPartition(state, { ns: target.ns, name: target.topic }, seen);
    // The view does not show it: it is the simulator's own.
    state.partitions.set(`${target.ns}/${target.topic}/${id}`, { ...partition, seen: '' });
  }
}

function unmount({ state }: World, { ns, topic }: TopicName): void {
  const entries = [...state.partitions].filter(([, partition]) => partition.ns === ns && partition.topic === topic);
  for (const [name] of entries) state.partitions.delete(name);
  if (entries.some(([, { seen }]) => seen !== '')) state.unmounted.add(`${ns}/${topic}`);
  const location = `${topic}/${state.clusterUuid}/${entries[0]?.[1].revision ?? 0}`;
  state.mountable = [...state.mountable, { ns, topic, location, partitions: entries.length }];
}
