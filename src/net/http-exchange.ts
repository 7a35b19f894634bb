import type { Deadline } from '../deadline.ts';
import { CliError } from '../errors.ts';
import { type Peer, tlsError } from './dial-error.ts';
import { HttpError, httpErrorOf, noAnswer } from './http-error.ts';
import { tlsReason } from './tls-reason.ts';

/** The methods used of undici's request controller. */
interface Controller {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The callbacks that undici calls during a request. */
export interface ExchangeHandler {
  /** Not of undici: called before the request goes to a proxy that reads it, with the name of the proxy. */
  onForwarded(proxy: string): void;
  onRequestStart(controller: Controller): void;
  onRequestSent(): void;
  onResponseStart(controller: Controller, status: number, headers: RawHeaders): void;
  onResponseData(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(controller: unknown, error: Error): void;
}

/** The methods of requests. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as it is dispatched. */
export interface Dispatched {
  readonly origin: string;
  readonly path: string;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** What sends requests: the part of undici's dispatchers that weir uses. */
export interface Sender {
  dispatch(request: Dispatched, handler: ExchangeHandler): void;
  destroy(): Promise<void>;
}

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy that read the request, and may have answered it itself; undefined: none did. */
  readonly forwardedBy?: string | undefined;
}

/** Receives a response. */
export interface Receiver {
  head(head: Head): void;
  /** Takes a chunk of the body; a returned promise pauses the response until it resolves. */
  data(chunk: Uint8Array): Promise<void> | undefined;
  end(): void;
  fail(error: Error): void;
}

/** The parameters of an exchange. */
export interface ExchangeOptions {
  /** The request for messages, for example `POST https://api.example/v1/clusters`. */
  readonly what: string;
  readonly deadline: Deadline;
  /** `whole`: one limit for the whole response. `pieces`: the limit restarts with every chunk. */
  readonly limit: 'whole' | 'pieces';
  readonly receiver: Receiver;
  /** The peer of a TLS connection, which with TLS 1.3 can reject the handshake as late as now; undefined: no TLS. */
  readonly tlsPeer?: Peer | undefined;
  /** Called when the request begins to be sent. */
  onStart?(): void;
  /** Called at the end, before the receiver is. */
  onEnd?(summary: ExchangeSummary): void;
}

/** What became of a request. */
export interface ExchangeSummary {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly receivedBytes: number;
  /** Undefined if the response is complete. */
  readonly error: Error | undefined;
}

/** One request and its response: the handler for undici, and a way to abort it. */
export interface Exchange {
  readonly handler: ExchangeHandler;
  /** Ends the exchange immediately with this error. */
  abort(error: Error): void;
}

/** Tracks one request: starts a single timer when the request has been sent, and ends exactly once. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { what, deadline, limit, receiver, tlsPeer } = options;
  let controller: Controller | undefined;
  let stopTimer = (): void => undefined;
  let over: Error | undefined;
  let forwardedBy: string | undefined;
  let isOpen = true;
  let status: number | undefined;
  let receivedBytes = 0;

  function close(): boolean {
    stopTimer();
    deadline.signal.removeEventListener('abort', onAbort);
    const was = isOpen;
    isOpen = false;
    return was;
  }
  function abort(error: Error): void {
    if (!close()) return;
    over = error;
    controller?.abort(error);
    end(error);
  }
  function end(error?: Error): void {
    options.onEnd?.({ status, receivedBytes, error });
    if (error === undefined) receiver.end();
    else receiver.fail(error);
  }
  function onAbort(): void {
    abort(deadline.signal.reason instanceof Error ? deadline.signal.reason : new Error(String(deadline.signal.reason)));
  }
  function arm(part: 'answer' | 'rest of the answer'): void {
    stopTimer();
    if (!isOpen) return;
    const { clock, limits } = deadline;
    stopTimer = clock.after(limits.requestOverheadMs, () => {
      abort(noAnswer(what, deadline.options.requestOverhead, part));
    });
  }

  deadline.signal.addEventListener('abort', onAbort, { once: true });
  const handler: ExchangeHandler = {
    onForwarded(proxy) {
      forwardedBy = proxy;
    },
    onRequestStart(given) {
      controller = given;
      if (over === undefined) options.onStart?.();
      else given.abort(over);
    },
    onRequestSent: () => arm('answer'),
    onResponseStart(_, given, headers) {
      if (!isOpen || given < 200) return; // after 1xx, the final response is still to come
      status = given;
      if (limit === 'pieces') arm('rest of the answer');
      receiver.head({ status, headers: flat(headers), forwardedBy });
    },
    onResponseData(given, chunk) {
      // When resumed with nothing to read, undici's parser reports an empty chunk; pausing for it would never end.
      if (!isOpen || chunk.length === 0) return;
      receivedBytes += chunk.length;
      const wait = receiver.data(chunk);
      if (limit === 'whole') return;
      if (wait === undefined) return arm('rest of the answer');
      stopTimer();
      given.pause();
      void wait.then(() => {
        arm('rest of the answer');
        given.resume();
      });
    },
    onResponseEnd() {
      if (close()) end();
    },
    onResponseError(_, error) {
      if (close()) end(lost({ what, tlsPeer }, error, controller !== undefined));
    },
  };
  return { handler, abort };
}

/** The headers with names in lower case, and several of one name in one text. */
export function flat(headers: RawHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value : (value ?? []).join(', '),
  ]);
  return Object.fromEntries(entries);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'the server closed the connection'],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the response was cut short'],
]);

/** Creates the error for a connection that ended before the response was complete, or a response that is not HTTP. */
function lost({ what, tlsPeer }: Pick<ExchangeOptions, 'what' | 'tlsPeer'>, error: Error, sent: boolean): Error {
  if (error instanceof CliError) return error;
  if (tlsPeer !== undefined && tlsReason(error, '', '') !== undefined)
    return httpErrorOf(tlsError(error, tlsPeer), sent);
  const code = 'code' in error ? String(error.code) : '';
  // undici leaves out the code of some parser errors.
  const isNoHttp = code.startsWith('HPE_') || error.name === 'HTTPParserError';
  const reason = reasons.get(code) ?? (isNoHttp ? 'the response is not HTTP' : error.message);
  // A request that was not sent failed at a proxy; the dialer's own failures are a CliError already.
  const text = sent ? `lost the connection during ${what}: ${reason}` : `unable to send ${what}: ${reason}`;
  return new HttpError(text, { sent, target: what, cause: error });
}
