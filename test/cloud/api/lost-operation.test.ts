import { describe, expect, test } from 'vitest';
import type { Api } from '../../../src/cloud/api/api.ts';
import {
  lostBinding,
  lostCreation,
  lostDeletion,
  lostGroup,
  lostServiceAccount,
  lostUpdate,
} from '../../../src/cloud/api/lost-answer.ts';
import { cluster, network } from '../../../src/cloud/cloud-rows.ts';
import { exitCodes } from '../../../src/errors.ts';
import { ApiError } from '../../../src/net/json-api/error.ts';
import type { Fields } from '../../../src/shape/object.ts';
import { failure } from '../client.ts';

const sentAt = Date.parse('2026-11-21T10:00:00Z');

/** An API with these rows by the last part of their path, and the filters that it was asked with. */
function listing(rows: Readonly<Record<string, readonly Fields[] | Fields | undefined>>) {
  const asked: Fields[] = [];
  const api: Api = {
    async call({ path, query = {}, read }) {
      const given = Object.entries(query).filter(([name]) => name.startsWith('filter.'));
      asked.push(Object.fromEntries(given.map(([name, value]) => [name.slice('filter.'.length), value])));
      const name = path.slice(path.lastIndexOf('/') + 1).replace('-', '_');
      return read(Array.isArray(rows[name]) ? { [name]: rows[name] } : (rows[name] ?? {}), '');
    },
  };
  return { api, asked };
}

test('of several deletions of a cluster, the newest is the one whose answer was lost', async () => {
  const states = ['STATE_FAILED', 'STATE_IN_PROGRESS'];
  const { api, asked } = listing({ operations: states.map((state, index) => ({ id: `operation ${index}`, state })) });
  expect(await lostDeletion(api, cluster, 'c1')).toMatchObject({ id: 'operation 1' });
  expect(asked).toEqual([{ resource_id: 'c1', type_in: ['TYPE_DELETE_CLUSTER'] }]);
});

test.each([['STATE_IN_PROGRESS'], ['STATE_COMPLETED'], ['STATE_FAILED']])(
  'a deletion in the state %s was accepted unless it failed',
  async (state) => {
    const { api } = listing({ operations: [{ id: 'o1', state }] });
    const found = await lostDeletion(api, network, 'n1');
    expect(found?.id).toBe(state === 'STATE_FAILED' ? undefined : 'o1');
  },
);

test('a deletion without an operation was not accepted', async () => {
  expect(await lostDeletion(listing({}).api, network, 'n1')).toBeUndefined();
});

test('of a deletion that no list of operations can tell of, nothing is known', async () => {
  const api: Api = {
    call: async () => {
      throw new ApiError(exitCodes.failure, 'unable to list operations', { code: 'UNIMPLEMENTED', status: 501 });
    },
  };
  expect(await lostDeletion(api, cluster, 'c1')).toBeUndefined();
});

describe('a resource is the one that was requested', () => {
  const sent = { name: 'n', zones: ['a', 'b'], place: { region: 'r', size: 1 } };
  test.each<[string, Fields, boolean]>([
    ['with every field', { ...sent }, true],
    ['with more fields', { ...sent, id: 'x', place: { region: 'r', size: 1, more: true } }, true],
    ['with a field that the server omits', { name: 'n' }, true],
    ['with an empty field', { ...sent, zones: null }, true],
    ['with a field that is omitted inside', { ...sent, place: { region: 'r' } }, true],
    ['not with another name', { ...sent, name: 'n2' }, false],
    ['not with fewer zones', { ...sent, zones: ['a'] }, false],
    ['not with more zones', { ...sent, zones: ['a', 'b', 'c'] }, false],
    ['not with the zones in another order', { ...sent, zones: ['b', 'a'] }, false],
    ['not with a text for a list', { ...sent, zones: 'ab' }, false],
    ['not with another field inside', { ...sent, place: { region: 'r', size: 2 } }, false],
    ['exactly five minutes older', { ...sent, created_at: '2026-11-21T09:55:00Z' }, true],
    ['not more than five minutes older', { ...sent, created_at: '2026-11-21T09:54:59Z' }, false],
    ['with an unknown time', { ...sent, created_at: 'then' }, true],
  ])('%s', async (_, row, isOurs) => {
    const { api, asked } = listing({
      resource_groups: [
        { id: 'other', name: 'other' },
        { id: 'g', ...row },
      ],
    });
    expect((await lostGroup(api, sent, sentAt))?.id).toBe(isOurs ? (row.id ?? 'g') : undefined);
    expect(asked).toEqual([{ name_contains: 'n' }]);
  });
});

