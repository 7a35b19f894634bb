import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHosts } from '../../../src/net/hosts.ts';
import { askToken, type OAuthServer } from '../../../src/sign-in/control-plane/token-requests.ts';
import { cloudOf, failure } from '../../cloud/client.ts';
import { type Answer, type Call, startScriptedPlane, tokenUntil } from '../../cloud/scripted-plane.ts';
import { deadlineOf } from '../../services/scripted-client.ts';
import { temporaryDirectory } from '../../world.ts';

// Tokens that live for seconds do not expire while a slow machine gets on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const device = { token: undefined, clientId: undefined, clientSecret: undefined };
const code = { device_code: 'd', user_code: 'ABCD', verification_uri: 'https://page.example', interval: 5 };

/** Answers the polls of a device login one after another. */
function asking(answers: readonly Answer[], begin: object = {}) {
  return startScriptedPlane(({ path, before }: Call) => {
    if (path === '/oauth/device/code') return [200, { ...code, expires_in: 600, ...begin }];
    return path === '/oauth/token' ? (answers[before] ?? answers.at(-1)) : undefined;
  });
}

const addresses = (url: string) => ({ apiUrl: url, authUrl: url, legacyUrl: url, audience: 'a' });
const good: Answer = [200, { access_token: 't', expires_in: 60 }];
const pending: Answer = [403, { error: 'authorization_pending' }];
const slow: Answer = [403, { error: 'slow_down' }];

function clientOf(url: string, stateDirectory = temporaryDirectory()) {
  return cloudOf({ url }, { stateDirectory, credentials: device, deviceClientId: 'public', addresses: addresses(url) });
}

test('slow_down makes every later pause of a device login five seconds longer', async () => {
  await using plane = await asking([pending, slow, pending, slow, good]);
  using client = clientOf(plane.url);
  await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
  expect(client.sleeps.slice(0, 5)).toEqual([5_000, 5_000, 10_000, 10_000, 15_000]);
});

