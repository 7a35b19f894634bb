import { expect, test } from 'vitest';
import { tableShow } from '../../../src/cli/forms/read.ts';
import { words } from '../../../src/cloud/api/cloud-words.ts';
import { list } from '../../../src/commands/cloud/auth/list.ts';
import { bodyFlags, fieldAt, withField } from '../../../src/commands/cloud/body.ts';
import { propertyFlags, withProperties } from '../../../src/commands/cloud/cluster/properties.ts';
import { identifier, wordKind } from '../../../src/commands/cloud/kinds.ts';
import { byName } from '../../../src/commands/cloud/list-filters.ts';
import {
  clusterShape,
  networkShape,
  resourceGroupShape,
  roleBindingShape,
  serviceAccountShape,
} from '../../../src/commands/cloud/shapes.ts';
import {
  clusterView,
  detail,
  networkView,
  operationView,
  type ResourceView,
  resourceGroupView,
  roleBindingView,
  serviceAccountView,
  viewColumns,
} from '../../../src/commands/cloud/views.ts';
import type { ControlPlaneLogin } from '../../../src/sign-in/control-plane/login-rows.ts';

const how = {} as Parameters<typeof detail>[1];

const columns = (text: string) => text.trimEnd().split(/\s{2,}/);

test.each<[string, ResourceView, string, string]>([
  ['resource groups', resourceGroupView, 'NAME, ID', 'CREATED-AT'],
  ['networks', networkView, 'NAME, ID, STATE, PROVIDER, REGION, CIDR-BLOCK, TYPE', 'RESOURCE-GROUP-ID, CREATED-AT'],
  [
    'clusters',
    clusterView,
    'NAME, ID, STATE, TYPE, PROVIDER, REGION, TIER',
    'NETWORK-ID, RESOURCE-GROUP-ID, CREATED-AT',
  ],
  ['operations', operationView, 'ID, TYPE, STATE, RESOURCE-ID, STARTED-AT, FINISHED-AT', ''],
  ['role bindings', roleBindingView, 'ID, ROLE, ACCOUNT-ID, RESOURCE-TYPE, RESOURCE-ID', 'CREATED-AT'],
  ['service accounts', serviceAccountView, 'NAME, ID, DESCRIPTION', 'CREATED-AT'],
])('the lists of %s have their columns, each with its own field', (_, view, narrow, more) => {
  const shownColumns = viewColumns(view);
  const { text, wide } = tableShow(shownColumns.columns, shownColumns.wide);
  const fields = [...view.columns, ...view.more].map(([, field]) => field);
  const row = fields.reduce((made, field) => withField(made, field, field.replace('.', '-')), {});
  const shown = fields.map((field) => field.replace('.', '-'));
  const [head = '', line = ''] = text([row], how).split('\n');
  expect(columns(head).join(', ')).toBe(narrow);
  expect(columns(line)).toEqual(shown.slice(0, view.columns.length));
  const [wideHead = '', wideLine = ''] = wide([row], how).split('\n');
  expect(columns(wideHead).join(', ')).toBe([narrow, more].filter(Boolean).join(', '));
  expect(columns(wideLine)).toEqual(shown);
  // The schema has each field of the table.
  const properties = (view.row.schema() as { properties?: object }).properties ?? {};
  for (const field of fields) expect(properties).toHaveProperty(field.split('.')[0] ?? '');
});

test('a resource is shown without its empty fields, with its objects joined by dots', () => {
  const row = {
    ...{ id: 'a', state: 'STATE_READY', none: null, missing: undefined, empty: '', list: [], zones: ['x', 'y'] },
    ...{ count: 0, isOn: false, inner: { deep: { url: 'u' }, none: null }, mixed: [{ a: 1 }] },
  };
  expect(
    detail(row, how)
      .trimEnd()
      .split('\n')
      .map((line) => columns(line)),
  ).toEqual([
    ['ID', 'a'],
    ['STATE', 'ready'],
    ['ZONES', '[x y]'],
    ['COUNT', '0'],
    ['ISON', 'false'],
    ['INNER.DEEP.URL', 'u'],
    ['MIXED', '[{"a":1}]'],
  ]);
});

test('the table of logins marks the current one', () => {
  const login: ControlPlaneLogin = {
    ...{ name: 'one', kind: 'sso' as const, organization: 'Org', organization_id: 'o1', client_id: 'c', api_url: 'u' },
    ...{ secret_kept: false, expires_at: '2026-01-01T00:00:00Z', current: true },
  };
  const rows = [login, { ...login, name: 'two', current: false }];
  expect(
    String(list.show.text(rows, how, { dryRun: false }))
      .trimEnd()
      .split('\n')
      .map(columns),
  ).toEqual([
    ['NAME', 'KIND', 'ORGANIZATION', 'ORGANIZATION-ID', 'EXPIRES-AT', 'API-URL'],
    ['one*', 'sso', 'Org', 'o1', '2026-01-01T00:00:00Z', 'u'],
    ['two', 'sso', 'Org', 'o1', '2026-01-01T00:00:00Z', 'u'],
  ]);
});

