import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, realClock } from '../../../clock.ts';
import { createModelCluster, type ModelCluster } from '../cluster.ts';
import type { BrokerAddress } from '../cluster-parts.ts';
import type { ModelConnection } from '../serve/connection.ts';
import type { Settings } from '../settings.ts';
import { createFrameReader } from './frames.ts';

/** A model cluster behind TCP listeners, one for each broker. */
export interface ModelServer {
  readonly cluster: ModelCluster;
  /** Where the brokers listen. */
  readonly brokers: readonly BrokerAddress[];
  /** Cuts every connection and frees the ports. */
  close(): Promise<void>;
}

/** What a server is started with. */
export interface ServerOptions {
  /** Port 0: any that is free. */
  readonly brokers: readonly BrokerAddress[];
  readonly settings?: Partial<Settings>;
  readonly clock?: Clock;
}

/** How many connections each broker takes. */
const connectionLimit = 4_000;
/** So many requests may wait on one connection before no more is read from it. */
const waitingLimit = 8;

/** Starts a cluster of the model. @throws Error when a port is taken */
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
        socket.on('error', () => undefined); // it closes, too
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

/** Joins a socket to a broker. Reading stops while answers are not taken, or requests wait. */
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
