import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressOf, isForwarded } from '../../src/net/http-proxy.ts';
import { apiError, foreignAnswer } from '../../src/net/json-api/error.ts';
import { type ProxySettings, proxiesOf } from '../../src/net/proxies.ts';
import type { TlsOptions } from '../../src/net/tls.ts';
import { type Certificate, issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { startTinyproxy } from '../services/proxies.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';
import { client, failed, failedAfter, listening, tcp, web } from './http-peers.ts';

const envOf = (env: ProxySettings['env']): ProxySettings => ({ option: '', env });

const request = { method: 'GET', url: 'https://api.example/v1' } as const;

/** A proxy that reads, and answers the first bytes of each connection with a text; `heard` has what came then. */
async function proxyOf(answer: string) {
  const heard = Promise.withResolvers<Buffer>();
  const { port, sockets } = await tcp((socket) => {
    socket.once('data', (first) => {
      if (answer === '') return heard.resolve(first);
      socket.once('data', heard.resolve);
      socket.write(answer);
    });
  });
  return { address: `127.0.0.1:${port}`, sockets, heard: heard.promise };
}

test('a proxy that never answers CONNECT is given up after exactly the dial timeout', async () => {
  const { address, heard } = await proxyOf('');
  const clock = createVirtualClock();
  const { http } = client({ dial: 400 }, { proxy: envOf({ https_proxy: `http://${address}` }) }, clock);
  const work = http.request(request);
  work.catch(() => undefined);
  expect((await heard).toString()).toMatch(/^CONNECT api\.example:443 /);
  expect(await failedAfter(clock, 400, work)).toMatchObject({
    message: `unable to connect to the control plane at api.example:443: the proxy at ${address}: CONNECT: the response timed out after 400ms (globals.dial_timeout=400ms)`,
    ...{ exitCode: 5, code: 'DIAL_TIMEOUT', sent: false, retryable: true },
  });
});

test('one limit covers CONNECT and the TLS handshake through the tunnel', async () => {
  const { address, heard, sockets } = await proxyOf('');
  const clock = createVirtualClock();
  const { http } = client({ dial: 400 }, { proxy: envOf({ https_proxy: `http://${address}` }) }, clock);
  const work = http.request(request);
  work.catch(() => undefined);
  await heard;
  await clock.runFor(300);
  const handshake = new Promise((resolve) => sockets[0]?.once('data', resolve));
  sockets[0]?.write('HTTP/1.1 200 OK\r\n\r\n');
  await handshake;
  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
  expect(await failedAfter(clock, 100, work)).toMatchObject({
    message: expect.stringContaining('unable to connect to the control plane at api.example:443: TLS: handshake timed'),
    ...{ exitCode: 5, code: 'DIAL_TIMEOUT', sent: false, retryable: true },
  });
  await closed;
});

test.each([
  [
    'HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n',
    /^unable to connect to the control plane at api.example:443: the proxy at .*: it refused the user and password \(407\)$/,
    false,
  ],
  ['HTTP/1.1 403 No\r\n\r\n', /: TCP: the proxy at .* answered: status 403$/, false],
  ['HTTP/1.1 503 No\r\n\r\n', /: TCP: the proxy at .* answered: status 503$/, true],
  ['SSH-2.0-x\r\n', /: the proxy at .*: the response is not HTTP$/, false],
])('a proxy that answers CONNECT with %j opens no tunnel', async (answer, message, retryable) => {
  const { address, sockets } = await proxyOf(answer);
  const { http } = client({}, { proxy: envOf({ https_proxy: `http://user:s3cret@${address}` }) });
  const { error } = await failed(http.request(request));
  expect(error).toMatchObject({
    exitCode: 5,
    code: expect.stringMatching(/^PROXY_(FAILED|REFUSED)$/),
    sent: false,
    retryable,
  });
  expect(error.message).toMatch(message);
  expect([error.message, ...error.hints].join()).not.toContain('s3cret');
  await vi.waitFor(() => expect(sockets.every((socket) => socket.destroyed)).toBe(true));
});

describe('TLS through a proxy', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const tls = (files: Partial<TlsOptions>): TlsOptions => ({
    ...{
      ca: undefined,
      cert: undefined,
      key: undefined,
      insecureSkipVerify: false,
      keyPrefix: 'registry.tls',
      ...files,
    },
  });
  let server: Certificate;
  let authority: Certificate;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-proxy-'));
    const now = Date.now();
    authority = await makeAuthority('test CA', now);
    server = await issue(authority, { name: 'server', use: 'server', hosts: ['api.example'] }, now);
    const client = await issue(authority, { name: 'client', use: 'client' }, now);
    const other = await makeAuthority('another CA', now);
    const texts = { 'ca.pem': authority.cert, 'other.pem': other.cert, 'cert.pem': client.cert, 'key.pem': client.key };
    for (const [name, text] of Object.entries(texts)) await writeFile(file(name), text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A proxy that connects every CONNECT to a web server that names the client's certificate. */
  async function tunnelling(): Promise<{ readonly address: string; readonly heads: string[] }> {
    const options = {
      cert: server.cert,
      key: server.key,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const target = createHttps(options, (incoming, response) => {
      const peer = (incoming.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ host: incoming.headers.host, client: peer.subject?.CN ?? 'none' }));
    });
    const port = await listening(target);
    const heads: string[] = [];
    const proxy = await tcp((socket) => {
      socket.once('data', (head) => {
        heads.push(head.toString());
        const far = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        far.on('error', () => socket.destroy());
        socket.pipe(far).pipe(socket);
      });
    });
    return { address: `127.0.0.1:${proxy.port}`, heads };
  }
  const get = async (options: TlsOptions | undefined) => {
    const { address, heads } = await tunnelling();
    const { http } = client({}, { tls: options, proxy: envOf({ https_proxy: `http://us%40er:p%3Aw@${address}` }) });
    return { answer: http.request({ ...request, headers: { authorization: 'Basic s3cret' } }), heads };
  };

  test('trusts the configured CA and shows the client certificate; only the proxy gets its password', async () => {
    const { answer, heads } = await get(tls({ ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') }));
    expect(JSON.parse((await answer).body.toString())).toEqual({ host: 'api.example', client: 'client' });
    expect(heads).toEqual([
      `CONNECT api.example:443 HTTP/1.1\r\nhost: api.example:443\r\nproxy-authorization: Basic ${Buffer.from('us@er:p:w').toString('base64')}\r\n\r\n`,
    ]);
  });

  test('is not verified only if the API says so', async () => {
    const { answer } = await get(tls({ insecureSkipVerify: true }));
    expect(JSON.parse((await answer).body.toString())).toMatchObject({ client: 'none' });
  });

  test.each([
    ['another CA', { ca: 'other.pem' }],
    ['the roots of the system', {}],
  ])('a server that %s did not sign gets no request, whatever Node.js is told', async (_, files) => {
    const paths = Object.fromEntries(Object.entries(files).map(([key, name]) => [key, file(name)]));
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const { error } = await failed((await get(tls(paths))).answer);
      expect(error).toMatchObject({
        message:
          'unable to connect to the control plane at api.example:443: TLS: the certificate of the control plane is signed by a CA that is not trusted',
        ...{ code: 'TLS_FAILED', exitCode: 5, sent: false, retryable: false },
        hints: ['specify the CA that signed it: -X registry.tls.ca=FILE'],
      });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});

test('a proxy that reads the request gets its whole URL, and its demand for a password is not the answer', async () => {
  const proxy = await web((incoming, response) => {
    if (incoming.headers['proxy-authorization'] === undefined) response.writeHead(407).end('who are you?');
    else response.end(JSON.stringify([incoming.url, incoming.headers.host]));
  });
  const get = (http_proxy: string) =>
    client({}, { proxy: envOf({ http_proxy }) }).http.request({
      method: 'GET',
      url: 'http://api.example:8081/subjects?a=b',
    });
  const answer = await get(proxy.replace('//', '//user:s3cret@'));
  expect(JSON.parse(answer.body.toString())).toEqual(['http://api.example:8081/subjects?a=b', 'api.example:8081']);
  const { error } = await failed(get(proxy));
  expect(error).toMatchObject({ code: 'PROXY_FAILED', exitCode: 5, retryable: false, target: 'http_proxy' });
  expect(error.message).toContain('it requires a user and password (407)');
});

test.each(['http', 'https', 'socks5', 'socks5h'] as const)(
  'of what is not encrypted, a proxy reads all with http and https: %s',
  (scheme) => {
    const proxy = { scheme, host: 'h', port: 1, user: undefined, password: '', from: 'http_proxy' };
    expect(isForwarded({ protocol: 'http:' }, proxy)).toBe(scheme.startsWith('http'));
    expect(isForwarded({ protocol: 'https:' }, proxy)).toBe(false);
  },
);

const toNowhere = (http_proxy: string) =>
  client({}, { proxy: envOf({ http_proxy }) }).http.request({ method: 'GET', url: 'http://api.example:8081/a' });

// As Squid 5.7 answers.
test.each([
  ['squid/5.7', 503, 'ERR_CONNECT_FAIL 111', true],
  ['squid/5.7', 503, 'ERR_DNS_FAIL 0', true],
  ['squid/5.7', 403, 'ERR_ACCESS_DENIED 0', false],
])('a proxy (%s) that answers %d with %s has not sent the request', async (server, status, error, retryable) => {
  const proxy = await web((_, response) =>
    response.writeHead(status, { server, 'x-squid-error': error }).end('<html>'),
  );
  expect((await failed(toNowhere(proxy))).error).toMatchObject({
    message: `unable to connect to the control plane at api.example:8081: TCP: the proxy at ${proxy.slice('http://'.length)} answered: status ${status}`,
    ...{ code: 'PROXY_REFUSED', exitCode: 5, sent: false, retryable },
    hints: [
      'check the address (-X cloud.api_url=URL), and that the proxy can reach it',
      'or name the host in no_proxy if it needs no proxy',
    ],
  });
});

test.each([
  ['squid/5.7', 502, 'ERR_READ_ERROR 104'],
  ['gunicorn', 503, undefined],
])('an answer of %s with %d and %s may be that of the API', async (server, status, error) => {
  const proxy = await web((_, response) =>
    response.writeHead(status, { server, via: '1.1 sq (squid/5.7)', ...(error && { 'x-squid-error': error }) }).end(),
  );
  const forwardedBy = `the proxy at ${proxy.slice('http://'.length)} (http_proxy)`;
  const answer = await toNowhere(proxy);
  expect(answer).toMatchObject({ status, forwardedBy });
  const problem = { text: 'x', numbers: '', code: '', hints: ['first'], passes: true };
  const hint = `check ${forwardedBy} too: it read the request, and may have answered instead of the server`;
  expect(apiError('x', 'x', answer, problem).hints).toEqual(['first', hint]);
  expect(foreignAnswer('x', 'x', answer, { verdict: '', code: '', hints: [] }).hints).toEqual([hint]);
  expect(apiError('x', 'x', { ...answer, status: 500 }, problem).hints).toEqual(['first']);
  expect(apiError('x', 'x', { ...answer, forwardedBy: undefined }, problem).hints).toEqual(['first']);
});

test('tinyproxy that cannot connect is told from an API that answers an error', async () => {
  await using proxy = await startTinyproxy();
  const url = await web((_, response) => response.writeHead(500, { server: 'api' }).end());
  const get = (to: string) =>
    client({}, { proxy: envOf({ http_proxy: `http://user:pass-w0rd@${proxy.address}` }) }).http.request({
      method: 'GET',
      url: to,
    });
  expect(await get(url)).toMatchObject({ status: 500, forwardedBy: `the proxy at ${proxy.address} (http_proxy)` });
  const { error } = await failed(get('http://127.0.0.1:1/'));
  expect(error).toMatchObject({ code: 'PROXY_REFUSED', sent: false });
  expect(error.message).toContain(`the proxy at ${proxy.address} answered: status 500`);
});

test.each([
  ['*', 'http://a.example/', true],
  ['a.example', 'http://a.example/', true],
  ['a.example', 'http://A.example./', true],
  ['.a.example', 'http://a.example/', true],
  ['a.example', 'http://b.a.example/', true],
  ['a.example', 'http://ba.example/', false],
  ['*.a.example', 'http://b.a.example/', true],
  ['*.a.example', 'http://a.example/', false],
  ['other, a.example:8080', 'http://a.example:8080/', true],
  ['a.example:8080', 'http://a.example/', false],
  ['a.example:80', 'http://a.example/', true],
  ['a.example:443', 'https://a.example/', true],
  ['127.0.0.1', 'http://127.0.0.1:8081/', true],
  ['::1', 'http://[::1]:8081/', true],
  ['[::1]:8081', 'http://[::1]:8081/', true],
  ['[::1]:8082', 'http://[::1]:8081/', false],
  ['', 'http://a.example/', false],
])('no_proxy=%s exempts %s: %s', (no_proxy, url, isExempt) => {
  const proxies = proxiesOf(envOf({ http_proxy: 'http://h:1', no_proxy }));
  expect(proxies?.isExempt(addressOf(new URL(url)))).toBe(isExempt);
});

test.each([
  ['corp.example', '2001:db8::1%x.corp.example', false],
  ['[fe80::1%eth0]:80', 'fe80::1%eth0', true],
])('no_proxy=%s exempts %s, whose zone is not a name: %s', (no_proxy, host, isExempt) => {
  const proxies = proxiesOf(envOf({ http_proxy: 'http://h:1', no_proxy }));
  expect(proxies?.isExempt({ host, port: 80 })).toBe(isExempt);
});

test('a proxy without a scheme is an HTTP proxy', async () => {
  const proxy = await web((_, response) => response.end('from the proxy'));
  const target = await web((_, response) => response.end('from the target'));
  const { http } = client({}, { proxy: envOf({ http_proxy: proxy.replace('http://', '') }) });
  expect((await http.request({ method: 'GET', url: target })).body.toString()).toBe('from the proxy');
  const { address, heard } = await proxyOf('');
  const tunnel = client({}, { proxy: envOf({ https_proxy: `user:pw@${address}` }) }).http.request(request);
  tunnel.catch(() => undefined);
  expect((await heard).toString()).toMatch(/^CONNECT api\.example:443 /);
});

const cannotUse = (scheme: string) => `weir cannot use a ${scheme} proxy, only socks5h, socks5, http and https`;

test.each([
  ['socks4://user:s3cret@h:1', cannotUse('socks4')],
  ['ftp://h', cannotUse('ftp')],
  ['http://user:s3cret@h:99999', 'it is not a valid URL'],
  ['user:s3cret@', 'it is not a valid URL'],
  ['http://user:s3cret%zz@h:1', 'it is not a valid URL (write % as %25)'],
])('the proxy %j is an error for the requests that need it, without its password', async (proxy, why) => {
  const url = await web((_, response) => response.end('direct'));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const { http } = client({}, { proxy: envOf({ [name]: proxy, no_proxy: '127.0.0.1' }) });
    const far = `${name.toLowerCase().replace('_proxy', '')}://api.example/`;
    const { error } = await failed(http.request({ method: 'GET', url: far }));
    expect(error).toMatchObject({
      exitCode: 2,
      code: 'CONFIG_INVALID',
      target: name,
      message: `invalid ${name}: ${why}`,
    });
    expect(error.hints.join()).not.toContain('s3cret');
    expect((await http.request({ method: 'GET', url })).body.toString()).toBe('direct');
  }
});
