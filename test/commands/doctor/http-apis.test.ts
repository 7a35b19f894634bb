import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/doctor/check-rows.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';

/** Listens on the loopback interface until the end of the block. */
async function listening(server: Server): Promise<{ address: string } & AsyncDisposable> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const answers =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { connection: 'close' }).end('{}');

/** The checks of one API, when the brokers are not configured. */
async function examine(api: string, env: Readonly<Record<string, string>>) {
  const { stdout, exitCode } = await run('doctor --format json', { env });
  const checks: readonly Check[] = JSON.parse(stdout).checks;
  return { exitCode, checks: checks.filter((check) => check.api === api) };
}

describe('doctor, for the Admin API and the registry', () => {
  it.each([
    [200, 'ok', 0, []],
    [401, 'warning', 0, ['set admin.user and admin.pass, or admin.token: weir profile set admin.user=NAME admin.pass']],
    [503, 'failed', 10, ['see the logs of the Admin API']],
  ] as const)('judges HTTP %i as %s', async (status, judgement, exit, hints) => {
    await using server = await listening(createServer(answers(status)));
    const { checks, exitCode } = await examine('admin', { WEIR_ADMIN_HOSTS: server.address });
    expect(exitCode).toBe(exit);
    expect(checks.map(({ step }) => step)).toEqual(['dns', 'tcp', 'tls', 'http']);
    expect(checks.at(-1)).toMatchObject({ target: server.address, status: judgement, hints });
    expect(checks.at(-1)?.detail).toContain(`GET http://${server.address}/v1/status/ready: HTTP ${status}`);
  });

  it.each([
    ['/subjects', 'failed', 10],
    ['/none', 'warning', 0],
  ] as const)('takes a registry without %s for an address without its path: %s', async (missing, status, exit) => {
    await using server = await listening(
      createServer((request, response) => {
        const isMissing = request.url === missing || request.url === '/schemas/types';
        answers(isMissing ? 404 : 200)(request, response);
      }),
    );
    const { checks, exitCode } = await examine('registry', { WEIR_REGISTRY_HOSTS: server.address });
    expect(exitCode).toBe(exit);
    expect(checks.at(-1)).toMatchObject({
      status,
      detail: `GET http://${server.address}/${status === 'failed' ? 'subjects' : 'schemas/types'}: HTTP 404`,
      hints: [expect.stringContaining('with its path if it has one (Apicurio: /apis/ccompat/v7)')],
    });
  });

  it.each(['WEIR_GLOBALS_PROXY', 'http_proxy'])(
    'goes the way of the requests, through the proxy of %s',
    async (name) => {
      const asked: (string | undefined)[] = [];
      await using proxy = await listening(
        createServer((request, response) => {
          asked.push(request.url);
          answers(200)(request, response);
        }),
      );
      const env = { WEIR_REGISTRY_HOSTS: 'registry.internal.example', [name]: `http://${proxy.address}` };
      const found = await examine('registry', env);
      expect(found.checks.map(({ step, status, detail }) => `${step} ${status}: ${detail}`)).toEqual([
        `proxy ok: http proxy at ${proxy.address}`,
        'dns skipped: the proxy reads the request and sends it on',
        'tcp skipped: the proxy reads the request and sends it on',
        'tls skipped: the proxy reads the request and sends it on',
        'http ok: GET http://registry.internal.example:8081/schemas/types: HTTP 200',
      ]);
      expect(asked).toEqual(['http://registry.internal.example:8081/schemas/types']);
      const [dead] = (await examine('registry', { ...env, [name]: 'http://127.0.0.1:1' })).checks;
      expect(dead).toMatchObject({ step: 'proxy', status: 'failed', error_code: 'PROXY_FAILED' });
      const [wrong] = (await examine('registry', { ...env, http_proxy: 'ftp://h', WEIR_GLOBALS_PROXY: '' })).checks;
      expect(wrong).toMatchObject({ step: 'proxy', status: 'failed', error_code: 'CONFIG_INVALID' });
    },
  );

  it('passes by the proxy to this machine and to hosts of no_proxy, and says so', async () => {
    await using server = await listening(createServer(answers(200)));
    const env = { WEIR_GLOBALS_PROXY: 'socks5h://127.0.0.1:1', WEIR_REGISTRY_HOSTS: server.address };
    const { checks, exitCode } = await examine('registry', env);
    expect(exitCode).toBe(0);
    expect(checks.find(({ step }) => step === 'tcp')?.detail).toBe(
      'connected to 127.0.0.1, without the proxy (this machine, or no_proxy names the host)',
    );
  });

  it('sends no credentials', async () => {
    let headers: readonly string[] = [];
    const server = createServer((request, response) => {
      headers = Object.keys(request.headers);
      answers(200)(request, response);
    });
    await using registry = await listening(server);
    const env = { WEIR_REGISTRY_HOSTS: registry.address, WEIR_USER: 'ana', WEIR_PASS: 'secret' };
    const { exitCode } = await examine('registry', env);
    expect(exitCode).toBe(0);
    expect(headers).toContain('host');
    expect(headers).not.toContain('authorization');
  });

  it('verifies the certificate of an https address with the options of its API', async () => {
    const pem = readFileSync(join(services().directory, 'certificates/server.pem'));
    await using server = await listening(createTlsServer({ key: pem, cert: pem }, answers(200)));
    const hosts = { WEIR_REGISTRY_HOSTS: `https://${server.address}` };
    const trusted = await examine('registry', { ...hosts, WEIR_REGISTRY_TLS_CA: services().certificates.ca });
    expect(trusted.checks.map(({ step, status }) => `${step} ${status}`)).toEqual([
      'dns skipped',
      'tcp ok',
      'tls ok',
      'http ok',
    ]);
    const refused = await examine('registry', hosts);
    expect(refused.exitCode).toBe(10);
    expect(refused.checks.slice(2)).toMatchObject([
      { step: 'tls', status: 'failed', hints: ['specify the CA that signed it: -X registry.tls.ca=FILE'] },
      { step: 'http', status: 'skipped', detail: 'tls failed' },
    ]);
  });

  it('checks every address', async () => {
    await using server = await listening(createServer(answers(200)));
    const env = { WEIR_ADMIN_HOSTS: `nope.invalid,${server.address}` };
    const { checks, exitCode } = await examine('admin', env);
    expect(exitCode).toBe(10);
    expect(checks.map(({ status }) => status)).toEqual([
      ...['failed', 'skipped', 'skipped', 'skipped'],
      ...['skipped', 'ok', 'skipped', 'ok'],
    ]);
  });

  it.each([
    [
      'http',
      '',
      [
        'check that registry.hosts is the address of the schema registry, with its path if it has one (Apicurio: /apis/ccompat/v7)',
        'if it requires TLS: -X registry.tls.enabled=true',
      ],
    ],
    ['tls', 'https://', []],
  ])('says what to do about a port of another service (%s)', async (step, scheme, hints) => {
    const socketServer = createTcpServer(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .resume()
          .end('\x15\x03\x01\0\x02\x02\x46'),
    );
    await using server = await listening(socketServer);
    const { checks, exitCode } = await examine('registry', { WEIR_REGISTRY_HOSTS: `${scheme}${server.address}` });
    expect(exitCode).toBe(10);
    const failed = checks.find(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ step, hints: expect.arrayContaining(hints) });
    expect(failed?.hints.length).toBeGreaterThan(0);
    if (step === 'http') expect(failed?.detail).toMatch(/: the response is not HTTP$/);
  });

  it('reports a server that is silent, with the limit', async () => {
    await using server = await listening(
      createTcpServer((socket) => void socket.on('error', () => undefined).resume()),
    );
    const env = { WEIR_ADMIN_HOSTS: server.address, WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '100ms' };
    const { checks } = await examine('admin', env);
    expect(checks.at(-1)).toMatchObject({ status: 'failed', error_code: 'REQUEST_TIMEOUT' });
    expect(checks.at(-1)?.detail).toContain('globals.request_timeout_overhead=100ms');
  });
});