test.each([
  ['', 'the id is empty'],
  ['  ', 'the id is empty'],
  ['.', 'not a valid id'],
  ['..', 'not a valid id'],
])('the id %j is refused', (text, message) => {
  expect(() => identifier.parse(text)).toThrow(message);
});

test('other ids are used as they are', () => {
  for (const text of ['a', '...', ' a', 'a/b']) expect(identifier.parse(text)).toBe(text);
  expect(identifier.name).toBe('id');
});

test.each([
  [words.provider, 'aws|azure|gcp', 'cloud provider'],
  [words.scope, 'TYPE', 'resource type'],
])('a word of an enum has its hint, its choices and its error', (known, hint, name) => {
  const kind = wordKind(known);
  expect(kind).toMatchObject({ name, hint, choices: known.short });
  expect(kind.show(known.prefix)).toBe(known.prefix);
  expect(() => kind.parse('moon')).toThrow(
    `not one of ${known.short.join(', ')} (or a word that begins with ${known.prefix})`,
  );
});

const { set, setJson } = propertyFlags;

test.each([
  [set, 'a=1', ['a', '1'], 'a=1', { a: '1' }],
  [set, ' a =true', ['a', true], 'a=true', { a: true }],
  [set, 'a=false', ['a', false], 'a=false', { a: false }],
  [setJson, 'a=[1]', ['a', [1]], 'a=[1]', { a: [1] }],
  [setJson, 'a="x"', ['a', 'x'], 'a=x', { a: 'x' }],
] as const)('a property is read, shown and written', (flag, text, ...[value, shown, json]) => {
  const { kind } = flag as unknown as { kind: typeof flag.kind };
  expect(kind.parse(text)).toEqual(value);
  expect(kind.show(kind.parse(text))).toBe(shown);
  expect(kind.json?.(kind.parse(text))).toEqual(json);
  expect(kind).toMatchObject({ mayHoldSecret: 'after the key', name: 'property' });
});

test.each([
  [set, 'a', 'not of the form property=value'],
  [set, '=1', 'the property before "=" is empty'],
  [setJson, 'a', 'not of the form property=json'],
  [setJson, 'a={', 'the value is not JSON'],
] as const)('a wrong property is refused', (flag, text, message) => {
  expect(() => flag.kind.parse(text)).toThrow(message);
});

test('properties override those of the body, and JSON those of text', () => {
  const body = { name: 'n', cluster_configuration: { custom_properties: { a: 1, b: 2 }, other: 3 } };
  expect(withProperties(body, { set: [['b', 'x']], setJson: [['b', 5]] })).toEqual({
    ...{ name: 'n', cluster_configuration: { custom_properties: { a: 1, b: 5 }, other: 3 } },
  });
  expect(withProperties(body, { set: [], setJson: [] })).toBe(body);
  const odd = { cluster_configuration: { custom_properties: 'x' } };
  expect(withProperties(odd, { set: [['a', 'b']], setJson: [] })).toEqual({
    cluster_configuration: { custom_properties: { a: 'b' } },
  });
});

test('a field in an object is found and replaced, also where there is none', () => {
  const body = { a: { b: { c: 1 }, d: 2 }, list: [1] };
  expect([fieldAt(body, 'a.b.c'), fieldAt(body, 'a.x.c'), fieldAt(body, 'list.0'), fieldAt(body, 'a.d')]).toEqual([
    ...[1, undefined, undefined, 2],
  ]);
  expect(withField(body, 'a.b.c', 5)).toEqual({ a: { b: { c: 5 }, d: 2 }, list: [1] });
  expect(withField(body, 'list.x', 5)).toEqual({ a: { b: { c: 1 }, d: 2 }, list: { x: 5 } });
  expect(body).toEqual({ a: { b: { c: 1 }, d: 2 }, list: [1] });
});

test.each([
  ['resource_group', resourceGroupShape, 'name'],
  ['network', networkShape, 'name resourceGroupId cidrBlock cloudProvider clusterType region'],
  [
    'cluster',
    clusterShape,
    'name resourceGroupId networkId cloudProvider (connectionType) region throughputTier type zones',
  ],
  ['role_binding', roleBindingShape, 'roleName accountId resourceId (resourceType)'],
  ['service_account', serviceAccountShape, 'name (description)'],
])('the flags of a %s are its fields, optional ones in parentheses', (key, shape, expected) => {
  expect(shape.key).toBe(key);
  const flags = Object.keys(bodyFlags(shape));
  expect(flags.map((flag, at) => (shape.fields[at]?.isOptional ? `(${flag})` : flag)).join(' ')).toBe(expected);
});

test('rows are sorted by name whatever its case, then by id', () => {
  const rows = ['b 1', 'A 2', 'a 1', 'C 1'].map((row) => ({ name: row.slice(0, 1), id: row.slice(2) }));
  expect(byName(rows).map(({ name, id }) => `${name} ${id}`)).toEqual(['a 1', 'A 2', 'b 1', 'C 1']);
  expect(rows[0]).toEqual({ name: 'b', id: '1' });
});
