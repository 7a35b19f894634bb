import { expect, test } from 'vitest';
import { createVirtualClock } from '../simulation/virtual-clock.ts';
import { client, failed, failedAfter, tcp, web } from './http-peers.ts';

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
  const { http } = client({ dial: 400 }, { proxyEnv: { https_proxy: `http://${address}` } }, clock);
  const work = http.request(request);
  work.catch(() => undefined);
  expect((await heard).toString()).toMatch(/^CONNECT api\.example:443 /);
  expect(await failedAfter(clock, 400, work)).toMatchObject({
    message: `unable to connect to the proxy at ${address}: CONNECT: the response timed out after 400ms (globals.dial_timeout=400ms)`,
    ...{ exitCode: 5, code: 'DIAL_TIMEOUT', sent: false, retryable: true },
  });
});

test('the limit for CONNECT ends with the response of the proxy', async () => {
  const { address, heard, sockets } = await proxyOf('HTTP/1.1 200 OK\r\n\r\n');
  const clock = createVirtualClock();
  const proxyEnv = { https_proxy: `http://${address}` };
  const { http } = client({ command: 3_600_000 }, { proxyEnv }, clock);
  const work = http.request(request);
  work.catch(() => undefined);
  await heard; // the beginning of the TLS handshake
  await clock.runFor(120_000);
  sockets[0]?.write('this is not TLS');
  const { error } = await failed(work);
  expect(error.message).toMatch(
    /^unable to send GET https:\/\/api\.example\/v1: .*(wrong version number|packet length)/,
  );
});

test('a proxy without a scheme is an HTTP proxy', async () => {
  const proxy = await web((_, response) => response.end('from the proxy'));
  const target = await web((_, response) => response.end('from the target'));
  const { http } = client({}, { proxyEnv: { http_proxy: proxy.replace('http://', '') } });
  expect((await http.request({ method: 'GET', url: target })).body.toString()).toBe('from the proxy');
  const { address, heard } = await proxyOf('');
  const tunnel = client({}, { proxyEnv: { https_proxy: `user:pw@${address}` } }).http.request(request);
  tunnel.catch(() => undefined);
  expect((await heard).toString()).toMatch(/^CONNECT api\.example:443 /);
});

const cannotUse = (scheme: string) => `weir cannot use a ${scheme} proxy, only http and https`;

test.each([
  ['socks5://user:s3cret@h:1', cannotUse('socks5')],
  ['ftp://h', cannotUse('ftp')],
  ['http://user:s3cret@h:99999', 'it is not a valid URL'],
  ['user:s3cret@', 'it is not a valid URL'],
  ['http://user:s3cret%zz@h:1', 'it is not a valid URL'],
])('the proxy %j is an error for the requests that need it, without its password', async (proxy, why) => {
  const url = await web((_, response) => response.end('direct'));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const { http } = client({}, { proxyEnv: { [name]: proxy, no_proxy: '127.0.0.1' } });
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
