import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint } from './properties.ts';

/** How to probe a listener. */
export interface Question extends Endpoint {
  /** Uses TLS with an optional client certificate in PEM; the broker's certificate is not verified. */
  readonly tls?: { readonly cert?: string; readonly key?: string };
}

const waitMs = 2000;

/** Checks whether a broker answers an ApiVersions request, which needs no authentication. */
export async function answers(question: Question): Promise<boolean> {
  return (await ask(question, request(18, 0, Buffer.alloc(0)))) !== undefined;
}

/** Asks the broker at a plaintext listener how many brokers it knows; undefined when it does not answer. */
export async function countBrokers(endpoint: Endpoint): Promise<number | undefined> {
  // Metadata v1 with an empty list of topics requests no topics. The response starts with the array of brokers.
  const answer = await ask(endpoint, request(3, 1, Buffer.alloc(4)));
  return answer === undefined || answer.length < 12 ? undefined : answer.readInt32BE(8);
}

/** Encodes a request with header v1 (Kafka protocol guide, "Request Header"): key, version, correlation id, client. */
function request(apiKey: number, version: number, body: Buffer): Buffer {
  const clientId = Buffer.from('weir-sandbox');
  const frame = Buffer.alloc(14 + clientId.length);
  frame.writeInt32BE(10 + clientId.length + body.length, 0);
  frame.writeInt16BE(apiKey, 4);
  frame.writeInt16BE(version, 6);
  frame.writeInt32BE(1, 8);
  frame.writeInt16BE(clientId.length, 12);
  clientId.copy(frame, 14);
  return Buffer.concat([frame, body]);
}

async function ask(question: Question, frame: Buffer): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const socket = dial(question);
  let received = Buffer.alloc(0);
  socket.setTimeout(waitMs, () => resolve(undefined));
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length >= 8 && received.length >= 4 + received.readInt32BE(0)) resolve(received);
  });
  socket.write(frame);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function dial({ host, port, tls }: Question): Socket {
  return tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, rejectUnauthorized: false, ...tls });
}
