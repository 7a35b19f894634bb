import { type ApiError, errorBody } from '../http/api-error.ts';
import type { Cluster, ClusterState, OperationStep } from '../state.ts';
import type { World } from '../world.ts';
import { type ClusterChange, withoutNulls } from './cluster-rules.ts';
import { showCluster } from './cluster-view.ts';
import { completeOperation, failOperation, plannedFailure } from './operations.ts';

/** Ends the preparation of a BYOC cluster, which then waits for its agent without a time limit. */
export function clusterPrepared(world: World, { at, resourceId }: OperationStep): void {
  change(world, resourceId, { state: 'STATE_CREATING_AGENT', updatedAt: at });
}

/** Ends the creation of a cluster, which becomes ready unless a failure was planned. */
export function clusterCreated(world: World, { at, resourceId, operationId }: OperationStep): void {
  const failure = plannedFailure(world, operationId);
  const changed = change(world, resourceId, {
    state: failure ? 'STATE_FAILED' : 'STATE_READY',
    stateDescription: failure ? describe(failure) : null,
    updatedAt: at,
  });
  if (failure) failOperation(world, operationId, at, failure);
  else if (changed) completeOperation(world, operationId, at, { cluster: showCluster(world, changed) });
}

/** Ends an update: the change becomes visible now, unless a failure was planned. */
export function clusterUpdated(world: World, step: OperationStep): void {
  const { at, resourceId, operationId } = step;
  const cluster = world.state.clusters.get(resourceId);
  if (cluster === undefined) return;
  const failure = plannedFailure(world, operationId);
  const state: ClusterState = cluster.state === 'STATE_UPGRADING' ? 'STATE_READY' : cluster.state;
  if (failure) {
    change(world, resourceId, { state, updatedAt: at });
    failOperation(world, operationId, at, failure);
    return;
  }
  const wanted = (step.change ?? {}) as ClusterChange;
  const changed = change(world, resourceId, {
    state,
    updatedAt: at,
    name: wanted.name ?? cluster.name,
    throughputTier: wanted.throughputTier ?? cluster.throughputTier,
    customProperties: withoutNulls({ ...cluster.customProperties, ...wanted.customProperties }),
    asSent: { ...cluster.asSent, ...wanted.asSent },
  });
  if (changed) completeOperation(world, operationId, at, { cluster: showCluster(world, changed) });
}

/** Ends the teardown of a BYOC cluster, which then waits without a time limit for its agent to be removed. */
export function clusterTornDown(world: World, { at, resourceId, operationId }: OperationStep): void {
  const failure = plannedFailure(world, operationId);
  if (failure) fail(world, { at, resourceId, operationId }, failure);
  else change(world, resourceId, { state: 'STATE_DELETING_AGENT', updatedAt: at });
}

/** Ends the deletion of a cluster: removes it and completes the operation, unless a failure was planned. */
export function clusterDeleted(world: World, { at, resourceId, operationId }: OperationStep): void {
  const failure = plannedFailure(world, operationId);
  if (failure) {
    fail(world, { at, resourceId, operationId }, failure);
    return;
  }
  world.state.clusters.delete(resourceId);
  completeOperation(world, operationId, at);
}

function fail(world: World, step: Pick<OperationStep, 'at' | 'resourceId' | 'operationId'>, failure: ApiError): void {
  const stateDescription = describe(failure);
  change(world, step.resourceId, { state: 'STATE_FAILED', stateDescription, updatedAt: step.at });
  failOperation(world, step.operationId, step.at, failure);
}

function change(world: World, id: string, part: Partial<Cluster>): Cluster | undefined {
  const cluster = world.state.clusters.get(id);
  if (cluster === undefined) return undefined;
  const changed = { ...cluster, ...part };
  world.state.clusters.set(id, changed);
  return changed;
}

function describe(failure: ApiError): unknown {
  const { code, message } = errorBody(failure);
  return { code, message };
}
