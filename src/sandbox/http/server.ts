import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP } from 'node:net';
import type { Certificate } from '../certificates.ts';
import { type Reply, send } from './reply.ts';
import type { Match, Pattern } from './router.ts';

/** One request that was read and matched with a route. */
export interface Asked<Route extends Pattern> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly match: Match<Route> | 'other-method' | undefined;
  /** The body, as far as it is not longer than allowed. */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** What a request led to. */
export interface Outcome {
  readonly reply: Reply;
}

/**
 * Stands before the handling of every request, so that the tests of a client can note it, delay it, or answer in its
 * place: it returns undefined when it has done with the response what it wanted.
 */
export type Around<Route extends Pattern, Result extends Outcome> = (
  exchange: Asked<Route>,
  handle: () => Promise<Result>,
) => Promise<Reply | undefined>;

/** What a server needs to answer requests. */
export interface Site<Route extends Pattern, Result extends Outcome> {
  /** The scheme, host and port of its URLs. */
  readonly origin: string;
  /** The length of the longest body, in bytes. */
  readonly largestBody: number;
  find(method: string, path: string): Match<Route> | 'other-method' | undefined;
  handle(exchange: Asked<Route>): Result | Promise<Result>;
  readonly around?: Around<Route, Result> | undefined;
}

/** Returns what answers the requests to a server. */
export function answering<Route extends Pattern, Result extends Outcome>(site: Site<Route, Result>): RequestListener {
  return (request, response) => {
    if (!refusesBrowser(request, response)) answer(site, request, response).catch(() => response.destroy());
  };
}

async function answer<Route extends Pattern, Result extends Outcome>(
  { origin, largestBody, find, handle, around }: Site<Route, Result>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', origin);
  const match = find(request.method ?? 'GET', url.pathname);
  const exchange = { request, response, url, match, ...(await readBody(request, largestBody)) };
  const reply =
    around === undefined ? (await handle(exchange)).reply : await around(exchange, async () => handle(exchange));
  if (reply !== undefined) send(response, reply);
}

async function readBody(
  request: IncomingMessage,
  largest: number,
): Promise<Pick<Asked<Pattern>, 'bytes' | 'isTooLong'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= largest) chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), isTooLong: length > largest };
}

/**
 * Refuses what a web page makes a browser send to this machine: a request with an origin, which every change from
 * another origin has, one that a page of another site makes without an origin (an image, a link, a form that only reads),
 * and one for a host name that the page has pointed to this machine (DNS rebinding). The content type does not matter,
 * because the real servers read JSON of any type. The clients of the simulators are not browsers.
 * @returns whether the request was refused
 */
function refusesBrowser({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isLocalName = name === 'localhost' || isIP(name) !== 0;
  // `none` is an address that the user has typed.
  const isOfPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
  if (isLocalName && !isOfPage) return false;
  send(response, { status: 403, body: { code: 403, message: 'the sandbox does not answer web pages' } });
  return true;
}

/** Listens with HTTP, or with HTTPS if there is a certificate. @throws Error when the port is taken */
export async function listen(
  at: { readonly host: string; readonly port: number },
  tls?: Pick<Certificate, 'cert' | 'key'>,
): Promise<Server> {
  // Longer than any pause between two polls, so that a client never reuses a connection that is being closed.
  const options = { keepAliveTimeout: 120_000 };
  const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
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
