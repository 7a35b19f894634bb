import { describe, expect, test } from 'vitest';
import {
  type Lists,
  lostBinding,
  lostCreation,
  lostDeletion,
  lostGroup,
  lostServiceAccount,
  lostUpdate,
} from '../../../src/cloud/api/lost-answer.ts';
import type { Filters } from '../../../src/cloud/cloud.ts';
import type { Fields } from '../../../src/cloud/cloud-rows.ts';
import { failure } from '../client.ts';

const sentAt = Date.parse('2026-11-21T10:00:00Z');

/** Lists with these rows, and the filters that they were asked with. */
function listing(rows: Readonly<Record<string, readonly Fields[] | Fields>>) {
  const asked: Filters[] = [];
  const answer = (name: string) => async (filters: Filters) => {
    asked.push(filters);
    return rows[name] ?? [];
  };
  const names = ['resourceGroups', 'networks', 'clusters', 'cluster', 'operations', 'roleBindings', 'serviceAccounts'];
  const lists = Object.fromEntries(names.map((name) => [name, answer(name)])) as unknown as Lists;
  return { lists, asked };
}

test('of several deletions of a cluster, the newest is the one whose answer was lost', async () => {
  const states = ['STATE_FAILED', 'STATE_IN_PROGRESS'];
  const { lists, asked } = listing({ operations: states.map((state, index) => ({ id: `operation ${index}`, state })) });
  expect(await lostDeletion(lists, 'c1', 'TYPE_DELETE_CLUSTER')).toMatchObject({ id: 'operation 1' });
  expect(asked).toEqual([{ resource_id: 'c1', type_in: ['TYPE_DELETE_CLUSTER'] }]);
});

test.each([['STATE_IN_PROGRESS'], ['STATE_COMPLETED'], ['STATE_FAILED']])(
  'a deletion in the state %s was accepted unless it failed',
  async (state) => {
    const { lists } = listing({ operations: [{ id: 'o1', state }] });
    const found = await lostDeletion(lists, 'n1', 'TYPE_DELETE_NETWORK');
    expect(found?.id).toBe(state === 'STATE_FAILED' ? undefined : 'o1');
  },
);

test('a deletion without an operation was not accepted', async () => {
  expect(await lostDeletion(listing({}).lists, 'n1', 'TYPE_DELETE_NETWORK')).toBeUndefined();
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
    const { lists, asked } = listing({
      resourceGroups: [
        { id: 'other', name: 'other' },
        { id: 'g', ...row },
      ],
    });
    expect((await lostGroup(lists, sent, sentAt))?.id).toBe(isOurs ? (row.id ?? 'g') : undefined);
    expect(asked).toEqual([{ name_contains: 'n' }]);
  });
});

test.each([
  ['networks', 'TYPE_CREATE_NETWORK', 'network'],
  ['clusters', 'TYPE_CREATE_CLUSTER', 'cluster'],
] as const)('the creation of one of the %s is found by its operation', async (kind, type, noun) => {
  const rows = [{ id: 'x1', name: 'mine' }];
  const { lists, asked } = listing({ [kind]: rows, operations: [{ id: 'o1' }] });
  expect(await lostCreation(lists, kind, { name: 'mine' }, sentAt)).toEqual({ id: 'o1' });
  expect(asked).toEqual([{ name_contains: 'mine' }, { resource_id: 'x1', type_in: [type] }]);
  expect(await lostCreation(listing({}).lists, kind, { name: 'mine' }, sentAt)).toBeUndefined();
  const bare = listing({ [kind]: rows }).lists;
  expect(await failure(lostCreation(bare, kind, { name: 'mine' }, sentAt))).toMatchObject({
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
  ])('%s', async (_, operation, cluster, accepted) => {
    const { lists, asked } = listing({ operations: operation === undefined ? [] : [operation], cluster });
    expect((await lostUpdate(lists, 'c1', changes))?.id).toBe(accepted ? 'o1' : undefined);
    expect(asked[0]).toEqual({ resource_id: 'c1', type_in: ['TYPE_UPDATE_CLUSTER'] });
  });
});

test('a role binding is found by its role, its account and its resource', async () => {
  const sent = { role_name: 'Reader', account_id: 'a1', scope: { resource_id: 'c1' } };
  const others = [
    { ...sent, id: 'b1', account_id: 'a2' },
    { ...sent, id: 'b2', scope: { resource_id: 'c2' } },
  ];
  const { lists, asked } = listing({ roleBindings: [...others, { ...sent, id: 'b3' }] });
  expect((await lostBinding(lists, sent))?.id).toBe('b3');
  expect(asked).toEqual([{ role_name: 'Reader' }]);
  expect(await lostBinding(listing({ roleBindings: others }).lists, sent)).toBeUndefined();
});

test('only a service account that is not older than the request is the one whose secret was lost', async () => {
  const row = { id: 's1', name: 'pipe', created_at: '2026-11-21T10:00:01Z' };
  const { lists } = listing({ serviceAccounts: [row] });
  expect(await failure(lostServiceAccount(lists, { name: 'pipe' }, sentAt))).toMatchObject({
    target: 's1',
    hints: [expect.stringContaining('(its id is s1)'), expect.any(String)],
  });
  const old = listing({ serviceAccounts: [{ ...row, created_at: '2026-11-20T10:00:00Z' }] }).lists;
  expect(await lostServiceAccount(old, { name: 'pipe' }, sentAt)).toBeUndefined();
});
