import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cloudOf, failure } from '../../cloud/client.ts';
import { admin, type Plane, reader, readyCluster, startPlane } from '../../sandbox/cloud/plane.ts';
import { temporaryDirectory } from '../../world.ts';

let plane: Plane;
let stateDirectory: string;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(async () => {
  await plane.reset();
  stateDirectory = temporaryDirectory();
});
afterAll(() => plane.stop());

const asked = async () => (await plane.journal()).filter(({ route }) => route === 'oauth.token').length;

describe('tokens', () => {
  test('one token serves all commands, from a file that only its owner can read', async () => {
    for (let at = 0; at < 3; at += 1) {
      using client = cloudOf(plane, { stateDirectory });
      await client.cloud.listClusters();
    }
    expect(await asked()).toBe(1);
    const directory = join(stateDirectory, 'cloud-auth');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{24}\.login\.json$/)]);
    const [file = ''] = files;
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, file), 'utf8')).not.toContain(admin.clientSecret);
  });

  test('clients that start together ask once', async () => {
    const clients = Array.from({ length: 8 }, () => cloudOf(plane, { stateDirectory }));
    await Promise.all(clients.map(({ cloud }) => cloud.listClusters()));
    for (const client of clients) client[Symbol.dispose]();
    expect(await asked()).toBe(1);
  });

  test('another client has another token', async () => {
    using one = cloudOf(plane, { stateDirectory });
    const credentials = { token: undefined, clientId: reader.clientId, clientSecret: reader.clientSecret };
    using other = cloudOf(plane, { stateDirectory, credentials });
    expect(await one.cloud.token()).not.toBe(await other.cloud.token());
    expect(await asked()).toBe(2);
  });

  test('one that is about to expire is renewed before it does', async () => {
    const begin = plane.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(begin);
    onTestFinished(() => clock.mockRestore());
    const askedAfter = async (ms: number): Promise<number> => {
      clock.mockReturnValue(begin + ms);
      using client = cloudOf(plane, { stateDirectory });
      await client.cloud.token();
      return await asked();
    };
    // For an hour, in whole seconds.
    expect(await askedAfter(0)).toBe(1);
    expect(await askedAfter(3_600_000 - 62_000)).toBe(1);
    expect(await askedAfter(3_600_000 - 59_000)).toBe(2);
  });

  test('one that expires during a wait is renewed once, and the wait continues', async () => {
    const { groupId, networkId } = await readyCluster(plane).then(async (made) => made);
    expect(groupId + networkId).not.toBe('');
    await plane.settings({ tokenLifetimeS: 600, durations: { clusterUpdateMs: 45 * 60_000 } });
    const { clusters } = (await plane.api('GET', '/v1/clusters')).body;
    using client = cloudOf(plane, { stateDirectory }, { onSleep: (ms) => plane.advance(ms) });
    const before = await asked();
    const operation = await client.cloud.updateCluster(clusters[0].id, {
      cluster_configuration: { custom_properties: { a: 'b' } },
    });
    const done = await client.cloud.waitForOperation(operation.id, { waitTimeoutMs: 90 * 60_000 });
    expect(done.state).toBe('STATE_COMPLETED');
    const refused = client.requests.filter(({ status }) => status === 401).length;
    expect(refused).toBeGreaterThanOrEqual(4);
    expect((await asked()) - before).toBe(refused + 1);
    expect(Math.max(...client.sleeps)).toBeLessThanOrEqual(36_000);
  });

  test('a clock that is two hours fast does not ask for a token with each request', async () => {
    const behind = await startPlane({ startAt: Date.now() - 2 * 3_600_000 });
    try {
      using client = cloudOf(behind, { stateDirectory });
      for (let at = 0; at < 3; at += 1) await client.cloud.listClusters();
      using later = cloudOf(behind, { stateDirectory });
      await later.cloud.listClusters();
      const tokens = (await behind.journal()).filter(({ route }) => route === 'oauth.token');
      expect(tokens).toHaveLength(1);
    } finally {
      await behind.stop();
    }
  });

  test('a given token is used unchanged, and nothing is requested or stored', async () => {
    const token = await plane.tokenOf(admin);
    const before = await asked();
    const credentials = { token, clientId: undefined, clientSecret: undefined };
    using client = cloudOf(plane, { stateDirectory, credentials });
    await client.cloud.listClusters();
    expect(await client.cloud.token()).toBe(token);
    expect(await asked()).toBe(before);
    expect(readdirSync(stateDirectory)).toEqual([]);
  });

  test('a given token that is refused is an error at once', async () => {
    const credentials = { token: 'a.b.c', clientId: undefined, clientSecret: undefined };
    using client = cloudOf(plane, { credentials });
    const error = await failure(client.cloud.listClusters());
    expect(error).toMatchObject({ exitCode: 4, code: 'UNAUTHENTICATED' });
    expect(client.requests).toHaveLength(1);
    expect(error.message).toContain('REASON_TOKEN_INVALID');
    expect(error.message).not.toContain('a.b.c');
  });

  test('a refused token is replaced once; if it is refused again, the error is reported', async () => {
    await plane.fault('clusters.list', { kind: 'status', status: 401, reason: 'REASON_TOKEN_EXPIRED' }, { times: 2 });
    using client = cloudOf(plane, { stateDirectory });
    expect(await failure(client.cloud.listClusters())).toMatchObject({ exitCode: 4 });
    expect(client.requests.map(({ url, status }) => [url.replace(plane.url, '').replace(/\?.*/, ''), status])).toEqual([
      ['/oauth/token', 200],
      ['/v1/clusters', 401],
      ['/oauth/token', 200],
      ['/v1/clusters', 401],
    ]);
  });

  test('wrong credentials: the error names the options to check', async () => {
    const credentials = { token: undefined, clientId: 'ci-admin', clientSecret: 'wrong-secret' };
    using client = cloudOf(plane, { credentials });
    const error = await failure(client.cloud.listClusters());
    expect(error).toMatchObject({ exitCode: 4, code: 'ACCESS_DENIED' });
    expect(error.hints[0]).toContain('cloud.client_secret');
    expect(error.message + error.hints.join()).not.toContain('wrong-secret');
  });

  test("when the day's tokens are used up, the error says when there will be more", async () => {
    await plane.settings({ tokensPerDay: 0 });
    using client = cloudOf(plane);
    const error = await failure(client.cloud.listClusters());
    expect(error).toMatchObject({ exitCode: 5, code: 'TOO_MANY_TOKENS', retryable: true });
    expect(error.message).toMatch(/used up its tokens.*the server asks to wait \d+[hms]/);
    expect(client.sleeps).toEqual([]);
  });

  test('a damaged file counts as missing', async () => {
    using first = cloudOf(plane, { stateDirectory });
    await first.cloud.token();
    const directory = join(stateDirectory, 'cloud-auth');
    const { writeFileSync } = await import('node:fs');
    for (const file of readdirSync(directory)) writeFileSync(join(directory, file), '{"token":');
    using second = cloudOf(plane, { stateDirectory });
    await second.cloud.listClusters();
    expect(await asked()).toBe(2);
  });
});

