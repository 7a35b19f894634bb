import type { CodeName } from './http/api-error.ts';
import type { Settings } from './settings.ts';

/** The fields of every stored record; `sequence` is its place in the order of creation, which pages follow. */
export interface Stored {
  readonly id: string;
  readonly sequence: number;
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** A stored resource group. */
export interface ResourceGroup extends Stored {
  readonly name: string;
}

/** A stored network. */
export interface Network extends Stored {
  readonly name: string;
  readonly state: 'STATE_CREATING' | 'STATE_READY' | 'STATE_DELETING' | 'STATE_FAILED';
  readonly resourceGroupId: string;
  readonly cloudProvider: string;
  readonly region: string;
  readonly cidrBlock: string;
  readonly clusterType: string;
  readonly zones: readonly string[];
  readonly customerManagedResources: unknown;
}

/** The states of a cluster. */
export type ClusterState =
  | 'STATE_CREATING_AGENT'
  | 'STATE_CREATING'
  | 'STATE_READY'
  | 'STATE_UPGRADING'
  | 'STATE_DELETING'
  | 'STATE_DELETING_AGENT'
  | 'STATE_FAILED'
  | 'STATE_SUSPENDED';

/** A stored cluster. */
export interface Cluster extends Stored {
  readonly name: string;
  readonly state: ClusterState;
  /** The reason why it failed, as an error body without details; null otherwise. */
  readonly stateDescription: unknown;
  readonly type: string;
  readonly resourceGroupId: string;
  readonly networkId: string;
  readonly cloudProvider: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly throughputTier: string;
  readonly connectionType: string;
  readonly customProperties: Readonly<Record<string, unknown>>;
  /** Fields that are stored as sent: kafka_api, cloud_provider_tags … */
  readonly asSent: Readonly<Record<string, unknown>>;
  readonly version: string;
  /** The version of the install pack and therefore of the plugin. */
  readonly installPack: string;
  /** The state that the plugin reported last. */
  readonly agent: 'absent' | 'installed' | 'removed';
}

/** A stored operation. */
export interface Operation extends Stored {
  readonly type: string;
  readonly state: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  readonly finishedAt: number | null;
  readonly resourceId: string;
  /** The ids of the scopes in which a role binding covers this operation. */
  readonly within: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error: unknown;
  readonly response: unknown;
}

/** The predefined roles, weakest first. */
export const roles = ['Reader', 'Writer', 'Admin'] as const;

/** One of the predefined roles. */
export type Role = (typeof roles)[number];

/** A stored role binding. */
export interface RoleBinding extends Stored {
  readonly roleName: Role;
  readonly accountId: string;
  readonly scopeType: string;
  readonly scopeId: string;
}

/** A stored user. */
export interface User extends Stored {
  readonly email: string;
  readonly name: string;
}

/** A stored service account. */
export interface ServiceAccount extends Stored {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
}

/** A client that may request tokens; only the hash of its secret is stored. */
interface OauthClient {
  readonly id: string;
  readonly secretSha256: string;
  readonly accountId: string;
}

/** A device login. */
export interface DeviceLogin {
  /** The device code. */
  readonly id: string;
  readonly userCode: string;
  readonly clientId: string;
  readonly audience: string;
  readonly expiresAt: number;
  readonly outcome: 'pending' | 'denied' | 'used' | { readonly userId: string };
}

/** A scheduled change of a resource. */
export interface OperationStep {
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly at: number;
  readonly kind: StepKind;
  readonly resourceId: string;
  readonly operationId: string;
  /** The change that takes effect when an update completes. */
  readonly change?: Readonly<Record<string, unknown>>;
}

/** The kinds of steps that happen as time passes. */
export type StepKind =
  | 'network-created'
  | 'network-deleted'
  | 'cluster-prepared'
  | 'cluster-created'
  | 'cluster-updated'
  | 'cluster-torn-down'
  | 'cluster-deleted';

/** A failure planned for the next operation of a type. */
export interface PlannedFailure {
  /** The type of the operation; undefined for any type. */
  readonly type?: string;
  readonly code: CodeName;
  readonly reason: string;
  readonly message: string;
}

/** A secret of a data plane, without its value. */
export interface Secret extends Stored {
  readonly scopes: readonly string[];
}

/** The organization that owns all resources. */
interface Organization {
  readonly id: string;
  readonly name: string;
}

/** The state of the simulator. Values in the maps are replaced, never mutated. */
export interface State {
  sequence: number;
  settings: Settings;
  organization: Organization;
  readonly resourceGroups: Map<string, ResourceGroup>;
  readonly networks: Map<string, Network>;
  readonly clusters: Map<string, Cluster>;
  readonly operations: Map<string, Operation>;
  readonly roleBindings: Map<string, RoleBinding>;
  readonly users: Map<string, User>;
  readonly serviceAccounts: Map<string, ServiceAccount>;
  readonly secrets: Map<string, Secret>;
  readonly clients: Map<string, OauthClient>;
  readonly deviceLogins: Map<string, DeviceLogin>;
  steps: readonly OperationStep[];
  failures: readonly PlannedFailure[];
  /** The number of tokens issued on the day that began at `dayStart`. */
  tokens: { readonly dayStart: number; readonly issued: number };
  /** Tokens issued before this moment count as expired; milliseconds since the epoch. */
  tokensValidFrom: number;
}

/** Creates a state without resources. */
export function emptyState(settings: Settings, organization: Organization): State {
  return {
    sequence: 0,
    settings,
    organization,
    resourceGroups: new Map(),
    networks: new Map(),
    clusters: new Map(),
    operations: new Map(),
    roleBindings: new Map(),
    users: new Map(),
    serviceAccounts: new Map(),
    secrets: new Map(),
    clients: new Map(),
    deviceLogins: new Map(),
    steps: [],
    failures: [],
    tokens: { dayStart: 0, issued: 0 },
    tokensValidFrom: 0,
  };
}
