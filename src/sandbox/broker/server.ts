import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, realClock } from '../../clock.ts';
import { createModelCluster, type ModelCluster } from './cluster.ts';
import type { BrokerAddress } from './cluster-parts.ts';
import type { ModelConnection } from './serve/connection.ts';
import type { Settings } from './settings.ts';

/** A model cluster with a TCP listener for each broker. */
export interface ModelServer {
  readonly cluster: ModelCluster;
  /** The addresses that the brokers listen on. */
  readonly brokers: readonly BrokerAddress[];
  /** Cuts every connection and frees the ports. */
  close(): Promise<void>;
}

/** The options of a server. */
interface ServerOptions {
  /** The addresses to listen on; port 0 picks any free port. */
  readonly brokers: readonly BrokerAddress[];
  readonly settings?: Partial<Settings>;
  readonly clock?: Clock;
}

/** The maximum number of connections per broker. */
const connectionLimit = 4_000;
/** The number of waiting requests on one connection above which the server stops reading from it. */
const waitingLimit = 8;

/** Starts a model cluster on TCP. @throws Error when a port is in use */
export async function startModelServer({ brokers, settings, clock = realClock }: ServerOptions): Promise<ModelServer> {
  const sockets = new Set<Socket>();
  let cluster: ModelCluster | undefined;
  const listeners: Server[] = [];
  const close = async (): Promise<void> => {
    const closed = listeners.map((one) => new Promise<void>((resolve) => one.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  const addresses: BrokerAddress[] = [];
  try {
    for (const broker of brokers) {
      const listener = createServer({ noDelay: true }, (socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
        socket.on('error', () => undefined); // handled by close
        if (cluster === undefined) socket.destroy();
        else serve(cluster, broker.id, socket);
      });
      listener.maxConnections = connectionLimit;
      listeners.push(listener);
      addresses.push({ ...broker, port: await listen(listener, broker) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  cluster = createModelCluster({ clock, brokers: addresses, ...(settings === undefined ? {} : { settings }) });
  return { cluster, brokers: addresses, close };
}

function listen(listener: Server, { host, port }: BrokerAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port, exclusive: true }, () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Connects a socket to a broker. Reading pauses while the client does not read or too many requests are waiting. */
function serve(cluster: ModelCluster, broker: number, socket: Socket): void {
  const connection: ModelConnection | undefined = cluster.connect(broker, {
    send(frame) {
      const length = Buffer.allocUnsafe(4);
      length.writeInt32BE(frame.length, 0);
      socket.cork();
      socket.write(length);
      socket.write(frame);
      socket.uncork();
      if (socket.writableNeedDrain) socket.pause();
    },
    close: () => socket.destroySoon(),
    caughtUp() {
      if (!socket.writableNeedDrain) socket.resume();
    },
  });
  if (connection === undefined) {
    socket.destroy();
    return;
  }
  const frames = createFrameReader();
  socket.on('data', (chunk) => {
    if (!frames.push(chunk, (frame) => connection.receive(frame))) {
      connection.closed();
      socket.destroy();
    }
    if (connection.waiting > waitingLimit) socket.pause();
  });
  socket.on('drain', () => {
    if (connection.waiting <= waitingLimit) socket.resume();
  });
  socket.on('close', () => connection.closed());
}

/** The size in bytes of the largest request that Kafka's brokers accept (`socket.request.max.bytes`). */
export const frameLimit = 104_857_600;

/** Splits a stream of bytes into frames, each prefixed with its length in four bytes. */
interface FrameReader {
  /**
   * Consumes a chunk, which must not be changed afterward, and calls `take` with each complete frame, without its
   * length. Returns false when a length is negative or above the limit; the connection is then unusable.
   */
  push(chunk: Buffer, take: (frame: Buffer) => void): boolean;
}

/** Creates a reader for the start of a stream. Memory grows with the bytes received, not with the announced length. */
export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;
  const whole = (): Buffer => {
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, held);
    chunks = [bytes];
    return bytes;
  };
  /** The number of bytes that the next step needs: the length field, or the frame including it. */
  let needed = 4;
  return {
    push(chunk, take) {
      chunks.push(chunk);
      held += chunk.length;
      while (held >= needed) {
        const bytes = whole();
        const size = bytes.readInt32BE(0);
        if (size < 0 || size > frameLimit) return false;
        needed = 4 + size;
        if (held < needed) return true;
        const frame = bytes.subarray(4, needed);
        chunks = held === needed ? [] : [bytes.subarray(needed)];
        held -= needed;
        needed = 4;
        take(frame);
      }
      return true;
    },
  };
}
