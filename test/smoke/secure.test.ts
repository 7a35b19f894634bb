import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';

/** What the listeners of a real Kafka say to a client with these options: an exit code, and words of the error. */
const { certificates, user, ...at } = services();
const trust = { 'tls.ca': certificates.ca };
const login = (mechanism: string, pass = user.pass) => ({ user: user.user, pass, 'sasl.mechanism': mechanism });
const client = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({
  'tls.cert': cert,
  'tls.key': key,
});

/** TLS to a broker whose certificate is for this name. */
const named = (name: string) => ({ ...trust, 'tls.server_name': name });

/** The environment that sets options. */
function variables(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries({ ...options, 'globals.retry_timeout': '0' });
  return Object.fromEntries(all.map(([key, value]) => [`WEIR_${key.replaceAll('.', '_').toUpperCase()}`, value]));
}

test.each<[string, string, Readonly<Record<string, string>>, number, RegExp]>([
  ['TLS with a CA', at.tls, trust, 0, /^$/],
  ['TLS with another CA', at.tls, { 'tls.ca': certificates.wrongCa }, 5, /signed by a CA that is not trusted/],
  ['TLS without a CA', at.tls, { 'tls.enabled': 'true' }, 5, /signed by a CA that is not trusted/],
  ['TLS without verification', at.tls, { 'tls.insecure_skip_verify': 'true', 'tls.enabled': 'true' }, 0, /^$/],
  ['TLS with an expired certificate', at.tlsExpired, trust, 5, /expired/],
  ['TLS with a certificate for another name', at.tlsOtherHost, trust, 5, /other\.example/],
  ['TLS with the name of the certificate', at.tlsOtherHost, named('other.example'), 0, /^$/],
  ['TLS with another name', at.tls, named('other.example'), 5, /not for other\.example/],
  ['TLS with another address as the name', at.tls, named('10.0.0.1'), 5, /not for 10\.0\.0\.1/],
  ['TLS to a listener without it', at.plaintext, trust, 5, /does not speak TLS/],
  ['no TLS to a listener with it', at.tls, {}, 5, /tls\.enabled=true/],
  ['mTLS', at.mtls, { ...trust, ...client(certificates.client) }, 0, /^$/],
  ['mTLS without a certificate', at.mtls, trust, 5, /tls\.cert/],
  [
    'mTLS with a certificate of another CA',
    at.mtls,
    { ...trust, ...client(certificates.wrongClient) },
    5,
    /certificate/,
  ],
  ['PLAIN', at.sasl, login('PLAIN'), 0, /^$/],
  ['SCRAM-SHA-256', at.sasl, login('SCRAM-SHA-256'), 0, /^$/],
  ['SCRAM-SHA-512 over TLS', at.saslTls, { ...trust, ...login('SCRAM-SHA-512') }, 0, /^$/],
  ['a wrong password', at.sasl, login('SCRAM-SHA-256', 'wrong'), 4, /SASL/],
  ['a mechanism that is not there', at.saslPlainOnly, login('SCRAM-SHA-256'), 4, /PLAIN/],
  ['no login', at.sasl, {}, 5, /SASL/],
])('%s', async (_, ...given) => {
  const [brokers, options, code, words] = given;
  const { stderr, exitCode } = await run('topic list', { env: variables({ brokers, ...options }) });
  expect(stderr).toMatch(words);
  expect(exitCode).toBe(code);
});

describe('a registry over HTTPS', () => {
  const place = temporaryDirectory();
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  const asked: string[] = [];
  let server = createHttps();
  const proxy = createServer();
  beforeAll(async () => {
    const now = Date.now();
    const authority = await makeAuthority('weir test', now);
    const own = await issue(authority, { name: 'registry', use: 'server', hosts: ['registry.example'] }, now);
    const person = await issue(authority, { name: 'ana', use: 'client' }, now);
    writeFileSync(ca, authority.cert);
    writeFileSync(cert, person.cert);
    writeFileSync(key, person.key, { mode: 0o600 });
    server = createHttps(
      { ...own, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no login'}`);
        response.setHeader('content-type', 'application/json').end('["orders-value"]');
      },
    );
    proxy.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? 'no login'}`);
      const { port } = server.address() as AddressInfo;
      const target = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      for (const end of [target, socket]) end.on('error', () => undefined);
    });
    await Promise.all([server, proxy].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')));
  });
  afterAll(() => {
    server.close();
    proxy.close();
  });

  test('is asked through the proxy of the environment, with the login of each', async () => {
    asked.length = 0;
    const { port } = proxy.address() as AddressInfo;
    const options = { 'registry.hosts': 'https://registry.example', 'registry.tls.ca': ca, 'registry.tls.cert': cert };
    const { stdout, stderr } = await run('registry subject list', {
      env: {
        HTTPS_PROXY: `http://bo:secret@127.0.0.1:${port}`,
        ...variables({ ...options, 'registry.tls.key': key, user: 'ana', pass: 'pw' }),
      },
    });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('orders-value'), stderr: '' });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(asked).toEqual([
      `CONNECT registry.example:443 ${basic('bo:secret')}`,
      expect.stringMatching(/^GET \/subjects\S* Basic /),
    ]);
  });

  test('with a certificate of nobody says so', async () => {
    const { port } = proxy.address() as AddressInfo;
    const env = {
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      ...variables({ 'registry.hosts': 'https://registry.example' }),
    };
    const { stderr, exitCode } = await run('registry subject list', { env });
    expect(stderr).toMatch(/TLS: .*certificate/);
    expect(stderr).toContain('registry.tls.ca');
    expect(exitCode).toBe(5);
  });
});
