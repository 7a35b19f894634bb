import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloudOf, failure } from '../../cloud/client.ts';
import { admin, type Plane, startPlane } from '../../sandbox/cloud/plane.ts';
import { temporaryDirectory } from '../../world.ts';

const nobody = { token: undefined, clientId: undefined, clientSecret: undefined };
const audience = 'cloudv2-sandbox.example';
let plane: Plane;
let stateDirectory: string;
/** A host that a hostile file names: it writes down what it is sent. */
let thief: { readonly url: string; readonly received: IncomingMessage[]; stop(): void };

beforeAll(async () => {
  plane = await startPlane();
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  thief = { url, received, stop: () => server.close() };
});
beforeEach(async () => {
  await plane.reset();
  thief.received.length = 0;
  stateDirectory = temporaryDirectory();
});
afterAll(async () => {
  thief.stop();
  await plane.stop();
});

async function login(): Promise<void> {
  using client = cloudOf(plane, { stateDirectory });
  await client.cloud.logins.login({ save: true, onPrompt: () => undefined });
}

const addresses = () => ({ apiUrl: plane.url, authUrl: plane.url, legacyUrl: plane.url, audience });

describe('a login', () => {
  test.each([
    ['cloud.api_url', 'apiUrl'],
    ['cloud.auth_url', 'authUrl'],
    ['cloud.legacy_url', 'legacyUrl'],
  ] as const)(
    'goes nowhere else when %s is another: nothing is sent there, nor to the right ones',
    async (key, part) => {
      await login();
      const before = (await plane.journal()).length;
      using client = cloudOf(plane, {
        stateDirectory,
        credentials: nobody,
        addresses: { ...addresses(), [part]: thief.url },
      });
      const error = await failure(client.cloud.listClusters());
      expect(error).toMatchObject({ exitCode: 4, code: 'LOGIN_ELSEWHERE', target: key });
      expect(error.message).toContain(`is for ${plane.url}, but ${key} is ${thief.url}`);
      expect(error.hints).toEqual([
        expect.stringMatching(new RegExp(`^see where the address comes from: weir config show .*${key}`)),
        'if you trust it, log in there with: weir cloud login',
      ]);
      await failure(client.cloud.listPacks());
      expect(thief.received).toEqual([]);
      expect((await plane.journal()).length).toBe(before);
    },
  );

  test('is found again at its own addresses, with its secret, by its client id alone', async () => {
    await login();
    await plane.advance(2 * 3_600_000);
    for (const credentials of [nobody, { ...nobody, clientId: admin.clientId }]) {
      using client = cloudOf(plane, { stateDirectory, credentials });
      expect(await client.cloud.listClusters()).toEqual([]);
    }
  });

  test('by its client id alone is not used for another address either', async () => {
    await login();
    const credentials = { ...nobody, clientId: admin.clientId };
    using client = cloudOf(plane, { stateDirectory, credentials, addresses: { ...addresses(), apiUrl: thief.url } });
    expect(await failure(client.cloud.listClusters())).toMatchObject({ exitCode: 2, target: 'cloud.client_secret' });
    expect(thief.received).toEqual([]);
  });

  test('whose token is cached for one address is not reused for another', async () => {
    using first = cloudOf(plane, { stateDirectory });
    const token = await first.cloud.token();
    using other = cloudOf(plane, { stateDirectory, addresses: { ...addresses(), apiUrl: thief.url } });
    expect(await other.cloud.token()).not.toBe(token);
  });

  test('whose file was edited to name another address is not used', async () => {
    await login();
    const directory = join(stateDirectory, 'cloud-auth');
    for (const name of readdirSync(directory).filter((one) => one.endsWith('.login.json'))) {
      const path = join(directory, name);
      writeFileSync(path, readFileSync(path, 'utf8').replace(`"apiUrl": "${plane.url}"`, `"apiUrl": "${thief.url}"`));
    }
    using client = cloudOf(plane, {
      stateDirectory,
      credentials: nobody,
      addresses: { ...addresses(), apiUrl: thief.url },
    });
    expect(await failure(client.cloud.listClusters())).toMatchObject({ exitCode: 4, code: 'NOT_LOGGED_IN' });
    expect(thief.received).toEqual([]);
  });
});

describe('plain http', () => {
  test.each(['http://api.example', 'http://10.0.0.1:80', 'http://localhost.example', 'http://127.0.0.1.example'])(
    'to %s is refused before anything is sent',
    (url) => {
      for (const part of ['apiUrl', 'authUrl', 'legacyUrl'])
        expect(() => cloudOf(plane, { addresses: { ...addresses(), [part]: url } })).toThrow(/not encrypted/);
    },
  );

  test('to this machine is always allowed; elsewhere only with the option, and with a warning', () => {
    using here = cloudOf(plane);
    expect(here.warnings).toEqual([]);
    using there = cloudOf(plane, { addresses: { ...addresses(), authUrl: 'http://auth.example' }, insecureHttp: true });
    expect(there.warnings).toEqual([expect.stringContaining('cloud.auth_url is http://auth.example')]);
  });

  test('a download is not taken from another machine, nor by a redirect to one', async () => {
    using client = cloudOf(plane);
    await expect(client.cloud.download('http://files.example/byoc.tar.gz')).rejects.toThrow(/not encrypted/);
    const server = createServer((_, response) => response.writeHead(302, { location: 'http://files.example/' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(client.cloud.download(url)).rejects.toThrow(/not encrypted/);
    server.close();
  });

  test('to this machine does not go through a proxy, which would read the token', async () => {
    using client = cloudOf(plane, { proxy: { option: '', env: { http_proxy: thief.url, https_proxy: thief.url } } });
    expect(await client.cloud.listClusters()).toEqual([]);
    expect(thief.received).toEqual([]);
  });
});

test('a redirect is not followed with the token', async () => {
  const headers = { location: `${thief.url}/v1/clusters` };
  await plane.fault('clusters.list', { kind: 'status', status: 302, headers });
  using client = cloudOf(plane);
  await failure(client.cloud.listClusters());
  expect(thief.received).toEqual([]);
});
