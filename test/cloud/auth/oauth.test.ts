import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import { cloudOf, failure } from '../client.ts';
import { type Answer, type Call, startScriptedPlane, tokenUntil } from '../scripted-plane.ts';

const device = { token: undefined, clientId: undefined, clientSecret: undefined };
const code = { device_code: 'd', user_code: 'ABCD', verification_uri: 'https://page.example', interval: 5 };

/** Answers the polls of a device login one after another. */
function asking(answers: readonly Answer[], begin: object = {}) {
  return startScriptedPlane(({ path, before }: Call) => {
    if (path === '/oauth/device/code') return [200, { ...code, expires_in: 600, ...begin }];
    return path === '/oauth/token' ? (answers[before] ?? answers.at(-1)) : undefined;
  });
}

const place = (url: string) => ({ apiUrl: url, authUrl: url, legacyUrl: url, audience: 'a' });
const good: Answer = [200, { access_token: 't', expires_in: 60 }];
const pending: Answer = [403, { error: 'authorization_pending' }];
const slow: Answer = [403, { error: 'slow_down' }];

function clientOf(url: string, stateDirectory = temporaryDirectory()) {
  return cloudOf({ url }, { stateDirectory, credentials: device, deviceClientId: 'public', place: place(url) });
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
  expect(error).toMatchObject({ exitCode: 4, code: 'EXPIRED_TOKEN' });
  expect(client.sleeps).toEqual([5_000, 5_000, 5_000]);
});

test.each([
  ['a login in the browser', pending, 'unable to log in through a browser: access_denied', '/oauth/token'],
  ['the code', undefined, 'unable to get a device code: access_denied', '/oauth/device/code'],
])('a refusal of %s says what was refused', async (_, begin, message, path) => {
  await using plane = await startScriptedPlane((call: Call) => {
    const isBegin = call.path === '/oauth/device/code' && begin !== undefined;
    return isBegin ? [200, { ...code, expires_in: 600 }] : [403, { error: 'access_denied' }];
  });
  using client = clientOf(plane.url);
  const error = await failure(client.cloud.logins.login({ save: false, onPrompt: () => undefined }));
  expect(error).toMatchObject({
    ...{ exitCode: 4, code: 'ACCESS_DENIED', message: `${message} (POST ${plane.url}${path}: 403)` },
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
  expect(Math.abs(seconds - lasts)).toBeLessThan(10);
});

test('a token of 30 seconds serves two commands', async () => {
  await using plane = await startScriptedPlane(({ path }) =>
    path === '/oauth/token' ? [200, { access_token: 'short', expires_in: 30 }] : undefined,
  );
  const stateDirectory = temporaryDirectory();
  const credentials = { token: undefined, clientId: 'c', clientSecret: 's' };
  for (let at = 0; at < 2; at += 1) {
    using client = cloudOf(plane, { stateDirectory, credentials, place: place(plane.url) });
    expect(await client.cloud.token()).toBe('short');
  }
  expect(plane.calls.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
});
