import type { Connection } from './cluster/connection.ts';
import type { Credential } from './credentials.ts';
import type { ShadowLink } from './shadow/link.ts';

/** The cluster configuration at one version: the values that differ from the defaults. */
export interface ConfigSnapshot {
  readonly version: number;
  readonly values: ReadonlyMap<string, unknown>;
}

/** A drain of leaderships from a node. */
interface Drain {
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
interface LoggerLevel {
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
  /** Whether its replicas are behind those that lead, as for some time after a restart. */
  lags: boolean;
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
  readonly users: Map<string, Credential>;
  /** The members by role, as principals: `User:ana`. */
  readonly roles: Map<string, Set<string>>;
  license: License | null;
  readonly features: Map<string, Feature>;
  /** The logical version that an upgrade holds; null if the cluster uses the latest one of its release. */
  heldVersion: number | null;
  /** The virtual time at which a requested finalization is made, in milliseconds since the epoch; null if none is. */
  finalizeAt: number | null;
  readonly connections: readonly Connection[];
  /** Null until an Iceberg topic is written. */
  readonly iceberg: Iceberg | null;
  readonly migrations: Map<number, Migration>;
  /** Topics of the view that are unmounted, as `ns/topic`. */
  readonly unmounted: Set<string>;
  /** Topics that can be mounted: their name, namespace, location and number of partitions. */
  mountable: readonly Mountable[];
  /** The virtual time in milliseconds since the epoch at which the last restore of the cluster began; null before the first. */
  restoreStartedAt: number | null;
  readonly transforms: Map<string, Transform>;
  readonly shadowLinks: Map<string, ShadowLink>;
  /** The virtual time until which the partitions are balanced on demand, in milliseconds since the epoch. */
  balancingUntil: number;
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

/** The state of Iceberg topics, which exist as they are seeded. */
export interface Iceberg {
  readonly topics: readonly IcebergTopic[];
  /** Why the catalog cannot be reached (default: it can). */
  readonly failure?: { readonly errorCode: string; readonly errorMessage: string };
}

interface IcebergTopic {
  readonly topic: string;
  /** Default `LIVE`. */
  readonly state?: 'LIVE' | 'CLOSED' | 'PURGED';
  readonly partitions: readonly Translation[];
}

/** The last offset committed to the catalog, and the first and last of the files that wait to be. */
export interface Translation {
  readonly committed?: number;
  readonly pending?: readonly [first: number, last: number];
}

/** Returns the next number of a sequence. */
export function nextNumber(state: State): number {
  state.sequence += 1;
  return state.sequence;
}

/** A debug bundle of one node. */
export interface Bundle {
  readonly jobId: string;
  /** Virtual time in milliseconds since the epoch. */
  readonly createdAt: number;
  /** The virtual time at which it was done, in milliseconds since the epoch; null while it is collected. */
  readonly endedAt: number | null;
  readonly status: 'running' | 'success' | 'error' | 'expired';
  /** The finished file; null for any other status than `success`. */
  readonly file: Buffer | null;
  /** What the collecting program printed; empty while it runs. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** A loaded license. */
export interface License {
  readonly organization: string;
  readonly type: 'free_trial' | 'enterprise';
  /** Seconds since the epoch. */
  readonly expires: number;
  /** The SHA-256 checksum of its text, in hexadecimal. */
  readonly sha256: string;
}

/** A feature of the cluster. */
export interface Feature {
  readonly state: 'active' | 'preparing' | 'available' | 'unavailable' | 'disabled';
  readonly wasActive: boolean;
}

/** A replica of a partition. */
export interface Replica {
  readonly nodeId: number;
  readonly core: number;
}

/** A partition that moves from one set of replicas to another. */
interface Move {
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
  disabled: boolean;
  readonly sizeBytes: number;
  move: Move | null;
  /** The virtual time of the next election, in milliseconds since the epoch; null when none is planned. */
  electAt: number | null;
  /** The placement that the view showed last, as a text to compare. */
  seen: string;
  /** The leader that the view showed last. */
  seenLeader: number | null;
}

/** One test of a self-test. */
export interface SelfTest {
  readonly type: 'disk' | 'network' | 'cloud';
  readonly name: string;
  readonly durationMs: number;
  readonly requestSize: number;
  readonly parallelism: number;
  readonly phases: readonly ('write' | 'read')[];
}

/** A self-test on one node. */
export interface SelfTestRun {
  readonly id: string;
  readonly tests: readonly SelfTest[];
  /** The nodes that take part; the network test measures the way to each of the others. */
  readonly participants: readonly number[];
  /** Virtual time in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The virtual time at which it was stopped; null when it was not. */
  stoppedAt: number | null;
}

/** A topic by its namespace and name. */
export interface TopicName {
  readonly ns: string;
  readonly topic: string;
}

/** A topic that a migration brings in or takes out. */
export interface MigratedTopic {
  readonly source: TopicName;
  /** What tells the stored topic apart from others of its name, for example `UUID/7`; null to take any. */
  readonly hint: string | null;
  /** The name that it gets; null to keep its name. */
  readonly alias: TopicName | null;
}

/** The state of a migration. */
export type MigrationState =
  | 'planned'
  | 'preparing'
  | 'prepared'
  | 'executing'
  | 'executed'
  | 'cut_over'
  | 'finished'
  | 'canceling'
  | 'cancelled';

/** A mount (inbound) or unmount (outbound) of topics. */
export interface Migration {
  readonly id: number;
  readonly type: 'inbound' | 'outbound';
  readonly topics: readonly MigratedTopic[];
  readonly consumerGroups: readonly string[];
  /** Whether it goes on to the end by itself, as mounts and unmounts do. */
  readonly advances: boolean;
  readonly state: MigrationState;
  /** The state before the last change, which nodes show that have not learned of it; null for a new migration. */
  readonly before: MigrationState | null;
  /** Virtual times in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly changedAt: number;
}

/** A deployed transform. */
export interface Transform {
  readonly name: string;
  readonly inputTopic: string;
  readonly outputTopics: readonly string[];
  readonly environment: readonly { readonly key: string; readonly value: string }[];
  readonly compression: string;
  readonly isPaused: boolean;
  /** Virtual time in milliseconds since the epoch; its processors start some time after it. */
  readonly deployedAt: number;
}
