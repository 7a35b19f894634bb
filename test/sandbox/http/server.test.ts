import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering } from '../../../src/sandbox/http/server.ts';
import { startPlane } from '../cloud/plane.ts';

const server = createServer(
  answering({
    origin: 'http://localhost',
    largestBody: 1,
    find: () => undefined,
    handle: () => ({ reply: { status: 200 } }),
  }),
);
beforeAll(() => new Promise<void>((go) => server.listen(0, '127.0.0.1', go)));
afterAll(() => void server.close());

function statusOf(
  headers: Readonly<Record<string, string>>,
  { port } = server.address() as Pick<AddressInfo, 'port'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'PUT', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject).end('{}');
  });
}

test.each([
  ['a client', { host: '127.0.0.1:9644' }, 200],
  ['a client with JSON', { host: 'localhost:9644', 'content-type': 'application/json' }, 200],
  ['a client over IPv6', { host: '[::1]:9644' }, 200],
  ['a page of another origin', { host: '127.0.0.1:9644', origin: 'https://evil.example' }, 403],
  ['a page without an origin of its own', { host: '127.0.0.1:9644', origin: 'null' }, 403],
  [
    'a form of another origin, which a browser sends without asking first',
    { host: '127.0.0.1:9644', origin: 'https://evil.example', 'content-type': 'text/plain' },
    403,
  ],
  ['a page of this machine at another port', { host: '127.0.0.1:9644', origin: 'http://127.0.0.1:3000' }, 403],
  ['an image or link of another site', { host: '127.0.0.1:9644', 'sec-fetch-site': 'cross-site' }, 403],
  ['an address that the user has typed', { host: '127.0.0.1:9644', 'sec-fetch-site': 'none' }, 200],
  ['a page whose name points to this machine', { host: 'evil.example:9644' }, 403],
  ['a name that ends like that of this machine', { host: 'localhost.evil.example' }, 403],
  ['a name that begins like an address of this machine', { host: '127.0.0.1.evil.example:9644' }, 403],
  ['a name in the place of a user', { host: '127.0.0.1@evil.example' }, 403],
])('%s with %j gets the status %i', async (_, headers, status) => {
  expect(await statusOf(headers)).toBe(status);
});

test('the simulated control plane answers no page', async () => {
  const { url, stop } = await startPlane();
  const { host, port } = new URL(url);
  const statuses = [{ host }, { host, origin: 'https://evil.example' }].map((headers) =>
    statusOf(headers, { port: Number(port) }),
  );
  expect(await Promise.all(statuses)).toEqual([404, 403]);
  await stop();
});
