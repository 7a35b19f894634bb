import type { Deadline } from '../deadline.ts';
import { type Dialer, openDialer, peerOf } from './http-dial.ts';
import { HttpError } from './http-error.ts';
import {
  createExchange,
  type ExchangeSummary,
  type Head,
  type Method,
  type Receiver,
  type Sender,
} from './http-exchange.ts';
import { type HttpStream, receiveStream } from './http-stream.ts';
import { type ProxySettings, proxiesOf } from './proxies.ts';
import { briefUrl, shownUrl } from './shown-url.ts';
import type { TlsOptions } from './tls.ts';

/** One HTTP request in a trace, without headers and body, which may contain secrets. */
export interface HttpTrace {
  /** The API: `cloud`, `admin`, `registry`, `oauth` or `identity`. */
  readonly api: string;
  readonly method: string;
  /** The URL without credentials; the query of a download is omitted, because it may be a signature. */
  readonly url: string;
  /** The status; undefined if there was no response. */
  readonly status?: number;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}

/** The options of an HTTP client. */
export interface HttpOptions {
  /** The API, for traces. */
  readonly api: 'cloud' | 'admin' | 'registry' | 'oauth' | 'identity';
  /** The name of the peer in messages, for example `control plane`. */
  readonly server: string;
  /** How to set the peer's address, for example `-X cloud.api_url=URL`. */
  readonly addressHint: string;
  readonly deadline: Deadline;
  readonly userAgent: string;
  /** The TLS options; undefined means the CA certificates of Node.js and of this machine. */
  readonly tls?: TlsOptions | undefined;
  /** Where proxies are configured; undefined means no proxy. */
  readonly proxy?: ProxySettings | undefined;
  readonly trace?: ((event: HttpTrace) => void) | undefined;
  /** Called when a request begins to be sent that changes something. */
  readonly onChange?: (() => void) | undefined;
}

/** One request, which is sent only once. */
export interface HttpRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether the server changes something. */
  readonly changes?: boolean;
  /** The maximum size of the response body in bytes (default 16 MiB). */
  readonly maxBytes?: number;
  /** Called when the request begins to be sent; an error before that means that it was not. */
  onStart?(): void;
}

/** A complete response. */
export interface HttpAnswer extends Head {
  readonly body: Buffer;
}

/** The HTTP client of one API. */
export interface Http {
  /**
   * Sends a request once and reads the whole response, whatever its status; redirects are not followed.
   * @throws HttpError (exit 5) if there is no response
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Like `request`, but returns the body as a stream. */
  stream(request: HttpRequest): Promise<HttpStream>;
  /** Destroys all connections immediately. */
  close(): void;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/** Opens an HTTP client without loading undici or dialing yet. */
export function openHttp(options: HttpOptions): Http {
  const { deadline } = options;
  const dialer = openDialer({ ...options, tls: options.tls });
  const peer = { ...options, keyPrefix: options.tls?.keyPrefix };
  let agent: Promise<Sender> | undefined;
  const dispatcher = (): Promise<Sender> => {
    agent ??= openAgent(options, dialer);
    return agent;
  };
  let closed: Error | undefined;
  function close(reason: Error): void {
    closed = reason;
    dialer.destroy(reason);
    agent?.then(
      (opened) => void opened.destroy(),
      () => undefined,
    );
  }
  const onAbort = (): void => close(deadline.signal.reason);
  deadline.signal.addEventListener('abort', onAbort, { once: true });

  return {
    async request(request) {
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      // The command may end while undici is loaded, before anything waits for the answer.
      promise.catch(() => undefined);
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
      close(new HttpError(`the client of ${options.api} was closed`, { sent: true, retryable: false }));
    },
  };

  async function send(request: HttpRequest, limit: 'whole' | 'pieces', receiver: Receiver) {
    deadline.signal.throwIfAborted();
    if (closed !== undefined) throw closed;
    const what = `${request.method} ${limit === 'whole' ? briefUrl(request.url) : shownUrl(request.url)}`;
    const done = deadline.waitingFor(`the response to ${what}`);
    const startedAt = performance.now();
    const { origin, protocol, hostname, port, pathname, search } = new URL(request.url);
    const exchange = createExchange({
      what,
      tlsPeer:
        protocol === 'https:'
          ? peerOf(peer, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 })
          : undefined,
      deadline,
      limit,
      // What the end of the client cuts short is no failure to try again.
      receiver: { ...receiver, fail: (error) => receiver.fail(closed ?? error) },
      onStart() {
        if (request.changes) options.onChange?.();
        request.onStart?.();
      },
      onEnd(summary) {
        done();
        options.trace?.(traceOf(options.api, request, { ...summary, limit, startedAt }));
      },
    });
    const opened = await dispatcher();
    const headers = { 'user-agent': options.userAgent, ...request.headers };
    const { method, body = null } = request;
    opened.dispatch({ origin, path: pathname + search, method, headers, body }, exchange.handler);
    return exchange;
  }
}

async function openAgent(options: HttpOptions, dialer: Dialer): Promise<Sender> {
  // In the bundle, its names are on the default export only.
  const { default: undici } = await import('undici');
  // undici's timers have a resolution of half a second, so exact timers of our own are used.
  const agentOf = ({ dial }: Dialer): Sender => new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect: dial });
  const proxies = options.proxy && proxiesOf(options.proxy);
  if (proxies === undefined) return agentOf(dialer);
  const { openProxySender } = await import('./http-proxy.ts');
  return openProxySender(proxies, { ...options, tls: options.tls, dialer, agentOf });
}

function tooLarge({ method, url, maxBytes = defaultMaxBytes }: HttpRequest): HttpError {
  return new HttpError(`the response to ${method} ${briefUrl(url)} is larger than ${maxBytes} bytes`, {
    sent: true,
    code: 'ANSWER_TOO_LARGE',
    retryable: false,
  });
}

/** An exchange that has ended. */
interface Ended extends ExchangeSummary {
  readonly limit: 'whole' | 'pieces';
  readonly startedAt: number;
}

function traceOf(api: HttpTrace['api'], { method, url, body = '' }: HttpRequest, ended: Ended): HttpTrace {
  const { status, receivedBytes, error, limit, startedAt } = ended;
  return {
    api,
    method,
    url: shownUrl(url, { withQuery: limit === 'whole' }),
    ...(status !== undefined && { status }),
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
    sentBytes: Buffer.byteLength(body),
    receivedBytes,
    ...(error !== undefined && { error: error.message }),
  };
}
