import { connect } from 'node:net';
import { tcp } from '../net/http-peers.ts';

/** A relay that plays a SOCKS5 proxy without authentication. */
export interface SocksRelay {
  readonly url: string;
  /** The names that it was asked to connect to, with their ports. */
  readonly asked: readonly string[];
  /** Cuts all connections. */
  cut(): void;
}

/**
 * Starts a relay that connects every name to a port of this machine; it ends with the test.
 * @param refused a name that it refuses to connect to
 */
export async function socksRelay(port: number, refused?: string): Promise<SocksRelay> {
  const asked: string[] = [];
  const relay = await tcp((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request: Buffer) => {
        socket.pause();
        const name = request.toString('latin1', 5, request.length - 2);
        asked.push(`${name}:${request.readUInt16BE(request.length - 2)}`);
        if (name === refused) return void socket.end(Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0]));
        const far = connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.pipe(far).pipe(socket);
        });
        far.on('error', () => socket.destroy());
        socket.on('close', () => far.destroy());
      });
    });
  });
  return {
    url: `socks5h://127.0.0.1:${relay.port}`,
    asked,
    cut() {
      for (const socket of relay.sockets) socket.destroy();
    },
  };
}
