import { createHash } from 'node:crypto';
import type { Cluster } from '../../cloud/cloud-rows.ts';
import { commandText } from '../../format/shell-word.ts';
import { textOf } from '../../net/json.ts';
import type { Fields } from '../../shape/object.ts';
import {
  always,
  converted,
  either,
  type FieldsOf,
  listOf,
  looseRow,
  matching,
  nothing,
  object,
  read,
  type Shape,
  string,
  truth,
  word,
} from '../../shape/shape.ts';
import { type PluginCall, type PluginProvider, type PluginVerb, pluginProviders } from '../plugin/argv.ts';

/** The steps of a creation, in order. */
export type CreateStep = 'create' | 'agent' | 'apply' | 'operation' | 'read';

/** The steps of a deletion, in order. */
export type DeleteStep =
  | 'delete'
  | 'agent'
  | 'destroy'
  | 'operation'
  | 'network'
  | 'network-operation'
  | 'resource-group';

const textOrNull = either(string, nothing);

const fields = {
  version: always(1),
  /** It becomes a part of a file name. */
  id: matching(/^[0-9a-f]+$/),
  kind: word('create', 'delete'),
  /** The URL of the control plane. */
  api_url: string,
  /** The start time in RFC 3339. */
  started_at: string,
  /** May be one of a newer weir. */
  step: string as Shape<CreateStep | DeleteStep | 'done'>,
  /** Whether the step was started, so that its changes may or may not have been made. */
  begun: truth,
  cluster_name: string,
  /** The cluster's id; null until the control plane has assigned one. */
  cluster_id: textOrNull,
  byoc: truth,
  /** The plugin's provider; null if the cloud provider has no plugin. */
  provider: either(word(...pluginProviders), nothing),
  network_id: string,
  resource_group_id: string,
  /** The operation that creates or deletes the cluster; null until it is known. */
  operation_id: textOrNull,
  /** The operation that deletes the network; null until it is known. */
  network_operation_id: textOrNull,
  project_id: textOrNull,
  subscription_id: textOrNull,
  /** Whether the plugin may remove the agent without asking. */
  destroy: truth,
  with_network: truth,
  with_resource_group: truth,
  /** The request body of a creation, in the journal without values that look like secrets; null for a deletion. */
  request: either(object, nothing),
  /** The properties that were left out of `request`. */
  withheld: converted((value) => (Array.isArray(value) ? value : 'no list'), listOf(string)),
};

/** The record of a flow between its steps. The journal keeps it without secrets. */
export type FlowRecord = FieldsOf<typeof fields>;

const flowRecord: Shape<FlowRecord> = looseRow(fields);

/** The record that a file has; null if any field is missing or has another type. Other fields are kept. */
export function flowIn(value: unknown): FlowRecord | null {
  try {
    return read(flowRecord, value);
  } catch {
    return null;
  }
}

/** The user's settings for a flow. */
export interface FlowOptions {
  readonly apiUrl: string;
  /** The start time, in milliseconds since the epoch. */
  readonly now: number;
  readonly projectId: string | undefined;
  readonly subscriptionId: string | undefined;
}

/** Creates the record of a creation that has not started; `request` has the fields inside the key `cluster`. */
export function newCreation(request: Fields, provider: PluginProvider | null, options: FlowOptions): FlowRecord {
  return {
    ...common(creationId(options.apiUrl, textOf(request.name)), options),
    kind: 'create',
    step: 'create',
    cluster_name: textOf(request.name),
    cluster_id: null,
    byoc: request.type !== 'TYPE_DEDICATED',
    provider,
    network_id: textOf(request.network_id),
    resource_group_id: textOf(request.resource_group_id),
    destroy: false,
    with_network: false,
    with_resource_group: false,
    request,
    withheld: [],
  };
}

/** What a deletion includes besides the cluster. */
export interface DeletionScope {
  readonly destroy: boolean;
  readonly withNetwork: boolean;
  readonly withResourceGroup: boolean;
}

/** Creates the record of a deletion that has not started. */
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

/** The id of the flow that creates a cluster of this name. Simultaneous creations of the same name share one flow. */
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

/** Removes values whose names look like secrets, at any depth; returns the request and the removed paths. */
export function withoutSecrets(request: Fields): Pick<FlowRecord, 'request' | 'withheld'> {
  const withheld: string[] = [];
  const clean = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, path));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const fieldPath = path === '' ? name : `${path}.${name}`;
        // Booleans and numbers are not secrets, whatever their name.
        if (secret.test(name) && typeof inner === 'string') {
          withheld.push(fieldPath);
          return [];
        }
        return [[name, clean(inner, fieldPath)]];
      }),
    );
  };
  return { request: clean(request, '') as Fields, withheld };
}

/** The name of a flow for the user: the cluster's id as soon as it has one, and the flow's id before that. */
export function nameOfFlow({ cluster_id, id }: FlowRecord): string {
  return cluster_id ?? id;
}

/** The call of the plugin for a flow; null if its cluster is not known yet, or its provider has no plugin. */
export function pluginCallOf(record: FlowRecord, verb: PluginVerb): PluginCall | null {
  const { provider, cluster_id: clusterId, project_id, subscription_id } = record;
  if (provider === null || clusterId === null) return null;
  const flags = { projectId: project_id ?? undefined, subscriptionId: subscription_id ?? undefined };
  return { provider, verb, clusterId, ...flags, rest: [] };
}

/** The command that resumes a flow. */
export function resumeCommand(record: FlowRecord): string {
  return commandText`weir cloud resume ${nameOfFlow(record)}`;
}

/** Whether `word` refers to this flow: its id, its cluster's id or name, or one of its operations. */
export function isCalled(record: FlowRecord, word: string): boolean {
  const { id, cluster_id, cluster_name, operation_id, network_operation_id } = record;
  return [id, cluster_id, cluster_name, operation_id, network_operation_id].includes(word);
}
