/** Fields by the control plane's names; unknown fields are kept unchanged. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** A resource group. Times are RFC 3339 in UTC, or null if the API returns none. */
export interface ResourceGroup extends Fields {
  readonly id: string;
  readonly name: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A network. Enum values are the API's, including values unknown to weir. */
export interface Network extends Fields {
  readonly id: string;
  readonly name: string;
  readonly resource_group_id: string;
  /** For example `STATE_READY`. */
  readonly state: string;
  readonly cloud_provider: string;
  readonly cluster_type: string;
  readonly region: string;
  readonly cidr_block: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A region of a cloud provider. */
export interface Region extends Fields {
  readonly name: string;
  readonly cloud_provider: string;
  readonly zones: readonly string[];
}

/** A cluster. Enum values are the API's, including values unknown to weir. */
export interface Cluster extends Fields {
  readonly id: string;
  readonly name: string;
  /** For example `STATE_READY`, `STATE_CREATING_AGENT` or `STATE_DELETING_AGENT`. */
  readonly state: string;
  /** `TYPE_BYOC` or `TYPE_DEDICATED`. */
  readonly type: string;
  readonly resource_group_id: string;
  readonly network_id: string;
  /** `CLOUD_PROVIDER_AWS`, `CLOUD_PROVIDER_AZURE` or `CLOUD_PROVIDER_GCP`. */
  readonly cloud_provider: string;
  readonly connection_type: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly throughput_tier: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The state of an operation in its long form; the API also uses a form without `STATE_`. */
export type OperationState = 'STATE_IN_PROGRESS' | 'STATE_COMPLETED' | 'STATE_FAILED' | (string & {});

/** A long-running operation. */
export interface Operation extends Fields {
  readonly id: string;
  /** For example `TYPE_CREATE_CLUSTER`. */
  readonly type: string;
  readonly state: OperationState;
  readonly resource_id: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Contains `cluster_id` or `network_id` if the operation creates one. */
  readonly metadata: Fields;
  /** The error of a failed operation: `code`, `message`, `details`; null otherwise. */
  readonly error: Fields | null;
  /** The resource at the end of the operation, under its name; null before that. */
  readonly response: Fields | null;
}

/** A role that an account has on a resource. */
export interface RoleBinding extends Fields {
  readonly id: string;
  /** `Reader`, `Writer`, `Admin`, or a custom role of the organization. */
  readonly role_name: string;
  readonly account_id: string;
  readonly scope: { readonly resource_type: string; readonly resource_id: string };
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A user of the organization. */
export interface User extends Fields {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: string | null;
}

/** An account for programs. */
export interface ServiceAccount extends Fields {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A new service account with its credentials. */
export interface NewServiceAccount extends ServiceAccount {
  readonly client_id: string;
  /** Returned only on creation; never log it. */
  readonly client_secret: string;
}

/** The organization that a token belongs to. */
export interface Organization {
  readonly id: string;
  readonly name: string;
}
