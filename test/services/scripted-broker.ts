import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Address } from '../../src/net/address.ts';
import { layouts } from './layouts.ts';
import { versionsAnswer } from './scripted-answers.ts';

/** One received request. */
export interface Arrival {
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** The protocol's name of the API, or its key as text. */
  readonly api: string;
  readonly version: number;
  readonly clientId: string;
  readonly correlationId: number;
  /** The bytes after the client id. */
  readonly body: Buffer;
  /** The number of earlier requests of this API on all connections. */
  readonly before: number;
  /** The time of arrival according to `performance.now()`. */
  readonly at: number;
}

/** The reaction of the broker to a request. */
export type Reaction =
  /** Never answers. */
  | 'silent'
  /** Cuts the connection. */
  | 'drop'
  /** Answers with this body (after the response header). */
  | Buffer
  /** Answers after a delay. */
  | { readonly answer: Buffer; readonly afterMs: number }
  /** Writes these raw bytes, without length and header. */
  | { readonly bytes: Buffer };

/** Reactions by API name. A list is used in order, and its last reaction is repeated. Other APIs are silent. */
export type Script = Readonly<Record<string, Reaction | readonly Reaction[] | ((arrival: Arrival) => Reaction)>>;

/** The behavior of the broker below the protocol. */
export interface ScriptedOptions {
  readonly host?: string;
  /** The port; 0 picks any free port. */
  readonly port?: number;
  /** Enables TLS. */
  readonly tls?: TlsOptions;
  /** `drop` cuts each connection as soon as it is established; `silent` reads bytes and answers nothing. */
  readonly onConnect?: 'drop' | 'silent';
}

/** A broker that follows a script and records the requests it receives. */
export interface ScriptedBroker extends AsyncDisposable {
  readonly address: Address;
  readonly journal: readonly Arrival[];
  /** The number of accepted TCP connections. */
  readonly connections: number;
  /** The number of open connections. */
  readonly open: number;
  /** The bytes received on each connection. */
  readonly received: readonly Buffer[];
  /** Returns the requests of one API. */
  of(api: string): readonly Arrival[];
  close(): Promise<void>;
}

/** Starts a scripted broker on the loopback interface. ApiVersions is answered unless the script overrides it. */
export async function startScriptedBroker(script: Script = {}, options: ScriptedOptions = {}): Promise<ScriptedBroker> {
  const state = { journal: [] as Arrival[], received: [] as Buffer[], sockets: new Set<Socket>(), accepted: 0 };
  const server = listenFor(options);
  const full: Script = { ApiVersions: versionsAnswer(), ...script };
  // Count raw sockets, to include TLS handshakes that never end.
  server.on('connection', (socket: Socket) => {
    state.accepted += 1;
    state.sockets.add(socket);
    socket.on('close', () => state.sockets.delete(socket));
    socket.on('error', () => undefined);
    if (options.onConnect === 'drop') socket.destroy();
    if (options.onConnect === 'silent') receive(socket, state.received);
  });
  if (options.onConnect === undefined) {
    server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const connection = receive(socket, state.received);
      socket.on('error', () => undefined);
      serve(socket, connection, { script: full, ...state });
    });
    server.on('tlsClientError', () => undefined);
  }
  const address = await listening(server, options);
  const close = (): Promise<void> => {
    for (const socket of state.sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return {
    address,
    journal: state.journal,
    received: state.received,
    get connections() {
      return state.accepted;
    },
    get open() {
      return state.sockets.size;
    },
    of: (api) => state.journal.filter((arrival) => arrival.api === api),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listenFor(options: ScriptedOptions): Server {
  if (options.tls !== undefined && options.onConnect === undefined) return createTlsServer(options.tls);
  return createTcpServer();
}

function listening(server: Server, { host = '127.0.0.1', port = 0 }: ScriptedOptions): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ host, port: (server.address() as AddressInfo).port }));
  });
}

/** Stores what a socket receives; returns the number of its connection. */
function receive(socket: Socket, received: Buffer[]): number {
  const connection = received.push(Buffer.alloc(0));
  socket.on('data', (chunk: Buffer) => {
    received[connection - 1] = Buffer.concat([received[connection - 1] ?? Buffer.alloc(0), chunk]);
  });
  return connection;
}

/** The script and the records of a connection. */
interface Serving {
  readonly script: Script;
  readonly journal: Arrival[];
}

function serve(socket: Socket, connection: number, serving: Serving): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0)) {
      const end = 4 + bytes.readInt32BE(0);
      const arrival = readArrival(bytes.subarray(4, end), connection, serving.journal);
      bytes = bytes.subarray(end);
      serving.journal.push(arrival);
      react(socket, arrival, reactionTo(arrival, serving.script));
    }
  });
}

/** Decodes a request frame without its length. */
export function readArrival(request: Buffer, connection: number, journal: readonly Arrival[]): Arrival {
  const key = request.readInt16BE(0);
  const idLength = Math.max(0, request.readInt16BE(8));
  const api = layouts.find((layout) => layout.key === key)?.name ?? String(key);
  return {
    connection,
    api,
    version: request.readInt16BE(2),
    correlationId: request.readInt32BE(4),
    clientId: request.toString('utf8', 10, 10 + idLength),
    body: request.subarray(10 + idLength),
    before: journal.filter((arrival) => arrival.api === api).length,
    at: performance.now(),
  };
}

/** Returns the scripted reaction to a request. */
export function reactionTo(arrival: Arrival, script: Script): Reaction {
  const planned = script[arrival.api] ?? 'silent';
  if (typeof planned === 'function') return planned(arrival);
  if (!Array.isArray(planned)) return planned as Reaction;
  return planned[Math.min(arrival.before, planned.length - 1)] ?? 'silent';
}

function react(socket: Socket, arrival: Arrival, reaction: Reaction): void {
  if (reaction === 'silent') return;
  if (reaction === 'drop') {
    socket.destroy();
    return;
  }
  if (Buffer.isBuffer(reaction)) {
    socket.write(framed(arrival, reaction));
  } else if ('bytes' in reaction) {
    socket.write(reaction.bytes);
  } else {
    setTimeout(() => socket.write(framed(arrival, reaction.answer)), reaction.afterMs);
  }
}

/** Builds a complete response: length, correlation id, empty tagged fields if the version has them, and body. */
export function framed({ api, version, correlationId }: Arrival, body: Buffer): Buffer {
  const { flexibleFrom = Number.POSITIVE_INFINITY } = layouts.find(({ name }) => name === api) ?? {};
  const tagged = api !== 'ApiVersions' && version >= flexibleFrom;
  const head = Buffer.alloc(tagged ? 9 : 8);
  head.writeInt32BE(head.length - 4 + body.length, 0);
  head.writeInt32BE(correlationId, 4);
  return Buffer.concat([head, body]);
}
