import { expect } from 'vitest';
import { type FlowRecord, newCreation, newDeletion, resumeCommand } from '../../../src/byoc/flow/record.ts';
import { type FlowCloud, FlowOver, type FlowWorld } from '../../../src/byoc/flow/step.ts';
import type { PluginCall } from '../../../src/byoc/plugin/argv.ts';
import type { Cluster, Operation } from '../../../src/cloud/cloud-rows.ts';
import type { CliError } from '../../../src/errors.ts';
import { failure } from '../../cloud/client.ts';

/** The options of the records. */
export const options = { apiUrl: 'http://h', now: 0, projectId: 'p1', subscriptionId: 's1' };
/** The request of the creation. */
export const request = { name: 'first', network_id: 'n1', resource_group_id: 'g1' };
/** The record of a creation whose cluster and operation are known. */
export const creation: FlowRecord = { ...newCreation(request, 'gcp', options), cluster_id: 'c1', operation_id: 'o1' };
/** The fields of the cluster besides its state. */
export const cluster = { id: 'c1', name: 'first', type: 'TYPE_BYOC', network_id: 'n1', resource_group_id: 'g1' };
/** The scope of the deletion. */
export const everything = { destroy: true, withNetwork: true, withResourceGroup: true };
/** The record of a deletion of everything, whose operation is known. */
export const deletion: FlowRecord = {
  ...newDeletion(cluster as unknown as Cluster, 'gcp', everything, options),
  operation_id: 'o1',
};
/** The cluster of the records in a state. */
export const inState = (state: string) => ({ ...cluster, state }) as unknown as Cluster;
/** An operation on that cluster. */
export const operation = (part: object) =>
  ({ id: 'o1', resource_id: 'c1', metadata: {}, ...part }) as unknown as Operation;

/** A world whose cloud has only the given calls; what is told and run is kept. */
export function worldOf(cloud: Partial<FlowCloud> = {}, more: Partial<FlowWorld> = {}) {
  const told: string[] = [];
  const ran: PluginCall[] = [];
  const world: FlowWorld = {
    cloud: cloud as FlowCloud,
    applies: true,
    resumeWith: resumeCommand,
    waitTimeoutMs: 1_000,
    async runPlugin(call) {
      ran.push(call);
      return 0;
    },
    agreesToDestroy: async () => false,
    sleep: async () => undefined,
    onProgress: (detail) => void told.push(detail),
    ...more,
  };
  return { world, told, ran };
}

/** A wait for a cluster that is in this state, or gone; a state that is not awaited would be waited for. */
export const waiting = (state: string | undefined): Partial<FlowCloud> => ({
  async waitForCluster(_, isDone) {
    if (state === undefined) return undefined;
    return isDone(inState(state)) ? inState(state) : inState('STATE_STILL_WAITED_FOR');
  },
});

/** The failure that ends a flow for good. */
export async function end(work: Promise<unknown>): Promise<CliError> {
  const over: unknown = await failure(work);
  expect(over).toBeInstanceOf(FlowOver);
  return (over as FlowOver).failure as CliError;
}
