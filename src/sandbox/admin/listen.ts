import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { refusesBrowser } from '../http/browser.ts';
import { freePorts, isFree } from '../ports.ts';

/** The certificate and key of a listener, in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Finds a port that is free on every one of these addresses. */
export async function commonPort(hosts: readonly string[]): Promise<number> {
  for (;;) {
    const [port = 0] = await freePorts(1);
    const free = await Promise.all(hosts.map((host) => isFree(port, host)));
    if (free.every(Boolean)) return port;
  }
}

/** Listens with HTTP, or with HTTPS if there is a certificate. @throws Error when the port is taken */
export async function listen(
  at: { readonly host: string; readonly port: number },
  tls: KeyPair | undefined,
  handle: RequestListener,
): Promise<Server> {
  const onRequest: RequestListener = (request, response) => {
    if (!refusesBrowser(request, response)) handle(request, response);
  };
  // Longer than any pause between two polls, so that a client never reuses a connection that is being closed.
  const options = { keepAliveTimeout: 120_000 };
  const server =
    tls === undefined ? createServer(options, onRequest) : createTlsServer({ ...options, ...tls }, onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

/** Stops listening and cuts the connections. */
export async function unlisten(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
