import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Clock, realClock } from '../../../../src/clock.ts';
import { dialSocket } from '../../../../src/kafka/protocol/transport/socket-link.ts';
import { openWire } from '../../../../src/kafka/protocol/transport/wire.ts';
import type { Api } from '../../../../src/kafka/protocol/wire/api.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { bytesApi } from './bytes-api.ts';

/** Larger than what both kernels buffer for a peer that does not read. */
const large = Buffer.alloc(32 * 2 ** 20, 'x');

const none = Buffer.alloc(0);

/** A wire to a peer that reads nothing until the test lets it. */
async function deafPeer({ clock = realClock, overhead = 60_000 }: { clock?: Clock; overhead?: number } = {}) {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const controller = new AbortController();
  const deadline = deadlineOf({ overhead, command: 100_000_000 }, clock);
  // Only the timers of the wire count.
  deadline.dispose();
  const wire = await openWire({
    dial: dialSocket,
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    peer: { broker: 'the peer', host: '127.0.0.1', tls: false },
    clientId: 'c',
    deadline,
    signal: controller.signal,
    tls: undefined,
    allocate: undefined,
    trace: undefined,
    earlyCut: (error) => error,
    onServed: () => undefined,
  });
  const send = (body: Buffer, facts: Partial<Api<Buffer, Buffer>> = {}): Promise<Buffer> =>
    wire.send(bytesApi(facts), body, 8);
  const [socket] = (await accepted) as [Socket];
  socket.on('error', () => undefined);
  return {
    wire,
    send,
    socket,
    signal: controller.signal,
    async [Symbol.asyncDispose]() {
      wire.destroy(new Error('closed'));
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The state of a promise. */
function watched<T>(promise: Promise<T>): { state: string } {
  const seen = { state: 'waiting' };
  promise.then(
    () => {
      seen.state = 'resolved';
    },
    (error: Error) => {
      seen.state = error.message;
    },
  );
  return seen;
}

describe('an answer of more than 64 MiB', () => {
  const size = 65 * 2 ** 20;
  const head = (correlationId: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32BE(size, 0);
    bytes.writeInt32BE(correlationId, 4);
    return bytes;
  };
  const message = `the peer announced an answer of ${size} bytes`;

  test('is refused before it arrives if no request asks for records', async () => {
    await using peer = await deafPeer();
    const seen = watched(peer.send(none));
    peer.socket.write(Buffer.from('0000000400000000', 'hex'));
    await expect.poll(() => seen.state).toBe('resolved');
    const refused = watched(peer.send(none));
    peer.socket.write(head(1));
    await expect.poll(() => refused.state).toBe(message);
  });

  test('may have records, but only if it answers the request for them', async () => {
    await using peer = await deafPeer();
    const first = peer.send(none, { key: 1 });
    peer.socket.write(Buffer.from('0000000400000000', 'hex'));
    await first;
    const states = [1, 16, 1].map((key) => watched(peer.send(none, { key })));
    const rest = Buffer.alloc(size - 4);
    peer.socket.write(Buffer.concat([head(1), rest]));
    await expect.poll(() => states[0]?.state, { timeout: 10_000 }).toBe('resolved');
    peer.socket.write(Buffer.concat([head(2), rest]));
    await expect.poll(() => states[1]?.state, { timeout: 10_000 }).toBe(message);
    expect(states[2]?.state).toBe(message);
  });
});

describe('the memory of a request is free when it resolves', () => {
  test('even if the answer arrives before the peer has read the request', async () => {
    await using peer = await deafPeer();
    const other = peer.send(none);
    const exchange = peer.send(large);
    const seen = watched(exchange);
    peer.socket.write(Buffer.from('0000000400000001', 'hex'));
    peer.socket.write(Buffer.from('0000000400000000', 'hex'));
    await other;
    expect(seen.state).toBe('waiting');
    let bytes = 0;
    peer.socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    peer.socket.resume();
    expect(await exchange).toHaveLength(0);
    await expect.poll(() => bytes).toBeGreaterThan(large.length);
  });

  test('even without an answer', async () => {
    await using peer = await deafPeer();
    const exchange = peer.send(large, { expectsAnswer: () => false });
    const seen = watched(exchange);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.state).toBe('waiting');
    peer.socket.resume();
    await exchange;
  });
});

describe('a peer that does not read', () => {
  test.each([true, false])('ends the request by its limit (an answer is expected: %s)', async (expectsAnswer) => {
    await using peer = await deafPeer({ overhead: 50 });
    const exchange = peer.send(large, { expectsAnswer: () => expectsAnswer });
    await expect(exchange).rejects.toThrow('Bytes request to the peer timed out after 50ms');
  });

  test.each([true, false])(
    'is forgotten when the wire is destroyed (an answer is expected: %s)',
    async (expectsAnswer) => {
      await using peer = await deafPeer();
      const exchange = peer.send(large, { expectsAnswer: () => expectsAnswer });
      peer.wire.destroy(new Error('that is enough'));
      await expect(exchange).rejects.toThrow('that is enough');
    },
  );
});

test('a peer that closes its side ends the wire, even if it has not read what was sent', async () => {
  await using peer = await deafPeer();
  const exchange = peer.send(large);
  peer.socket.end();
  await expect(exchange).rejects.toThrow('lost the peer during Bytes: it closed the connection');
});

test('an answer that has arrived when the timer fires late is not late', async () => {
  // As in a process that was busy while the answer came: the timer fires before the socket is read.
  let fire = (): void => undefined;
  const after: Clock['after'] = (_, call) => {
    fire = call;
    return () => undefined;
  };
  await using peer = await deafPeer({ clock: { ...realClock, after } });
  const exchange = peer.send(none);
  setTimeout(() => {
    peer.socket.write(Buffer.from('0000000400000000', 'hex'));
    fire();
  });
  expect(await exchange).toHaveLength(0);
});

test('only the first answer is suspect because of its size', async () => {
  await using peer = await deafPeer();
  const exchanges = [peer.send(none), peer.send(none)];
  peer.socket.write(Buffer.from('0000000400000000', 'hex'));
  const length = 17 * 2 ** 20;
  const second = Buffer.alloc(4 + length);
  second.writeInt32BE(length, 0);
  second.writeInt32BE(1, 4);
  peer.socket.write(second);
  expect((await Promise.all(exchanges)).map((answer) => answer.length)).toEqual([0, length - 4]);
});

test('one listener waits for the signal while the wire is open, none afterwards', async () => {
  await using peer = await deafPeer();
  expect(getEventListeners(peer.signal, 'abort')).toHaveLength(1);
  peer.wire.destroy(new Error('closed'));
  expect(getEventListeners(peer.signal, 'abort')).toHaveLength(0);
});
