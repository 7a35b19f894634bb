import { createServer } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkOf, type Env, examine, sasl, statuses } from '../../commands/doctor/examine.ts';
import { listening } from '../../net/http-peers.ts';
import { farHost } from '../../services/brokers.ts';
import { proxyPassword, type RunningProxy, startMicrosocks, startTinyproxy } from '../../services/proxies.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';

beforeAll(() => {
  expect(services().directory).not.toBe('');
});

/** The broker that only proxies reach. */
function behind(proxy: string): Env {
  return {
    ...{ WEIR_BROKERS: services().proxiedAs, ...sasl(services().user), WEIR_GLOBALS_PROXY: proxy },
    ...{ WEIR_TLS_CA: services().certificates.ca, WEIR_TLS_SERVER_NAME: 'localhost' },
  };
}

const proxies: readonly (readonly [string, string, string, () => Promise<RunningProxy>])[] = [
  ['microsocks', 'socks5h', encodeURIComponent(proxyPassword), startMicrosocks],
  ['tinyproxy', 'http', 'pass-w0rd', startTinyproxy],
];

describe.each(proxies)('through %s', (program, scheme, password, start) => {
  test('weir produces and consumes in a group, with TLS and SASL, and shows no password of the proxy', async () => {
    await using proxy = await start();
    const env = behind(`${scheme}://user:${password}@${proxy.address}`);
    const topic = `behind-${program}-${process.pid}`;
    const input = Array.from({ length: 2_000 }, (_, n) => `record ${n} ${'x'.repeat(100)}\n`).join('');
    const lines = [`topic create ${topic} -p 2`, `topic produce ${topic} -vv`];
    for (const line of lines) {
      const { exitCode, stderr } = await run(line, { env, stdin: input });
      expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stderr).not.toContain(password);
    }
    const read = await run(`topic consume ${topic} -g ${topic} -n 2000 -f '%v\\n' -vv --trace -`, { env });
    expect(read.stdout.split('\n').sort()).toEqual(input.split('\n').sort());
    expect(read.stderr).not.toContain(password);
    expect(read.stderr).not.toContain(proxyPassword);
  });

  test('doctor walks every step, and says what the proxy does', async () => {
    await using proxy = await start();
    const { checks, outcome } = await examine(behind(`${scheme}://user:${password}@${proxy.address}`));
    expect(outcome).toMatchObject({ stderr: '', exitCode: 0 });
    expect(statuses(checks)).toEqual([
      ...['proxy ok', 'dns skipped', 'tcp ok', 'tls ok', 'api_versions ok', 'sasl ok', 'metadata ok', 'listener ok'],
      'authorization ok',
    ]);
    expect(checkOf(checks, 'proxy').detail).toBe(`${scheme} proxy at ${proxy.address}, as user "user"`);
    expect(checkOf(checks, 'dns').detail).toBe('the proxy looks up the host name');
    expect(checkOf(checks, 'tcp').detail).toBe('connected by the proxy');
    expect(outcome.stdout).not.toContain(password);
  });

  test('a wrong password, and a host that the proxy does not reach, fail in their step', async () => {
    await using proxy = await start();
    const wrong = await examine(behind(`${scheme}://user:s3cret@${proxy.address}`));
    expect(statuses(wrong.checks).slice(0, 3)).toEqual(['proxy failed', 'dns skipped', 'tcp skipped']);
    expect(checkOf(wrong.checks, 'proxy').detail).toContain('it refused the user and password');
    expect(wrong.outcome.stdout).not.toContain('s3cret');
    const right = `${scheme}://user:${password}@${proxy.address}`;
    const nobody = await examine({ ...behind(right), WEIR_BROKERS: `${farHost}:1` });
    expect(statuses(nobody.checks).slice(0, 4)).toEqual(['proxy ok', 'dns skipped', 'tcp failed', 'tls skipped']);
    expect(checkOf(nobody.checks, 'tcp').error_code).toBe('PROXY_REFUSED');
  });

  test('the schema registry is reached too', async () => {
    await using proxy = await start();
    const server = createServer((request, response) => response.end(JSON.stringify([request.headers.host])));
    const port = await listening(server);
    const env = {
      WEIR_REGISTRY_HOSTS: `${farHost}:${port}`,
      WEIR_GLOBALS_PROXY: `${scheme}://user:${password}@${proxy.address}`,
    };
    expect(await run('registry subject list --format json', { env })).toMatchObject({
      ...{ stderr: '', exitCode: 0 },
      stdout: expect.stringContaining(`${farHost}:${port}`),
    });
    server.closeAllConnections();
  });
});
