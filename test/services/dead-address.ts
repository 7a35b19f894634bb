import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Address } from '../../src/net/address.ts';

/** An address that refuses connections for as long as it is held. */
export interface DeadAddress extends AsyncDisposable {
  readonly address: Address;
  /** Gives the port back, so that something can listen on it. */
  release(): Promise<void>;
}

/**
 * Takes a port on the loopback interface on which nothing listens. A port whose listener was closed would be free for
 * others at once: a connected socket keeps its own.
 */
export async function deadAddress(): Promise<DeadAddress> {
  const accepted: Socket[] = [];
  // Nothing here keeps the process alive.
  const server = createServer((socket) => void accepted.push(socket.unref().on('error', () => undefined))).unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const holder = await connectedFrom((server.address() as AddressInfo).port);
  const release = async (): Promise<void> => {
    if (holder.destroyed) return;
    const closed = once(holder, 'close');
    // A reset leaves nothing that would wait on the port.
    holder.resetAndDestroy();
    await closed;
    for (const socket of accepted) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: { host: '127.0.0.1', port: holder.localPort ?? 0 }, release, [Symbol.asyncDispose]: release };
}

/**
 * Connects from a port that the system gives to no outgoing connection (those have 32768 and above), so that nothing else
 * takes it between its release and the start of a server there.
 */
async function connectedFrom(port: number): Promise<Socket> {
  for (;;) {
    const localPort = 10_000 + Math.floor(Math.random() * 10_000);
    const holder = connect({ host: '127.0.0.1', port, localPort });
    const isConnected = await once(holder, 'connect').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        return false;
      },
    );
    holder.on('error', () => undefined);
    if (isConnected) return holder.unref();
  }
}
