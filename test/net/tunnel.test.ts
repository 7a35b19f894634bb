import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { Address } from '../../src/net/address.ts';
import { parseProxyUrl } from '../../src/net/proxy-url.ts';
import { createTunnel } from '../../src/net/tunnel.ts';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { atEndOfTest } from '../at-end.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';
import { failed, failedAfter, listening, tcp } from './http-peers.ts';

const target: Address = { host: 'kafka.example', port: 9092 };
const peer = {
  ...{ name: 'broker kafka.example:9092', host: 'kafka.example', server: 'broker', keyPrefix: 'tls' },
  addressHint: '-X brokers=HOST:PORT',
};
const words = 'unable to connect to broker kafka.example:9092: ';

type Reply = Buffer | string;
const reply = (...bytes: readonly number[]): Buffer => Buffer.from(bytes);

/**
 * A proxy that answers what it reads with its replies, one after the other, and then closes the connection unless it is to
 * stay open.
 */
async function proxyWith(replies: readonly Reply[], { stays = false } = {}) {
  const heard: Buffer[] = [];
  const { port, sockets } = await tcp((socket) => {
    const left = [...replies];
    socket.on('data', (bytes) => {
      heard.push(bytes);
      const next = left.shift();
      if (next !== undefined) socket.write(next);
      if (left.length === 0 && !stays) socket.end();
    });
  });
  return { address: `127.0.0.1:${port}`, heard, sockets };
}

/** Opens a tunnel; the steps that it goes through. */
function open(
  url: string,
  { to = target, dialMs = 60_000, clock }: { to?: Address; dialMs?: number; clock?: Clock } = {},
) {
  const deadline = deadlineOf({ dial: dialMs }, clock);
  atEndOfTest(() => deadline.dispose());
  const steps: string[] = [];
  const until = deadline.clock.now() + dialMs;
  const opened = createTunnel({ ...parseProxyUrl(url), from: 'globals.proxy' }, deadline).open({
    ...{ to, peer, signal: deadline.signal, leftMs: () => until - deadline.clock.now() },
    onStep: (step) => void steps.push(step),
  });
  opened.then(
    (socket) => atEndOfTest(() => socket.destroy()),
    () => undefined,
  );
  return { opened, steps, deadline };
}

/** What the socket has next. */
async function next(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0]);
}

const granted = reply(5, 0, 0, 1, 0, 0, 0, 0, 0, 0);
const ofName = (name: string): Buffer => Buffer.concat([reply(3, name.length), Buffer.from(name)]);

