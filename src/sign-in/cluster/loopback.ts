import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { within } from '../../clock.ts';
import type { Deadline } from '../../deadline.ts';
import { usageError } from '../../errors.ts';
import { codeOf } from '../../files/fault.ts';

/** A port of this machine to which a browser returns after a login. */
export interface Loopback {
  /** The address for the browser. */
  readonly url: string;
  /** Waits for the browser; undefined: it did not come in time. */
  returned(deadline: Pick<Deadline, 'clock' | 'signal'>, limitMs: number): Promise<URL | undefined>;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const path = '/callback';
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>weir</title><p style="font-family: sans-serif">${text}</p>\n`;

/**
 * Listens for the browser. Anyone on this machine can send a request, and a web page can let a browser do so: only the
 * one that `isExpected` counts.
 * @throws CliError (exit 2) if the port is in use
 */
export async function openLoopback(port: number, isExpected: (url: URL) => boolean): Promise<Loopback> {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const url = urlOf(request, origin);
    if (url === undefined || !isExpected(url)) return answer(response, 404, 'This is not the page of the login.');
    answer(response, 200, 'You can close this page and return to the terminal.', () => resolve(url));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) => failed(refused(port, error)));
    server.listen(port, host, listening);
  });
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}${path}`,
    async returned({ clock, signal }, limitMs) {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      return await within(clock, limitMs, Promise.race([promise, stopped]), () => undefined);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        // Browsers open connections that they may need later, and keep them open.
        server.closeAllConnections();
      }),
  };
}

/** The URL of a request that is addressed to this machine by its number: a name could be that of a foreign page. */
function urlOf({ method, url = '', headers }: IncomingMessage, origin: string): URL | undefined {
  if (method !== 'GET' || `http://${headers.host}` !== origin || !url.startsWith(`${path}?`)) return undefined;
  return URL.canParse(url, origin) ? new URL(url, origin) : undefined;
}

function answer(response: ServerResponse, status: number, text: string, onSent?: () => void): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', connection: 'close', 'cache-control': 'no-store' };
  response.writeHead(status, { ...headers, 'referrer-policy': 'no-referrer' }).end(page(text), onSent);
}

function refused(port: number, error: Error): Error {
  return usageError(`unable to listen on ${host}:${port} for the browser: ${codeOf(error) ?? error.message}`, {
    code: 'CONFIG_INVALID',
    target: 'oauth.redirect_port',
    hints: ['set another port with -X oauth.redirect_port=PORT, or 0 for any that is free'],
  });
}
