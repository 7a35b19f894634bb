import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, realClock } from '../../../clock.ts';
import { createModelCluster, type ModelCluster } from '../cluster.ts';
import type { BrokerAddress } from '../cluster-parts.ts';
import type { ModelConnection } from '../serve/connection.ts';
import type { Settings } from '../settings.ts';
import { createFrameReader } from './frames.ts';

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
