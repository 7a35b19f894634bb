import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A port that leads to a broker, as that of a container does. */
export interface Proxy extends AsyncDisposable {
  readonly address: string;
}

/**
 * Opens a port that leads to a broker at 127.0.0.1 and lets the broker advertise the name of its container instead: the
 * mistake that most often keeps clients away from a Kafka in a container. The name has as many letters as the address.
 */
export async function startMisnamingProxy(broker: string, name: string, ownPort: number): Promise<Proxy> {
  const [host = '', port = ''] = broker.split(':');
  if (name.length !== host.length) throw new Error(`"${name}" is not as long as ${host}`);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(Number(port), host);
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.pipe(behind);
    behind.on('data', (bytes: Buffer) => {
      client.write(Buffer.from(bytes.toString('latin1').replaceAll(host, name), 'latin1'));
    });
  });
  server.listen(ownPort, host);
  await once(server, 'listening');
  return {
    address: `${host}:${ownPort}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
