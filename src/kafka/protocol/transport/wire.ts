import type { Deadline } from '../../../deadline.ts';
import { CliError, exitCodes, rephrased, unreachableError } from '../../../errors.ts';
import { maxTimerMs, showDuration } from '../../../format/duration.ts';
import { dialTimeout } from '../../../net/dial-error.ts';
import { readable } from '../errors.ts';
import type { RequestTrace } from '../options.ts';
import type { Api } from '../wire/api.ts';
import { apiVersions } from '../wire/apis/api-versions.ts';
import { fetch } from '../wire/apis/fetch.ts';
import { decodeResponse, encodeRequest } from '../wire/frame.ts';
import { lostError, netPeer } from './connect-error.ts';
import { checkFrameLength, notABroker } from './foreign.ts';
import type { DialLink, Link, LinkOptions } from './link.ts';

/** The options of a wire. */
export interface WireOptions
  extends Pick<LinkOptions, 'address' | 'peer' | 'tls' | 'tunnelTo' | 'signal' | 'allocate'> {
  readonly dial: DialLink;
  readonly clientId: string;
  readonly deadline: Deadline;
  readonly trace: ((event: RequestTrace) => void) | undefined;
  /** Explains a connection that the broker closes at the first request after ApiVersions. */
  earlyCut(error: CliError): CliError;
  /** Called when a request other than ApiVersions is answered. */
  onServed(): void;
}

/** Sends requests over one link, without retries, and matches their answers by correlation id, each with its own timer. */
export interface Wire {
  /**
   * Sends one request in the given version and decodes its answer. It times out after the request timeout overhead, plus
   * the request's own timeout if any. Once the promise resolves, the link no longer uses the bytes of the request; if it
   * rejects, the link may use them until the wire is destroyed.
   */
  send<Request, Response>(api: Api<Request, Response>, request: Request, version: number): Promise<Response>;
  /** Whether more requests may be sent: the wire is open and no request has timed out, as answers arrive in order. */
  readonly usable: boolean;
  /** Closes the wire at once: rejects waiting requests and destroys the link. */
  destroy(error: Error): void;
}

/** The longest throttle time that weir accepts, in milliseconds. */
const longestThrottleMs = 60_000;
const largestCorrelationId = 0x7fff_ffff;
/** What a request without an answer resolves to. */
const noAnswer = Buffer.alloc(0);
/** The result of such a request; its callers do not use the response. */
const noResponse = undefined as never;

/** One request, from its encoding to its answer. */
interface Exchange extends PromiseWithResolvers<Buffer> {
  readonly api: Api<never, unknown>;
  readonly version: number;
  readonly correlationId: number;
  /** The pieces of the body, not copied; if the header ends with tagged fields, their count comes first. */
  readonly body: readonly Buffer[];
  readonly expectsAnswer: boolean;
  /** The timeout inside the request, in milliseconds. */
  readonly insideMs: number;
  /** What follows the correlation id in the answer. */
  answer: Buffer | undefined;
  /** Whether the bytes were passed to the link: from then on the peer may have received the request. */
  isSent: boolean;
  /** Whether the link no longer uses the bytes. */
  isWritten: boolean;
  isOver: boolean;
  cancelTimer: () => void;
}

/** The state of a wire. */
interface State {
  readonly options: WireOptions;
  readonly clientId: Buffer;
  readonly inFlight: Map<number, Exchange>;
  /** Requests that are delayed by throttling, in order. */
  readonly delayed: Exchange[];
  link: Link | undefined;
  /** Why the wire ended; undefined while it is open. */
  ended: Error | undefined;
  /** The number of requests made so far. */
  made: number;
  /** Whether a request has timed out. */
  isStuck: boolean;
  /** Whether a request other than ApiVersions has been answered. */
  hasServed: boolean;
  /** When throttling ends, on the clock. */
  delayedUntil: number;
  cancelRelease: (() => void) | undefined;
  readonly onEnd: () => void;
}

/**
 * Dials once. The wire stays open until `destroy`, the signal or the peer ends it.
 * @throws CliError naming the step that failed: DNS, TCP or TLS
 */
