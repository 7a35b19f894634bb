import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { answers, countBrokers } from '../../../src/sandbox/kafka/answers.ts';

/** A broker that does this with what it receives; also tells what it received and when the client has left. */
async function brokerThat(act: (socket: Socket) => void) {
  const left = Promise.withResolvers<void>();
  const seen: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('close', () => left.resolve());
    socket.on('data', (bytes) => {
      seen.push(bytes);
      act(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { host: '127.0.0.1', port, seen, left: left.promise, [Symbol.asyncDispose]: close };
}

/** An answer with this body, as a broker frames it: its length, the correlation id, the body. */
function frame(body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + body.length, 0);
  head.writeInt32BE(1, 4);
  return Buffer.concat([head, body]);
}

const twoBrokers = frame(Buffer.from([0, 0, 0, 2, 9, 9]));

test('a broker is asked for its versions, and is left once it has answered', async () => {
  await using broker = await brokerThat((socket) => socket.write(frame(Buffer.alloc(6))));
  expect(await answers(broker)).toBe(true);
  await broker.left;
  const name = Buffer.from('weir-sandbox');
  expect(Buffer.concat(broker.seen)).toEqual(
    Buffer.concat([Buffer.from([0, 0, 0, 22, 0, 18, 0, 0, 0, 0, 0, 1, 0, 12]), name]),
  );
});

test('the brokers that a broker knows are counted with a request for no topics', async () => {
  await using broker = await brokerThat((socket) => socket.write(twoBrokers));
  expect(await countBrokers(broker)).toBe(2);
  const sent = Buffer.concat(broker.seen);
  expect(sent.subarray(0, 8)).toEqual(Buffer.from([0, 0, 0, 26, 0, 3, 0, 1]));
  expect(sent.subarray(-4)).toEqual(Buffer.alloc(4));
});

test('an answer that arrives in pieces is waited for', async () => {
  await using broker = await brokerThat((socket) => {
    socket.setNoDelay(true);
    const pieces = [twoBrokers.subarray(0, 6), twoBrokers.subarray(6, 13), twoBrokers.subarray(13)].values();
    const send = (): void => {
      const { value } = pieces.next();
      if (value !== undefined) socket.write(value, () => setImmediate(send));
    };
    send();
  });
  expect(await countBrokers(broker)).toBe(2);
});

test.each<[string, (socket: Socket) => void]>([
  ['closes the connection', (socket) => socket.end()],
  ['resets it', (socket) => socket.resetAndDestroy()],
  ['closes it in the middle of its answer', (socket) => socket.end(twoBrokers.subarray(0, 13))],
  ['sends only a length before it closes it', (socket) => socket.end(Buffer.alloc(7))],
  ['says nothing', () => undefined],
])('a program that %s is no broker', async (_, act) => {
  await using broker = await brokerThat(act);
  expect([await answers(broker), await countBrokers(broker)]).toEqual([false, undefined]);
  await broker.left;
});

test('an answer without a number of brokers counts none', async () => {
  await using broker = await brokerThat((socket) => socket.write(frame(Buffer.alloc(3))));
  expect(await countBrokers(broker)).toBeUndefined();
});

test('a port without a listener does not answer', async () => {
  const { host, port, ...server } = await brokerThat(() => undefined);
  await server[Symbol.asyncDispose]();
  expect(await answers({ host, port })).toBe(false);
});
