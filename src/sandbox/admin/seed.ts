import { randomUUID } from 'node:crypto';
import { newConnection, type SeedConnection } from './cluster/connection.ts';
import { initialFeatures } from './cluster/features.ts';
import type { ClusterSnapshot, ClusterView } from './cluster-view.ts';
import { readLicense } from './config/license.ts';
import { type Algorithm, makeCredential } from './credentials.ts';
import { newNode } from './reflect.ts';
import type { Release } from './settings.ts';
import type { ConfigSnapshot, Iceberg, Mountable, State } from './state.ts';
import type { World } from './world.ts';

/** Creates the state of a new cluster with the brokers of a snapshot. The first broker leads the controller. */
export function newState(snapshot: ClusterSnapshot, seeds: Seeds, now: number, release: Release): State {
  const config: ConfigSnapshot = { version: 1, values: new Map(Object.entries(seeds.config ?? {})) };
  const brokers = [...snapshot.brokers].sort((a, b) => a.id - b.id);
  const features = Object.entries(initialFeatures).map(
    ([name, state]) => [name, { state, wasActive: state === 'active' }] as const,
  );
  return {
    clusterUuid: randomUUID(),
    nodes: new Map(brokers.map((broker, index) => [broker.id, newNode(broker, index, { config, release })])),
    controller: { leader: brokers[0]?.id ?? null, term: 1, electAt: null, candidate: null },
    config,
    deliveries: [],
    partitions: new Map(),
    users: new Map(),
    roles: new Map(),
    license: seeds.license === undefined ? null : readLicense(seeds.license, now),
    features: new Map(features),
    heldVersion: seeds.heldVersion ?? null,
    finalizeAt: null,
    connections: (seeds.connections ?? []).map((seed) => newConnection(seed, now)),
    iceberg: seeds.iceberg ?? null,
    migrations: new Map(),
    unmounted: new Set(),
    mountable: seeds.mountable ?? [],
    restoreStartedAt: null,
    transforms: new Map(),
    shadowLinks: new Map(),
    balancingUntil: now,
    sequence: 10,
    settledAt: now,
  };
}

/** Adds the users that exist from the start, in the cluster as well. */
export async function addUsers(
  view: ClusterView,
  { state }: Pick<World, 'state'>,
  { users = [] }: Seeds,
): Promise<void> {
  for (const { name, password, algorithm = 'SCRAM-SHA-256' } of users) {
    await view.setUser({ name, password, algorithm });
    state.users.set(name, makeCredential(algorithm, password, state.settledAt));
  }
}

/** A user that exists from the start. */
interface SeedUser {
  readonly name: string;
  readonly password: string;
  /** Default SCRAM-SHA-256. */
  readonly algorithm?: Algorithm;
}

/** What exists from the start. Everything can be left out. */
export interface Seeds {
  readonly users?: readonly SeedUser[];
  /** Cluster properties that are set. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The text of a license. */
  readonly license?: string;
  readonly mountable?: readonly Mountable[];
  readonly connections?: readonly SeedConnection[];
  /** Default: no Iceberg topic has been written yet. */
  readonly iceberg?: Iceberg;
  /** The logical version of the release before, of an upgrade that is not finalized. */
  readonly heldVersion?: number;
}
