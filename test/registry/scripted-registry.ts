import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseAddress } from '../../src/net/address.ts';
import type { HttpTrace } from '../../src/net/http.ts';
import type { RetryWorld } from '../../src/net/retry.ts';
import { openRegistry, type Registry, type RegistryOptions } from '../../src/registry/open.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';

/** One request to a scripted registry. */
export interface Call {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Number of earlier calls of this method and path. */
  readonly before: number;
  /** The connection, to cut it. */
  readonly socket: Socket;
}

/** An answer: a status, a body (sent as JSON unless it is text), and headers. Undefined: no answer. */
export type Answer = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>] | undefined;

/** A registry that answers by a script. */
export interface ScriptedRegistry extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly Call[];
}

/** What registries answer when something fails. */
export function refusal(number: number, message: string): Answer {
  return [number < 600 ? number : Math.trunc(number / 100), { error_code: number, message }];
}

/**
 * Starts one on this machine.
 * @param serve creates the server (default: HTTP without TLS)
 */
export async function startScriptedRegistry(
  script: (call: Call) => Answer,
  serve: (listener: RequestListener) => Server = createServer,
): Promise<ScriptedRegistry> {
  const calls: Call[] = [];
  const server = serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers, socket } = request;
    const before = calls.filter((one) => one.method === method && one.path === path).length;
    const call = { method, path, headers, before, body: Buffer.concat(chunks).toString(), socket };
    calls.push(call);
    const answer = script(call);
    if (answer === undefined) return;
    const [status, body, more = {}] = answer;
    const isText = typeof body === 'string';
    const type = isText ? 'text/plain' : 'application/vnd.schemaregistry.v1+json';
    response.writeHead(status, { 'content-type': type, ...more }).end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A client of registries, and what it did. */
export interface TestRegistry extends Disposable {
  readonly registry: Registry;
  readonly requests: readonly HttpTrace[];
  /** How long the client would have slept each time, in milliseconds. */
  readonly sleeps: readonly number[];
  abort(reason: Error): void;
}

/** A client whose pauses take no real time. */
export function registryOf(
  addresses: readonly string[],
  options: Partial<RegistryOptions> = {},
  limits: TestLimits = {},
): TestRegistry {
  const requests: HttpTrace[] = [];
  const sleeps: number[] = [];
  let clock = 0;
  const world: RetryWorld = {
    now: () => clock,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      sleeps.push(Math.round(ms));
      clock += ms;
    },
    random: () => 0.5,
  };
  const deadline = deadlineOf(limits);
  const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'registry.tls' };
  const registry = openRegistry(
    {
      addresses: addresses.map((text) => parseAddress(text, { defaultPort: 8081, scheme: 'http' })),
      usesTls: false,
      tls,
      credentials: undefined,
      cacheDirectory: undefined,
      proxy: { option: '', env: {} },
      userAgent: 'weir-test',
      deadline,
      warn: () => undefined,
      trace: (event) => void requests.push(event),
      ...options,
    },
    world,
  );
  return {
    registry,
    requests,
    sleeps,
    abort: deadline.abort,
    [Symbol.dispose]() {
      registry.close();
      deadline.dispose();
    },
  };
}