test('without a writable directory, the command works and warns that the token is not stored', async () => {
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(stateDirectory, 'file'), '');
  using client = cloudOf(plane, { stateDirectory: join(stateDirectory, 'file') });
  expect(await client.cloud.listClusters()).toEqual([]);
  expect(client.warnings).toEqual([expect.stringContaining('unable to store the token for later commands')]);
});

test.each(['', 'a b', 'a\nb', 'ä'])('the given token %j is a usage error, not a broken header', async (token) => {
  const credentials = { token, clientId: undefined, clientSecret: undefined };
  using client = cloudOf(plane, { credentials });
  expect(await failure(client.cloud.listClusters())).toMatchObject({
    ...{ exitCode: 2, code: 'CONFIG_INVALID', target: 'WEIR_CLOUD_TOKEN' },
    message: 'invalid WEIR_CLOUD_TOKEN: a token consists of printable ASCII characters without spaces',
  });
});

describe('too many requests', () => {
  test('Retry-After is waited for when the limit leaves time', async () => {
    await plane.fault('clusters.list', { kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    using client = cloudOf(plane);
    await client.cloud.listClusters();
    // In parts, when the announcement of a long wait comes in between.
    expect(client.sleeps.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBe(7_000);
  });

  test('a long Retry-After is reported instead', async () => {
    const headers = { 'retry-after': '120' };
    await plane.fault('clusters.list', { kind: 'status', status: 429, headers }, { times: null });
    using client = cloudOf(plane, {}, { limits: { retry: 30_000 } });
    const error = await failure(client.cloud.listClusters());
    expect(error).toMatchObject({ exitCode: 5, retryAfterMs: 120_000 });
    expect(error.message).toContain('the server asks to wait 2m, longer than globals.retry_timeout=30s allows');
    expect(client.sleeps).toEqual([]);
  });

  test('a POST that was refused this way is sent again without a check: it was not accepted', async () => {
    await plane.fault('resource-groups.create', { kind: 'status', status: 429 });
    using client = cloudOf(plane);
    await client.cloud.createResourceGroup({ name: 'dev' });
    const routes = (await plane.journal()).map(({ route }) => route).filter((route) => route?.startsWith('resource'));
    expect(routes).toEqual(['resource-groups.create', 'resource-groups.create']);
  });
});
