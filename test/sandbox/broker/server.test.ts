import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Layout } from '../../../src/kafka/protocol/wire/api.ts';
import { apiVersions } from '../../../src/kafka/protocol/wire/apis/api-versions.ts';
import { createFrameReader, frameLimit } from '../../../src/sandbox/broker/server.ts';
import { encodeRequest } from './client.ts';
import { type ModelServer, startModelServer } from './control.ts';
import { tcpClient } from './tcp-client.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(brokers = 1): Promise<ModelServer> {
  const addresses = Array.from({ length: brokers }, (_, index) => ({ id: index + 1, host: '127.0.0.1', port: 0 }));
  server = await startModelServer({ brokers: addresses });
  return server;
}

function addressOf({ brokers }: ModelServer, index = 0): string {
  return `${brokers[index]?.host}:${brokers[index]?.port}`;
}

async function dial(one: ModelServer): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: one.brokers[0]?.port ?? 0 });
  await once(socket, 'connect');
  return socket;
}

function versionsRequest(id: number): Buffer {
  const request = { clientSoftwareName: 'test', clientSoftwareVersion: '1' };
  const frame = encodeRequest(apiVersions as unknown as Layout, { version: 3, id }, request);
  const length = Buffer.alloc(4);
  length.writeInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}

describe('frames', () => {
  test('are complete for any split of the bytes', () => {
    const bytes = Buffer.concat(
      [1, 2, 3].map((size) => Buffer.concat([Buffer.of(0, 0, 0, size), Buffer.alloc(size, size)])),
    );
    for (let size = 1; size <= bytes.length; size += 1) {
      const frames = createFrameReader();
      const found: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        expect(frames.push(bytes.subarray(at, at + size), (frame) => found.push(frame))).toBe(true);
      }
      expect(found.map((frame) => frame.toString('hex'))).toEqual(['01', '0202', '030303']);
    }
  });

  test('a length that is negative or above the limit ends the stream', () => {
    for (const length of [-1, frameLimit + 1]) {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(length);
      expect(createFrameReader().push(bytes, () => undefined)).toBe(false);
    }
  });
});

describe('a server', () => {
  test('answers on every broker, even a request that arrives byte by byte', async () => {
    const one = await start(3);
    for (const index of [0, 1, 2]) {
      const client = tcpClient(addressOf(one, index));
      const request = { clientSoftwareName: 'test', clientSoftwareVersion: '1' };
      expect((await client.ask(apiVersions, request)).errorCode).toBe(0);
      client.close();
    }
    const socket = await dial(one);
    for (const byte of versionsRequest(1)) socket.write(Buffer.of(byte));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.readInt32BE(4)).toBe(1);
    socket.destroy();
  });

  test('closes a connection after a malformed request', async () => {
    const socket = await dial(await start());
    socket.on('error', () => undefined).resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
  });

  test('answers a flood of requests completely and in order, even if the client reads late', async () => {
    const socket = await dial(await start());
    const requests = 20_000;
    const flood = Buffer.concat(Array.from({ length: requests }, (_, id) => versionsRequest(id)));
    socket.write(flood);
    const frames = createFrameReader();
    let answered = 0;
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        frames.push(chunk, (frame) => {
          expect(frame.readInt32BE(0)).toBe(answered);
          answered += 1;
          if (answered === requests) resolve();
        });
      });
    });
    await all;
    socket.destroy();
  });

  test('frees its ports when it is closed, even with open connections', async () => {
    const one = await start();
    const socket = await dial(one);
    socket.on('error', () => undefined).resume();
    const closed = once(socket, 'close');
    await one.close();
    await closed;
    const again = await startModelServer({ brokers: one.brokers });
    await again.close();
  });

  test('fails when a port is in use, without keeping the other ports', async () => {
    const one = await start();
    const [taken] = one.brokers;
    const free = { id: 1, host: '127.0.0.1', port: 0 };
    const brokers = [free, { id: 2, host: '127.0.0.1', port: taken?.port ?? 0 }];
    await expect(startModelServer({ brokers })).rejects.toThrow('EADDRINUSE');
  });
});
