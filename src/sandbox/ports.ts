import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The last port there is. */
export const lastPort = 65_535;

/** Whether a server could listen on the port of this address now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/** The first of `count` free ports in a row, looking upwards from `from`; undefined when there are none. */
export async function firstFree(from: number, count: number): Promise<number | undefined> {
  let run = 0;
  for (let port = from; port <= lastPort; port += 1) {
    run = (await isFree(port)) ? run + 1 : 0;
    if (run === count) return port - count + 1;
  }
  return undefined;
}

/** What was handed out already: nothing may listen there yet, so that it still looks free. */
const handedOut = new Set<number>();

/**
 * Free ports that nothing is likely to take before they are used: below the range that systems give to
 * outgoing connections, at random, so that two runs do not choose alike, and never the same one twice.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = randomInt(15_000, 32_000);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) found.push(port);
  }
  return found;
}
