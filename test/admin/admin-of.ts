import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Api } from '../../src/admin/client/api.ts';
import { type AdminOptions, openApi } from '../../src/admin/client/api.ts';
import type { Admin } from '../../src/admin/open.ts';
import { createCalls } from '../../src/admin/open.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { HttpTrace } from '../../src/net/http.ts';
import { pathOf } from '../../src/net/json-api/call.ts';
import type { RetryWorld } from '../../src/net/retry.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';

/** A client of the Admin API, and what it did. */
export interface TestAdmin {
  readonly admin: Omit<Admin, 'close'>;
  /** For calls that no command makes yet. */
  readonly api: Api;
  readonly requests: readonly HttpTrace[];
  /** How long the client would have slept each time, in milliseconds. */
  readonly sleeps: readonly number[];
  readonly warnings: readonly string[];
  /** Ends the command, as its timeout and signals do. */
  abort(reason: Error): void;
}

/** What a test sets besides the options of the client. */
export interface TestOptions extends Partial<AdminOptions> {
  readonly limits?: TestLimits;
  /** Called instead of every pause, after the virtual clock has moved by it. */
  readonly onSleep?: (milliseconds: number) => unknown;
}

/** A client whose pauses take no real time. It is closed when the test ends. */
export function adminOf(addresses: readonly string[], { limits, onSleep, ...options }: TestOptions = {}): TestAdmin {
  const requests: HttpTrace[] = [];
  const [sleeps, warnings]: [number[], string[]] = [[], []];
  let clock = 0;
  const world: RetryWorld = {
    now: () => clock,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      sleeps.push(Math.round(ms));
      clock += ms;
      await onSleep?.(ms);
    },
    random: () => 0.5,
  };
  const deadline = deadlineOf(limits);
  const { api, close } = openApi(
    {
      addresses: addresses.map((text) => parseAddress(text, { defaultPort: 9644, scheme: 'http' })),
      usesTls: false,
      tls: { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'admin.tls' },
      credentials: undefined,
      proxy: { option: '', env: {} },
      userAgent: 'weir-test',
      deadline,
      warn: (line) => void warnings.push(line),
      trace: (event) => void requests.push(event),
      ...options,
    },
    world,
  );
  onTestFinished(() => {
    close();
    deadline.dispose();
  });
  return { admin: createCalls(api, deadline, world), api, requests, sleeps, warnings, abort: deadline.abort };
}

/** One request to a scripted node. */
export interface NodeCall {
  /** The method and the path with its query, for example `GET /v1/brokers`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Number of earlier calls with this line. */
  readonly before: number;
  /** The connection, to cut it. */
  readonly socket: Socket;
}

/** An answer: a status, a body (sent as JSON unless it is text), and headers. Undefined: no answer. */
export type NodeAnswer =
  | readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>]
  | undefined;

/** A node that answers by a script. */
export interface ScriptedNode {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly NodeCall[];
  /** The lines of the calls. */
  lines(): readonly string[];
}

/**
 * Starts one at `host`, which stops when the test ends.
 * @param at where it listens (default: a free port of 127.0.0.1)
 */
export async function startNode(
  script: (call: NodeCall) => NodeAnswer,
  at: { readonly host?: string; readonly port?: number } = {},
  serve: (listener: RequestListener) => Server = createServer,
): Promise<ScriptedNode> {
  const { host = '127.0.0.1' } = at;
  const calls: NodeCall[] = [];
  const server = serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const line = `${request.method} ${request.url}`;
    const before = calls.filter((one) => one.line === line).length;
    const { headers, socket } = request;
    const call = { line, headers, before, body: Buffer.concat(chunks).toString(), socket };
    calls.push(call);
    const answer = script(call);
    if (answer === undefined) return;
    const [status, body, more = {}] = answer;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...more });
    response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port ?? 0, host, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const scheme = serve === createServer ? 'http' : 'https';
  return { url: `${scheme}://${host}:${port}`, port, calls, lines: () => calls.map(({ line }) => line) };
}

/** An error as the Admin API returns it. */
export function refusal(status: number, message: string): NodeAnswer {
  return [status, { message, code: status }];
}

/** A change that can be sent to any node. */
export const change = {
  doing: 'make the change',
  method: 'POST',
  path: pathOf`/v1/change`,
  body: { name: 'ana' },
  read: () => 'made',
} as const;
