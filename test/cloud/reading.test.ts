import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readProblem } from '../../src/cloud/api/api-error.ts';
import { apiWord, words } from '../../src/cloud/api/cloud-words.ts';
import { operation, resourceGroup, timeOf } from '../../src/cloud/cloud-rows.ts';
import { read } from '../../src/shape/shape.ts';
import { type Plane, readyCluster, startPlane } from '../sandbox/cloud/plane.ts';
import { cloudOf, failure } from './client.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

describe('what the control plane writes in several ways', () => {
  test.each([
    ['IN_PROGRESS', 'STATE_IN_PROGRESS'],
    ['STATE_COMPLETED', 'STATE_COMPLETED'],
    ['FAILED', 'STATE_FAILED'],
    ['STATE_PAUSED', 'STATE_PAUSED'],
    ['WHATEVER', 'WHATEVER'],
  ])('the state %s of an operation is read as %s', (state, expected) => {
    expect(read(operation.answer, { operation: { id: 'a', state } }).state).toBe(expected);
  });

  test.each([
    ['2024-07-23T20:31:29.948Z', '2024-07-23T20:31:29.948Z'],
    ['2024-07-23T20:31:29Z', '2024-07-23T20:31:29Z'],
    ['2024-07-23T20:31:29.123456789Z', '2024-07-23T20:31:29.123456789Z'],
    [{ seconds: '1721766689', nanos: 948_000_000 }, '2024-07-23T20:31:29.948Z'],
    [{ seconds: 1_721_766_689 }, '2024-07-23T20:31:29.000Z'],
    [null, null],
    [undefined, null],
    ['', null],
    [{ other: 1 }, null],
    [{ seconds: 'never' }, null],
  ])('the time %j is read as %j', (value, expected) => {
    expect(timeOf(value)).toBe(expected);
  });

  test('a resource group may come wrapped, bare, or as its id alone', () => {
    const readResourceGroup = (body: object) => read(resourceGroup.answer, body);
    expect(readResourceGroup({ resource_group: { id: 'a', name: 'n' } })).toMatchObject({ id: 'a', name: 'n' });
    expect(readResourceGroup({ id: 'a' })).toMatchObject({ id: 'a', name: '' });
    expect(readResourceGroup({ resource_group_id: 'a' })).toMatchObject({ id: 'a' });
  });

  test.each([
    ['gcp', 'CLOUD_PROVIDER_GCP'],
    ['AWS', 'CLOUD_PROVIDER_AWS'],
    ['CLOUD_PROVIDER_AZURE', 'CLOUD_PROVIDER_AZURE'],
    ['cloud_provider_new', 'CLOUD_PROVIDER_NEW'],
    ['moon', undefined],
    ['CLOUD_PROVIDER_', undefined],
  ])("the word %s is the API's %s", (text, expected) => {
    expect(apiWord(text, words.provider)).toBe(expected);
  });

  test.each(['prefixed', 'bare'] as const)('a wait ends with the %s spelling of states', async (operationStates) => {
    const { createOperation } = await readyCluster(plane);
    await plane.settings({ operationStates, timestamps: 'object', errorCodes: 'number', typeUrls: 'bare' });
    using client = cloudOf(plane);
    const done = await client.cloud.waitForOperation(createOperation, { waitTimeoutMs: 1_000 });
    expect(done.state).toBe('STATE_COMPLETED');
    expect(done.started_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('unknown enum values are shown as they are', async () => {
    const { clusterId } = await readyCluster(plane);
    await plane.settings({ enums: { STATE_READY: 'STATE_SHINING', CLOUD_PROVIDER_GCP: 'CLOUD_PROVIDER_MOON' } });
    using client = cloudOf(plane);
    expect(await client.cloud.getCluster(clusterId)).toMatchObject({
      state: 'STATE_SHINING',
      cloud_provider: 'CLOUD_PROVIDER_MOON',
    });
  });

  test('an error body of any shape is read without failing', () => {
    const empty = { code: '', message: '', reason: '', hints: [] };
    for (const body of [undefined, null, 'x', 7, [], {}, { details: 'x' }, { details: [null, 7, { '@type': 3 }] }])
      expect(readProblem(body)).toEqual(empty);
    expect(readProblem({ code: 9 }).code).toBe('FAILED_PRECONDITION');
    expect(readProblem({ code: 'NEW_CODE' }).code).toBe('NEW_CODE');
    expect(readProblem({ code: 99 }).code).toBe('99');
  });
});

describe('lists', () => {
  test('all pages are read, whatever their size', async () => {
    using client = cloudOf(plane);
    for (let at = 0; at < 7; at += 1) await client.cloud.createResourceGroup({ name: `group-${at}` });
    await plane.settings({ pageSize: 2 });
    const rows = await client.cloud.listResourceGroups();
    expect(rows.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => `group-${at}`));
    const pages = (await plane.journal()).filter(({ route }) => route === 'resource-groups.list');
    expect(pages).toHaveLength(4);
  });

  test('pages that do not end are an error', async () => {
    const body = { resource_groups: [], next_page_token: 'again' };
    await plane.fault('resource-groups.list', { kind: 'status', status: 200, body }, { times: null });
    using client = cloudOf(plane);
    expect(await failure(client.cloud.listResourceGroups())).toMatchObject({ code: 'ENDLESS_PAGES', exitCode: 1 });
  });

  test('the pages that came before a failure are not shown as all', async () => {
    using client = cloudOf(plane, {}, { limits: { retry: 1 } });
    for (let at = 0; at < 3; at += 1) await client.cloud.createResourceGroup({ name: `group-${at}` });
    await plane.settings({ pageSize: 2 });
    await plane.fault('resource-groups.list', { kind: 'status', status: 500 }, { skip: 1, times: null });
    expect(await failure(client.cloud.listResourceGroups())).toMatchObject({ exitCode: 5 });
  });
});
