import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createLoginFiles,
  isBoundTo,
  type LoginFiles,
  type LoginKey,
  loginId,
  type StoredLogin,
} from '../../../src/sign-in/control-plane/login-files.ts';
import { failure } from '../../cloud/client.ts';
import { temporaryDirectory } from '../../world.ts';

const place = { apiUrl: 'http://api', authUrl: 'http://auth', legacyUrl: 'http://old', audience: 'a' };
const key: LoginKey = { ...place, kind: 'client-credentials', clientId: 'c' };
const { signal } = new AbortController();

function loginOf(name: string, part: Partial<LoginKey> = {}): StoredLogin {
  const own = { ...key, clientId: name, ...part };
  const token = { text: 't', issuedAt: 1, expiresAt: 2 };
  return { ...own, id: loginId(own), name, organization: 'Org', organizationId: 'o1', token };
}

let directory: string;
let files: LoginFiles;
const filesIn = (stateDirectory: string | undefined): LoginFiles =>
  createLoginFiles({ stateDirectory, uid: userInfo().uid });
beforeEach(() => {
  const state = temporaryDirectory();
  directory = join(state, 'cloud-auth');
  files = filesIn(state);
});

test('each part of a login makes it another one, bound to other addresses', () => {
  const parts: readonly Partial<LoginKey>[] = [
    { kind: 'sso' },
    { clientId: 'x' },
    { apiUrl: 'x' },
    { authUrl: 'x' },
    { legacyUrl: 'x' },
    { audience: 'x' },
  ];
  const ids = [key, ...parts.map((part) => ({ ...key, ...part }))].map(loginId);
  expect(new Set(ids).size).toBe(7);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(loginId({ ...key })).toBe(ids[0]);
  for (const part of parts) expect(isBoundTo({ ...place, ...part }, place)).toBe('kind' in part || 'clientId' in part);
});

describe.each(['on disk', 'in memory'])('logins %s', (where) => {
  beforeEach(() => {
    if (where === 'in memory') files = filesIn(undefined);
  });

  test('are kept whole until they are removed', async () => {
    const login = { ...loginOf('one'), clientSecret: 's' };
    expect(await files.read(login.id)).toBeUndefined();
    await files.write(login);
    expect(await files.read(login.id)).toEqual(login);
    expect(await files.list()).toEqual([login]);
    await files.remove(login.id);
    await files.remove(login.id);
    expect(await files.list()).toEqual([]);
  });

  test('have a current one until none is', async () => {
    expect(await files.current()).toBeUndefined();
    await files.setCurrent('x');
    expect(await files.current()).toBe('x');
    await files.setCurrent(undefined);
    expect(await files.current()).toBeUndefined();
  });

  test('are locked for work, whose result or error comes out', async () => {
    expect(await files.locked('x', signal, async () => 7)).toBe(7);
    await expect(files.locked('x', signal, () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(await files.locked('x', signal, async () => 8)).toBe(8);
  });
});

test('logins on disk are sorted by name, and only their owner can read them', async () => {
  const logins = ['c', 'a', 'd', 'b'].map((name) => loginOf(name));
  for (const login of logins) await files.write(login);
  await files.setCurrent('x');
  expect((await files.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory, 'current.json'), 'utf8')).toBe('{\n  "login": "x"\n}\n');
});

test('the lock is a file only while the work runs, and parts of a killed weir are removed', async () => {
  mkdirSync(directory, { recursive: true });
  const login = loginOf('one');
  const path = join(directory, `${login.id}.login.json`);
  writeFileSync(join(directory, `.${login.id}.login.json.${randomUUID()}.tmp`), '');
  await files.locked(login.id, signal, async () => {
    expect(existsSync(`${path}.lock`)).toBe(true);
  });
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['a token without a text', { token: { issuedAt: 1, expiresAt: 2 } }],
  ['a token without a time', { token: { text: 't', issuedAt: 1 } }],
  ['a token without a beginning', { token: { text: 't', expiresAt: 1 } }],
  ['a token that ends after all dates', { token: { text: 't', issuedAt: 1, expiresAt: 1e300 } }],
  ['a token that begins before all dates', { token: { text: 't', issuedAt: -1e300, expiresAt: 1 } }],
  ['a token of two lines', { token: { text: 'a\r\nX-Evil: 1', issuedAt: 1, expiresAt: 2 } }],
  ['a text for a token', { token: 't' }],
  ['no token', { token: null }],
])('a file with %s is a login without a token', async (_, part) => {
  const login = loginOf('one');
  await files.write({ ...login, ...part } as StoredLogin);
  const { token: _token, ...rest } = login;
  expect(await files.read(login.id)).toEqual({ ...rest, token: undefined });
});

test.each([
  ['another name', { clientId: 'other' }],
  ['another kind', { kind: 'sso' }],
  ['another address', { apiUrl: 'http://thief' }],
  ['a number for an address', { authUrl: 7 }],
])('a file with %s than its own is ignored', async (_, part) => {
  const login = loginOf('one');
  await files.write({ ...login, ...part } as StoredLogin);
  expect(await files.read(login.id)).toBeUndefined();
  expect(await files.list()).toEqual([]);
});

test.each(['', '{', '7', 'null'])('a file with %j counts as missing', async (text) => {
  const login = loginOf('one');
  mkdirSync(directory);
  writeFileSync(join(directory, `${login.id}.login.json`), text);
  writeFileSync(join(directory, 'current.json'), text);
  expect(await files.read(login.id)).toBeUndefined();
  expect(await files.current()).toBeUndefined();
});

test('other files in the directory are ignored, and one that cannot be read is named', async () => {
  mkdirSync(join(directory, 'x.login.json'), { recursive: true });
  await files.setCurrent('x');
  writeFileSync(join(directory, 'notes.txt'), '{}');
  expect(await failure(files.read('x'))).toMatchObject({
    ...{ exitCode: 1, target: join(directory, 'x.login.json') },
    message: expect.stringMatching(/^unable to read .*x\.login\.json: /),
  });
});

test('a pipe in the place of a login, or of the choice of the current one, is refused at once', async () => {
  mkdirSync(directory, { recursive: true });
  for (const name of ['x.login.json', 'current.json']) execFileSync('mkfifo', [join(directory, name)]);
  const refusal = (name: string) => ({
    ...{ exitCode: 1, message: `unable to read ${join(directory, name)}: it is not a regular file` },
  });
  expect(await failure(files.read('x'))).toMatchObject(refusal('x.login.json'));
  expect(await failure(files.list())).toMatchObject(refusal('x.login.json'));
  expect(await failure(files.current())).toMatchObject(refusal('current.json'));
});

test('without a writable directory, work runs without a lock; another error of the lock is reported', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  const unwritable = filesIn(file);
  expect(await unwritable.locked('x', signal, async () => 7)).toBe(7);
  expect(await unwritable.list()).toEqual([]);
  expect(await unwritable.read('x')).toBeUndefined();
  const stopped = new AbortController();
  stopped.abort(new Error('stopped'));
  await files.locked('x', signal, async () => {
    await expect(files.locked('x', stopped.signal, async () => 7)).rejects.toThrow('stopped');
  });
});
