import type { Layout } from '../../../kafka/protocol/wire/api.ts';
import { apiVersions } from '../../../kafka/protocol/wire/apis/api-versions.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { encodeResponse, type RequestHeader, readHeader, skipTags } from '../../../kafka/protocol/wire/frame.ts';
import { MalformedBytes, sourceOf } from '../../../kafka/protocol/wire/source.ts';
import type { ArrivedRequest, Cluster } from '../cluster-parts.ts';
import { type Answer, type ConnectionFacts, type Handler, hangUp, noAnswer, type RequestContext } from './handler.ts';

/** The client's end of a connection, as used by the broker. Frames do not include their length. */
export interface Peer {
  send(frame: Buffer): void;
  close(): void;
  /** Reports that no requests are waiting, so that more can be read. */
  caughtUp?(): void;
}

/** The broker's end of a connection, as used by the client. Frames do not include their length. */
export interface ModelConnection {
  /** Accepts a request, whose memory must not be changed afterward. */
  receive(frame: Buffer): void;
  /** The number of requests waiting after the current one. */
  readonly waiting: number;
  /** Reports that the client has closed the connection. */
  closed(): void;
}

/** A connection as tracked by its broker. */
export interface BrokerConnection extends ModelConnection, ConnectionFacts {
  /** Closes the connection from the broker's side. */
  close(): void;
}

/** A request that is being answered. */
interface Received {
  readonly header: RequestHeader;
  readonly handler: Handler<unknown>;
  readonly request: unknown;
}

interface State {
  readonly cluster: Cluster;
  readonly broker: number;
  readonly handlers: ReadonlyMap<number, Handler>;
  readonly peer: Peer;
  readonly facts: ConnectionFacts;
  readonly waiting: Buffer[];
  readonly closeCalls: Set<() => void>;
  open: boolean;
  /** True while a request is being answered; the next one waits, as with Kafka's muted channels. */
  busy: boolean;
}

/** Accepts a connection, which handles one request at a time and answers in order. */
export function acceptConnection(options: {
  readonly cluster: Cluster;
  readonly broker: number;
  readonly id: number;
  readonly handlers: ReadonlyMap<number, Handler>;
  readonly peer: Peer;
}): BrokerConnection {
  const closeCalls = new Set<() => void>();
  const connection: BrokerConnection = {
    id: options.id,
    get isOpen() {
      return state.open;
    },
    onClose(call) {
      closeCalls.add(call);
      return () => void closeCalls.delete(call);
    },
    get waiting() {
      return state.waiting.length;
    },
    receive(frame) {
      if (!state.open) return;
      state.waiting.push(frame);
      pump(state);
    },
    closed: () => end(state),
    close: () => cut(state),
  };
  const state: State = { ...options, facts: connection, waiting: [], closeCalls, open: true, busy: false };
  return connection;
}

function end(state: State): void {
  if (!state.open) return;
  state.open = false;
  state.waiting.length = 0;
  const calls = [...state.closeCalls];
  state.closeCalls.clear();
  for (const call of calls) call();
}

function cut(state: State): void {
  if (!state.open) return;
  end(state);
  state.peer.close();
}

function pump(state: State): void {
  while (state.open && !state.busy) {
    const frame = state.waiting.shift();
    if (frame === undefined) {
      state.peer.caughtUp?.();
      return;
    }
    state.busy = true;
    accept(state, frame);
  }
}

function next(state: State): void {
  state.busy = false;
  pump(state);
}

function accept(state: State, frame: Buffer): void {
  let received: Received | undefined;
  try {
    received = readRequest(state, frame);
  } catch (error) {
    if (!(error instanceof MalformedBytes)) state.cluster.reportDefect(error);
    cut(state);
  }
  if (received === undefined) return;
  begin(state, received);
}

function begin(state: State, received: Received): void {
  const { handler, request, header } = received;
  const { cluster, broker } = state;
  const arrived: ArrivedRequest = {
    api: handler.layout.name,
    broker,
    request,
    perform: (done) => perform(state, received, done),
    refusal: (code) => handler.refuse(request, code, header.version),
    deliver: (answer) => deliver(state, received, answer),
    cut: () => cut(state),
  };
  if (cluster.intercept?.(arrived) !== true) arrived.perform(arrived.deliver);
}

/** Decodes a request; undefined when it was already answered (an unsupported version of ApiVersions). */
function readRequest(state: State, frame: Buffer): Received | undefined {
  const source = sourceOf(frame);
  const header = readHeader(source);
  const handler = state.handlers.get(header.apiKey) as Handler<unknown> | undefined;
  if (handler === undefined || state.cluster.settings.missingApis.includes(handler.layout.name)) {
    throw new MalformedBytes(0, `unknown API key ${header.apiKey}`);
  }
  const { layout } = handler;
  const [lowest, highest] = handler.versions;
  if (header.version < lowest || header.version > highest) {
    if (layout.key !== apiVersions.key) throw new MalformedBytes(0, `unknown ${layout.name} v${header.version}`);
    refuseApiVersions(state, header, handler);
    return undefined;
  }
  if (header.version >= layout.flexibleFrom) skipTags(source);
  const request = layout.request(header.version).read(source);
  if (source.at !== frame.length)
    throw new MalformedBytes(source.at, `${frame.length - source.at} bytes are left over`);
  return { header, handler, request };
}

/** Answers with the supported versions of ApiVersions in version 0, which every client understands (KIP-511). */
function refuseApiVersions(state: State, header: RequestHeader, { versions }: Pick<Handler, 'versions'>): void {
  const [minVersion, maxVersion] = versions;
  const range = { apiKey: apiVersions.key, minVersion, maxVersion };
  const response = { errorCode: codes.UNSUPPORTED_VERSION, apiKeys: [range] };
  state.peer.send(encodeResponse(apiVersions as unknown as Layout, { ...header, version: 0 }, response));
  next(state);
}

function perform(state: State, received: Received, done: (answer: Answer<unknown>) => void): void {
  const { header, handler, request } = received;
  const context: RequestContext = {
    cluster: state.cluster,
    broker: state.broker,
    connection: state.facts,
    version: header.version,
    clientId: header.clientId,
  };
  const failed = (error: unknown): void => {
    state.cluster.reportDefect(error);
    done(handler.refuse(request, codes.UNKNOWN_SERVER_ERROR, header.version));
  };
  let answer: Answer<unknown> | Promise<Answer<unknown>>;
  try {
    answer = handler.handle(context, request);
  } catch (error) {
    failed(error);
    return;
  }
  if (answer instanceof Promise) answer.then(done, failed);
  else done(answer);
}

/** Sends the answer, then ignores the client for the reported throttle time (KIP-219). */
function deliver(state: State, { header, handler }: Received, answer: Answer<unknown>): void {
  if (!state.open) return;
  if (answer === hangUp) {
    cut(state);
    return;
  }
  const throttleTimeMs = state.cluster.throttleMs(handler.layout.name, state.broker);
  if (answer !== noAnswer) {
    const response = throttleTimeMs === 0 ? answer : { ...(answer as object), throttleTimeMs };
    state.peer.send(encodeResponse(handler.layout, header, response as object));
  }
  if (throttleTimeMs === 0) next(state);
  else state.cluster.clock.after(throttleTimeMs, () => next(state));
}
