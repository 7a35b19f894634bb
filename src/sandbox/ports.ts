import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { CliError, exitCodes } from '../errors.ts';

/** The highest port number. */
export const lastPort = 65_535;

/** Checks whether a server could listen on this port and address now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/**
 * Finds the first of `count` consecutive ports at or above `from` that are free and not claimed; undefined when there
 * are none.
 */
export async function firstFree(
  from: number,
  count: number,
  claims: Pick<ReadonlySet<number>, 'has'> = new Set(),
): Promise<number | undefined> {
  let run = 0;
  for (let port = from; port <= lastPort; port += 1) {
    run = !claims.has(port) && (await isFree(port)) ? run + 1 : 0;
    if (run === count) return port - count + 1;
  }
  return undefined;
}

/** Ports already handed out, which look free until something listens on them. */
const handedOut = new Set<number>();

/**
 * Picks free ports that are unlikely to be taken before they are used. They lie below the range that systems assign to
 * outgoing connections, are random so that parallel runs differ, and are never handed out twice.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(15_000, 32_000);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** Finds a port that is free on every one of these addresses. */
export async function commonPort(hosts: readonly string[]): Promise<number> {
  for (;;) {
    const [port = 0] = await freePorts(1);
    const free = await Promise.all(hosts.map((host) => isFree(port, host)));
    if (free.every(Boolean)) return port;
  }
}

/** The error code for a port that another program listens on. */
export const portInUse = 'PORT_IN_USE';

/** Checks that the sandbox's ports are free. @throws CliError (exit 6) when one is in use */
export async function checkPorts(sandbox: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw portInUseError(sandbox, port);
}

/** Returns the error for a port that another program took before the broker listened on it (exit 6). */
export function portInUseError(sandbox: string, port: number): CliError {
  return new CliError(exitCodes.conflict, `unable to start the sandbox "${sandbox}": port ${port} is in use`, {
    code: portInUse,
    target: String(port),
    hints: [
      `stop the program that listens on port ${port}`,
      `or start the sandbox on another port: weir sandbox start ${sandbox === 'sandbox' ? '' : `--name ${sandbox} `}--port PORT`,
    ],
  });
}
