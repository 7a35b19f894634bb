import { describe, expect, test } from 'vitest';
import { createSteps } from '../../../src/byoc/flow/create.ts';
import { newCreation } from '../../../src/byoc/flow/record.ts';
import { FlowOver } from '../../../src/byoc/flow/step.ts';
import type { Operation } from '../../../src/cloud/cloud-rows.ts';
import { ApiError } from '../../../src/net/json-api/error.ts';
import { failure } from '../../cloud/client.ts';
import { missing } from './flow-model.ts';
import { creation, end, inState, operation, options, request, waiting, worldOf } from './step-world.ts';

describe('the request for a cluster', () => {
  const post = (made: Operation | Error) => ({
    createCluster: async () => {
      if (made instanceof Error) throw made;
      return made;
    },
  });

  test.each([
    [operation({ metadata: { cluster_id: 'c2' } }), 'c2'],
    [operation({ metadata: { cluster_id: '' } }), 'c1'],
    [operation({ metadata: { cluster_id: 7 } }), 'c1'],
    [operation({}), 'c1'],
  ])('gives the id of the cluster: %j', async (made, cluster_id) => {
    const { world, told } = worldOf(post(made));
    expect(await createSteps.create(creation, world, false)).toEqual({ next: 'agent', cluster_id, operation_id: 'o1' });
    expect(told).toEqual(['creating the cluster']);
  });

  test('of a Dedicated cluster leads to the wait for its operation, because it has no agent', async () => {
    const dedicated = newCreation({ ...request, type: 'TYPE_DEDICATED' }, null, options);
    const { world } = worldOf(post(operation({})));
    expect(await createSteps.create(dedicated, world, false)).toMatchObject({ next: 'operation' });
  });

  test.each([
    [400, true],
    [409, true],
    [499, true],
    [429, false],
    [500, false],
    [302, false],
  ])('that is answered with %d ends the flow: %s', async (status, isOver) => {
    const refusal = new ApiError(1, 'no', { status });
    const error: unknown = await failure(createSteps.create(creation, worldOf(post(refusal)).world, false));
    expect(error instanceof FlowOver ? error.failure : error).toBe(refusal);
    expect(error instanceof FlowOver).toBe(isOver);
  });

  test.each([
    ['the name and the network', { name: 'first', network_id: 'n1' }, true],
    ['only the name', { name: 'first', network_id: 'n2' }, false],
    ['a longer name', { name: 'first2', network_id: 'n1' }, false],
  ])('is not repeated if a cluster has %s', async (_, part, isFound) => {
    const asked: unknown[] = [];
    const { world } = worldOf({
      ...post(operation({ id: 'new', resource_id: 'c9' })),
      async listClusters(filters) {
        asked.push(filters);
        return [{ ...inState('STATE_READY'), ...part }];
      },
      async listOperations(filters) {
        asked.push(filters);
        return [operation({ type: 'TYPE_CREATE_CLUSTER' })];
      },
    });
    const found = await createSteps.create(creation, world, true);
    expect(found).toEqual({
      next: 'agent',
      ...(isFound ? { cluster_id: 'c1', operation_id: 'o1' } : { cluster_id: 'c9', operation_id: 'new' }),
    });
    expect(asked[0]).toEqual({ name_contains: 'first' });
    if (isFound) expect(asked[1]).toEqual({ type_in: ['TYPE_CREATE_CLUSTER'], resource_id: 'c1' });
  });

  test('with withheld values is not repeated', async () => {
    const { world } = worldOf({ listClusters: async () => [] });
    const error = await end(createSteps.create({ ...creation, withheld: ['a', 'b'] }, world, true));
    expect(error).toMatchObject({
      ...{ exitCode: 6, code: 'NOT_CREATED', target: 'first' },
      message: 'the cluster "first" was not created before the interruption',
    });
    expect(error.hints[0]).toContain('because a, b may be secret and was not stored');
  });
});

