import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusesBrowser } from '../../../src/sandbox/http/browser.ts';

const server = createServer((incoming, response) => {
  if (!refusesBrowser(incoming, response)) response.end('answered');
});
beforeAll(() => new Promise<void>((go) => server.listen(0, '127.0.0.1', go)));
afterAll(() => void server.close());

function statusOf(headers: Readonly<Record<string, string>>): Promise<number> {
  const { port } = server.address() as AddressInfo;
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
  ['a page whose name points to this machine', { host: 'evil.example:9644' }, 403],
  ['a name that ends like that of this machine', { host: 'localhost.evil.example' }, 403],
])('%s with %j gets the status %i', async (_, headers, status) => {
  expect(await statusOf(headers)).toBe(status);
});
