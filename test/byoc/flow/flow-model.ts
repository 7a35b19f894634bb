import type { FlowRunner } from '../../../src/byoc/flow/flow.ts';
import { type FlowRecord, resumeCommand } from '../../../src/byoc/flow/record.ts';
import type { FlowCloud } from '../../../src/byoc/flow/step.ts';
import type { PluginCall } from '../../../src/byoc/plugin/argv.ts';
import type { Cluster, Network, Operation } from '../../../src/cloud/cloud-rows.ts';
import { ApiError } from '../../../src/net/json-api/error.ts';

/** Thrown where a process would have been killed. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** A minimal control plane with one cluster, which counts everything that can be interrupted. */
export interface FlowModel {
  readonly runner: FlowRunner;
  cluster: { state: string; agentIsGone?: boolean } | undefined;
  network: { state: string } | undefined;
  groupIsThere: boolean;
  readonly operations: Map<string, { type: string; resource: string; state: string }>;
  /** The changes, in order, for example `POST cluster`. */
  readonly changes: string[];
  readonly plugin: string[];
  records: FlowRecord[];
  /** Kills before or after the n-th event from now on; undefined: never. */
  killAt: { readonly at: number; readonly after: boolean } | undefined;
  happened: number;
  pluginExit: number;
  mayDestroy: boolean;
  networkIsReadOnly: boolean;
}

export function missing(what: string): ApiError {
  return new ApiError(3, `${what} does not exist`, { status: 404, code: 'NOT_FOUND' });
}

/** Starts with a network and a resource group; with `cluster`, that is ready. */
export function startModel({ cluster = false, byoc = true } = {}): FlowModel {
  const model: FlowModel = {
    runner: undefined as unknown as FlowRunner,
    cluster: cluster ? { state: 'STATE_READY' } : undefined,
    network: { state: 'STATE_READY' },
    groupIsThere: true,
    operations: new Map(),
    changes: [],
    plugin: [],
    records: [],
    killAt: undefined,
    happened: 0,
    pluginExit: 0,
    mayDestroy: false,
    networkIsReadOnly: false,
  };
  return Object.assign(model, { runner: runnerOf(model, byoc) });
}

function runnerOf(model: FlowModel, byoc: boolean): FlowRunner {
  /** One event that can be interrupted before or after it happens. */
  async function event<T>(work: () => T): Promise<T> {
    const at = model.happened++;
    if (model.killAt?.at === at && !model.killAt.after) throw new Killed();
    const result = work();
    if (model.killAt?.at === at) throw new Killed();
    return result;
  }
  return {
    cloud: cloudOf(model, byoc, event),
    journal: {
      directory: '/journal',
      list: async () => model.records,
      write: (record) =>
        event(() => {
          model.records = [...model.records.filter(({ id }) => id !== record.id), structuredClone(record)];
        }),
      remove: (id) =>
        event(() => {
          model.records = model.records.filter((one) => one.id !== id);
        }),
      hold: (id, work) => work(model.records.find((one) => one.id === id)),
    },
    applies: true,
    resumeWith: resumeCommand,
    waitTimeoutMs: 1000,
    runPlugin: (call) => event(() => runPlugin(model, call)),
    agreesToDestroy: async () => model.mayDestroy,
    sleep: async () => undefined,
    onProgress: () => undefined,
    onReached: () => undefined,
  };
}

type Event = <T>(work: () => T) => Promise<T>;

