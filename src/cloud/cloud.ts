import type { Deadline } from '../deadline.ts';
import type { HttpTrace } from '../net/http.ts';
import type { Logins } from './auth/logins.ts';
import type {
  Cluster,
  Fields,
  Network,
  NewServiceAccount,
  Operation,
  Organization,
  Region,
  ResourceGroup,
  RoleBinding,
  ServiceAccount,
  User,
} from './cloud-rows.ts';

/** The addresses of one control plane. */
export interface CloudPlace {
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  /** Base URL of the authorization server. */
  readonly authUrl: string;
  /** The audience of tokens. */
  readonly audience: string;
  /** Base URL of the older API, which provides the organization and the plugins. */
  readonly legacyUrl: string;
}

/** The configured credentials. A token takes precedence over a client, and both over the login on this machine. */
export interface CloudCredentials {
  /** A token that is used as is. */
  readonly token: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** The options of the control plane client, built from the configuration in `client-options/cloud.ts`. */
export interface CloudOptions {
  readonly place: CloudPlace;
  /** The vendor's control plane; login files without addresses are bound to it. */
  readonly production: CloudPlace;
  /** Whether `http:` to other machines is allowed. */
  readonly insecureHttp: boolean;
  readonly credentials: CloudCredentials;
  /** The public client for logging in through a browser; undefined if none is configured. */
  readonly deviceClientId: string | undefined;
  /** Where tokens are stored; undefined without a home directory, and then they are not stored. */
  readonly stateDirectory: string | undefined;
  /** The environment, used only for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly deadline: Deadline;
  /** Prints a warning, for example about a lost response. */
  readonly warn: (line: string) => void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
  /** Called when a request begins to be sent that changes something, and before a login is changed. */
  readonly onChange?: () => void;
}

/** List filters by the API's names after `filter.`, for example `name_contains` or `scope.resource_type`. */
export type Filters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How to wait for a long-running operation. */
export interface WaitOptions {
  /** The limit in milliseconds; the command timeout is paused during the wait. */
  readonly waitTimeoutMs: number;
  /** Called with the result of each poll, including the last. */
  readonly onProgress?: (operation: Operation) => void;
  /** The command that resumes the wait, for messages (default `weir cloud operation wait ID`). */
  readonly resumeWith?: string;
}

/** How to wait for a cluster. */
export interface ClusterWaitOptions extends Omit<WaitOptions, 'onProgress'> {
  readonly onProgress?: (cluster: Cluster) => void;
}

/** A download in progress. */
export interface Download {
  /** The size in bytes; undefined if the server does not send it. */
  readonly length: number | undefined;
  /** The content. Each chunk must arrive within `globals.request_timeout_overhead`; throws if it is cut short. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The control plane client for commands. Rows have the API's field names. Every call applies the limits, requests
 * a token if needed, retries what is safe to repeat, and fails with a `ApiError`, which has exit code 3 for a
 * missing resource.
 */
export interface Cloud {
  readonly place: CloudPlace;
  /** A token valid for the next minute, for the plugin and `cloud auth token`. Never print it elsewhere. */
  token(): Promise<string>;
  /** The logins stored on this machine. */
  readonly logins: Logins;
  /** The organization of the token (from the older API). */
  organization(): Promise<Organization>;

  createResourceGroup(fields: Fields): Promise<ResourceGroup>;
  listResourceGroups(filters?: Filters): Promise<readonly ResourceGroup[]>;
  getResourceGroup(id: string): Promise<ResourceGroup>;
  deleteResourceGroup(id: string): Promise<void>;

  /** `fields` are the fields inside the key `network`. */
  createNetwork(fields: Fields): Promise<Operation>;
  listNetworks(filters?: Filters): Promise<readonly Network[]>;
  getNetwork(id: string): Promise<Network>;
  deleteNetwork(id: string): Promise<Operation>;

  /** The regions of a provider, by the API's word for it. Filters: `cluster_type`. */
  listRegions(cloudProvider: string, filters?: Filters): Promise<readonly Region[]>;

  /** `fields` are the fields inside the key `cluster`. */
  createCluster(fields: Fields): Promise<Operation>;
  listClusters(filters?: Filters): Promise<readonly Cluster[]>;
  getCluster(id: string): Promise<Cluster>;
  /** `changes` has only the changed fields, for example `cluster_configuration.custom_properties`. */
  updateCluster(id: string, changes: Fields): Promise<Operation>;
  deleteCluster(id: string): Promise<Operation>;

  getOperation(id: string): Promise<Operation>;
  /** Filters: `type_in` (several), `state`, `resource_id`. Newest last. */
  listOperations(filters?: Filters): Promise<readonly Operation[]>;
  /**
   * Polls until the operation has completed, and returns it. If aborted, the error has the id and the resume command.
   * @throws ApiError (exit 1) with the server's error if the operation failed; CliError (exit 5) on a timeout
   */
  waitForOperation(id: string, options: WaitOptions): Promise<Operation>;
  /**
   * Polls until `isDone` returns true; undefined if the cluster is gone (404).
   * @throws CliError (exit 5) on a timeout
   */
  waitForCluster(
    id: string,
    isDone: (cluster: Cluster) => boolean,
    options: ClusterWaitOptions,
  ): Promise<Cluster | undefined>;

  /** Filters: `role_name`, `scope.resource_type`. */
  listRoleBindings(filters?: Filters): Promise<readonly RoleBinding[]>;
  getRoleBinding(id: string): Promise<RoleBinding>;
  /** `fields` are at the top level of the body. */
  createRoleBinding(fields: Fields): Promise<RoleBinding>;
  getUser(id: string): Promise<User>;
  /** `fields` are the fields inside the key `service_account`. */
  createServiceAccount(fields: Fields): Promise<NewServiceAccount>;
  listServiceAccounts(filters?: Filters): Promise<readonly ServiceAccount[]>;
  getServiceAccount(id: string): Promise<ServiceAccount>;

  /** Sends a GET with the token to the older API (`/api/v1/…`), and returns the JSON unchanged. */
  legacyGet(path: string): Promise<unknown>;
  /** Starts a download from any URL, without the token. */
  download(url: string): Promise<Download>;
  /** Closes all connections immediately. */
  close(): void;
}
