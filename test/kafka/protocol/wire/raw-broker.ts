import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Api } from '../../../../src/kafka/protocol/wire/api.ts';
import { encodeRequest, skipTags } from '../../../../src/kafka/protocol/wire/frame.ts';
import { sourceOf } from '../../../../src/kafka/protocol/wire/source.ts';

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
      const source = sourceOf(await next(answers));
      if (flexible && api.key !== apiVersionsKey) skipTags(source);
      const response = api.response(version).read(source);
      expect([api.name, version, source.at]).toEqual([api.name, version, source.buffer.length]);
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
  const clientId = Buffer.from('weir-test');
  const head = Buffer.alloc(14);
  const body = Buffer.concat([clientId, ...encodeRequest(api, version, request)]);
  head.writeInt32BE(10 + body.length);
  head.writeInt16BE(api.key, 4);
  head.writeInt16BE(version, 6);
  head.writeInt32BE(1, 8);
  head.writeInt16BE(clientId.length, 12);
  return Buffer.concat([head, body]);
}
