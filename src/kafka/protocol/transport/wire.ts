import type { Clock } from '../../../clock.ts';
import { fetch } from '../wire/apis/fetch.ts';
import { checkFrameLength, notABroker } from './foreign.ts';
import type { DialLink, Link, LinkOptions } from './link.ts';

/** The options of a wire. */
export interface WireOptions extends Omit<LinkOptions, 'checkLength' | 'onFrame' | 'onEnd'> {
  readonly dial: DialLink;
  readonly clientId: string;
}

/** One encoded request. */
export interface WireRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  /** The pieces of the body, not copied; if the header ends with tagged fields, their count comes first. */
  readonly body: readonly Buffer[];
  readonly expectsAnswer: boolean;
  /** How long to wait for the answer once the request is written, in milliseconds. */
  readonly waitMs: number;
  readonly timeoutError: () => Error;
  /** Called when the bytes are passed to the link: from then on the peer may have received the request. */
  readonly onWrite: () => void;
}

/** Sends requests over one link and matches their answers by correlation id, each with its own timer. */
export interface Wire {
  /**
   * Sends one request and resolves to the bytes of the answer after the correlation id; empty if no answer is expected.
   * Once the promise resolves, the link no longer uses the bytes of the request; if it rejects, the link may use them
   * until the wire is destroyed.
   */
  send(request: WireRequest): Promise<Buffer>;
  /** Delays further requests by the throttle time in an answer (KIP-219), in milliseconds. */
  throttle(milliseconds: number): void;
  /** The number of requests that wait to be sent or answered. */
  readonly waiting: number;
  /** Why the wire ended; undefined while it is open. */
  readonly ended: Error | undefined;
  /** Closes the wire at once: rejects waiting requests and destroys the link. */
  destroy(error: Error): void;
}

/** The longest throttle time that weir accepts, in milliseconds. */
const longestThrottleMs = 60_000;
const largestCorrelationId = 0x7fff_ffff;
const noAnswer = Buffer.alloc(0);

/** One pending request. */
interface Call {
  readonly request: WireRequest;
  readonly correlationId: number;
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
  answer: Buffer | undefined;
  isWritten: boolean;
  isOver: boolean;
  cancelTimer: () => void;
}

/** The state of a wire. */
interface State {
  readonly broker: string;
  readonly clientId: Buffer;
  readonly clock: Clock;
  readonly inFlight: Map<number, Call>;
  /** Requests that are delayed by throttling, in order. */
  readonly delayed: Call[];
  readonly onEnd: () => void;
  link: Link | undefined;
  ended: Error | undefined;
  /** The number of requests made so far. */
  made: number;
  /** When throttling ends, on the clock. */
  delayedUntil: number;
  cancelRelease: (() => void) | undefined;
}

/**
 * Dials once. The wire stays open until `destroy`, the signal or the peer ends it.
 * @throws CliError naming the step that failed: DNS, TCP or TLS
 */
export async function openWire({ dial, clientId, ...options }: WireOptions): Promise<Wire> {
  const { signal, peer, clock } = options;
  const abort = (): void => end(state, signal.reason);
  const state: State = {
    broker: peer.broker,
    clientId: Buffer.from(clientId, 'utf8'),
    clock,
    inFlight: new Map(),
    delayed: [],
    onEnd: () => signal.removeEventListener('abort', abort),
    link: undefined,
    ended: undefined,
    made: 0,
    delayedUntil: 0,
    cancelRelease: undefined,
  };
  state.link = await dial({
    ...options,
    // The request that is answered is known only after the length: an answer may have records if any request asks for them.
    checkLength: (length, raw) => checkFrameLength(length, raw, peer.broker, mayHaveRecords(state)),
    onFrame: (frame) => receive(state, frame),
    onEnd: (error) => end(state, error),
  });
  if (signal.aborted) abort();
  else if (state.ended === undefined) signal.addEventListener('abort', abort, { once: true });
  return {
    send: (request) => new Promise((resolve, reject) => begin(state, { request, resolve, reject })),
    throttle(milliseconds) {
      const until = clock.now() + Math.min(milliseconds, longestThrottleMs);
      if (milliseconds > 0) state.delayedUntil = Math.max(until, state.delayedUntil);
    },
    get waiting() {
      return state.inFlight.size + state.delayed.length;
    },
    get ended() {
      return state.ended;
    },
    destroy: (error) => end(state, error),
  };
}