test('a device login ends when its code expires', async () => {
  await using plane = await asking([pending], { expires_in: 12 });
  using client = clientOf(plane.url);
  const error = await failure(client.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  expect(error).toMatchObject({
    ...{ exitCode: 4, code: 'EXPIRED_TOKEN', hints: ['start again with: weir cloud login'] },
    message: 'unable to log in: the code expired before the login was confirmed in the browser',
  });
  expect(client.sleeps).toEqual([5_000, 5_000, 5_000]);
});

test.each([
  {
    refused: 'a login in the browser',
    begin: pending,
    message: 'unable to log in through a browser: access_denied',
    path: '/oauth/token',
    hints: [],
  },
  {
    refused: 'the code',
    begin: undefined,
    message: 'unable to get a device code: access_denied',
    path: '/oauth/device/code',
    hints: ['check cloud.device_client_id, cloud.auth_url and cloud.audience'],
  },
])('a refusal of $refused says what was refused', async ({ begin, message, path, hints }) => {
  await using plane = await startScriptedPlane((call: Call) => {
    const isBegin = call.path === '/oauth/device/code' && begin !== undefined;
    return isBegin ? [200, { ...code, expires_in: 600 }] : [403, { error: 'access_denied' }];
  });
  using client = clientOf(plane.url);
  const error = await failure(client.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  expect(error).toMatchObject({
    ...{ exitCode: 4, code: 'ACCESS_DENIED', message: `${message} (POST ${plane.url}${path}: 403)`, hints },
  });
});

test.each([
  ['the answer', 120, 3_600, 120],
  ['the token itself', 3_600, 120, 120],
])('a token is valid until the earlier of two times: %s', async (_, expiresIn, exp, lasts) => {
  const now = Date.now();
  const access_token = tokenUntil(Math.round(now / 1000) + exp);
  await using plane = await asking([[200, { access_token, expires_in: expiresIn }]]);
  using client = clientOf(plane.url);
  const { expires_at } = await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
  const seconds = (Date.parse(expires_at ?? '') - now) / 1000;
  // A token has whole seconds.
  expect(Math.abs(seconds - lasts)).toBeLessThan(1);
});

test('a token of 30 seconds serves two commands', async () => {
  await using plane = await startScriptedPlane(({ path }) =>
    path === '/oauth/token' ? [200, { access_token: 'short', expires_in: 30 }] : undefined,
  );
  const stateDirectory = temporaryDirectory();
  const credentials = { token: undefined, clientId: 'c', clientSecret: 's' };
  for (let at = 0; at < 2; at += 1) {
    using client = cloudOf(plane, { stateDirectory, credentials, addresses: addresses(plane.url) });
    expect(await client.cloud.token()).toBe('short');
  }
  expect(plane.calls.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
});

test('a refusal shows neither the secret nor the code that the server repeats', async () => {
  await using plane = await startScriptedPlane(({ path, body }) => {
    if (path === '/oauth/device/code') return [200, { ...code, device_code: 'device-canary', expires_in: 600 }];
    return path === '/oauth/token' ? [401, { error: 'denied', error_description: body }] : undefined;
  });
  const credentials = { token: undefined, clientId: 'c', clientSecret: 'secret-canary' };
  using program = cloudOf(plane, { credentials, addresses: addresses(plane.url) });
  expect((await failure(program.cloud.token())).message).toMatch(/denied: .*client_secret=\*\*\*/);
  using person = clientOf(plane.url);
  const refused = await failure(person.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  expect(refused.message).toMatch(/denied: .*device_code=\*\*\*/);
});

describe('a refusal of a token', () => {
  const limit = 'b=per_day;q=7;r=0;t=90';
  test.each([
    [429, { 'retry-after': '7' }, { exitCode: 5, code: 'TOO_MANY_TOKENS', retryable: true, retryAfterMs: 7_000 }, ''],
    [
      429,
      { 'auth0-organization-quota-limit': limit },
      { exitCode: 5, code: 'TOO_MANY_TOKENS', retryAfterMs: 90_000 },
      ', 7 per day',
    ],
    [
      429,
      { 'retry-after': '7', 'auth0-organization-quota-limit': limit },
      { code: 'TOO_MANY_TOKENS', retryAfterMs: 7_000 },
      ', 7 per day',
    ],
    [429, { 'auth0-organization-quota-limit': 'q=7' }, { code: 'TOO_MANY_TOKENS', retryAfterMs: undefined }, ''],
    [429, { 'auth0-organization-quota-limit': 't=7' }, { code: 'TOO_MANY_TOKENS', retryAfterMs: undefined }, ''],
    [503, {}, { exitCode: 5, code: 'AUTH', retryable: true, hints: [] }, ''],
    [
      401,
      {},
      {
        exitCode: 4,
        code: 'AUTH',
        retryable: false,
        hints: [expect.stringContaining('check cloud.'), expect.any(String)],
      },
      '',
    ],
  ])('with the status %d and %j says when and what to do', async (status, headers, expected, quota) => {
    const deadline = deadlineOf();
    const http = {
      request: async () => ({ status, headers, body: Buffer.from('{}') }),
      stream: () => Promise.reject(new Error('not this')),
      close: () => undefined,
    };
    const world = { now: () => 0, sleep: async () => undefined, random: () => 0.5 };
    const server = {
      http,
      deadline,
      world,
      hosts: createHosts(['http://h'], 'stop'),
      authUrl: 'http://h',
      audience: 'a',
      retry: (_: string, work: () => never) => work(),
    };
    const error = await failure(askToken(server as unknown as OAuthServer, { clientId: 'c', clientSecret: 's' }));
    deadline.dispose();
    expect(error).toMatchObject({ ...expected, target: 'POST http://h/oauth/token' });
    expect(error.message).toBe(
      `unable to get a token: the server gave no reason${quota} (POST http://h/oauth/token: ${status})`,
    );
  });
});

test.each<[string, Answer, string]>([
  ['no token', [200, { expires_in: 60 }], 'contains none'],
  ['an empty token', [200, { access_token: '' }], 'contains none'],
  [
    'a token of two lines',
    [200, { access_token: 'a\r\nX-Evil: 1' }],
    'contains a token with spaces, control characters or other characters than ASCII',
  ],
  [
    'a token that is not ASCII',
    [200, { access_token: 'tök' }],
    'contains a token with spaces, control characters or other characters than ASCII',
  ],
  ['an endless token', [200, { access_token: 't', expires_in: 1e300 }], 'contains a lifetime that is not a time'],
  ['an endless claim', [200, { access_token: tokenUntil(1e300) }], 'contains a lifetime that is not a time'],
])('an answer with %s is an error', async (_, answer, message) => {
  await using plane = await asking([answer]);
  using client = clientOf(plane.url);
  const error = await failure(client.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  const whole = `unable to get a token: the response of ${plane.url}/oauth/token ${message}`;
  expect(error).toMatchObject({ exitCode: 4, message: whole });
  expect(await client.cloud.logins.list()).toEqual([]);
  expect(plane.calls.map(({ path }) => path)).toEqual(['/oauth/device/code', '/oauth/token']);
});

test('a token without a lifetime, or of a clock that is wrong, is used for an hour', async () => {
  const past = tokenUntil(1_000);
  for (const access_token of ['opaque', past]) {
    await using plane = await asking([[200, { access_token, expires_in: 0 }]]);
    using client = clientOf(plane.url);
    const { expires_at } = await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
    expect(Date.parse(expires_at ?? '') - Date.now()).toBe(3_600_000);
  }
});

test('the person sees the page, the code and how long it is valid, with defaults', async () => {
  const seen: unknown[] = [];
  for (const [begin, expected] of [
    [
      { expires_in: undefined, verification_uri_complete: 'https://full/a"b\n --new c' },
      ['https://full/a%22b%20--new%20c', 'ABCD', 360_000],
    ],
    [{ expires_in: 9, user_code: undefined }, ['https://page.example/', '', 9_000]],
  ] as const) {
    await using plane = await asking([good], begin);
    using client = clientOf(plane.url);
    await client.cloud.logins.login({
      save: false,
      onPrompt: ({ url: page, code, expiresInMs }) => void seen.push([page, code, expiresInMs]),
    });
    expect(seen.splice(0)).toEqual([expected]);
    expect(plane.calls[0]?.body).toBe('client_id=public&audience=a&scope=openid+profile+email');
    expect(plane.calls[1]?.body).toContain('&device_code=d&client_id=public');
  }
});

test.each([
  'javascript:x',
  '--help',
  'file:///etc/passwd',
  'https://',
  'https://bank@page.example',
  ['https://page'],
  7,
])('the login page %j is not shown, and no program is started with it', async (page) => {
  await using plane = await asking([good], { verification_uri: page, interval: 0 });
  using client = clientOf(plane.url);
  const shown: unknown[] = [];
  const login = client.cloud.logins.login({ save: false, onPrompt: (prompt) => void shown.push(prompt) });
  const error = await failure(login);
  expect(error).toMatchObject({
    ...{ exitCode: 4, message: 'unable to log in: the server returned no login page', hints: ['check cloud.auth_url'] },
  });
  expect(shown).toEqual([]);
});

test('a poll that fails for a moment is repeated; without an interval, polls are five seconds apart', async () => {
  await using plane = await asking([[503, {}], pending, good], { interval: undefined });
  using client = clientOf(plane.url);
  await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
  expect(client.sleeps).toEqual([5_000, 5_000, 5_000]);
});

/** Loses the connections of these polls of a device login, counted from 0. */
function losing(isLost: (poll: number) => boolean, begin: object = {}) {
  return startScriptedPlane(({ path, before, cut }) => {
    if (path === '/oauth/device/code') return [200, { ...code, expires_in: 600, ...begin }];
    if (path !== '/oauth/token') return undefined;
    if (!isLost(before)) return good;
    cut();
    return [500, {}];
  });
}

test('a poll whose connection is lost is repeated, later each time', async () => {
  await using plane = await losing((poll) => poll < 5);
  using client = clientOf(plane.url);
  expect(await client.cloud.logins.login({ save: false, onPrompt: () => undefined })).toMatchObject({ kind: 'sso' });
  expect(client.sleeps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('if connections are lost until the code expires, the error says so', async () => {
  await using plane = await losing(() => true, { expires_in: 12 });
  using client = clientOf(plane.url);
  const error = await failure(client.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
  expect(error.message).toMatch(/^unable to log in before the code expired: lost the connection during POST /);
});

test.each([
  [1e10, 60_000],
  [1e-9, 1_000],
  [-5, 5_000],
  [0, 5_000],
  ['2', 5_000],
])('an interval of %j is a pause of %d milliseconds', async (interval, pause) => {
  await using plane = await asking([pending, good], { interval });
  using client = clientOf(plane.url);
  await client.cloud.logins.login({ save: false, onPrompt: () => undefined });
  expect(client.sleeps).toEqual([pause, pause]);
});

test('a code that is valid forever is valid for a day', async () => {
  await using plane = await asking([good], { expires_in: 1e300 });
  using client = clientOf(plane.url);
  const seen: number[] = [];
  await client.cloud.logins.login({ save: false, onPrompt: ({ expiresInMs }) => void seen.push(expiresInMs) });
  expect(seen).toEqual([86_400_000]);
});
