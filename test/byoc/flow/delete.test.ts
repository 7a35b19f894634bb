import { describe, expect, test } from 'vitest';
import { deleteSteps } from '../../../src/byoc/flow/delete.ts';
import type { FlowCloud } from '../../../src/byoc/flow/step.ts';
import type { Operation } from '../../../src/cloud/cloud-rows.ts';
import { CliError } from '../../../src/errors.ts';
import { failure } from '../../cloud/client.ts';
import { missing } from './flow-model.ts';
import { deletion, end, inState, operation, waiting, worldOf } from './step-world.ts';

describe('the deletion of a cluster', () => {
  const found = (state: string | undefined, operations: readonly Operation[] = []) =>
    worldOf({
      async getCluster() {
        if (state === undefined) throw missing('it');
        return inState(state);
      },
      listOperations: async () => operations,
      deleteCluster: async () => operation({ id: 'new' }),
    });
  const ours = operation({ id: 'old', type: 'TYPE_DELETE_CLUSTER' });
  const foreign = operation({ id: 'x', type: 'TYPE_DELETE_CLUSTER', resource_id: 'c2' });

  test.each<[string | undefined, boolean, string | null]>([
    ['STATE_READY', false, 'new'],
    ['STATE_FAILED', true, 'new'],
    ['STATE_DELETING', false, 'old'],
    ['STATE_DELETING_AGENT', false, 'old'],
    [undefined, true, 'old'],
  ])('in the state %s (again: %s) has the operation %s', async (state, again, operation_id) => {
    const { world, told } = found(state, [ours, foreign, operation({ id: 'y', type: 'TYPE_UPDATE_CLUSTER' })]);
    expect(await deleteSteps.delete(deletion, world, again)).toEqual({ next: 'agent', operation_id });
    expect(told).toEqual(['deleting the cluster']);
  });

  test('without an operation is not known by one; a Dedicated cluster has no agent', async () => {
    const { world } = found('STATE_DELETING');
    expect(await deleteSteps.delete({ ...deletion, byoc: false }, world, false)).toEqual({
      ...{ next: 'operation', operation_id: null },
    });
  });

  test('of a missing cluster is not found at first', async () => {
    expect(await end(deleteSteps.delete(deletion, found(undefined).world, false))).toMatchObject({
      ...{ exitCode: 3, message: 'the cluster c1 does not exist', target: 'c1' },
    });
  });

  test.each([
    ['STATE_DELETING_AGENT', undefined, 'destroy'],
    [undefined, undefined, 'operation'],
    ['STATE_READY', 'STATE_FAILED', 'operation'],
    ['STATE_READY', undefined, 'operation'],
  ])('whose cluster is %s, its operation %s, continues with %s', async (state, of, next) => {
    const getOperation = async () => {
      if (of === undefined) throw missing('it');
      return operation({ state: of });
    };
    const { world } = worldOf({ ...waiting(state), getOperation });
    expect(await deleteSteps.agent(deletion, world, false)).toEqual({ next });
  });

  test('without a known operation looks for none', async () => {
    const { world } = worldOf(waiting('STATE_READY'));
    expect(await deleteSteps.agent({ ...deletion, operation_id: null }, world, false)).toEqual({ next: 'operation' });
  });

  test('whose cluster is still there in another state failed', async () => {
    const bare = { ...deletion, operation_id: null };
    expect(await end(deleteSteps.operation(bare, worldOf(waiting('STATE_FAILED')).world, false))).toMatchObject({
      ...{ exitCode: 1, message: 'the cluster c1 was not deleted: its state is failed', target: 'c1' },
    });
    for (const state of ['STATE_DELETING', 'STATE_DELETING_AGENT'])
      expect((await end(deleteSteps.operation(bare, worldOf(waiting(state)).world, false))).message).toContain(
        'waited',
      );
  });

  test.each([
    [true, true, 'network', 'resource-group'],
    [true, false, 'network', 'done'],
    [false, true, 'resource-group', 'resource-group'],
    [false, false, 'done', 'done'],
  ])('with its network: %s, with its group: %s, continues', async (with_network, with_resource_group, after, last) => {
    const record = { ...deletion, with_network, with_resource_group, operation_id: null };
    expect(await deleteSteps.operation(record, worldOf(waiting(undefined)).world, false)).toEqual({ next: after });
    const { world } = worldOf({
      getNetwork: () => Promise.reject(missing('it')),
      deleteNetwork: () => Promise.reject(missing('it')),
    });
    expect(await deleteSteps.network(record, world, false)).toEqual({ next: last });
    expect(await deleteSteps['network-operation'](record, world, false)).toEqual({ next: last });
  });
});

describe('the deletion of a network', () => {
  const calls: Partial<FlowCloud> = {
    listOperations: async () => [operation({ id: 'old', type: 'TYPE_DELETE_NETWORK', resource_id: 'n1' })],
    deleteNetwork: async () => operation({ id: 'new' }),
  };
  const network = (state: string): Partial<FlowCloud> => ({
    getNetwork: async (id) => ({ id, state }) as Awaited<ReturnType<FlowCloud['getNetwork']>>,
  });

  test.each([
    ['STATE_READY', 'new'],
    ['STATE_DELETING', 'old'],
  ])('in the state %s has the operation %s', async (state, network_operation_id) => {
    const { world, told } = worldOf({ ...calls, ...network(state) });
    expect(await deleteSteps.network(deletion, world, false)).toEqual({
      next: 'network-operation',
      network_operation_id,
    });
    expect(told).toEqual(['deleting the network']);
  });

  test('that vanishes meanwhile needs no operation', async () => {
    const { world } = worldOf({ ...network('STATE_READY'), deleteNetwork: () => Promise.reject(missing('it')) });
    expect(await deleteSteps.network(deletion, world, false)).toEqual({ next: 'resource-group' });
  });

  test('whose operation is unknown is done when the network is gone', async () => {
    const record = { ...deletion, network_operation_id: 'o2' };
    const unknown = { waitForOperation: () => Promise.reject(missing('it')) };
    const gone = worldOf({ ...unknown, getNetwork: () => Promise.reject(missing('it')) }).world;
    expect(await deleteSteps['network-operation'](record, gone, false)).toEqual({ next: 'resource-group' });
    const there = worldOf({ ...unknown, ...network('STATE_READY') }).world;
    expect(await failure(deleteSteps['network-operation'](record, there, false))).toMatchObject({
      ...{ exitCode: 3, target: 'o2', message: 'the operation o2, which deletes the network, does not exist' },
    });
  });
});

test.each([
  ['gone already', missing('it'), true],
  ['refused', new CliError(6, 'not empty'), false],
])('the deletion of a resource group that is %s is done: %s', async (_, error, isDone) => {
  const { world, told } = worldOf({ deleteResourceGroup: () => Promise.reject(error) });
  const work = deleteSteps['resource-group'](deletion, world, false);
  if (isDone) expect(await work).toEqual({ next: 'done' });
  else expect(await failure(work)).toBe(error);
  expect(told).toEqual(['deleting the resource group']);
});
