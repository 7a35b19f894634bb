import type { Dispatcher } from 'undici';
import type { Deadline } from '../deadline.ts';
import { createDialer, type Dialer, type Dialled, type DialRequest } from './http-dial.ts';
import { HttpError } from './http-error.ts';
import { createExchange, type Head, type Receiver } from './http-exchange.ts';
import { receiveStream } from './http-stream.ts';
import type { HttpTrace } from './http-trace.ts';
import type { TlsOptions } from './tls.ts';

/** What an HTTP client is made of. */
export interface HttpOptions {
  /** Which API it is for, in traces. */
  readonly api: 'cloud' | 'admin' | 'registry';
  /** What the peer is called in messages, for example `control plane`. */
  readonly server: string;
  /** How its address is given, for example `-X cloud.api_url=URL`. */
  readonly addressHint: string;
  readonly deadline: Deadline;
  readonly userAgent: string;
  /** Undefined: the roots of Node.js and of this machine. */
  readonly tls?: TlsOptions | undefined;
  /** The environment whose `http_proxy`, `https_proxy` and `no_proxy` count; undefined: no proxy. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined;
  readonly trace?: ((event: HttpTrace) => void) | undefined;
}

/** One request. It is sent once. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The largest answer that is read, in bytes; 16 MiB when left out. */
  readonly maxBytes?: number;
}

/** A whole answer. */
export interface HttpAnswer extends Head {
  readonly body: Buffer;
}

