import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { firstFree, freePorts, isFree } from '../../src/sandbox/ports.ts';

// The fixed ports below are lower than those that other tests get from `freePorts` at the same time.

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a port with a listener is not free', async () => {
  const [port = 0] = await freePorts(1);
  expect(await isFree(port)).toBe(true);
  const server = await listen(port);
  expect(await isFree(port)).toBe(false);
  server.close();
});

test('consecutive free ports are found after a taken one', async () => {
  const start = (await firstFree(12_000, 4)) ?? 0;
  const server = await listen(start + 1);
  expect(await firstFree(start, 1)).toBe(start);
  expect(await firstFree(start, 2)).toBe(start + 2);
  server.close();
});

test('claimed ports are not free', async () => {
  const start = (await firstFree(12_100, 3)) ?? 0;
  expect(await firstFree(start, 2, new Set([start]))).toBe(start + 1);
});

test('no consecutive ports are found beyond the highest one', async () => {
  expect(await firstFree(65_535, 2)).toBeUndefined();
});

test('free ports are unique, even across concurrent calls', async () => {
  const calls = await Promise.all(Array.from({ length: 200 }, () => freePorts(5)));
  expect(new Set(calls.flat()).size).toBe(1000);
});

test('the highest port can be the last of several', async () => {
  expect(await firstFree(65_534, 2)).toBe(65_534);
});

test('free ports are below those of outgoing connections and above those of known services', async () => {
  const ports = await freePorts(500);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(15_000);
  expect(Math.min(...ports)).toBeLessThan(17_000);
  expect(Math.max(...ports)).toBeGreaterThan(30_000);
  expect(Math.max(...ports)).toBeLessThan(32_000);
});
