import { connect } from 'node:net';
import { createFrameReader } from '../../../src/sandbox/broker/server.ts';
import { type RawClient, rawClient } from './client.ts';
import type { ModelCluster } from './control.ts';

/** Opens a raw TCP connection to a real or simulated broker, using the model's layouts. */
export function tcpClient(address: string): RawClient {
  const [host = '', port = ''] = address.split(':');
  const socket = connect({ host, port: Number(port), noDelay: true });
  const frames = createFrameReader();
  // The raw client works with anything that exchanges frames.
  const cluster: Pick<ModelCluster, 'connect'> = {
    connect(_broker, peer) {
      socket.on('data', (chunk) => void frames.push(chunk, (frame) => peer.send(frame)));
      socket.on('error', () => undefined);
      socket.on('close', () => peer.close());
      return {
        waiting: 0,
        receive(frame) {
          const length = Buffer.alloc(4);
          length.writeInt32BE(frame.length);
          socket.write(Buffer.concat([length, frame]));
        },
        closed: () => void socket.destroy(),
      };
    },
  };
  return rawClient(cluster as ModelCluster, 0);
}