/** An answer whose body is still to come. */
export interface HttpStream extends Head {
  /** Ends with an error when the rest does not come. Leaving the loop ends the request. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The HTTP client of one API. */
export interface Http {
  /**
   * Sends a request and reads its whole answer, whatever the status; nothing is repeated, no redirect is followed.
   * @throws HttpError (exit 5) when there is no answer
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** The same, with the body as it comes. */
  stream(request: HttpRequest): Promise<HttpStream>;
  /** Destroys every connection at once. */
  close(): void;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/** Opens an HTTP client; nothing is loaded or dialled yet. */
export function openHttp(options: HttpOptions): Http {
  const { deadline } = options;
  const dialer = createDialer({ ...options, tls: options.tls });
  let agent: Promise<Dispatcher> | undefined;
  const dispatcher = (): Promise<Dispatcher> => {
    agent ??= createAgent(options, dialer);
    return agent;
  };
  function close(reason: Error = new Error('closed')): void {
    dialer.destroy(reason);
    void agent?.then((opened) => opened.destroy()).catch(() => undefined);
  }
  const onAbort = (): void => close(deadline.signal.reason);
  deadline.signal.addEventListener('abort', onAbort, { once: true });

  return {
    async request(request) {
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      const chunks: Uint8Array[] = [];
      let length = 0;
      let head: Head = { status: 0, headers: {} };
      const exchange = await send(request, 'whole', {
        head: (given) => {
          head = given;
        },
        data(chunk) {
          chunks.push(chunk);
          length += chunk.length;
          if (length > (request.maxBytes ?? defaultMaxBytes)) exchange.abort(tooLarge(request));
          return undefined;
        },
        end: () => resolve({ ...head, body: Buffer.concat(chunks) }),
        fail: reject,
      });
      return await promise;
    },
    async stream(request) {
      const { receiver, head } = receiveStream((error) => exchange.abort(error));
      const exchange = await send(request, 'pieces', receiver);
      return await head;
    },
    close() {
      deadline.signal.removeEventListener('abort', onAbort);
      close();
    },
  };

  async function send(request: HttpRequest, limit: 'whole' | 'pieces', receiver: Receiver) {
    deadline.signal.throwIfAborted();
    const what = `${request.method} ${shownUrl(request.url, limit)}`;
    const done = deadline.waitingFor(`the answer to ${what}`);
    const traced = traceOf(options, request, limit, receiver);
    const exchange = createExchange({ what, deadline, limit, receiver: ending(traced, done) });
    const opened = await dispatcher();
    const { origin, pathname, search } = new URL(request.url);
    const headers = { 'user-agent': options.userAgent, ...request.headers };
    const { method, body = null } = request;
    opened.dispatch({ origin, path: pathname + search, method, headers, body }, exchange.handler);
    return exchange;
  }
}

async function createAgent(options: HttpOptions, dialer: Dialer): Promise<Dispatcher> {
  // Bundled, its names stand on the default export only.
  const { default: undici } = await import('undici');
  const { Agent, EnvHttpProxyAgent, Pool } = undici;
  // The library types the socket by its own names; what it gets is a connected one or an error.
  const connect = (request: DialRequest, dialled: Dialled): void => dialer.dial(request, dialled);
  // Our own timers are exact; those of the library tick every half second.
  const exact = { headersTimeout: 0, bodyTimeout: 0, connect: connect as never };
  const proxies = proxiesOf(options.proxyEnv ?? {});
  if (proxies === undefined) return new Agent(exact);
  const proxy = createDialer({ ...options, tls: undefined, server: 'proxy', addressHint: 'http_proxy, https_proxy' });
  options.deadline.signal.addEventListener('abort', () => proxy.destroy(options.deadline.signal.reason), {
    once: true,
  });
  const connectProxy = (request: DialRequest, dialled: Dialled): void => proxy.dial(request, dialled);
  return new EnvHttpProxyAgent({
    ...exact,
    ...proxies,
    connectTimeout: options.deadline.limits.dialMs,
    clientFactory: (origin, opts) => new Pool(origin, { ...opts, ...exact, connect: connectProxy as never }),
  } as ConstructorParameters<typeof undici.EnvHttpProxyAgent>[0]);
}

/** The proxies that the environment names, the lower-case variables first; undefined when there are none. */
function proxiesOf(env: Readonly<Record<string, string | undefined>>) {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || '';
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || '';
  const noProxy = env.no_proxy || env.NO_PROXY || '';
  return httpProxy === '' && httpsProxy === '' ? undefined : { httpProxy, httpsProxy, noProxy };
}

function tooLarge({ method, url, maxBytes = defaultMaxBytes }: HttpRequest): HttpError {
  return new HttpError(`the answer to ${method} ${url} is larger than ${maxBytes} bytes`, {
    sent: true,
    code: 'ANSWER_TOO_LARGE',
    retryable: false,
  });
}

/** The URL for messages and traces; of a download without its query, which may be a signature. */
function shownUrl(url: string, limit: 'whole' | 'pieces'): string {
  return limit === 'whole' ? url : url.replace(/[?#].*$/s, '');
}

function ending(receiver: Receiver, done: () => void): Receiver {
  return {
    ...receiver,
    end() {
      done();
      receiver.end();
    },
    fail(error) {
      done();
      receiver.fail(error);
    },
  };
}

function traceOf(
  { api, trace }: HttpOptions,
  request: HttpRequest,
  limit: 'whole' | 'pieces',
  receiver: Receiver,
): Receiver {
  if (trace === undefined) return receiver;
  const startedAt = performance.now();
  let status: number | undefined;
  let receivedBytes = 0;
  const write = (error?: Error): void =>
    trace({
      api,
      method: request.method,
      url: shownUrl(request.url, limit),
      ...(status === undefined ? {} : { status }),
      milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
      sentBytes: Buffer.byteLength(request.body ?? ''),
      receivedBytes,
      ...(error === undefined ? {} : { error: error.message }),
    });
  return {
    head(head) {
      status = head.status;
      receiver.head(head);
    },
    data(chunk) {
      receivedBytes += chunk.length;
      return receiver.data(chunk);
    },
    end() {
      write();
      receiver.end();
    },
    fail(error) {
      write(error);
      receiver.fail(error);
    },
  };
}