function begin(state: State, given: Pick<Call, 'request' | 'resolve' | 'reject'>): void {
  if (state.ended !== undefined) {
    given.reject(state.ended);
    return;
  }
  const correlationId = state.made & largestCorrelationId;
  state.made += 1;
  const progress = { answer: undefined, isWritten: false, isOver: false, cancelTimer: () => undefined };
  state.delayed.push({ ...given, correlationId, ...progress });
  release(state);
}

/** Sends delayed requests, unless the broker still throttles. */
function release(state: State): void {
  const leftMs = state.delayedUntil - state.clock.now();
  if (leftMs > 0) {
    state.cancelRelease ??= state.clock.after(Math.ceil(leftMs), () => {
      state.cancelRelease = undefined;
      release(state);
    });
    return;
  }
  for (let call = state.delayed.shift(); call !== undefined; call = state.delayed.shift()) send(state, call);
}

function send(state: State, call: Call): void {
  const { request, correlationId } = call;
  if (request.expectsAnswer) state.inFlight.set(correlationId, call);
  else call.answer = noAnswer;
  request.onWrite();
  state.link?.send([headerOf(state, call), ...request.body], () => {
    call.isWritten = true;
    startTimer(state, call);
    settle(state, call);
  });
  // The same limit applies while the peer does not read the bytes.
  if (!call.isWritten) startTimer(state, call);
}

/** Makes request header 1 of the protocol, preceded by the length of the whole request. */
function headerOf({ clientId }: State, { correlationId, request }: Call): Buffer {
  const header = Buffer.allocUnsafe(14 + clientId.length);
  header.writeInt32BE(10 + clientId.length + lengthOf(request.body), 0);
  header.writeInt16BE(request.apiKey, 4);
  header.writeInt16BE(request.apiVersion, 6);
  header.writeInt32BE(correlationId, 8);
  header.writeInt16BE(clientId.length, 12);
  clientId.copy(header, 14);
  return header;
}

function mayHaveRecords({ inFlight }: State): boolean {
  for (const { request } of inFlight.values()) if (request.apiKey === fetch.key) return true;
  return false;
}

function receive(state: State, frame: Buffer): void {
  if (state.ended !== undefined) return;
  const correlationId = frame.readInt32BE(0);
  if (correlationId < 0 || correlationId >= state.made) {
    end(state, notABroker(frame.subarray(0, 4), state.broker, 'it answered a request that was not sent'));
    return;
  }
  const call = state.inFlight.get(correlationId);
  if (call === undefined) return; // it has timed out
  // An error ends the link, and with it the wire.
  checkFrameLength(frame.length, frame, state.broker, call.request.apiKey === fetch.key);
  state.inFlight.delete(correlationId);
  call.answer = frame.subarray(4);
  settle(state, call);
}

/** Completes the call when it is answered and the link no longer uses its bytes. */
function settle({ ended }: State, call: Call): void {
  if (call.answer === undefined || !call.isWritten) return;
  finish(call);
  // A request without an answer has succeeded only if it was written before the wire ended.
  if (call.request.expectsAnswer || ended === undefined) call.resolve(call.answer);
  else call.reject(ended);
}

function finish(call: Call): void {
  call.isOver = true;
  call.cancelTimer();
}

function startTimer(state: State, call: Call): void {
  call.cancelTimer();
  if (call.isOver) return;
  // An answer that has already arrived is not late.
  const fire = (): void => state.link?.afterArrivals(() => expire(state, call));
  call.cancelTimer = state.clock.after(call.request.waitMs, fire);
}

function expire(state: State, call: Call): void {
  if (call.isOver) return;
  const error = call.request.timeoutError();
  if (state.inFlight.delete(call.correlationId)) {
    finish(call);
    call.reject(error);
  } else end(state, error); // No answer is pending: the peer does not read the request.
}

function end(state: State, error: Error): void {
  if (state.ended !== undefined) return;
  state.ended = error;
  state.cancelRelease?.();
  state.onEnd();
  for (const call of [...state.inFlight.values(), ...state.delayed.splice(0)]) {
    finish(call);
    call.reject(error);
  }
  state.inFlight.clear();
  state.link?.destroy(error);
}

/** Returns the total length of the pieces, in bytes. */
export function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
