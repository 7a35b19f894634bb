import { expect, test } from 'vitest';
import { apiWord, shortWord, typedWord, words } from '../../src/cloud/api/cloud-words.ts';
import {
  cluster,
  network,
  newServiceAccount,
  operation,
  type Resource,
  resourceGroup,
  roleBinding,
  serviceAccount,
  timeOf,
  user,
} from '../../src/cloud/cloud-rows.ts';
import type { Fields } from '../../src/shape/object.ts';
import { read } from '../../src/shape/shape.ts';

const answerOf =
  <T extends Fields>({ answer }: Resource<T>) =>
  (body: unknown) =>
    read(answer, body);

const readCluster = answerOf(cluster);
const readNewServiceAccount = answerOf(newServiceAccount);
const readOperation = answerOf(operation);
const readServiceAccount = answerOf(serviceAccount);

const times = { created_at: null, updated_at: null };

test.each<[string, (body: unknown) => object, object]>([
  ['resource group', answerOf(resourceGroup), { id: '', name: '', ...times }],
  [
    'network',
    answerOf(network),
    {
      ...{ id: '', name: '', state: '', resource_group_id: '', cloud_provider: '', cluster_type: '', region: '' },
      ...{ cidr_block: '', ...times },
    },
  ],
  [
    'cluster',
    readCluster,
    {
      ...{ id: '', name: '', state: '', type: '', resource_group_id: '', network_id: '', cloud_provider: '' },
      ...{ connection_type: '', region: '', throughput_tier: '', zones: [], ...times },
    },
  ],
  [
    'operation',
    readOperation,
    {
      ...{ id: '', type: '', state: '', resource_id: '', metadata: {}, error: null, response: null },
      ...{ started_at: null, finished_at: null },
    },
  ],
  [
    'role binding',
    answerOf(roleBinding),
    { id: '', role_name: '', account_id: '', ...times, scope: { resource_type: '', resource_id: '' } },
  ],
  ['user', answerOf(user), { id: '', email: '', name: '', created_at: null }],
  ['service account', readServiceAccount, { id: '', name: '', description: '', ...times }],
])('an empty %s has all its fields', (noun, read, expected) => {
  expect(read({})).toEqual(expected);
  const key = noun.replaceAll(' ', '_');
  expect(read({ [key]: { id: 7, name: true, other: [1] } })).toEqual({ ...expected, id: '7', ...named(expected) });
  expect(Object.keys(read({ other: 1, id: 'a' })).indexOf('id')).toBe(0);

  /** A name is known for most; other fields are kept unchanged. */
  function named(row: object): object {
    return { name: 'name' in row ? 'true' : true, other: [1] };
  }
});

test('the zones of a cluster are texts, and its times are RFC 3339', () => {
  const row = readCluster({ zones: ['a', 1], created_at: { seconds: '0' }, updated_at: '' });
  expect(row).toMatchObject({ zones: ['a', '1'], created_at: '1970-01-01T00:00:00.000Z', updated_at: null });
});

test('the objects of an operation are kept; a list or a text is none', () => {
  const error = { code: 7 };
  expect(readOperation({ operation: { metadata: { a: 1 }, error, response: 'x' } })).toMatchObject({
    ...{ metadata: { a: 1 }, error, response: null },
  });
});

test('a service account never has its credentials; a new one has them as texts', () => {
  const body = {
    service_account: { id: 's', name: 'n', auth0_client_credentials: { client_id: 'i', client_secret: 's3cret' } },
  };
  expect(JSON.stringify(readServiceAccount(body))).not.toContain('s3cret');
  expect(readNewServiceAccount(body)).toEqual({
    ...{ id: 's', name: 'n', description: '', ...times, client_id: 'i', client_secret: 's3cret' },
  });
  expect(readNewServiceAccount({ id: 's' })).toMatchObject({ client_id: '', client_secret: '' });
});

test.each([
  [{ seconds: 1, nanos: 1_999_999 }, '1970-01-01T00:00:01.001Z'],
  [{ seconds: 8.64e12 }, '+275760-09-13T00:00:00.000Z'],
  [{ seconds: 8.64e12 + 1 }, null],
  [{ seconds: -8.64e12 }, '-271821-04-20T00:00:00.000Z'],
  [{ seconds: true }, null],
])('the time %j is read as %j', (value, expected) => {
  expect(timeOf(value)).toBe(expected);
});

test.each([
  ['resource-group', 'SCOPE_RESOURCE_TYPE_RESOURCE_GROUP'],
  ['serverless-cluster', 'SCOPE_RESOURCE_TYPE_SERVERLESS_CLUSTER'],
  ['SERVERLESS_CLUSTER', 'SCOPE_RESOURCE_TYPE_SERVERLESS_CLUSTER'],
  ['organization', 'SCOPE_RESOURCE_TYPE_ORGANIZATION'],
])("the type of resource %s is the API's %s", (text, expected) => {
  expect(apiWord(text, words.scope)).toBe(expected);
  expect(apiWord(shortWord(expected, words.scope), words.scope)).toBe(expected);
});

test.each([
  ['state', 'STATE_CREATING_AGENT', 'creating-agent'],
  ['type', 'TYPE_BYOC', 'byoc'],
  ['cluster_type', 'TYPE_DEDICATED', 'dedicated'],
  ['cloud_provider', 'CLOUD_PROVIDER_GCP', 'gcp'],
  ['connection_type', 'CONNECTION_TYPE_PUBLIC', 'public'],
  ['scope.resource_type', 'SCOPE_RESOURCE_TYPE_CLUSTER', 'cluster'],
  ['state', 'ready now', 'ready now'],
  ['name', 'STATE_READY', 'STATE_READY'],
  ['a.state', 'STATE_READY', 'ready'],
])('the field %s with %s is shown as %s', (field, value, expected) => {
  expect(typedWord(field, value)).toBe(expected);
});
