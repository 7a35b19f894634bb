import { type AdminError, badRequest } from '../admin-error.ts';
import { newPartition } from '../reflect.ts';
import type { MigratedTopic, Migration, MigrationState, Mountable, Node, State, TopicName } from '../state.ts';
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

/** 400: what a migration cannot do in its state (redpanda src/v/cluster/errc.h, data_migration_table.cc:53). */
export function wrongState(): AdminError {
  return badRequest('Invalid data migration state transition requested');
}

/** Performs an action on a migration. @throws AdminError 400 when there is no such action, or not in its state */
export function act({ state }: World, migration: Migration, name: string): void {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw badRequest(`unknown data migration action: ${name}`);
  if (!action.from.includes(migration.state)) throw wrongState();
  state.migrations.set(migration.id, changed(migration, action.to, state.settledAt));
}

function changed(migration: Migration, state: MigrationState, at: number): Migration {
  return { ...migration, before: migration.state, state, changedAt: at };
}

/**
 * A migration as a node shows it: only the leader of the controller knows the last change at once
 * (redpanda src/v/cluster/data_migration_frontend.cc, `get_migration` reads the local table); undefined if it does not
 * know the migration yet.
 */
export function seenBy({ state, settings }: World, node: Node, migration: Migration): Migration | undefined {
  const isKnown =
    state.controller.leader === node.id || state.settledAt >= migration.changedAt + settings.replicationMs;
  if (isKnown) return migration;
  return migration.before === null ? undefined : { ...migration, state: migration.before, completedAt: null };
}

/** The states that last a step and then give way to the next. */
const passing: readonly MigrationState[] = ['preparing', 'executing', 'cut_over'];

/** Moves every migration to its next state when it is due. */
export function progressMigrations(world: World, at: number): void {
  const { state, settings } = world;
  for (const migration of state.migrations.values()) {
    const isDue = at >= migration.changedAt + settings.migrationStepMs && !lacksTopic(state, migration);
    const next = isDue ? nextState(migration) : undefined;
    if (next === undefined) continue;
    const isOver = next === 'finished' || next === 'cancelled';
    state.migrations.set(migration.id, { ...changed(migration, next, at), completedAt: isOver ? at : null });
    if (next === 'finished') complete(world, migration);
  }
}

/**
 * Whether a mount waits for a topic that object storage does not have: it is looked for again and again, without an end
 * (redpanda src/v/cluster/data_migration_backend.cc:508, `create_topic`).
 */
function lacksTopic(state: State, { type, topics, state: now }: Migration): boolean {
  return type === 'inbound' && now === 'preparing' && topics.some((topic) => storedTopic(state, topic) === undefined);
}

/** The topic in object storage that a mount is about. */
function storedTopic({ mountable }: State, { source, hint }: MigratedTopic): Mountable | undefined {
  return mountable.find(
    ({ ns, topic, location }) =>
      ns === source.ns && topic === source.topic && (hint === null || location === `${topic}/${hint}`),
  );
}

/** Returns the state that follows by itself; undefined when the migration waits for an action, or is over. */
function nextState({ state, advances }: Migration): MigrationState | undefined {
  if (state === 'canceling') return 'cancelled';
  if (state === 'cancelled' || !(advances || passing.includes(state))) return undefined;
  return steps[steps.indexOf(state) + 1];
}

function complete(world: World, { type, topics }: Migration): void {
  for (const topic of topics) {
    if (type === 'inbound') mount(world, topic);
    else unmount(world, topic.source);
  }
}

function mount({ state }: World, topic: MigratedTopic): void {
  const stored = storedTopic(state, topic);
  const target = topic.alias ?? topic.source;
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
