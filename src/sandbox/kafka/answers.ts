import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint } from './properties.ts';

/** How a listener is asked whether it works. */
export interface Question extends Endpoint {
  /** PEM texts: TLS is spoken; the certificate is not looked at. */
  readonly tls?: { readonly cert?: string; readonly key?: string };
}

const waitMs = 2000;

/** Whether a broker answers an ApiVersions request here (it does so before SASL). */
export async function answers(question: Question): Promise<boolean> {
  return (await ask(question, request(18, 0, Buffer.alloc(0)))) !== undefined;
}

/** How many brokers the one at this plain listener knows of; undefined when it does not answer. */
export async function countBrokers(endpoint: Endpoint): Promise<number | undefined> {
  // Metadata v1 with an empty list of topics: no topics. The answer begins with the array of brokers.
  const answer = await ask(endpoint, request(3, 1, Buffer.alloc(4)));
  return answer === undefined || answer.length < 12 ? undefined : answer.readInt32BE(8);
}

/** A request with header v1 (Kafka protocol guide, "Request Header"): key, version, correlation id, client id. */
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
