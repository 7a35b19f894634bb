import type { Socket } from 'node:net';
import type { ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import Connection from 'kafkajs/src/network/connection.js';
import { maxTimerMs } from '../../format/duration.ts';
import type { Address } from '../../net/address.ts';
import { closedByPeer } from '../../net/dial-error.ts';
import { type DialStep, openSocket } from '../../net/socket.ts';
import { checkFirstFrame, checkFrameLength, notABroker } from './foreign.ts';
import { type Allocate, createFrames } from './frames.ts';
import { silentLogger } from './logger.ts';
import { ExactQueue } from './queue.ts';

/** What a connection is made of. */
export interface WireOptions {
  readonly address: Address;
  /** How the broker is called in messages. */
  readonly broker: string;
  readonly clientId: string;
  /** Undefined: plain TCP. */
  readonly tls: TlsConnectionOptions | undefined;
  /** The limit for DNS, TCP and TLS together, in milliseconds. */
  readonly dialMs: number;
  readonly dialTimeoutError: (step: DialStep) => Error;
  /** Memory for answers; of their own when undefined. */
  readonly allocate: Allocate | undefined;
}

/** One request, encoded. */
export interface WireRequest {
  readonly apiName: string;
  readonly apiKey: number;
  readonly apiVersion: number;
  /** The body, in order; where the header ends in tagged fields, their count comes first. Not copied. */
  readonly body: readonly Buffer[];
  readonly expectsAnswer: boolean;
  /** How long the answer is awaited for once the request is written, in milliseconds. */
  readonly waitMs: number;
  readonly timeoutError: () => Error;
  /** Called when the bytes go to the socket: from here on the peer may have seen the request. */
  readonly onWrite: () => void;
}

function closedError(): Error {
  return Object.assign(new Error('the broker closed the connection'), { code: closedByPeer });
}

const noAnswer = Buffer.alloc(0);

/**
 * A connection of kafkajs with its request queue, made exact: the dial has one limit for DNS, TCP and
 * TLS, each request has one timer, `destroy` ends everything at once, and answers stay bytes.
 */
export class Wire extends Connection {
  /** What the dial was busy with last. */
  step: DialStep = 'DNS';
  /** Why the connection ended; undefined while it lives. */
  ended: Error | undefined = undefined;
  private readonly options: WireOptions;
  private readonly queue: ExactQueue;
  private readonly head: Buffer;
  private firstFrame = true;

  constructor(options: WireOptions) {
    const { address, clientId } = options;
    super({
      host: address.host,
      port: address.port,
      clientId,
      logger: silentLogger,
      socketFactory: ({ onConnect }) => this.open(onConnect),
      // kafkajs's own clocks stand still: dial and requests have timers of ours.
      requestTimeout: 0,
      connectionTimeout: maxTimerMs,
      enforceRequestTimeout: false,
    });
    this.options = options;
    this.queue = new ExactQueue({ clientId, broker: options.broker, isConnected: () => this.isConnected() });
    this.requestQueue = this.queue;
    this.head = Buffer.from(clientId, 'utf8');
  }

  /** Dials once. Rejects with the error of the socket, not with kafkajs's rendering of it. */
  override async connect(): Promise<boolean> {
    try {
      return await super.connect();
    } catch (error) {
      throw this.ended ?? error;
    }
  }

  /**
   * Sends one request and resolves to the answer after its correlation id; empty when none is expected. When it
   * resolves, the socket has no byte of the request any more; when it rejects, that holds once the wire is destroyed.
   */
  exchange(request: WireRequest): Promise<Buffer> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    const { apiName, apiKey, apiVersion, expectsAnswer } = request;
    const correlationId = this.nextCorrelationId();
    return new Promise((resolve, reject) => {
      const timer = this.requestTimer(correlationId, request);
      let answer: Buffer | undefined;
      let isWritten = false;
      const settle = (): void => {
        if (answer === undefined || !isWritten) return;
        timer.stop();
        // What nobody answers is done only if it went out.
        if (expectsAnswer || this.ended === undefined) resolve(answer);
        else reject(this.ended);
      };
      this.queue.push({
        entry: {
          apiName,
          apiKey,
          apiVersion,
          correlationId,
          resolve: ({ payload }) => {
            answer = payload ?? noAnswer;
            settle();
          },
          reject: (error) => {
            timer.stop();
            reject(error);
          },
        },
        expectResponse: expectsAnswer,
        requestTimeout: null,
        sendRequest: () => {
          request.onWrite();
          this.write(this.header(correlationId, request), request.body, () => {
            isWritten = true;
            timer.start();
            settle();
          });
          // While the bytes wait for a peer that does not read them, the same limit holds.
          if (!isWritten) timer.start();
        },
      });
    });
  }

  /** Requests still waiting for their answer or their turn. */
  get waiting(): number {
    return this.queue.inflight.size + this.queue.pending.length;
  }

  /** Holds the next requests back, as the broker asked for in an answer. */
  throttle(milliseconds: number): void {
    this.queue.maybeThrottle(milliseconds);
  }

  /** Ends the connection at once: rejects what is in flight and destroys the socket. */
  destroy(error: Error): void {
    this.ended ??= error;
    this.connectionStatus = 'disconnected';
    this.queue.rejectAll(this.ended);
    this.queue.destroy();
    this.socket?.destroy(this.ended);
  }

  /** kafkajs calls this after an error and at the end of the stream; it would wait for requests in flight. */
  override disconnect(): Promise<boolean> {
    this.destroy(closedError());
    return Promise.resolve(true);
  }

  /** kafkajs calls this with errors of its own before it disconnects; ours say why. */
  override rejectRequests(): void {
    this.queue.rejectAll(this.ended ?? closedError());
  }

  private open(onConnect: () => void): Socket {
    const { address, tls, dialMs, dialTimeoutError, broker, allocate } = this.options;
    const frames = createFrames({
      onFrame: (frame) => this.receive(frame),
      checkLength: (length, raw) => {
        if (this.firstFrame) checkFirstFrame(length, raw, broker);
        this.firstFrame = false;
        checkFrameLength(length, raw, broker);
      },
      ...(allocate && { allocate }),
    });
    const socket = openSocket({
      address,
      tls,
      dialMs,
      onread: { target: frames.target, filled: (length) => this.guard(() => frames.filled(length)) },
      onStep: (step) => {
        this.step = step;
      },
      onConnect,
      timeoutError: () => dialTimeoutError(this.step),
    });
    // Before kafkajs's own listener, which keeps only the text of the error.
    socket.on('error', (error) => {
      this.ended ??= error;
    });
    return socket;
  }

  private receive(frame: Buffer): void {
    const correlationId = frame.readInt32BE(0);
    if (correlationId < 0 || correlationId >= this.correlationId) {
      throw notABroker(frame.subarray(0, 4), this.options.broker, 'it answered a request that was not made');
    }
    this.queue.fulfillRequest({ correlationId, size: frame.length, payload: frame.subarray(4) });
  }

  /** Bytes that make no sense end the connection; they must not end the process. */
  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Request header 1 of the protocol, with the length of the whole request before it. */
  private header(correlationId: number, { apiKey, apiVersion, body }: WireRequest): Buffer {
    const header = Buffer.allocUnsafe(14 + this.head.length);
    header.writeInt32BE(10 + this.head.length + lengthOf(body), 0);
    header.writeInt16BE(apiKey, 4);
    header.writeInt16BE(apiVersion, 6);
    header.writeInt32BE(correlationId, 8);
    header.writeInt16BE(this.head.length, 12);
    this.head.copy(header, 14);
    return header;
  }

  /** Calls back when the socket has let go of the bytes, also when that is because it was destroyed. */
  private write(header: Buffer, body: readonly Buffer[], onWritten: () => void): void {
    const { socket } = this;
    if (socket === undefined) return;
    const pieces = [header, ...body];
    const last = pieces.length - 1;
    socket.cork();
    for (const piece of pieces.slice(0, last)) socket.write(piece);
    socket.write(pieces[last] ?? header, onWritten);
    socket.uncork();
  }

  private requestTimer(correlationId: number, { waitMs, timeoutError }: WireRequest) {
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const fire = (): void => {
      // One more look at the socket: an answer that is there already is not late.
      setImmediate(() => {
        if (over) return;
        const error = timeoutError();
        // Without an answer to wait for, it is the peer that does not read.
        if (!this.queue.expire(correlationId, error)) this.destroy(error);
      });
    };
    return {
      start(): void {
        clearTimeout(timer);
        if (!over) timer = setTimeout(fire, waitMs);
      },
      stop(): void {
        over = true;
        clearTimeout(timer);
      },
    };
  }
}

/** How many bytes the pieces have together. */
export function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
