import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { type Http, type HttpOptions, openHttp } from '../../src/net/http.ts';
import { atEndOfTest } from '../at-end.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';
import type { VirtualClock } from '../simulation/virtual-clock.ts';

/** Its port, once it listens on this machine. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => server.close());
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
  atEndOfTest(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listening(server), sockets };
}

/** A web server; its base URL. */
export async function web(listener: RequestListener): Promise<string> {
  const server = createHttp(listener);
  atEndOfTest(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A client that is closed after the test. */
export function client(limits: TestLimits = {}, options: Partial<HttpOptions> = {}, clock?: Clock) {
  const deadline = deadlineOf(limits, clock);
  const http: Http = openHttp({
    api: 'cloud',
    server: 'control plane',
    addressHint: '-X cloud.api_url=URL',
    deadline,
    userAgent: 'weir-test',
    ...options,
  });
  atEndOfTest(() => {
    http.close();
    deadline.dispose();
  });
  return { http, deadline };
}

/** The error with which the work fails. */
export async function failed(work: Promise<unknown>): Promise<{ error: CliError }> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CliError);
  return { error: error as CliError };
}

/** The error of work that waits until the last millisecond of a limit in virtual time, and not longer. */
export async function failedAfter(clock: VirtualClock, limitMs: number, work: Promise<unknown>): Promise<CliError> {
  let isOver = false;
  const failure = failed(work).finally(() => {
    isOver = true;
  });
  await clock.runFor(limitMs - 1);
  expect(isOver).toBe(false);
  await clock.runFor(1);
  return (await failure).error;
}