function cloudOf(model: FlowModel, byoc: boolean, event: Event): FlowCloud {
  const shown = () => clusterOf(model, byoc);
  const begin = (type: string, resource: string): Operation => {
    const id = `op-${model.operations.size + 1}`;
    model.operations.set(id, { type, resource, state: 'STATE_IN_PROGRESS' });
    return operationOf(model, id);
  };
  return {
    createCluster: () =>
      event(() => {
        if (model.cluster !== undefined) throw new ApiError(6, 'taken', { status: 409 });
        model.changes.push('POST cluster');
        model.cluster = { state: 'STATE_CREATING_AGENT' };
        return begin('TYPE_CREATE_CLUSTER', 'c1');
      }),
    listClusters: () => event(() => (model.cluster === undefined ? [] : [shown()])),
    getCluster: () => event(shown),
    deleteCluster: () =>
      event(() => {
        shown();
        model.changes.push('DELETE cluster');
        model.cluster = { state: 'STATE_DELETING' };
        return begin('TYPE_DELETE_CLUSTER', 'c1');
      }),
    listOperations: (filters) =>
      event(() => {
        const wanted = [...model.operations.keys()].map((id) => operationOf(model, id));
        return wanted.filter((one) => one.resource_id === filters?.resource_id && filters.type_in?.includes(one.type));
      }),
    getOperation: (id) => event(() => operationOf(model, id)),
    waitForOperation: (id) =>
      event(() => {
        elapse(model, byoc);
        const operation = operationOf(model, id);
        if (operation.state === 'STATE_COMPLETED') return operation;
        if (operation.state === 'STATE_FAILED') throw new ApiError(1, 'it failed', { status: 0 });
        throw new Error(`would wait for ever: ${operation.type}, cluster ${model.cluster?.state}`);
      }),
    waitForCluster: (_, isDone) =>
      event(() => {
        if (model.cluster !== undefined && isDone(shown())) return shown();
        elapse(model, byoc);
        if (model.cluster === undefined) return undefined;
        if (isDone(shown())) return shown();
        throw new Error(`would wait for ever: cluster ${model.cluster.state}`);
      }),
    getNetwork: () =>
      event(() => {
        if (model.network === undefined) throw missing('network');
        return { id: 'n1', state: model.network.state } as Network;
      }),
    deleteNetwork: () =>
      event(() => {
        if (model.networkIsReadOnly) throw new ApiError(4, 'forbidden', { status: 403 });
        if (model.cluster !== undefined) throw new ApiError(6, 'not empty', { status: 400 });
        model.changes.push('DELETE network');
        model.network = { state: 'STATE_DELETING' };
        return begin('TYPE_DELETE_NETWORK', 'n1');
      }),
    deleteResourceGroup: () =>
      event(() => {
        if (!model.groupIsThere) throw missing('resource group');
        if (model.network !== undefined) throw new ApiError(6, 'not empty', { status: 400 });
        model.changes.push('DELETE resource group');
        model.groupIsThere = false;
      }),
  };
}

function clusterOf(model: FlowModel, byoc: boolean): Cluster {
  if (model.cluster === undefined) throw missing('cluster c1');
  const place = { resource_group_id: 'g1', network_id: 'n1', cloud_provider: 'CLOUD_PROVIDER_GCP' };
  const type = byoc ? 'TYPE_BYOC' : 'TYPE_DEDICATED';
  return { id: 'c1', name: 'first', type, state: model.cluster.state, ...place } as unknown as Cluster;
}

function operationOf(model: FlowModel, id: string): Operation {
  const found = model.operations.get(id);
  if (found === undefined) throw missing(`operation ${id}`);
  const metadata = found.type === 'TYPE_CREATE_CLUSTER' ? { cluster_id: found.resource } : {};
  return { id, type: found.type, state: found.state, resource_id: found.resource, metadata } as unknown as Operation;
}

/** What happens by the passing of time; the two gates of BYOC do not. */
function elapse(model: FlowModel, byoc: boolean): void {
  const finish = (type: string) => {
    for (const one of model.operations.values()) {
      if (one.type === type && one.state === 'STATE_IN_PROGRESS') one.state = 'STATE_COMPLETED';
    }
  };
  if (model.cluster?.state === 'STATE_CREATING') {
    model.cluster = { state: 'STATE_READY' };
    finish('TYPE_CREATE_CLUSTER');
  }
  if (model.cluster?.agentIsGone || (model.cluster?.state === 'STATE_DELETING' && !byoc)) {
    model.cluster = undefined;
    finish('TYPE_DELETE_CLUSTER');
  } else if (model.cluster?.state === 'STATE_DELETING') model.cluster = { state: 'STATE_DELETING_AGENT' };
  if (model.network?.state === 'STATE_DELETING') {
    model.network = undefined;
    finish('TYPE_DELETE_NETWORK');
  }
}

function runPlugin(model: FlowModel, { provider, verb, clusterId }: PluginCall): number {
  model.plugin.push(`${provider} ${verb} ${clusterId}`);
  if (model.pluginExit !== 0) return model.pluginExit;
  const { cluster } = model;
  if (verb === 'apply' && cluster?.state === 'STATE_CREATING_AGENT') cluster.state = 'STATE_CREATING';
  else if (verb === 'destroy' && cluster?.state === 'STATE_DELETING_AGENT') cluster.agentIsGone = true;
  else if (!(verb === 'apply' && cluster !== undefined)) return 1;
  return 0;
}
