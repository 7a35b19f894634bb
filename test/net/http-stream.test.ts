import { writeFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { atEndOfTest } from '../at-end.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';
import { temporaryDirectory } from '../world.ts';
import { client, failed, failedAfter, listening, web } from './http-peers.ts';

describe('proxies', () => {
  test('one that is not there is named as such, for http and https', async () => {
    for (const scheme of ['http', 'https']) {
      const proxyEnv = { http_proxy: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' };
      const { error } = await failed(
        client({}, { proxy: { option: '', env: proxyEnv } }).http.request({
          method: 'GET',
          url: `${scheme}://a.example/`,
        }),
      );
      expect(error).toMatchObject({ exitCode: 5, sent: false, retryable: true });
      expect(error.message).toMatch(/127\.0\.0\.1:1/);
    }
  });

  test('N1: an http_proxy is used, unless no_proxy names the host', async () => {
    const seen: string[] = [];
    const proxy = await web((request, response) => {
      seen.push(String(request.url));
      response.end('from the proxy');
    });
    const target = await web((_, response) => response.end('from the target'));
    const through = client({}, { proxy: { option: '', env: { http_proxy: proxy } } });
    expect((await through.http.request({ method: 'GET', url: `${target}/a` })).body.toString()).toBe('from the proxy');
    expect(seen).toEqual([`${target}/a`]);
    const around = client({}, { proxy: { option: '', env: { HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' } } });
    expect((await around.http.request({ method: 'GET', url: `${target}/a` })).body.toString()).toBe('from the target');
  });
});

describe('TLS', () => {
  test('a certificate of an unknown CA is refused with what to do, and accepted when the CA is given', async () => {
    const authority = await makeAuthority('test CA', Date.now());
    const own = await issue(authority, { name: 'control plane', use: 'server', hosts: ['127.0.0.1'] }, Date.now());
    const server = createHttps({ cert: own.cert, key: own.key }, (_, response) => response.end('hello'));
    atEndOfTest(() => server.closeAllConnections());
    const url = `https://127.0.0.1:${await listening(server)}/`;
    const { error } = await failed(client().http.request({ method: 'GET', url }));
    expect(error.message).toMatch(/TLS: the certificate of the control plane is signed by a CA that is not trusted$/);
    expect(error).toMatchObject({ code: 'TLS_FAILED', sent: false, retryable: false });
    expect(error.hints).toEqual(['trust the CA that signed it: NODE_EXTRA_CA_CERTS=FILE']);

    const ca = join(temporaryDirectory(), 'ca.pem');
    writeFileSync(ca, authority.cert);
    const tls = { ca, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'registry.tls' };
    const answer = await client({}, { api: 'registry', tls }).http.request({ method: 'GET', url });
    expect(answer.body.toString()).toBe('hello');
    const named = { ...tls, serverName: 'registry.example' };
    const { error: otherName } = await failed(client({}, { tls: named }).http.request({ method: 'GET', url }));
    expect(otherName.message).toMatch(/is valid for 127\.0\.0\.1, not for registry\.example$/);
    expect(otherName.hints.join()).toContain('-X registry.tls.server_name=NAME');
    const other = await makeAuthority('another CA', Date.now());
    writeFileSync(ca, other.cert);
    const wrong = await failed(client({}, { api: 'registry', tls }).http.request({ method: 'GET', url }));
    expect(wrong.error.hints[0]).toContain('-X registry.tls.ca=FILE');
  });
});

describe('a stream', () => {
  test('comes piece by piece, and a slow reader holds the server back', async () => {
    let sent = 0;
    const url = await web((_, response) => {
      const write = (): void => {
        while (sent < 64 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const clock = createVirtualClock();
    const { http } = client({ overhead: 500, command: 3_600_000 }, {}, clock);
    const { status, chunks } = await http.stream({ method: 'GET', url });
    expect(status).toBe(200);
    let read = 0;
    for await (const chunk of chunks) {
      if (read === 0) {
        // The server stops when nobody reads, for longer than the limit: the two kernels hold what it has sent.
        let before = -1;
        const stopped = (): boolean => {
          const isSame = sent === before;
          before = sent;
          return isSame;
        };
        await expect.poll(stopped, { interval: 600 }).toBe(true);
        await clock.runFor(60_000);
        expect(sent).toBeLessThan(32 * 1024 * 1024);
      }
      read += chunk.length;
    }
    expect(read).toBe(64 * 1024 * 1024);
  });

  test('that stalls ends after the overhead since the last piece', async () => {
    const next = Promise.withResolvers<void>();
    const url = await web((_, response) => {
      response.write('a');
      void next.promise.then(() => response.write('b'));
    });
    const clock = createVirtualClock();
    const { http } = client({ overhead: 400 }, {}, clock);
    const { chunks } = await http.stream({ method: 'GET', url: `${url}/x?signature=secret` });
    const pieces = chunks[Symbol.asyncIterator]();
    const text = async (): Promise<string> => Buffer.from((await pieces.next()).value).toString();
    expect(await text()).toBe('a');
    const second = text();
    await clock.runFor(399);
    next.resolve();
    expect(await second).toBe('b');
    const error = await failedAfter(clock, 400, pieces.next());
    expect(error.message).toBe(`GET ${url}/x: the response stalled for 400ms (globals.request_timeout_overhead=400ms)`);
  });

  test('that its reader leaves is ended', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await web((_, response) => {
      response.on('close', closed.resolve);
      response.write('a');
    });
    const { chunks } = await client().http.stream({ method: 'GET', url });
    for await (const _ of chunks) break;
    await closed.promise;
  });
});
