import { describe, expect, test } from 'vitest';
import { createSteps } from '../../../src/byoc/flow/create.ts';
import { deleteSteps } from '../../../src/byoc/flow/delete.ts';
import { type FlowRecord, newDeletion } from '../../../src/byoc/flow/record.ts';
import { runFlowPlugin } from '../../../src/byoc/flow/step.ts';
import type { PluginCall } from '../../../src/byoc/plugin/argv.ts';
import type { Cluster } from '../../../src/cloud/cloud-rows.ts';
import { failure } from '../../cloud/client.ts';
import { cluster, creation, deletion, end, everything, options, request, worldOf } from './step-world.ts';

describe('the plugin', () => {
  const flags = { projectId: 'p1', subscriptionId: 's1', rest: [] };

  test('installs the agent with the flags of the flow', async () => {
    const { world, ran, told } = worldOf();
    expect(await createSteps.apply(creation, world, false)).toEqual({ next: 'operation' });
    expect(ran).toEqual([{ provider: 'gcp', verb: 'apply', clusterId: 'c1', ...flags }]);
    expect(told).toEqual(['running the plugin: gcp apply']);
  });

  test('does not install the agent in a flow that leaves this to the user', async () => {
    const { world, ran } = worldOf({}, { applies: false });
    const call = { provider: 'gcp', verb: 'apply', clusterId: 'c1', ...flags };
    expect(await createSteps.apply(creation, world, false)).toEqual({ next: 'agent', pausedFor: call });
    const other = { ...creation, provider: null };
    expect(await createSteps.apply(other, world, false)).toEqual({ next: 'agent', pausedFor: null });
    expect(ran).toEqual([]);
  });

  test('removes the agent with the flags of the flow', async () => {
    const { world, ran } = worldOf();
    expect(await deleteSteps.destroy(deletion, world, false)).toEqual({ next: 'operation' });
    expect(ran).toEqual([{ provider: 'gcp', verb: 'destroy', clusterId: 'c1', ...flags }]);
  });

  test('is not run before the state of the cluster was checked again', async () => {
    const { world, ran } = worldOf();
    expect(await createSteps.apply(creation, world, true)).toEqual({ next: 'agent' });
    expect(await deleteSteps.destroy(deletion, world, true)).toEqual({ next: 'agent' });
    expect(ran).toEqual([]);
  });

  test('is not run without a project or with unset flags', async () => {
    const bare = { ...deletion, project_id: null, subscription_id: null };
    const { world, ran } = worldOf();
    expect(await failure(deleteSteps.destroy(bare, world, false))).toMatchObject({
      ...{ exitCode: 2, message: 'missing flag --project-id' },
    });
    expect(ran).toEqual([]);
    await createSteps.apply({ ...creation, provider: 'aws', project_id: null, subscription_id: null }, world, false);
    expect(ran[0]).toMatchObject({ projectId: undefined, subscriptionId: undefined });
  });

  test.each([
    ['agreed now', true, false],
    ['agreed before', false, true],
  ])('removes the agent when the person %s', async (_, now, before) => {
    const { world, ran } = worldOf({}, { agreesToDestroy: async () => now });
    await deleteSteps.destroy({ ...deletion, destroy: before }, world, false);
    expect(ran).toHaveLength(1);
  });

  test.each<[string, Partial<FlowRecord>]>([
    ['a provider', { provider: null }],
    ['a cluster', { cluster_id: null }],
  ])('cannot be run without %s', async (_, part) => {
    const { world } = worldOf();
    const name = part.cluster_id === null ? creation.id : 'c1';
    expect(await end(createSteps.apply({ ...creation, ...part }, world, false))).toMatchObject({
      message: `the cluster ${name} was not created: it has no provider`,
    });
    const id = part.cluster_id === null ? deletion.id : 'c1';
    expect(await end(deleteSteps.destroy({ ...deletion, ...part }, world, false))).toMatchObject({
      ...{ exitCode: 1, message: `there is no plugin for the provider of cluster ${id}`, target: id },
    });
  });

  test('that fails has its exit code in the error', async () => {
    const { world } = worldOf({}, { runPlugin: async () => 3 });
    const call: PluginCall = { provider: 'aws', verb: 'validate', clusterId: undefined, rest: [] };
    expect(await failure(runFlowPlugin(call, world))).toMatchObject({
      ...{ exitCode: 3, code: 'PLUGIN_FAILED', target: 'aws', hints: ['see its output above'] },
      message: 'the plugin ended with exit code 3 (aws validate)',
    });
  });
});

test('the record of a creation has what the steps need, and that of a deletion too', () => {
  expect(creation).toMatchObject({
    ...{ kind: 'create', step: 'create', begun: false, cluster_name: 'first', byoc: true, provider: 'gcp' },
    ...{ network_id: 'n1', resource_group_id: 'g1', destroy: false, with_network: false, with_resource_group: false },
    ...{ project_id: 'p1', subscription_id: 's1', request, withheld: [], started_at: '1970-01-01T00:00:00.000Z' },
  });
  expect(newDeletion(cluster as unknown as Cluster, 'gcp', everything, options)).toMatchObject({
    ...{ kind: 'delete', step: 'delete', begun: false, cluster_name: 'first', cluster_id: 'c1', byoc: true },
    ...{ network_id: 'n1', resource_group_id: 'g1', destroy: true, with_network: true, with_resource_group: true },
    ...{ operation_id: null, network_operation_id: null, request: null, withheld: [], provider: 'gcp' },
  });
  const dedicated = { ...cluster, type: 'TYPE_DEDICATED' } as unknown as Cluster;
  const bare = { ...options, projectId: undefined, subscriptionId: undefined };
  expect(newDeletion(dedicated, null, { ...everything, destroy: false }, bare)).toMatchObject({
    ...{ byoc: false, destroy: false, project_id: null, subscription_id: null },
  });
});
