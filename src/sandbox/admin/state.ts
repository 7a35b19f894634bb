import type { Credential } from './auth/credentials.ts';
import type { Bundle } from './bundle/bundle.ts';
import type { Feature, License } from './features/license.ts';
import type { Partition } from './partitions/partition.ts';
import type { CoordinatedTransaction } from './partitions/transaction-state.ts';
import type { SelfTestRun } from './self-test/run.ts';
import type { Migration } from './storage/migration.ts';
import type { Recovery } from './storage/recovery-state.ts';
import type { Transform } from './transforms/transform.ts';

/** The cluster configuration at one version: the values that differ from the defaults. */
export interface ConfigSnapshot {
  readonly version: number;
  readonly values: ReadonlyMap<string, unknown>;
}

/** A drain of leaderships from a node. */
export interface Drain {
  /** The number of partitions that the node led when the drain began. */
  readonly partitions: number;
  /** Those of them that have another replica. */
  readonly eligible: number;
  transferring: number;
  failed: number;
  finished: boolean;
  /** The virtual time of the next transfer, in milliseconds since the epoch. */
  nextAt: number;
}

/** The level of a logger and when it goes back to its default. */
export interface LoggerLevel {
  readonly level: string;
  /** Virtual time in milliseconds since the epoch; null for a level that does not expire. */
  readonly expiresAt: number | null;
}

/** One node of the cluster. */
export interface Node {
  readonly id: number;
  uuid: string;
  /** The loopback address that its Admin API listens on. */
  readonly host: string;
  /** The host that it announces to other nodes, which clients may not reach. */
  readonly rpcHost: string;
  /** The listener that it announces to Kafka clients. */
  readonly listener: { readonly host: string; readonly port: number };
  readonly rack: string | null;
  readonly cores: number;
  readonly version: string;
  readonly disk: { readonly path: string; readonly total: number; free: number };
  alive: boolean;
  recoveryMode: boolean;
  membership: 'active' | 'draining' | 'removed';
  drain: Drain | null;
  /** The configuration that it has applied, and the one that it started with. */
  applied: ConfigSnapshot;
  booted: ConfigSnapshot;
  readonly loggers: Map<string, LoggerLevel>;
  bundle: Bundle | null;
  selfTest: SelfTestRun | null;
}

/** The state that all nodes share, as raft would replicate it. */
export interface State {
  readonly clusterUuid: string;
  readonly nodes: Map<number, Node>;
  /** The leader of the controller, and the virtual time of the next election; null when none is planned. */
  readonly controller: { leader: number | null; term: number; electAt: number | null; candidate: number | null };
  config: ConfigSnapshot;
  /** When configuration reaches the nodes that did not write it. */
  deliveries: readonly { readonly at: number; readonly nodeId: number; readonly snapshot: ConfigSnapshot }[];
  readonly partitions: Map<string, Partition>;
  /** The transactions by transactional id. */
  readonly coordinated: Map<string, CoordinatedTransaction>;
  readonly users: Map<string, Credential>;
  /** The member names by role. */
  readonly roles: Map<string, Set<string>>;
  license: License | null;
  readonly features: Map<string, Feature>;
  readonly migrations: Map<number, Migration>;
  /** Topics of the view that are unmounted, as `ns/topic`. */
  readonly unmounted: Set<string>;
  /** Topics that can be mounted: their name, namespace, location and number of partitions. */
  mountable: readonly Mountable[];
  recoveries: { cluster: Recovery | null; topics: Recovery | null };
  lifecycle: readonly LifecycleMarker[];
  readonly transforms: Map<string, Transform>;
  usage: readonly UsageBucket[];
  /** Accepted bearer tokens. */
  readonly tokens: Map<string, { readonly principal: string; readonly expiresAt: number }>;
  /** The last number that was given to a raft group, migration or revision. */
  sequence: number;
  /** The virtual time up to which the work has progressed, in milliseconds since the epoch. */
  settledAt: number;
}

/** A topic in object storage that is not mounted. */
export interface Mountable {
  readonly ns: string;
  readonly topic: string;
  readonly location: string;
  readonly partitions: number;
}

/** A deleted topic whose data in object storage has not been removed yet. */
export interface LifecycleMarker {
  readonly ns: string;
  readonly topic: string;
  readonly revision: number;
  readonly status: string;
}

/** The traffic of one hour. Times are in seconds since the epoch. */
export interface UsageBucket {
  readonly beginTimestamp: number;
  readonly endTimestamp: number;
  readonly open: boolean;
  readonly sent: number;
  readonly received: number;
  readonly stored: number;
}

/** Returns the next number of a sequence. */
export function nextNumber(state: State): number {
  state.sequence += 1;
  return state.sequence;
}
