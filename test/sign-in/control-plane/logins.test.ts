import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cloudOf, failure } from '../../cloud/client.ts';
import { type Answer, type Call, startScriptedPlane, tokenUntil } from '../../cloud/scripted-plane.ts';
import { temporaryDirectory } from '../../world.ts';

const nobody = { token: undefined, clientId: undefined, clientSecret: undefined };
const of = (clientId: string) => ({ token: undefined, clientId, clientSecret: 's' });
const organization: Answer = [200, { id: 'o1', name: 'Org' }];
let stateDirectory: string;
beforeEach(() => {
  // A token that lives for seconds does not expire while a slow machine gets on.
  vi.useFakeTimers({ toFake: ['Date'] });
  stateDirectory = temporaryDirectory();
});
afterEach(() => void vi.useRealTimers());

/** A plane that gives device codes, tokens, and this answer about the organization. */
const planeOf = (answer: Answer = organization) =>
  startScriptedPlane(({ path }: Call) => {
    if (path === '/oauth/device/code') return [200, { verification_uri: 'https://page', user_code: 'U', interval: 1 }];
    return path === '/api/v1/organization' ? answer : undefined;
  });

function clientOf(url: string, credentials: ReturnType<typeof of> | typeof nobody, more: object = {}) {
  const addresses = { apiUrl: url, authUrl: url, legacyUrl: url, audience: 'a', ...more };
  return cloudOf({ url }, { stateDirectory, credentials, deviceClientId: 'public', addresses });
}

async function login(url: string, credentials: ReturnType<typeof of> | typeof nobody, more: object = {}) {
  using client = clientOf(url, credentials, more);
  return await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
}

test('a login has all its fields, and only the newest is current', async () => {
  await using plane = await planeOf();
  const row = await login(plane.url, of('one'));
  expect(row).toEqual({
    ...{ name: 'one', kind: 'client-credentials', organization: 'Org', organization_id: 'o1', client_id: 'one' },
    ...{ api_url: plane.url, secret_kept: false, expires_at: expect.stringMatching(/^\d{4}-.*Z$/), current: true },
  });
  await login(plane.url, of('two'));
  using client = clientOf(plane.url, nobody);
  expect((await client.cloud.logins.list()).map(({ name, current }) => [name, current])).toEqual([
    ['one', false],
    ['two', true],
  ]);
});

describe('the name of a login', () => {
  test.each([
    [{ id: 'o1', name: 'Org' }, 'sso-Org'],
    [{ id: 'o1' }, 'sso-o1'],
    [{}, 'sso-login'],
  ])('through a browser is that of the organization %j', async (body, name) => {
    await using plane = await planeOf([200, body]);
    expect(await login(plane.url, nobody)).toMatchObject({ name, kind: 'sso', client_id: 'public' });
  });

  test('that another login has is made unique by the server', async () => {
    await using plane = await planeOf();
    await login(plane.url, of('one'));
    expect(await login(plane.url, of('one'))).toMatchObject({ name: 'one' });
    const other = await login(plane.url, of('one'), { audience: 'b' });
    expect(other.name).toBe(`one@${new URL(plane.url).host}`);
  });
});

describe('the organization', () => {
  test('that cannot be read is a warning', async () => {
    await using plane = await planeOf([400, { message: 'broken' }]);
    using client = clientOf(plane.url, of('one'));
    const row = await client.cloud.logins.login({ save: true, onPrompt: () => undefined });
    expect(row).toMatchObject({ name: 'one', organization: '', organization_id: '', secret_kept: true });
    expect(client.warnings).toEqual([
      expect.stringMatching(/^logged in, but unable to read the organization: unable to read the organization: broken/),
    ]);
  });

  test('that may not be read is an error', async () => {
    await using plane = await planeOf([403, {}]);
    using client = clientOf(plane.url, of('one'));
    const work = client.cloud.logins.login({ save: false, onPrompt: () => undefined });
    expect(await failure(work)).toMatchObject({ exitCode: 4 });
    expect((await client.cloud.logins.list()).filter(({ current }) => current)).toEqual([]);
  });

  test('of a token is read from the older API, without its other fields', async () => {
    await using plane = await planeOf([200, { id: 'o1', name: 7, more: true }]);
    using client = clientOf(plane.url, of('one'));
    const row = await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
    expect(row).toMatchObject({ organization: '', organization_id: 'o1' });
    const error = await failure(client.cloud.getPack('1.0'));
    expect(error.message).toMatch(/^unable to read (\S+\/1\.0): .*GET http\S+\1: 404/);
  });
});

test.each([
  [
    { ...nobody, clientId: 'one' },
    'cloud.client_secret',
    ['log in and enter it at the prompt: weir cloud login', 'or set WEIR_CLOUD_CLIENT_SECRET'],
  ],
  [
    { ...nobody, clientSecret: 's' },
    'cloud.client_id',
    ['set it with -X cloud.client_id=TEXT, WEIR_CLOUD_CLIENT_ID, or in the profile'],
  ],
])('half of the credentials is a usage error that names the other half: %j', async (credentials, target, hints) => {
  await using plane = await planeOf();
  using client = cloudOf(plane, { credentials });
  const work = client.cloud.logins.login({ save: false, onPrompt: () => undefined });
  expect(await failure(work)).toMatchObject({
    ...{ exitCode: 2, target, message: 'a client id and a client secret must be set together' },
    hints: ['set both, or neither to log in with a browser'],
  });
  expect(await failure(client.cloud.listClusters())).toMatchObject({
    ...{ exitCode: 2, code: 'CONFIG_INVALID', target, hints },
  });
  expect(plane.calls).toEqual([]);
});

