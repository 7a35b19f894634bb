import { type ApiError, errorBody } from '../http/api-error.ts';
import type { Cluster, ClusterState, Step } from '../state.ts';
import type { World } from '../world.ts';
import { type ClusterChange, withoutNulls } from './cluster-rules.ts';
import { showCluster } from './cluster-view.ts';
import { completeOperation, failOperation, plannedFailure } from './operations.ts';

/** A BYOC cluster is prepared: it waits for its agent to be installed, however much time passes. */
export function clusterPrepared(world: World, { at, resourceId }: Step): void {
  change(world, resourceId, { state: 'STATE_CREATING_AGENT', updatedAt: at });
}

/** The time of a cluster's creation has passed: it is ready, or it failed as planned. */
export function clusterCreated(world: World, { at, resourceId, operationId }: Step): void {
  const failure = plannedFailure(world, operationId);
  const changed = change(world, resourceId, {
    state: failure ? 'STATE_FAILED' : 'STATE_READY',
    stateDescription: failure ? describe(world, failure) : null,
    updatedAt: at,
  });
  if (failure) failOperation(world, operationId, at, failure);
  else if (changed) completeOperation(world, operationId, at, { cluster: showCluster(world, changed) });
}

/** The time of an update has passed: only now is the change to be seen, unless it was planned to fail. */
export function clusterUpdated(world: World, step: Step): void {
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

/** A BYOC cluster is torn down: it waits for its agent to be removed, however much time passes. */
export function clusterTornDown(world: World, { at, resourceId, operationId }: Step): void {
  const failure = plannedFailure(world, operationId);
  if (failure) fail(world, { at, resourceId, operationId }, failure);
  else change(world, resourceId, { state: 'STATE_DELETING_AGENT', updatedAt: at });
}

/** The time of a cluster's deletion has passed: it is gone, and its operation is completed. */
export function clusterDeleted(world: World, { at, resourceId, operationId }: Step): void {
  const failure = plannedFailure(world, operationId);
  if (failure) {
    fail(world, { at, resourceId, operationId }, failure);
    return;
  }
  world.state.clusters.delete(resourceId);
  completeOperation(world, operationId, at);
}

function fail(world: World, step: Pick<Step, 'at' | 'resourceId' | 'operationId'>, failure: ApiError): void {
  const stateDescription = describe(world, failure);
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

function describe(world: World, failure: ApiError): unknown {
  const { code, message } = errorBody(failure, world.state.settings.errorCodes);
  return { code, message };
}
