import { connect } from 'node:net';
import type { ModelCluster } from '../../../src/sandbox/broker/cluster.ts';
import { createFrameReader } from '../../../src/sandbox/broker/listen/frames.ts';
import { type RawClient, rawClient } from './client.ts';

/** A raw connection over TCP to any broker, real or of the model; requests and answers by the model's layouts. */
export function tcpClient(address: string): RawClient {
  const [host = '', port = ''] = address.split(':');
  const socket = connect({ host, port: Number(port), noDelay: true });
  const frames = createFrameReader();
  // The raw client speaks to whatever takes and gives frames.
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