export async function openWire(options: WireOptions): Promise<Wire> {
  const { signal, peer, deadline } = options;
  const abort = (): void => end(state, signal.reason);
  const state: State = {
    options,
    clientId: Buffer.from(options.clientId, 'utf8'),
    inFlight: new Map(),
    delayed: [],
    link: undefined,
    ended: undefined,
    made: 0,
    isStuck: false,
    hasServed: false,
    delayedUntil: 0,
    cancelRelease: undefined,
    onEnd: () => signal.removeEventListener('abort', abort),
  };
  const done = deadline.waitingFor(`a connection to ${peer.broker}`);
  try {
    state.link = await options.dial({
      ...options,
      clock: deadline.clock,
      dialMs: deadline.limits.dialMs,
      dialTimeoutError: (step) => dialTimeout(step, netPeer(peer), deadline.options.dial),
      // The request that is answered is known only after the length: an answer may have records if any request asks for them.
      checkLength: (length, raw) => checkFrameLength(length, raw, peer.broker, mayHaveRecords(state)),
      onFrame: (frame) => receive(state, frame),
      onEnd: (error) => end(state, error),
    });
  } finally {
    done();
  }
  if (signal.aborted) abort();
  else if (state.ended === undefined) signal.addEventListener('abort', abort, { once: true });
  return {
    async send(api, request, version) {
      const answer = await send(state, api, request, version);
      if (!api.expectsAnswer(request)) return noResponse;
      const response = readable(api.name, () => decodeResponse(api, version, answer));
      throttle(state, api.throttleMs(response));
      return response;
    },
    get usable() {
      return state.ended === undefined && !state.isStuck;
    },
    destroy: (error) => end(state, error),
  };
}

/** Sends one request; returns the bytes of the answer after the correlation id, empty if no answer is expected. */
async function send<Request>(
  state: State,
  api: Api<Request, unknown>,
  request: Request,
  version: number,
): Promise<Buffer> {
  const { peer, deadline, trace } = state.options;
  const exchange = exchangeOf(state, api, request, version);
  const startedAt = deadline.clock.now();
  const done = deadline.waitingFor(`the ${api.name} response from ${peer.broker}`);
  const report = (receivedBytes: number, error?: string): void =>
    trace?.({
      api: api.name,
      version,
      node: peer.broker,
      milliseconds: deadline.clock.now() - startedAt,
      sentBytes: lengthOf(exchange.body),
      receivedBytes,
      ...(error === undefined ? {} : { error }),
    });
  try {
    begin(state, exchange);
    const answer = await exchange.promise;
    if (api.key !== apiVersions.key) serve(state);
    report(answer.length);
    return answer;
  } catch (error) {
    const failure = failureOf(state, exchange, asError(error));
    report(0, failure.message);
    throw failure;
  } finally {
    // Answers arrive in order: after a missing one, none can follow.
    if (state.isStuck && state.inFlight.size + state.delayed.length === 0) end(state, timeoutOf(state, exchange));
    done();
  }
}

function exchangeOf<Request>(state: State, api: Api<Request, unknown>, request: Request, version: number): Exchange {
  const body = encodeRequest(api, version, request);
  const correlationId = state.made & largestCorrelationId;
  state.made += 1;
  return {
    ...Promise.withResolvers<Buffer>(),
    api,
    version,
    correlationId,
    body,
    expectsAnswer: api.expectsAnswer(request),
    insideMs: api.timeoutMs(request),
    answer: undefined,
    isSent: false,
    isWritten: false,
    isOver: false,
    cancelTimer: () => undefined,
  };
}

function begin(state: State, exchange: Exchange): void {
  if (state.ended !== undefined) {
    exchange.reject(state.ended);
    return;
  }
  state.delayed.push(exchange);
  release(state);
}

/** Delays further requests by the throttle time in an answer (KIP-219), in milliseconds. */
function throttle(state: State, milliseconds: number): void {
  if (milliseconds <= 0) return;
  const until = state.options.deadline.clock.now() + Math.min(milliseconds, longestThrottleMs);
  state.delayedUntil = Math.max(until, state.delayedUntil);
}

/** Transmits delayed requests, unless the broker still throttles. */
function release(state: State): void {
  const { clock } = state.options.deadline;
  const leftMs = state.delayedUntil - clock.now();
  if (leftMs > 0) {
    state.cancelRelease ??= clock.after(Math.ceil(leftMs), () => {
      state.cancelRelease = undefined;
      release(state);
    });
    return;
  }
  for (let next = state.delayed.shift(); next !== undefined; next = state.delayed.shift()) transmit(state, next);
}

function transmit(state: State, exchange: Exchange): void {
  if (exchange.expectsAnswer) state.inFlight.set(exchange.correlationId, exchange);
  else exchange.answer = noAnswer;
  exchange.isSent = true;
  state.link?.send([headerOf(state, exchange), ...exchange.body], () => {
    exchange.isWritten = true;
    startTimer(state, exchange);
    settle(state, exchange);
  });
  // The same limit applies while the peer does not read the bytes.
  if (!exchange.isWritten) startTimer(state, exchange);
}

