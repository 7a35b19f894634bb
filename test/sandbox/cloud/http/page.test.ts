import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Plane, readyCluster, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(async () => {
  await plane.reset();
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await plane.api('POST', '/v1/resource-groups', { resource_group: { name: `group-${name}` } });
});
afterAll(() => plane.stop());

async function walk(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let token = ''; ; ) {
    const { body } = await plane.api('GET', `${path}${path.includes('?') ? '&' : '?'}page_token=${token}`);
    pages.push(body.resource_groups.map((group: { name: string }) => group.name));
    token = body.next_page_token;
    if (token === '') return pages;
  }
}

test('a list is in order of creation, and its last page has an empty token', async () => {
  expect(await walk('/v1/resource-groups')).toEqual([
    ['group-one', 'group-two', 'group-three', 'group-four', 'group-five'],
  ]);
});

test('a client can request small pages', async () => {
  expect(await walk('/v1/resource-groups?page_size=2')).toEqual([
    ['group-one', 'group-two'],
    ['group-three', 'group-four'],
    ['group-five'],
  ]);
});

test('the simulator can force small pages regardless of the requested size', async () => {
  await plane.settings({ pageSize: 2 });
  expect((await walk('/v1/resource-groups?page_size=100')).map((names) => names.length)).toEqual([2, 2, 1]);
  const { body } = await plane.api('GET', '/v1/role-bindings');
  expect(body.role_bindings).toHaveLength(2);
});

test('a page has at most 100 rows', async () => {
  for (let at = 0; at < 96; at += 1)
    await plane.api('POST', '/v1/resource-groups', { resource_group: { name: `more-${at}` } });
  expect((await walk('/v1/resource-groups?page_size=1000')).map((names) => names.length)).toEqual([100, 1]);
});

test('an exact number of pages ends without an empty one', async () => {
  expect((await walk('/v1/resource-groups?page_size=5')).length).toBe(1);
});

test('a deletion between two pages does not shift the pages', async () => {
  const first = await plane.api('GET', '/v1/resource-groups?page_size=2');
  await plane.api('DELETE', `/v1/resource-groups/${first.body.resource_groups[1].id}`);
  const path = `/v1/resource-groups?page_size=2&page_token=${first.body.next_page_token}`;
  const second = await plane.api('GET', path);
  expect(second.body.resource_groups.map((group: { name: string }) => group.name)).toEqual([
    'group-three',
    'group-four',
  ]);
});

test('filters select items that contain the text', async () => {
  expect(await walk('/v1/resource-groups?filter.name_contains=O')).toEqual([
    ['group-one', 'group-two', 'group-three', 'group-four', 'group-five'],
  ]);
  expect(await walk('/v1/resource-groups?filter.name_contains=-T&page_size=1')).toEqual([
    ['group-two'],
    ['group-three'],
  ]);
});

test.each([
  ['an unknown token', 'page_token=nonsense', 'REASON_INVALID_PAGE_TOKEN'],
  ['a page size that is not a number', 'page_size=many', 'REASON_INVALID_INPUT'],
  ['an unknown parameter', 'filter.colour=red', 'REASON_INVALID_INPUT'],
])('%s is 400', async (_, query, reason) => {
  const answer = await plane.api('GET', `/v1/resource-groups?${query}`);
  expect([answer.status, answer.body.details[0].reason]).toEqual([400, reason]);
});

test('a page token is only valid with its own filters', async () => {
  const { body } = await plane.api('GET', '/v1/resource-groups?page_size=1');
  const answer = await plane.api('GET', `/v1/resource-groups?filter.name=x&page_token=${body.next_page_token}`);
  expect(answer.body.details[0].reason).toBe('REASON_PAGE_TOKEN_FILTER_MISMATCH');
});

test('operations can be filtered by type, by state in both spellings and by resource', async () => {
  await plane.reset();
  const { clusterId } = await readyCluster(plane);
  const count = async (query: string) => (await plane.api('GET', `/v1/operations?${query}`)).body.operations.length;
  expect(await count('')).toBe(2);
  expect(await count('filter.type_in=TYPE_CREATE_CLUSTER')).toBe(1);
  expect(await count('filter.type_in=TYPE_CREATE_CLUSTER&filter.type_in=TYPE_CREATE_NETWORK')).toBe(2);
  expect(await count('filter.state=COMPLETED')).toBe(2);
  expect(await count('filter.state=STATE_IN_PROGRESS')).toBe(0);
  expect(await count(`filter.resource_id=${clusterId}`)).toBe(1);
});

test('clusters can be filtered, and the list omits the address of the data plane', async () => {
  await plane.reset();
  const { clusterId, networkId } = await readyCluster(plane);
  const { clusters } = (await plane.api('GET', `/v1/clusters?filter.network_id=${networkId}&filter.name_contains=FIR`))
    .body;
  expect(clusters).toMatchObject([{ id: clusterId, dataplane_api: null }]);
  expect((await plane.api('GET', '/v1/clusters?filter.region=us-west1')).body.clusters).toEqual([]);
  expect((await plane.api('GET', '/v1/networks?filter.cloud_provider=CLOUD_PROVIDER_GCP')).body.networks).toHaveLength(
    1,
  );
});
