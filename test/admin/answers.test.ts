import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/net/json-api/error.ts';
import { failed } from '../net/http-peers.ts';
import { adminOf, change, type NodeAnswer, type NodeCall, refusal, startNode } from './admin-of.ts';

/** What the server says to a change. */
async function refused(answer: NodeAnswer) {
  const node = await startNode(() => answer);
  const { api } = adminOf([node.url], { limits: { retry: 0 } });
  const { error } = await failed(api.call({ ...change, repeats: true }));
  return { error, line: `POST ${node.url}/v1/change` };
}

describe('an error answer', () => {
  test.each([
    [400, 'INVALID_REQUEST', 1],
    [401, 'UNAUTHENTICATED', 4],
    [403, 'PERMISSION_DENIED', 4],
    [404, 'NOT_FOUND', 3],
    [409, 'CONFLICT', 6],
    [410, 'EXPIRED', 1],
    [422, 'INVALID_REQUEST', 1],
    [500, 'SERVER_ERROR', 1],
    [501, 'HTTP_501', 1],
  ])('%i is %s with exit code %i, at once and with the words of the server', async (status, code, exitCode) => {
    const node = await startNode(() => refusal(status, "the server's\n  words"));
    const { admin, sleeps } = adminOf([node.url]);
    const { error } = await failed(admin.health());
    const what = `GET ${node.url}/v1/cluster/health_overview`;
    expect(error.message).toBe(`unable to read the health: the server's words (${what}: ${status})`);
    expect(error).toMatchObject({ code, exitCode, status, number: null, retryable: false, target: what });
    expect([node.calls.length, sleeps]).toEqual([1, []]);
  });

  test.each([
    [500, 'Unexpected cluster error: Requested feature is disabled', 'CONFLICT', 6],
    [503, 'Service unavailable (Partition configuration update in progress)', 'CONFLICT', 6],
    [500, 'Unexpected cluster error: Topic disabled by user', 'CONFLICT', 6],
    [500, 'Unexpected cluster error: Partition disabled by user', 'CONFLICT', 6],
    [500, 'Unexpected cluster error: Requested partition does not exists', 'NOT_FOUND', 3],
  ])(
    '%i with the words %s states what is so: %s with exit code %i, without a doubt',
    async (status, words, code, exitCode) => {
      const node = await startNode(() => refusal(status, words));
      const { error } = await failed(adminOf([node.url]).api.call({ ...change, repeats: true }));
      expect(error).toMatchObject({ code, exitCode, retryable: false, hints: [] });
      expect(node.calls).toHaveLength(1);
    },
  );

  test.each([
    [429, 'THROTTLED'],
    [502, 'HTTP_502'],
    [503, 'UNAVAILABLE'],
    [504, 'SERVER_TIMEOUT'],
  ])('%i is %s with exit code 5 if it does not pass', async (status, code) => {
    const { error } = await refused(refusal(status, 'busy'));
    expect(error).toMatchObject({ code, exitCode: 5 });
  });

  test.each([429, 502, 503, 504])('%i passes: the request is repeated', async (status) => {
    const node = await startNode(({ before }) => (before < 2 ? refusal(status, 'busy') : [200, []]));
    const { admin, sleeps } = adminOf([node.url]);
    expect(await admin.maintenance()).toEqual([]);
    expect(sleeps).toEqual([250, 500]);
  });

  test.each([429, 503])('%i with Retry-After is repeated after that pause, if the limit allows it', async (status) => {
    const node = await startNode(({ before }) =>
      before === 0 ? [status, { message: 'busy', code: status }, { 'retry-after': '7' }] : [200, []],
    );
    const patient = adminOf([node.url]);
    await patient.admin.maintenance();
    expect(patient.sleeps.reduce((sum, ms) => sum + ms)).toBe(7_000);
    const asks = await startNode(() => [status, '', { 'retry-after': '7' }]);
    const { admin, sleeps } = adminOf([asks.url], { limits: { retry: 2_000 } });
    const { error } = await failed(admin.maintenance());
    expect(error.message).toMatch(/: the Admin API (has too many requests|gave no reason) \(GET /);
    expect(error.message).toContain('(the server asks to wait 7s, longer than globals.retry_timeout=2s allows)');
    expect(error.exitCode).toBe(5);
    expect(sleeps).toEqual([]);
  });

  test.each([
    [
      401,
      'the Admin API requires valid credentials',
      'set the credentials with -X user=TEXT and WEIR_PASS, or in the profile; own ones of the Admin API are admin.user and admin.pass',
    ],
    [403, 'the user is not authorized', 'set the credentials of a superuser with -X user=TEXT and WEIR_PASS'],
  ])('%i without words says what is missing', async (status, words, hint) => {
    const { error, line } = await refused([status]);
    expect(error.message).toBe(`unable to make the change: ${words} (${line}: ${status})`);
    expect(error.hints).toEqual([hint]);
  });

  const user = { user: 'ana', pass: 'secret' };

  test.each([
    [403, 'no', 'the user of -X user=TEXT must be a superuser (cluster property superusers)', user],
    [
      400,
      'Unsupported Authorization method',
      'weir uses basic authentication: add BASIC to the cluster property http_authentication',
      user,
    ],
    [
      400,
      'Unsupported Authorization method',
      'add OIDC to the cluster property http_authentication, or sign in there with admin.user and admin.pass',
      { token: 'secret', option: 'oauth.token' },
    ],
  ])('%i to credentials says what they or the cluster lack', async (status, message, hint, credentials) => {
    const node = await startNode(() => refusal(status, message));
    const { admin } = adminOf([node.url], { credentials });
    const { error } = await failed(admin.maintenance());
    expect(error.hints).toEqual([hint]);
  });

  test('of roles is read from the JSON in its message', async () => {
    const inner = JSON.stringify({ message: 'Role already\nexists', code: 40901 });
    const { error, line } = await refused([409, { message: inner, code: 409 }]);
    expect(error.message).toBe(`unable to make the change: Role already exists (${line}: 409, code 40901)`);
    expect(error).toMatchObject({ exitCode: 6, number: 40901 });
  });

  test.each(['{"message": ', '{"code":5}', '"text"', '[]', 'null'])(
    'with the message %s shows it as it is',
    async (message) => {
      const { error, line } = await refused(refusal(404, message));
      expect(error.message).toContain(`unable to make the change: ${message.trim()} (${line}: 404`);
    },
  );

  test('has the number that the API gives besides the status, if it is one', async () => {
    expect((await refused([409, { message: 'running', code: 1 }])).error).toMatchObject({ number: 1 });
    for (const code of [1.5, '1', null, 409]) {
      expect((await refused([409, { message: 'running', code }])).error).toMatchObject({ number: null });
    }
  });

  test.each([
    ['as the body', (reasons: object) => reasons],
    ['in a message', (reasons: object) => ({ message: JSON.stringify(reasons), code: 400 })],
  ])('about the configuration has a reason for each property, %s', async (_, framed) => {
    const { error, line } = await refused([400, framed({ log_x: 'unknown\nproperty', retention: 'expected integer' })]);
    expect(error.message).toBe(
      `unable to make the change: log_x: unknown property; retention: expected integer (${line}: 400)`,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).reasons).toEqual(
      new Map([
        ['log_x', 'unknown property'],
        ['retention', 'expected integer'],
      ]),
    );
  });

  test('about hundreds of properties names some of them in its message', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `p${at}`);
    const { error } = await refused([400, Object.fromEntries(names.map((name) => [name, 'bad']))]);
    expect(error.message).toMatch(/: p0: bad; .*; p19: bad; and 280 more \(POST /);
    expect((error as ApiError).reasons.size).toBe(300);
  });

  test.each([[{}], [{ a: 1 }], [{ a: 'b', c: 1 }], [[]], ['text']])('400 with %j has no reasons', async (body) => {
    const { error } = await refused([400, body]);
    expect((error as ApiError).reasons?.size ?? 0).toBe(0);
  });

  test('with endless words is cut', async () => {
    const { error } = await refused(refusal(500, 'x'.repeat(1_000_000)));
    expect(error.message.length).toBeLessThan(1_200);
  });

  test('of a gateway shows its text if it is plain', async () => {
    const { error } = await refused([403, 'RBAC: access denied']);
    expect(error.message).toContain('unable to make the change: RBAC: access denied (');
    expect(error.exitCode).toBe(4);
  });
});

