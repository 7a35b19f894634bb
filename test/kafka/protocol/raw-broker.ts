import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Api } from '../../../src/kafka/protocol/api.ts';
import { createReader, createWriter } from '../../../src/kafka/protocol/codec.ts';

/** A connection without the client: one request after another, in the given version. */
export interface RawBroker {
  /** Sends one request and reads its answer, which must not be longer than the layout. */
  ask<Request, Response>(api: Api<Request, Response>, version: number, request: Request): Promise<Response>;
  close(): void;
}

const apiVersionsKey = 18;

/** Connects to `host:port`. */
export async function openRaw(address: string): Promise<RawBroker> {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  // The next read reports it.
  socket.on('error', () => undefined);
  const answers = framesOf(socket);
  return {
    async ask(api, version, request) {
      const flexible = version >= api.flexibleFrom;
      socket.write(requestBytes(api, version, request));
      const reader = createReader(await next(answers), flexible, api.name);
      if (flexible && api.key !== apiVersionsKey) reader.tags();
      const response = api.decode(reader, version);
      expect(`${reader.remaining} bytes left of ${api.name} v${version}`).toBe(
        `0 bytes left of ${api.name} v${version}`,
      );
      return response;
    },
    close: () => socket.destroy(),
  };
}

/** Each answer without its length and correlation id, while the connection is open. */
async function* framesOf(socket: Socket): AsyncGenerator<Buffer> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
      const end = 4 + received.readInt32BE(0);
      yield received.subarray(8, end);
      received = received.subarray(end);
    }
  }
}

async function next(answers: AsyncGenerator<Buffer>): Promise<Buffer> {
  const { value, done } = await answers.next();
  if (done) throw new Error('the broker closed the connection: its log says what is wrong with the request');
  return value;
}

function requestBytes<Request>(api: Api<Request, unknown>, version: number, request: Request): Buffer {
  const flexible = version >= api.flexibleFrom;
  const header = createWriter(false);
  header.int16(api.key);
  header.int16(version);
  header.int32(1);
  header.nullableString('weir-test');
  if (flexible) header.int8(0);
  const body = createWriter(flexible);
  api.encode(body, request, version);
  const length = Buffer.alloc(4);
  length.writeInt32BE(header.finish().length + body.finish().length);
  return Buffer.concat([length, header.finish(), body.finish()]);
}
