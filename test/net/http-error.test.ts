import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { HttpError, noAnswer } from '../../src/net/http-error.ts';
import { createExchange, type Head } from '../../src/net/http-exchange.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { client, failed, web } from './http-peers.ts';

test.each([
  ['answer', 'GET x timed out after 2s (globals.request_timeout_overhead=2s)'],
  ['rest of the answer', 'GET x: the response stalled for 2s (globals.request_timeout_overhead=2s)'],
] as const)('without the %s, the error names the limit and how to raise it', (part, message) => {
  expect(noAnswer('GET x', 2_000_000_000n, part)).toMatchObject({
    ...{ message, exitCode: 5, sent: true, code: 'REQUEST_TIMEOUT', retryable: true, target: 'GET x' },
    hints: ['raise the limit with -X globals.request_timeout_overhead=DURATION'],
  });
});

test('an error of a request can be retried unless it says otherwise', () => {
  expect(new HttpError('x', { sent: false })).toMatchObject({ sent: false, retryable: true, code: 'CONNECTION_LOST' });
  expect(new HttpError('x', { sent: true, retryable: false, code: 'C' })).toMatchObject({
    retryable: false,
    code: 'C',
  });
});

/** What a receiver gets from an exchange that is driven by hand. */
function exchangeOf() {
  const deadline = deadlineOf();
  const failures: Error[] = [];
  const heads: Head[] = [];
  const { handler, abort } = createExchange({
    ...{ what: 'GET x', deadline, limit: 'whole' },
    receiver: {
      head: (head) => void heads.push(head),
      data: () => undefined,
      end: () => undefined,
      fail: (error) => void failures.push(error),
    },
  });
  return { deadline, failures, heads, handler, abort };
}

const controller = { abort: () => undefined, pause: () => undefined, resume: () => undefined };

describe('a connection that is lost', () => {
  test.each([
    ['ECONNRESET', 'connection reset'],
    ['EPIPE', 'the server closed the connection'],
    ['UND_ERR_SOCKET', 'the server closed the connection'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the response was cut short'],
    ['HPE_INVALID_CONSTANT', 'the response is not HTTP'],
    ['OTHER', 'words'],
  ])('by %s says so', (code, reason) => {
    const cause = Object.assign(new Error('words'), { code });
    for (const sent of [true, false]) {
      const { handler, failures, deadline } = exchangeOf();
      if (sent) handler.onRequestStart(controller);
      handler.onResponseError(controller, cause);
      deadline.dispose();
      const message = sent ? `lost the connection during GET x: ${reason}` : `unable to send GET x: ${reason}`;
      expect(failures).toEqual([expect.objectContaining({ message, sent, target: 'GET x', cause })]);
    }
  });

  test('for a reason of weir has that reason', () => {
    const { handler, failures, deadline } = exchangeOf();
    const reason = new CliError(1, 'own');
    handler.onResponseError(controller, reason);
    deadline.dispose();
    expect(failures).toEqual([reason]);
  });

  test('before it began is aborted as soon as it begins', () => {
    const { handler, failures, abort, deadline } = exchangeOf();
    const aborted: Error[] = [];
    const error = new Error('stop');
    abort(error);
    handler.onRequestStart({ ...controller, abort: (reason) => void aborted.push(reason) });
    deadline.dispose();
    expect([failures, aborted]).toEqual([[error], [error]]);
  });
});

test('headers have names in lower case, and several values are joined', () => {
  const { handler, heads, deadline } = exchangeOf();
  handler.onResponseStart(controller, 200, { 'X-One': '1', 'Set-Cookie': ['a', 'b'], none: undefined });
  deadline.dispose();
  expect(heads).toEqual([{ status: 200, headers: { 'x-one': '1', 'set-cookie': 'a, b', none: '' } }]);
});

test('an answer that is too large names the request and the limit, and its trace has the error', async () => {
  const url = await web((_, response) => response.end(Buffer.alloc(3_000)));
  const events: unknown[] = [];
  const { http } = client({}, { trace: (event) => void events.push(event) });
  const { error } = await failed(http.request({ method: 'GET', url: `${url}/x`, maxBytes: 1_000 }));
  const message = `the response to GET ${url}/x is larger than 1000 bytes`;
  expect(error).toMatchObject({ message, sent: true });
  expect(events).toEqual([expect.objectContaining({ method: 'GET', url: `${url}/x`, status: 200, error: message })]);
});

test('the trace of a download has no query, which may be a signature', async () => {
  const url = await web((_, response) => response.end('abc'));
  const events: unknown[] = [];
  const { http } = client({}, { trace: (event) => void events.push(event) });
  const { chunks } = await http.stream({ method: 'GET', url: `${url}/x?signature=secret` });
  for await (const _ of chunks);
  expect(events).toEqual([expect.objectContaining({ url: `${url}/x`, receivedBytes: 3, sentBytes: 0 })]);
});

test.each([
  [{ http_proxy: 'PROXY', HTTP_PROXY: 'http://127.0.0.1:1' }, true],
  [{ HTTP_PROXY: 'PROXY' }, true],
  [{ http_proxy: 'PROXY', no_proxy: '127.0.0.1', NO_PROXY: '' }, false],
  [{ https_proxy: 'PROXY' }, false],
  [{}, false],
])('of the variables %j, the lower-case ones come first', async (given, isProxied) => {
  const proxy = await web((_, response) => response.end('proxy'));
  const target = await web((_, response) => response.end('target'));
  const proxyEnv = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replace('PROXY', proxy)]),
  );
  const { body } = await client({}, { proxy: { option: '', env: proxyEnv } }).http.request({
    method: 'GET',
    url: target,
  });
  expect(body.toString()).toBe(isProxied ? 'proxy' : 'target');
});

test('own headers come with that of the client, and a closed client sends nothing', async () => {
  const seen: unknown[] = [];
  const url = await web((request, response) => {
    seen.push([request.headers['user-agent'], request.headers.authorization]);
    response.end();
  });
  const { http, deadline } = client();
  await http.request({ method: 'GET', url, headers: { authorization: 'a' } });
  expect(seen).toEqual([['weir-test', 'a']]);
  const stop = new CliError(130, 'stop');
  deadline.abort(stop);
  expect((await failed(http.request({ method: 'GET', url }))).error).toBe(stop);
  expect(seen).toHaveLength(1);
  // Nor does it try again what its end has cut short, on its way or between two attempts.
  const open = client().http;
  const cut = await web(() => open.close());
  for (let times = 0; times < 2; times += 1)
    expect((await failed(open.request({ method: 'GET', url: cut }))).error).toMatchObject({ retryable: false });
});