test.each([
  ['networks', 'TYPE_CREATE_NETWORK', network],
  ['clusters', 'TYPE_CREATE_CLUSTER', cluster],
] as const)('the creation of one of the %s is found by its operation', async (kind, type, resource) => {
  const { noun } = resource;
  const rows = [{ id: 'x1', name: 'mine' }];
  const { api, asked } = listing({ [kind]: rows, operations: [{ id: 'o1' }] });
  expect(await lostCreation(api, resource, { name: 'mine' }, sentAt)).toMatchObject({ id: 'o1' });
  expect(asked).toEqual([{ name_contains: 'mine' }, { resource_id: 'x1', type_in: [type] }]);
  expect(await lostCreation(listing({}).api, resource, { name: 'mine' }, sentAt)).toBeUndefined();
  const bare = listing({ [kind]: rows }).api;
  expect(await failure(lostCreation(bare, resource, { name: 'mine' }, sentAt))).toMatchObject({
    exitCode: 1,
    code: 'ANSWER_LOST',
    message: `the ${noun} "mine" was created, but its operation was not found`,
    hints: [`check its state with: weir cloud ${noun} get x1`],
    target: 'x1',
  });
});

describe('an update', () => {
  const changes = { tier: 't2', config: { a: 1, zones: ['x'] } };
  const done = { id: 'o1', state: 'STATE_COMPLETED' };
  test.each<[string, Fields | undefined, Fields, boolean]>([
    ['that runs was accepted', { id: 'o1', state: 'STATE_IN_PROGRESS' }, {}, true],
    ['without an operation was not', undefined, { ...changes }, false],
    ['whose changes are there was accepted', done, { ...changes, config: { ...changes.config, more: 1 } }, true],
    ['with one change missing was not', done, { config: changes.config }, false],
    ['with a change missing inside was not', done, { ...changes, config: { a: 1 } }, false],
    ['with an empty field was not', done, { ...changes, config: null }, false],
    ['with another value was not', done, { ...changes, tier: 't1' }, false],
    ['with another value inside was not', done, { ...changes, config: { a: 2, zones: ['x'] } }, false],
    ['with another list was not', done, { ...changes, config: { a: 1, zones: ['x', 'y'] } }, false],
  ])('%s', async (_, operation, found, accepted) => {
    const { api, asked } = listing({ operations: operation === undefined ? [] : [operation], c1: found });
    expect((await lostUpdate(api, 'c1', changes))?.id).toBe(accepted ? 'o1' : undefined);
    expect(asked[0]).toEqual({ resource_id: 'c1', type_in: ['TYPE_UPDATE_CLUSTER'] });
  });
});

test('a role binding is found by its role, its account and its resource', async () => {
  const sent = { role_name: 'Reader', account_id: 'a1', scope: { resource_id: 'c1' } };
  const others = [
    { ...sent, id: 'b1', account_id: 'a2' },
    { ...sent, id: 'b2', scope: { resource_id: 'c2' } },
  ];
  const { api, asked } = listing({ role_bindings: [...others, { ...sent, id: 'b3' }] });
  expect((await lostBinding(api, sent))?.id).toBe('b3');
  expect(asked).toEqual([{ role_name: 'Reader' }]);
  expect(await lostBinding(listing({ role_bindings: others }).api, sent)).toBeUndefined();
});

test('only a service account that is not older than the request is the one whose secret was lost', async () => {
  const row = { id: 's1', name: 'pipe', created_at: '2026-11-21T10:00:01Z' };
  const { api } = listing({ service_accounts: [row] });
  expect(await failure(lostServiceAccount(api, { name: 'pipe' }, sentAt))).toMatchObject({
    target: 's1',
    hints: expect.arrayContaining(['delete it with: weir cloud service-account delete s1']),
  });
  const old = listing({ service_accounts: [{ ...row, created_at: '2026-11-20T10:00:00Z' }] }).api;
  expect(await lostServiceAccount(old, { name: 'pipe' }, sentAt)).toBeUndefined();
});