test('a secret that was typed is used instead of the configured one', async () => {
  await using plane = await planeOf();
  using client = clientOf(plane.url, of('one'));
  await client.cloud.logins.login({ save: false, clientSecret: 'typed', onPrompt: () => undefined });
  expect(plane.calls[0]?.body).toContain('client_secret=typed');
});

describe('logout, use and delete', () => {
  async function two(work: (logins: ReturnType<typeof clientOf>['cloud']['logins']) => Promise<void>) {
    await using plane = await planeOf();
    await login(plane.url, of('one'));
    await login(plane.url, of('two'));
    using client = clientOf(plane.url, nobody);
    await work(client.cloud.logins);
  }
  const shown = (rows: readonly { name: string; current: boolean; expires_at: string | null }[]) =>
    rows.map(({ name, current, expires_at }) => [name, current, expires_at !== null]);

  test.each([
    [
      { all: false, clear: false },
      [['two', true, false]],
      [
        ['one', false, true],
        ['two', true, false],
      ],
    ],
    [{ all: false, clear: true }, [['two', true, false]], [['one', false, true]]],
    [
      { all: true, clear: false },
      [
        ['one', false, false],
        ['two', true, false],
      ],
      [
        ['one', false, false],
        ['two', true, false],
      ],
    ],
    [
      { all: true, clear: true },
      [
        ['one', false, false],
        ['two', true, false],
      ],
      [],
    ],
  ])('logout with %j', async (request, changed, left) => {
    await two(async (logins) => {
      expect(shown(await logins.logout(request))).toEqual(changed);
      expect(shown(await logins.list())).toEqual(left);
    });
  });

  test('use selects a login; delete of another leaves it selected', async () => {
    await two(async (logins) => {
      expect(await logins.use('one')).toMatchObject({ name: 'one', current: true });
      expect(await logins.delete('two')).toMatchObject({ name: 'two', current: false });
      expect(shown(await logins.list())).toEqual([['one', true, true]]);
      expect(await logins.delete('one')).toMatchObject({ name: 'one', current: true });
      expect(await logins.list()).toEqual([]);
    });
  });

  test('a name of several logins means the one at cloud.api_url', async () => {
    await using plane = await planeOf();
    const urls = ['a', 'b', 'c'].map((path) => `${plane.url}/${path}`);
    for (const apiUrl of urls) await login(plane.url, of('one'), { apiUrl });
    const name = `one@${new URL(plane.url).host}`;
    using client = clientOf(plane.url, nobody);
    expect(await failure(client.cloud.logins.use(name))).toMatchObject({
      ...{ exitCode: 2, message: `there are 2 logins "${name}"` },
      hints: [expect.stringMatching(/-X cloud.api_url=URL, with one of http\S+, http\S+$/)],
    });
    using third = clientOf(plane.url, nobody, { apiUrl: urls[2] });
    expect(await third.cloud.logins.use(name)).toMatchObject({ name, api_url: urls[2] });
  });

  test('an unknown name is an error with the known ones, or with how to log in', async () => {
    await two(async (logins) => {
      expect(await failure(logins.use('x'))).toMatchObject({
        exitCode: 3,
        target: 'x',
        hints: ['use one of: one, two'],
      });
    });
    using empty = cloudOf({ url: 'http://127.0.0.1:1' }, { stateDirectory: temporaryDirectory() });
    expect(await failure(empty.cloud.logins.delete('x'))).toMatchObject({
      ...{ message: 'there is no login "x"', hints: ['log in with: weir cloud login'] },
    });
  });
});

test('a token that the login page gave is used until it ends, then the login has expired', async () => {
  const token = tokenUntil(Date.now() / 1000 + 30);
  await using plane = await startScriptedPlane(({ path }) => {
    if (path === '/oauth/device/code') return [200, { verification_uri: 'https://page', interval: 1 }];
    if (path === '/oauth/token') return [200, { access_token: token, expires_in: 30 }];
    return path === '/v1/clusters' ? [401, {}] : organization;
  });
  await login(plane.url, nobody);
  using client = clientOf(plane.url, nobody);
  expect(await client.cloud.token()).toBe(token);
  // A refused token of a person is not replaced: only the person can.
  expect(await failure(client.cloud.listClusters())).toMatchObject({ exitCode: 4, status: 401 });
  await client.cloud.logins.logout({ all: false, clear: false });
  using later = clientOf(plane.url, nobody);
  expect(await failure(later.cloud.token())).toMatchObject({
    ...{ exitCode: 4, code: 'LOGIN_EXPIRED', hints: ['log in again with: weir cloud login'] },
    message: 'unable to call the control plane: the login "sso-Org" has expired',
  });
});
