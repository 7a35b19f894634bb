import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CliError, exitCodes } from '../../src/errors.ts';
import { maxTimerMs } from '../../src/format/duration.ts';
import type { HttpTrace } from '../../src/net/http.ts';
import { HttpError, retryAfterMs } from '../../src/net/http-error.ts';
import { deadAddress } from '../services/dead-address.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';
import { client, failed, failedAfter, tcp, web } from './http-peers.ts';

/** A TCP server that reads and never answers; `heard` resolves when the first bytes of a connection have arrived. */
async function deaf() {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const { port, sockets } = await tcp((socket) => void socket.on('data', () => resolve()));
  return { port, sockets, heard };
}

describe('a request', () => {
  test('has its answer with status, headers and body, whatever the status', async () => {
    const url = await web((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(418, { 'X-One': '1' });
        response.end(`${request.method} ${request.url} ${request.headers['user-agent']} ${body}`);
      });
    });
    const { http } = client();
    const answer = await http.request({ method: 'POST', url: `${url}/a?b=c`, body: 'hello' });
    expect(answer.status).toBe(418);
    expect(answer.headers['x-one']).toBe('1');
    expect(answer.body.toString()).toBe('POST /a?b=c weir-test hello');
  });

  test('has the pieces of its answer in order', async () => {
    const url = await web((_, response) => {
      response.write('one ');
      response.write('two ');
      response.end('three');
    });
    const answer = await client().http.request({ method: 'GET', url });
    expect(answer.body.toString()).toBe('one two three');
  });

  test('follows no redirect', async () => {
    const url = await web((_, response) => response.writeHead(302, { location: '/other' }).end());
    const answer = await client().http.request({ method: 'GET', url });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/other' } });
  });

  test('that gets no answer ends after exactly the overhead, and was sent once', async () => {
    const { port, sockets, heard } = await deaf();
    const clock = createVirtualClock();
    const { http } = client({ overhead: 400 }, {}, clock);
    const url = `http://127.0.0.1:${port}/v1/clusters`;
    const work = http.request({ method: 'GET', url });
    await heard;
    const error = await failedAfter(clock, 400, work);
    expect(error.message).toBe(`GET ${url} timed out after 400ms (globals.request_timeout_overhead=400ms)`);
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', exitCode: exitCodes.unreachable, sent: true });
    expect(error.hints).toEqual(['raise the limit with -X globals.request_timeout_overhead=DURATION']);
    expect(sockets).toHaveLength(1);
  });

  test('whose answer begins and does not end has the same limit', async () => {
    const begun = Promise.withResolvers<void>();
    const url = await web((_, response) => {
      response.writeHead(200);
      response.write('begin', () => begun.resolve());
    });
    const clock = createVirtualClock();
    const work = client({ overhead: 300 }, {}, clock).http.request({ method: 'GET', url });
    await begun.promise;
    expect((await failedAfter(clock, 300, work)).code).toBe('REQUEST_TIMEOUT');
  });

  test('refused: the address, the step and what to do; it was not sent', async () => {
    await using dead = await deadAddress();
    const { port } = dead.address;
    const { error } = await failed(client().http.request({ method: 'POST', url: `http://127.0.0.1:${port}/x` }));
    expect(error.message).toBe(`unable to connect to the control plane at 127.0.0.1:${port}: TCP: connection refused`);
    expect(error).toMatchObject({ code: 'CONNECTION_REFUSED', sent: false, retryable: true, exitCode: 5 });
    expect(error.hints[0]).toContain('-X cloud.api_url=URL');
  });

  test('to a host that does not exist: DNS', async () => {
    const { error } = await failed(client().http.request({ method: 'GET', url: 'http://no-such-host.invalid/' }));
    expect(error.message).toContain('DNS: ');
    expect(error).toMatchObject({ code: 'DNS_FAILED', sent: false });
  });

  test('over TLS to a port that says nothing: the dial timeout, exactly, and the TLS step', async () => {
    const { port, sockets, heard } = await deaf();
    const clock = createVirtualClock();
    const work = client({ dial: 300 }, {}, clock).http.request({ method: 'GET', url: `https://127.0.0.1:${port}/` });
    await heard;
    const error = await failedAfter(clock, 300, work);
    expect(error.message).toBe(
      `unable to connect to the control plane at 127.0.0.1:${port}: TLS: handshake timed out after 300ms (globals.dial_timeout=300ms)`,
    );
    expect(error).toMatchObject({ code: 'DIAL_TIMEOUT', sent: false });
    expect(sockets).toHaveLength(1);
  });

  test('over TLS to a port that speaks plain HTTP: said so', async () => {
    const { port } = await tcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { error } = await failed(client().http.request({ method: 'GET', url: `https://127.0.0.1:${port}/` }));
    expect(error.message).toContain('TLS: the control plane does not speak TLS on this port');
    expect(error).toMatchObject({ code: 'TLS_FAILED', retryable: false });
  });

  test.each([
    ['cut before the answer', (socket: Socket) => void socket.once('data', () => socket.destroy())],
    [
      'cut in the middle of the answer',
      (socket: Socket) =>
        void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')),
    ],
    ['that is no HTTP', (socket: Socket) => void socket.once('data', () => socket.end('SSH-2.0-x\r\n'))],
  ])('on a connection %s: lost, and it was sent', async (_, script) => {
    const { port, sockets } = await tcp(script);
    const { error } = await failed(client().http.request({ method: 'POST', url: `http://127.0.0.1:${port}/x` }));
    expect(error).toBeInstanceOf(HttpError);
    expect(error.message).toMatch(/^lost the connection during POST http:\/\/127/);
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', sent: true, exitCode: 5 });
    expect(sockets).toHaveLength(1);
  });

  test('with an answer of exactly the largest size succeeds, and one more byte ends it', async () => {
    const url = await web((request, response) => response.end(Buffer.alloc(Number(request.url?.slice(1)))));
    const { http } = client();
    const ask = (bytes: number) => http.request({ method: 'GET', url: `${url}/${bytes}`, maxBytes: 1_000 });
    expect((await ask(1_000)).body).toHaveLength(1_000);
    expect((await failed(ask(1_001))).error).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  });

  test('with an answer that is too large ends', async () => {
    const url = await web((_, response) => response.end(Buffer.alloc(300_000)));
    const { error } = await failed(client().http.request({ method: 'GET', url, maxBytes: 1_000 }));
    expect(error).toMatchObject({ code: 'ANSWER_TOO_LARGE', retryable: false });
  });

  test.each([
    ['waits', 'http'],
    ['dials', 'https'],
  ])('ends at once when the command is aborted while it %s', async (_, scheme) => {
    const { port, heard } = await deaf();
    const { http, deadline } = client();
    const stop = new CliError(130, 'stop');
    const work = failed(http.request({ method: 'GET', url: `${scheme}://127.0.0.1:${port}/` }));
    await heard;
    deadline.abort(stop);
    expect((await work).error).toBe(stop);
  });

  test('the command timeout says what was awaited', async () => {
    const { port, heard } = await deaf();
    const clock = createVirtualClock();
    const { http } = client({ command: 200 }, {}, clock);
    const work = http.request({ method: 'GET', url: `http://127.0.0.1:${port}/x` });
    await heard;
    const error = await failedAfter(clock, 200, work);
    expect(error.message).toContain(`waiting for the response to GET http://127.0.0.1:${port}/x`);
  });

  test('is traced without headers and bodies', async () => {
    const url = await web((_, response) => response.end('secret-answer'));
    const events: HttpTrace[] = [];
    const { http } = client({}, { trace: (event) => void events.push(event) });
    const headers = { authorization: 'Bearer secret-token' };
    await http.request({ method: 'POST', url: `${url}/v1/x?page_size=2`, headers, body: 'secret-body' });
    expect(events).toEqual([
      {
        api: 'cloud',
        method: 'POST',
        url: `${url}/v1/x?page_size=2`,
        status: 200,
        milliseconds: expect.any(Number),
        sentBytes: 11,
        receivedBytes: 13,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });
});

test.each([
  [undefined, undefined],
  ['7', 7_000],
  ['0', 0],
  [' 12 ', 12_000],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['0.2', 200],
  ['9'.repeat(400), maxTimerMs],
  ['Fri, 31 Dec 9999 00:00:00 GMT', maxTimerMs],
  ['soon', undefined],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(retryAfterMs(header, Date.parse('2026-11-21T10:00:00Z'))).toBe(expected);
});
