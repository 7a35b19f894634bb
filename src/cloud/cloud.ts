import type { Deadline } from '../deadline.ts';
import type { HttpTrace } from '../net/http-trace.ts';
import type { Logins } from './auth/logins.ts';
import type {
  Cluster,
  Fields,
  Network,
  NewServiceAccount,
  Operation,
  Organization,
  ResourceGroup,
  RoleBinding,
  ServiceAccount,
  User,
} from './rows.ts';

/** Where the control plane is; the four belong together. */
export interface CloudPlace {
  /** Base URL of the API, without a slash at its end. */
  readonly apiUrl: string;
  /** Base URL of the server that hands out tokens. */
  readonly authUrl: string;
  /** What a token is asked for. */
  readonly audience: string;
  /** Base URL of the older API, which knows the organization and the plugins. */
  readonly legacyUrl: string;
}

/** Who asks, as configured; the first that is there is used: a ready token, credentials, the login kept on this machine. */
export interface CloudCredentials {
  /** A ready token, used as it is. */
  readonly token: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** What the control plane client is made of; `context.ts` fills it from the configuration. */
export interface CloudOptions {
  readonly place: CloudPlace;
  /** Where the vendor's own control plane is: what logins that say no address are bound to. */
  readonly production: CloudPlace;
  /** Whether `http:` may be used to other machines. */
  readonly insecureHttp: boolean;
  readonly credentials: CloudCredentials;
  /** The public client that people log in with in a browser; undefined where none is configured. */
  readonly deviceClientId: string | undefined;
  /** Where tokens are kept between commands; undefined without a home directory: then they are not. */
  readonly stateDirectory: string | undefined;
  /** The environment, for the proxy variables alone. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly deadline: Deadline;
  /** Warnings for the person: a lost answer that was looked up, for example. */
  readonly warn: (line: string) => void;
  /** One call per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
}

/** How a list is narrowed: the API's names after `filter.`, for example `name_contains` or `scope.resource_type`. */
export type Filters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How a long-running operation is waited for. */
export interface WaitOptions {
  /** How long at most, in milliseconds; the command's own limit does not count meanwhile. */
  readonly waitTimeoutMs: number;
  /** Called with what each poll found, the last included. */
  readonly onProgress?: (operation: Operation) => void;
  /** The command that goes on with it, for messages; `weir cloud operation wait ID` when left out. */
  readonly resumeWith?: string;
}

/** How a cluster is waited for. */
export interface ClusterWaitOptions extends Omit<WaitOptions, 'onProgress'> {
  readonly onProgress?: (cluster: Cluster) => void;
}

/** A download that has begun. */
export interface Download {
  /** In bytes; undefined where the server does not say. */
  readonly length: number | undefined;
  /** Each wait for the next piece is bounded by `globals.request_timeout_overhead`; ends with an error when cut short. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The control plane as commands see it. Rows have the API's field names. Every call keeps the limits, asks
 * for a token when one is needed, repeats what is safe to repeat, and fails with a `CloudError`, whose exit
 * code is 3 for what does not exist.
 */
export interface Cloud {
  readonly place: CloudPlace;
  /** A token that is good for the next minute: for the plugin, and for `cloud auth token`. Never print it elsewhere. */
  token(): Promise<string>;
  /** The logins kept on this machine. */
  readonly logins: Logins;
  /** The organization of the token (of the older API). */
  organization(): Promise<Organization>;

  /** Endpoint 1. */
  createResourceGroup(fields: Fields): Promise<ResourceGroup>;
  listResourceGroups(filters?: Filters): Promise<readonly ResourceGroup[]>;
  getResourceGroup(id: string): Promise<ResourceGroup>;
  /** Endpoint 2. */
  deleteResourceGroup(id: string): Promise<void>;

  /** Endpoint 3; `fields` are those inside the key `network`. */
  createNetwork(fields: Fields): Promise<Operation>;
  listNetworks(filters?: Filters): Promise<readonly Network[]>;
  getNetwork(id: string): Promise<Network>;
  /** Endpoint 4. */
  deleteNetwork(id: string): Promise<Operation>;

  /** Endpoint 5; `fields` are those inside the key `cluster`. */
  createCluster(fields: Fields): Promise<Operation>;
  listClusters(filters?: Filters): Promise<readonly Cluster[]>;
  /** Endpoint 6. */
  getCluster(id: string): Promise<Cluster>;
  /** Endpoint 7; `changes` has only what changes, for example `cluster_configuration.custom_properties`. */
  updateCluster(id: string, changes: Fields): Promise<Operation>;
  /** Endpoint 8. */
  deleteCluster(id: string): Promise<Operation>;

  /** Endpoint 9. */
  getOperation(id: string): Promise<Operation>;
  /** Filters: `type_in` (several), `state`, `resource_id`. Newest last. */
  listOperations(filters?: Filters): Promise<readonly Operation[]>;
  /**
   * Polls until the operation has completed and answers with it. Aborted, it tells the id and how to resume.
   * @throws CloudError (exit 1) with the server's error when it failed; CliError (exit 5) when the time is over
   */
  waitForOperation(id: string, options: WaitOptions): Promise<Operation>;
  /**
   * Polls until `isDone` says yes; undefined when the cluster is gone (404).
   * @throws CliError (exit 5) when the time is over
   */
  waitForCluster(
    id: string,
    isDone: (cluster: Cluster) => boolean,
    options: ClusterWaitOptions,
  ): Promise<Cluster | undefined>;

  /** Endpoint 10. Filters: `role_name`, `scope.resource_type`. */
  listRoleBindings(filters?: Filters): Promise<readonly RoleBinding[]>;
  /** Endpoint 11. */
  getRoleBinding(id: string): Promise<RoleBinding>;
  /** Endpoint 12; `fields` stand at the top level of the body. */
  createRoleBinding(fields: Fields): Promise<RoleBinding>;
  /** Endpoint 13. */
  getUser(id: string): Promise<User>;
  /** Endpoint 14; `fields` are those inside the key `service_account`. */
  createServiceAccount(fields: Fields): Promise<NewServiceAccount>;
  listServiceAccounts(filters?: Filters): Promise<readonly ServiceAccount[]>;
  getServiceAccount(id: string): Promise<ServiceAccount>;

  /** A GET on the older API (`/api/v1/…`), with the token; the JSON as it came. */
  legacyGet(path: string): Promise<unknown>;
  /** Begins a download from any URL; the token goes to none but the control plane's own origins. */
  download(url: string): Promise<Download>;
  /** Closes every connection at once. */
  close(): void;
}
