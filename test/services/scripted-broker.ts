import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Address } from '../../src/net/address.ts';
import { apiNames, flexibleFrom, versionsAnswer } from './scripted-answers.ts';

/** One request as it came in. */
export interface Arrival {
  /** Which connection it came over, from 1. */
  readonly connection: number;
  /** The protocol's name of the API, or its key as text. */
  readonly api: string;
  readonly version: number;
  readonly clientId: string;
  readonly correlationId: number;
  /** Everything after the client id. */
  readonly body: Buffer;
  /** How many requests of this API came before it, over all connections. */
  readonly before: number;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** What the broker does about a request. */
export type Reaction =
  /** Nothing, ever. */
  | 'silent'
  /** Cuts the connection. */
  | 'drop'
  /** Answers with this body (after the response header). */
  | Buffer
  /** Answers later. */
  | { readonly answer: Buffer; readonly afterMs: number }
  /** Writes these bytes as they are, without length and header. */
  | { readonly bytes: Buffer };

/** Reactions by API name; a list is used up one by one, its last one stays. APIs that are not named stay silent. */
export type Script = Readonly<Record<string, Reaction | readonly Reaction[] | ((arrival: Arrival) => Reaction)>>;

/** How the broker behaves below the protocol. */
export interface ScriptedOptions {
  readonly host?: string;
  /** 0: any. */
  readonly port?: number;
  /** Speaks TLS. */
  readonly tls?: TlsOptions;
  /** `drop` cuts each connection as soon as it stands; `silent` takes bytes and never looks at them. */
  readonly onConnect?: 'drop' | 'silent';
}

/** A peer that does what the script says and writes down what arrived. */
export interface ScriptedBroker extends AsyncDisposable {
  readonly address: Address;
  readonly journal: readonly Arrival[];
  /** How many TCP connections were accepted. */
  readonly connections: number;
  /** How many of them are open now. */
  readonly open: number;
  /** The bytes that arrived, connection by connection. */
  readonly received: readonly Buffer[];
  /** The requests of one API. */
  of(api: string): readonly Arrival[];
  close(): Promise<void>;
}

/** Starts a scripted broker on the loopback. ApiVersions is answered unless the script says otherwise. */
export async function startScriptedBroker(script: Script = {}, options: ScriptedOptions = {}): Promise<ScriptedBroker> {
  const state = { journal: [] as Arrival[], received: [] as Buffer[], sockets: new Set<Socket>(), accepted: 0 };
  const server = listenFor(options);
  const full: Script = { ApiVersions: versionsAnswer(), ...script };
  // Raw sockets are counted, so that a TLS handshake that never ends is seen too.
  server.on('connection', (socket: Socket) => {
    state.accepted += 1;
    state.sockets.add(socket);
    socket.on('close', () => state.sockets.delete(socket));
    socket.on('error', () => undefined);
    if (options.onConnect === 'drop') socket.destroy();
    if (options.onConnect === 'silent') socket.resume();
  });
  if (options.onConnect === undefined) {
    server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const connection = state.received.push(Buffer.alloc(0));
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

/** What a connection works with. */
interface Serving {
  readonly script: Script;
  readonly journal: Arrival[];
  readonly received: Buffer[];
}

function serve(socket: Socket, connection: number, serving: Serving): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    serving.received[connection - 1] = Buffer.concat([serving.received[connection - 1] ?? Buffer.alloc(0), chunk]);
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

/** Reads a request without its length. */
export function readArrival(request: Buffer, connection: number, journal: readonly Arrival[]): Arrival {
  const key = request.readInt16BE(0);
  const idLength = Math.max(0, request.readInt16BE(8));
  const api = apiNames.get(key) ?? String(key);
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

/** What the script wants done about a request. */
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

/** A whole answer: length, correlation id and, where the version has them, no tagged fields; then the body. */
export function framed({ api, version, correlationId }: Arrival, body: Buffer): Buffer {
  const tagged = api !== 'ApiVersions' && version >= (flexibleFrom.get(api) ?? Number.POSITIVE_INFINITY);
  const head = Buffer.alloc(tagged ? 9 : 8);
  head.writeInt32BE(head.length - 4 + body.length, 0);
  head.writeInt32BE(correlationId, 4);
  return Buffer.concat([head, body]);
}
