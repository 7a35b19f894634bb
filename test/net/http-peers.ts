import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { type Http, type HttpOptions, openHttp } from '../../src/net/http.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';

/** What is closed after each test. */
export const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Its port, once it listens on this machine. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A TCP server that does what the script says with each connection, and how many there were. */
export async function tcp(script: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    script(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listening(server), sockets };
}

/** A web server; its base URL. */
export async function web(listener: RequestListener): Promise<string> {
  const server = createHttp(listener);
  closers.push(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A client that is closed after the test. */
export function client(limits: TestLimits = {}, options: Partial<HttpOptions> = {}) {
  const deadline = deadlineOf(limits);
  const http: Http = openHttp({
    api: 'cloud',
    server: 'control plane',
    addressHint: '-X cloud.api_url=URL',
    deadline,
    userAgent: 'weir-test',
    ...options,
  });
  closers.push(() => {
    http.close();
    deadline.dispose();
  });
  return { http, deadline };
}

/** The error, and after how many milliseconds it came. */
export async function failed(work: Promise<unknown>): Promise<{ error: CliError; ms: number }> {
  const startedAt = performance.now();
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CliError);
  return { error: error as CliError, ms: performance.now() - startedAt };
}
