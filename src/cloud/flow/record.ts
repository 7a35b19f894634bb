import { createHash } from 'node:crypto';
import { textOf } from '../api/fields.ts';
import type { PluginProvider } from '../plugin/argv.ts';
import type { Cluster, Fields } from '../rows.ts';

/** The steps of a creation, in their order. */
export type CreateStep = 'create' | 'agent' | 'apply' | 'operation' | 'read';

/** The steps of a deletion, in their order. */
export type DeleteStep =
  | 'delete'
  | 'agent'
  | 'destroy'
  | 'operation'
  | 'network'
  | 'network-operation'
  | 'resource-group';

/** What is kept of a flow between its steps. It holds no secret. */
export interface FlowRecord {
  readonly version: 1;
  readonly id: string;
  readonly kind: 'create' | 'delete';
  /** The control plane it runs against. */
  readonly api_url: string;
  /** RFC 3339. */
  readonly started_at: string;
  readonly step: CreateStep | DeleteStep | 'done';
  /** Whether the step was begun: what it changes may or may not have been changed. */
  readonly begun: boolean;
  readonly cluster_name: string;
  /** Null until the control plane has named it. */
  readonly cluster_id: string | null;
  readonly byoc: boolean;
  /** Null where the provider has no plugin. */
  readonly provider: PluginProvider | null;
  readonly network_id: string;
  readonly resource_group_id: string;
  /** The operation that creates or deletes the cluster; null until it is known. */
  readonly operation_id: string | null;
  /** The operation that deletes the network; null until it is known. */
  readonly network_operation_id: string | null;
  readonly project_id: string | null;
  readonly subscription_id: string | null;
  /** Whether the plugin may remove the agent without a question. */
  readonly destroy: boolean;
  readonly with_network: boolean;
  readonly with_resource_group: boolean;
  /** The body of the creation, without what looks like a secret; null in a deletion. */
  readonly request: Fields | null;
  /** The properties that were left out of `request`. */
  readonly withheld: readonly string[];
}

/** What a person decides about a flow. */
export interface FlowOptions {
  readonly apiUrl: string;
  /** When it begins, in milliseconds since the epoch. */
  readonly now: number;
  readonly projectId: string | undefined;
  readonly subscriptionId: string | undefined;
}

/** A creation that has not begun; `request` are the fields inside the key `cluster`. */
export function newCreation(request: Fields, provider: PluginProvider | null, options: FlowOptions): FlowRecord {
  return {
    ...common(creationId(options.apiUrl, textOf(request.name)), options),
    kind: 'create',
    step: 'create',
    cluster_name: textOf(request.name),
    cluster_id: null,
    byoc: true,
    provider,
    network_id: textOf(request.network_id),
    resource_group_id: textOf(request.resource_group_id),
    destroy: false,
    with_network: false,
    with_resource_group: false,
    ...withoutSecrets(request),
  };
}

/** What a deletion takes along. */
export interface DeletionScope {
  readonly destroy: boolean;
  readonly withNetwork: boolean;
  readonly withResourceGroup: boolean;
}

/** A deletion that has not begun. */
export function newDeletion(
  cluster: Cluster,
  provider: PluginProvider | null,
  scope: DeletionScope,
  options: FlowOptions,
): FlowRecord {
  return {
    ...common(flowId('delete', options.apiUrl, cluster.id), options),
    kind: 'delete',
    step: 'delete',
    cluster_name: cluster.name,
    cluster_id: cluster.id,
    byoc: cluster.type === 'TYPE_BYOC',
    provider,
    network_id: cluster.network_id,
    resource_group_id: cluster.resource_group_id,
    destroy: scope.destroy,
    with_network: scope.withNetwork,
    with_resource_group: scope.withResourceGroup,
    request: null,
    withheld: [],
  };
}

/** The id of the creation of a cluster of that name: two commands that create it at once are one flow. */
export function creationId(apiUrl: string, clusterName: string): string {
  return flowId('create', apiUrl, clusterName);
}

function flowId(kind: FlowRecord['kind'], apiUrl: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, apiUrl, subject]))
    .digest('hex')
    .slice(0, 10);
}

function common(id: string, { apiUrl, now, projectId, subscriptionId }: FlowOptions) {
  return {
    version: 1,
    id,
    api_url: apiUrl,
    started_at: new Date(now).toISOString(),
    begun: false,
    operation_id: null,
    network_operation_id: null,
    project_id: projectId ?? null,
    subscription_id: subscriptionId ?? null,
  } as const;
}

const secret = /secret|password|passphrase|token|credential|private|_key$|^key$|apikey/i;

/** The request without values whose names look like secrets, at any depth, and the paths of those. */
export function withoutSecrets(request: Fields): Pick<FlowRecord, 'request' | 'withheld'> {
  const withheld: string[] = [];
  const clean = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, path));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const own = path === '' ? name : `${path}.${name}`;
        // A switch, or a number, is not a secret, whatever its name.
        if (secret.test(name) && typeof inner === 'string') {
          withheld.push(own);
          return [];
        }
        return [[name, clean(inner, own)]];
      }),
    );
  };
  return { request: clean(request, '') as Fields, withheld };
}

/** How a flow is named to the person: by its cluster as soon as that has an id. */
export function nameOfFlow({ cluster_id, id }: FlowRecord): string {
  return cluster_id ?? id;
}

/** The command that goes on with a flow. */
export function resumeCommand(record: FlowRecord): string {
  return `weir cloud resume ${nameOfFlow(record)}`;
}

/** Whether a person means this flow: by its id, its cluster's id or name, or one of its operations. */
export function isCalled(record: FlowRecord, word: string): boolean {
  const { id, cluster_id, cluster_name, operation_id, network_operation_id } = record;
  return [id, cluster_id, cluster_name, operation_id, network_operation_id].includes(word);
}