/** Makes request header 1 of the protocol, preceded by the length of the whole request. */
function headerOf({ clientId }: State, { correlationId, api, version, body }: Exchange): Buffer {
  const header = Buffer.allocUnsafe(14 + clientId.length);
  header.writeInt32BE(10 + clientId.length + lengthOf(body), 0);
  header.writeInt16BE(api.key, 4);
  header.writeInt16BE(version, 6);
  header.writeInt32BE(correlationId, 8);
  header.writeInt16BE(clientId.length, 12);
  clientId.copy(header, 14);
  return header;
}

function mayHaveRecords({ inFlight }: State): boolean {
  for (const { api } of inFlight.values()) if (api.key === fetch.key) return true;
  return false;
}

function receive(state: State, frame: Buffer): void {
  if (state.ended !== undefined) return;
  const { broker } = state.options.peer;
  const correlationId = frame.readInt32BE(0);
  if (correlationId < 0 || correlationId >= state.made) {
    end(state, notABroker(frame.subarray(0, 4), broker, 'it answered a request that was not sent'));
    return;
  }
  const exchange = state.inFlight.get(correlationId);
  if (exchange === undefined) return; // it has timed out
  // An error ends the link, and with it the wire.
  checkFrameLength(frame.length, frame, broker, exchange.api.key === fetch.key);
  state.inFlight.delete(correlationId);
  exchange.answer = frame.subarray(4);
  settle(state, exchange);
}

/** Completes the exchange when it is answered and the link no longer uses its bytes. */
function settle({ ended }: State, exchange: Exchange): void {
  if (exchange.answer === undefined || !exchange.isWritten) return;
  finish(exchange);
  // A request without an answer has succeeded only if it was written before the wire ended.
  if (exchange.expectsAnswer || ended === undefined) exchange.resolve(exchange.answer);
  else exchange.reject(ended);
}

function finish(exchange: Exchange): void {
  exchange.isOver = true;
  exchange.cancelTimer();
}

function startTimer(state: State, exchange: Exchange): void {
  const { clock, limits } = state.options.deadline;
  exchange.cancelTimer();
  if (exchange.isOver) return;
  // An answer that has already arrived is not late.
  const fire = (): void => state.link?.afterArrivals(() => expire(state, exchange));
  exchange.cancelTimer = clock.after(Math.min(limits.requestOverheadMs + exchange.insideMs, maxTimerMs), fire);
}

function expire(state: State, exchange: Exchange): void {
  if (exchange.isOver) return;
  state.isStuck = true;
  const error = timeoutOf(state, exchange);
  if (state.inFlight.delete(exchange.correlationId)) {
    finish(exchange);
    exchange.reject(error);
  } else end(state, error); // No answer is pending: the peer does not read the request.
}

function end(state: State, error: Error): void {
  if (state.ended !== undefined) return;
  state.ended = error;
  state.cancelRelease?.();
  state.onEnd();
  for (const exchange of [...state.inFlight.values(), ...state.delayed.splice(0)]) {
    finish(exchange);
    exchange.reject(error);
  }
  state.inFlight.clear();
  state.link?.destroy(error);
}

function serve(state: State): void {
  state.hasServed = true;
  state.options.onServed();
}

/** The failure of a request, which is final if it may have been carried out and must not be carried out twice. */
function failureOf({ options, hasServed }: State, { api, isSent }: Exchange, cause: Error): CliError {
  const lost = lostError(api.name, cause, options.peer);
  const isEarly = !hasServed && lost.code === 'CONNECTION_LOST' && api.key !== apiVersions.key;
  const error = isEarly ? options.earlyCut(lost) : lost;
  if (api.repeatable || !isSent || !error.retryable) return error;
  // In the message as well, because the error of one item of a result is shown without hints.
  return rephrased(error, `${error.message}; the request may have been carried out`, {
    hints: [...error.hints, 'check whether the request was carried out before you repeat it'],
    retryable: false,
  });
}

function timeoutOf({ options: { peer, deadline } }: State, { api, insideMs }: Exchange): CliError {
  const overhead = `globals.request_timeout_overhead=${showDuration(deadline.options.requestOverhead)}`;
  const inside = BigInt(Math.round(insideMs)) * 1_000_000n;
  const total = showDuration(deadline.options.requestOverhead + inside);
  const sum = insideMs === 0 ? overhead : `${showDuration(inside)} inside the request + ${overhead}`;
  return unreachableError(`${api.name} request to ${peer.broker} timed out after ${total} (${sum})`, {
    code: 'REQUEST_TIMEOUT',
    hints: ['raise the limit with -X globals.request_timeout_overhead=DURATION'],
    target: peer.broker,
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new CliError(exitCodes.failure, String(error));
}

/** Returns the total length of the pieces, in bytes. */
function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