describe('the wait for the agent of a new cluster', () => {
  test.each([
    ['STATE_CREATING_AGENT', 'apply'],
    ['STATE_READY', 'operation'],
    ['STATE_UPGRADING', 'operation'],
    ['STATE_SUSPENDED', 'operation'],
    ['STATE_FAILED', 'operation'],
  ])('ends in %s with the step %s', async (state, next) => {
    const found = next === 'apply' ? { cluster: inState(state) } : {};
    expect(await createSteps.agent(creation, worldOf(waiting(state)).world, false)).toEqual({ next, ...found });
  });

  test.each([
    ['STATE_FAILED', 'failed', { operation_id: null }],
    ['STATE_DELETING', 'deleting', {}],
    ['STATE_DELETING_AGENT', 'deleting-agent', {}],
  ])('ends the flow in %s', async (state, word, part) => {
    const error = await end(createSteps.agent({ ...creation, ...part }, worldOf(waiting(state)).world, false));
    expect(error).toMatchObject({
      ...{ exitCode: 1, code: 'NOT_CREATED', target: 'c1' },
      message: `the cluster c1 was not created: its state is ${word}`,
      hints: ['see its state with: weir cloud cluster get c1', 'delete it with: weir cloud cluster delete c1'],
    });
  });

  test('ends the flow when the cluster is gone', async () => {
    const error = await end(createSteps.agent(creation, worldOf(waiting(undefined)).world, false));
    expect(error).toMatchObject({ exitCode: 3, code: 'NOT_FOUND', target: 'c1' });
    expect(error.hints).toEqual([
      'remove what the agent may have left in your own cloud account; there is nothing to resume',
    ]);
  });

  test('tells the states, and how to continue after a timeout', async () => {
    const { world, told } = worldOf({
      async waitForCluster(id, _, { onProgress, resumeWith, waitTimeoutMs }) {
        onProgress?.(inState('STATE_CREATING_AGENT'));
        expect([id, resumeWith, waitTimeoutMs]).toEqual(['c1', 'weir cloud resume c1', 1_000]);
        return inState('STATE_CREATING_AGENT');
      },
    });
    await createSteps.agent(creation, world, false);
    expect(told).toEqual(['creating-agent']);
  });
});

describe('the end of a creation', () => {
  const bare = { ...creation, operation_id: null };

  test.each(['STATE_READY', 'STATE_UPGRADING', 'STATE_SUSPENDED'])('is %s without an operation', async (state) => {
    expect(await createSteps.operation(bare, worldOf(waiting(state)).world, false)).toEqual({ next: 'read' });
  });

  test.each([
    ['STATE_FAILED', 'failed'],
    ['STATE_DELETING', 'deleting'],
    ['STATE_DELETING_AGENT', 'deleting-agent'],
  ])('is an error in %s', async (state, word) => {
    const error = await end(createSteps.operation(bare, worldOf(waiting(state)).world, false));
    expect(error.message).toBe(`the cluster c1 was not created: its state is ${word}`);
  });

  test('is an error when the cluster is gone, also when it is read', async () => {
    expect(await end(createSteps.operation(bare, worldOf(waiting(undefined)).world, false))).toMatchObject({
      exitCode: 3,
    });
    const { world } = worldOf({ getCluster: () => Promise.reject(missing('it')) });
    expect(await end(createSteps.read(creation, world, false))).toMatchObject({ exitCode: 3 });
  });

  test.each([
    ['its operation', undefined, { next: 'read' }],
    ['the cluster if its operation is unknown', missing('it'), { next: 'operation', operation_id: null }],
  ])('is awaited with %s', async (_, error, expected) => {
    const told: unknown[] = [];
    const { world, told: progress } = worldOf({
      async waitForOperation(id, { onProgress, ...how }) {
        told.push([id, how]);
        const made = operation({ type: 'TYPE_CREATE_CLUSTER', state: 'STATE_IN_PROGRESS' });
        onProgress?.(made);
        if (error !== undefined) throw error;
        return made;
      },
    });
    expect(await createSteps.operation(creation, world, false)).toEqual(expected);
    expect(told).toEqual([['o1', { waitTimeoutMs: 1_000, resumeWith: 'weir cloud resume c1' }]]);
    expect(progress).toEqual(['create-cluster in-progress']);
  });

  test.each([
    [0, true],
    [403, false],
    [500, false],
  ])('an error of its operation with the status %d ends the flow: %s', async (status, isOver) => {
    const waitForOperation = () => Promise.reject(new ApiError(1, 'no', { status }));
    const error: unknown = await failure(createSteps.operation(creation, worldOf({ waitForOperation }).world, false));
    expect(error instanceof FlowOver).toBe(isOver);
  });
});