const html = { 'content-type': 'text/html; charset=utf-8' };

describe('what no Admin API answers', () => {
  test.each([
    [[200, '<html>', html], '200 with an HTML page'],
    [[404, '<html>', html], '404 with an HTML page'],
    [[200, 'hello'], '200 with an answer that is not JSON'],
    [[404], '404 with an empty answer'],
    [[404, { detail: 'no such path' }], '404 with JSON without an error code'],
    [[302, 'moved', { location: 'https://login.example/' }], '302 with an answer that is not JSON'],
    [[302, undefined, { location: 'https://ana:secret@login.example/?token=secret' }], '302 with an empty answer'],
  ] as const)('%j is said to be that', async (answer, words) => {
    const node = await startNode(() => answer);
    const { admin } = adminOf([node.url]);
    const { error } = await failed(admin.maintenance());
    const place = answer[0] === 302 ? ' (it redirects to https://login.example/)' : '';
    expect(error.message).toBe(
      `unable to read the brokers: GET ${node.url}/v1/brokers returned ${words}, not an answer of an Admin API${place}`,
    );
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
    expect(error.hints[0]).toContain('admin.hosts');
    expect(node.calls).toHaveLength(1);
  });

  test.each([502, 503])(
    'an HTML page with the status %i is a gateway whose server is away: repeated',
    async (status) => {
      const node = await startNode(({ before }) => (before === 0 ? [status, '<html>', html] : [200, []]));
      const { admin } = adminOf([node.url]);
      expect(await admin.maintenance()).toEqual([]);
    },
  );
});