describe('SOCKS5', () => {
  test('the proxy gets the name, and what follows its reply belongs to the tunnel', async () => {
    const bound = Buffer.concat([reply(5, 0, 0), ofName('x'.repeat(255)), reply(1, 2), Buffer.from('hello')]);
    const { address, heard } = await proxyWith([reply(5, 0), bound], { stays: true });
    const { opened, steps } = open(`socks5h://${address}`);
    expect(await next(await opened)).toBe('hello');
    expect(heard).toEqual([
      reply(5, 1, 0),
      Buffer.concat([reply(5, 1, 0), ofName('kafka.example'), reply(0x23, 0x84)]),
    ]);
    expect(steps).toEqual(['proxy', 'TCP']);
  });

  test('replies may come byte by byte, from any kind of address', async () => {
    const { address, sockets } = await proxyWith([], { stays: true });
    const { opened } = open(`socks5h://${address}`);
    await expect.poll(() => sockets.length).toBe(1);
    const [socket] = sockets as [Socket];
    socket.setNoDelay(true);
    for (const byte of [5, 0, 5, 0, 0, 4, ...Buffer.alloc(18, 7)]) {
      socket.write(reply(byte));
      await new Promise(setImmediate);
    }
    socket.write('hello');
    expect(await next(await opened)).toBe('hello');
  });

  test.each([
    [{ host: '10.1.2.3', port: 1 }, reply(1, 10, 1, 2, 3, 0, 1)],
    [{ host: '2001:db8::1:0:0', port: 258 }, reply(4, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2)],
    [{ host: '::1', port: 1 }, reply(4, ...Buffer.alloc(15), 1, 0, 1)],
    [{ host: '::ffff:1.2.3.4', port: 1 }, reply(4, ...Buffer.alloc(10), 255, 255, 1, 2, 3, 4, 0, 1)],
  ])('the address %j is sent as such', async (to, sent) => {
    const { address, heard } = await proxyWith([reply(5, 0), granted], { stays: true });
    for (const scheme of ['socks5', 'socks5h']) {
      await open(`${scheme}://${address}`, { to }).opened;
      expect(heard.at(-1)?.subarray(3)).toEqual(sent);
    }
  });

  test('with socks5, this machine looks the name up', async () => {
    const { address, heard } = await proxyWith([reply(5, 0), granted], { stays: true });
    const { opened, steps } = open(`socks5://${address}`, { to: { host: 'localhost', port: 1 } });
    await opened;
    expect(heard.at(-1)?.subarray(3)).toEqual(reply(1, 127, 0, 0, 1, 0, 1));
    expect(steps).toEqual(['proxy', 'DNS', 'TCP']);
  });

  test('a name that only the proxy knows is one for socks5h', async () => {
    const { address } = await proxyWith([reply(5, 0)], { stays: true });
    const { opened, steps } = open(`socks5://${address}`, { to: { host: 'kafka.invalid', port: 1 } });
    const { error } = await failed(opened);
    expect(error.message).toMatch(/: DNS: /);
    expect(error.hints).toContain(
      'or let the proxy look the name up: socks5h:// instead of socks5:// in globals.proxy',
    );
    expect(steps).toEqual(['proxy', 'DNS']);
  });

  test('signs in with user and password only if the proxy asks', async () => {
    const asking = await proxyWith([reply(5, 2), reply(1, 0), granted], { stays: true });
    await open(`socks5h://us%20er:s3cret@${asking.address}`).opened;
    expect(asking.heard.slice(0, 2)).toEqual([
      reply(5, 2, 0, 2),
      Buffer.concat([reply(1, 5), Buffer.from('us er'), reply(6), Buffer.from('s3cret')]),
    ]);
    const other = await proxyWith([reply(5, 0), granted], { stays: true });
    await open(`socks5h://user:s3cret@${other.address}`).opened;
    expect(String(Buffer.concat(other.heard))).not.toContain('s3cret');
  });

  test.each([
    ['a web server', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'PROXY: it answered with HTTP', false],
    ['a SOCKS4 proxy', [reply(0, 91, 0, 0, 0, 0, 0, 0)], 'PROXY: it answered with SOCKS4', false],
    ['a flood', ['A'.repeat(2 ** 20)], 'PROXY: the response is not SOCKS5', false],
    ['a server that closes at once', [''], 'PROXY: it closed the connection', true],
    ['half a reply', [reply(5)], 'PROXY: it closed the connection', true],
    ['an unknown method', [reply(5, 1)], 'PROXY: it chose a way of signing in that was not offered', false],
    ['no method', [reply(5, 255)], 'PROXY: it accepts neither a user and password nor none', false],
    ['a refusal to sign in', [reply(5, 2), reply(1, 1)], 'PROXY: it refused the user and password', false],
    ['a close after signing in', [reply(5, 2), reply(1, 0), ''], 'PROXY: it closed the connection', true],
    ['an unknown address type', [reply(5, 0), reply(5, 0, 0, 9)], 'PROXY: the response is not SOCKS5', false],
    ['another version', [reply(5, 0), reply(4, 0, 0, 1)], 'PROXY: it answered with SOCKS4', false],
    ['a reply that ends early', [reply(5, 0), reply(5, 0, 0, 3, 200, 1)], 'PROXY: it closed the connection', true],
    ['its rules', [reply(5, 0), reply(5, 2)], 'TCP: PROXY answered: its rules do not allow that (2)', false],
    ['a refusal', [reply(5, 0), reply(5, 5, 0, 1)], 'TCP: PROXY answered: connection refused (5)', true],
    ['an unknown reply', [reply(5, 0), reply(5, 99)], 'TCP: PROXY answered: an unknown reply (99)', false],
  ])('%s is an error that says which step failed, without the password', async (_, replies, why, retryable) => {
    const { address, sockets } = await proxyWith(replies);
    const { opened, steps } = open(`socks5h://user:s3cret@${address}`);
    const { error } = await failed(opened);
    expect(error).toMatchObject({ message: `${words}${why.replace('PROXY', `the proxy at ${address}`)}`, retryable });
    const isRefused = why.startsWith('TCP');
    expect(error).toMatchObject({ exitCode: 5, code: isRefused ? 'PROXY_REFUSED' : 'PROXY_FAILED' });
    expect(steps.at(-1)).toBe(isRefused ? 'TCP' : 'proxy');
    expect([...error.hints, String(error.cause)].join()).not.toContain('s3cret');
    await expect.poll(() => sockets.every((socket) => socket.closed)).toBe(true);
  });

  test('without a user, a proxy that needs one is named with what to do', async () => {
    const { address } = await proxyWith([reply(5, 255)]);
    const { error } = await failed(open(`socks5h://${address}`).opened);
    expect(error.message).toBe(`${words}the proxy at ${address}: it requires a user and password`);
    expect(error.hints).toEqual(["put them in the proxy's URL: globals.proxy=socks5h://USER:PASSWORD@HOST:PORT"]);
  });

  test.each([[[]], [[reply(5, 0)]], [[reply(5, 0), reply(5, 0, 0)]]])(
    'one limit covers every step: %j and then silence',
    async (replies) => {
      const { address, heard } = await proxyWith(replies, { stays: true });
      const clock = createVirtualClock();
      const { opened } = open(`socks5h://${address}`, { dialMs: 400, clock });
      await expect.poll(() => heard.length).toBe(Math.min(replies.length + 1, 2));
      expect(await failedAfter(clock, 400, opened)).toMatchObject({
        message: `${words}the proxy at ${address}: SOCKS5: the response timed out after 400ms (globals.dial_timeout=400ms)`,
        ...{ code: 'DIAL_TIMEOUT', exitCode: 5, retryable: true },
      });
    },
  );

  test('a command that ends gives the dial up', async () => {
    const { address, heard, sockets } = await proxyWith([], { stays: true });
    const { opened, deadline } = open(`socks5h://${address}`);
    await expect.poll(() => heard.length).toBe(1);
    const reason = new Error('interrupted');
    deadline.abort(reason);
    await expect(opened).rejects.toBe(reason);
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe('CONNECT', () => {
  test.each(['::1]:22 HTTP/1.1\r\nA: b\r\n\r\nPOST http://10.0.0.1/admin HTTP/1.1\r\nX: ', 'a b', 'a/b'])(
    'a host that is none is not sent to the proxy: %j',
    async (host) => {
      const { address, heard } = await proxyWith(['HTTP/1.1 200 OK\r\n\r\n'], { stays: true });
      const { opened } = open(`http://user:password@${address}`, { to: { host, port: 9092 } });
      expect((await failed(opened)).error).toMatchObject({ exitCode: 5, code: 'PROXY_FAILED' });
      expect(heard).toEqual([]);
    },
  );

  test('what follows the head belongs to the tunnel, and interim heads are passed over', async () => {
    const { address, heard } = await proxyWith(
      ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nVia: x\r\n\r\nhello'],
      {
        stays: true,
      },
    );
    const { opened, steps } = open(`http://us%40er:p%3Aw@${address}`);
    expect(await next(await opened)).toBe('hello');
    expect(String(heard[0])).toBe(
      `CONNECT kafka.example:9092 HTTP/1.1\r\nhost: kafka.example:9092\r\nproxy-authorization: Basic ${Buffer.from('us@er:p:w').toString('base64')}\r\n\r\n`,
    );
    expect(steps).toEqual(['proxy', 'TCP']);
  });

  test.each([
    ['a SOCKS proxy', reply(5, 255), 'PROXY: it answered with SOCKS5', false],
    [
      'a page',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<html>',
      'PROXY: it answered CONNECT with a web page: it is a web server, not a proxy',
      false,
    ],
    [
      'a megabyte of headers',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(2 ** 20)}\r\n\r\n`,
      'PROXY: the head of its response has more than 16384 bytes',
      false,
    ],
    ['a beginning of HTTP', 'HTTP/1.', 'PROXY: it closed the connection', true],
    ['an invalid status', 'HTTP/1.1 2000 OK\r\n\r\n', 'PROXY: the response is not HTTP', false],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', 'PROXY: the response is not HTTP', false],
    ['407', 'HTTP/1.1 407 Who\r\n\r\n', 'PROXY: it refused the user and password (407)', false],
    ['401', 'HTTP/1.1 401 Who\r\n\r\n', 'PROXY: it refused the user and password (401)', false],
    ['403', 'HTTP/1.1 403 No\r\n\r\n', 'TCP: PROXY answered: status 403', false],
    ['a redirect', 'HTTP/1.1 302 There\r\nlocation: http://x\r\n\r\n', 'TCP: PROXY answered: status 302', false],
    ['503', 'HTTP/1.1 503 Down\r\n\r\n', 'TCP: PROXY answered: status 503', true],
  ])('%s is an error that says which step failed, without the password', async (_, answer, why, retryable) => {
    const { address, sockets } = await proxyWith([answer]);
    const { opened, steps } = open(`http://user:s3cret@${address}`);
    const { error } = await failed(opened);
    expect(error).toMatchObject({ message: `${words}${why.replace('PROXY', `the proxy at ${address}`)}`, retryable });
    expect(steps.at(-1)).toBe(why.startsWith('TCP') ? 'TCP' : 'proxy');
    expect([...error.hints, String(error.cause)].join()).not.toContain('s3cret');
    await expect.poll(() => sockets.every((socket) => socket.closed)).toBe(true);
  });
});

test('an https proxy that does not answer the handshake is not taken for the broker', async () => {
  const { address, heard } = await proxyWith([], { stays: true });
  const clock = createVirtualClock();
  const { opened } = open(`https://${address}`, { dialMs: 400, clock });
  await expect.poll(() => heard.length).toBe(1);
  const { message, hints } = await failedAfter(clock, 400, opened);
  expect(message).toContain(`the proxy at ${address}: TLS: handshake timed out after 400ms`);
  expect(hints).toEqual([
    'check the scheme and the port of the proxy: it does not answer',
    'raise the limit with -X globals.dial_timeout=DURATION',
  ]);
});

test('an https proxy is verified, and gets nothing if no CA of this machine has signed its certificate', async () => {
  const authority = await makeAuthority('a CA', Date.now());
  const own = await issue(authority, { name: 'proxy', use: 'server', hosts: ['127.0.0.1'] }, Date.now());
  let heard = 0;
  const server = createTlsServer({ cert: own.cert, key: own.key }, (socket) => {
    socket
      .on('error', () => undefined)
      .on('data', () => {
        heard += 1;
      });
  });
  const address = `127.0.0.1:${await listening(server)}`;
  const { opened, steps } = open(`https://user:s3cret@${address}`);
  const { error } = await failed(opened);
  expect(error.message).toMatch(
    /: the proxy at 127\.0\.0\.1:\d+: TLS: the certificate of the proxy is signed by a CA that is not trusted$/,
  );
  expect(error).toMatchObject({
    code: 'PROXY_FAILED',
    retryable: false,
    hints: [expect.stringContaining('NODE_EXTRA_CA_CERTS')],
  });
  expect(steps).toEqual(['proxy']);
  expect(heard).toBe(0);
});

test('a proxy that cannot be connected to is named, and so is where the connection was to go', async () => {
  const { opened, steps } = open('socks5h://user:s3cret@127.0.0.1:1');
  const { error } = await failed(opened);
  expect(error).toMatchObject({
    message: `${words}the proxy at 127.0.0.1:1: TCP: connection refused`,
    ...{ code: 'PROXY_FAILED', exitCode: 5, retryable: true, target: 'globals.proxy' },
    hints: ['check the address (globals.proxy) and that a proxy is running there'],
  });
  expect(steps).toEqual(['proxy']);
});