describe('a broken answer', () => {
  test.each([
    ['cut before the answer', ({ socket }: NodeCall) => void socket.destroy()],
    [
      'cut in the answer',
      ({ socket }: NodeCall) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{'),
    ],
    [
      'cut between chunks',
      ({ socket }: NodeCall) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n'),
    ],
    ['no HTTP', ({ socket }: NodeCall) => void socket.end('hello\r\n\r\n')],
  ])('%s: a read is repeated', async (_, cut) => {
    const node = await startNode((call) => (call.before === 0 ? void cut(call) : [200, []]));
    const { admin } = adminOf([node.url]);
    expect(await admin.maintenance()).toEqual([]);
    expect(node.calls).toHaveLength(2);
  });

  test('a server that closes the connection may be none: the error says what to check, unless it has answered before', async () => {
    const cut = ({ socket }: NodeCall) => void socket.destroy();
    const none = await startNode(cut);
    const { error } = await failed(adminOf([none.url], { limits: { retry: 0 } }).admin.maintenance());
    expect(error).toMatchObject({ exitCode: 5, target: `GET ${none.url}/v1/brokers` });
    const hint = 'check that admin.hosts is the address of an Admin API (port 9644 unless it was changed)';
    expect(error.hints).toContain(hint);
    const node = await startNode((call) => (call.before === 0 ? [200, []] : cut(call)));
    const { admin } = adminOf([node.url], { limits: { retry: 0 } });
    expect(await admin.maintenance()).toEqual([]);
    expect((await failed(admin.maintenance())).error.hints).not.toContain(hint);
  });

  test('that never comes ends with the request timeout, and the next address is asked', async () => {
    const slow = await startNode(() => undefined);
    const alone = adminOf([slow.url], { limits: { overhead: 50, retry: 0 } });
    const { error } = await failed(alone.admin.maintenance());
    expect(error).toMatchObject({ exitCode: 5, code: 'REQUEST_TIMEOUT' });
    expect(error.message).toBe(
      `GET ${slow.url}/v1/brokers timed out after 50ms (globals.request_timeout_overhead=50ms)`,
    );
    const other = await startNode(() => [200, []]);
    const { admin } = adminOf([slow.url, other.url], { limits: { overhead: 1_000 } });
    expect(await admin.maintenance()).toEqual([]);
    expect([slow.calls.length, other.calls.length]).toEqual([2, 1]);
  });
});
