import { describe, expect, test } from 'vitest';
import { pathOf } from '../../src/net/json-api/call.ts';
import { failed } from '../net/http-peers.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, change, type NodeAnswer, type NodeCall, refusal, startNode } from './admin-of.ts';

const credentials = { user: 'ana', pass: 'opensesame' };
const basic = `Basic ${Buffer.from('ana:opensesame').toString('base64')}`;

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): NodeAnswer {
  return [307, undefined, { location, ...headers }];
}

/**
 * A proxy that stands for every host, so that requests to hosts that do not exist would be seen. The script gets the host
 * and the line without it.
 */
async function startHosts(script: (host: string, call: NodeCall) => NodeAnswer) {
  const proxy = await startNode((call) => {
    const [, method, host = '', path] = /^(\S+) http:\/\/([^/]+)(.*)$/.exec(call.line) ?? [];
    return script(host, { ...call, line: `${method} ${path}` });
  });
  return {
    proxy: { option: '', env: { http_proxy: proxy.url } },
    calls: proxy.calls,
    /** Each request as `METHOD host:port/path`. */
    lines: () => proxy.lines().map((line) => line.replace('http://', '')),
  };
}

/** The brokers of a cluster as the Admin API lists them. */
function brokersAt(...hosts: readonly string[]): NodeAnswer {
  return [200, hosts.map((host, id) => ({ node_id: id, internal_rpc_address: host }))];
}

describe('a redirect to a node of the cluster', () => {
  test.each([307, 308])('is followed with method, body and credentials (%i)', async (status) => {
    const leader = await startNode(() => [200, {}]);
    const location = `${leader.url}/v1/change?redirect=1`;
    const node = await startNode(() => [status, undefined, { location }]);
    const { api, sleeps } = adminOf([node.url, leader.url], { credentials });
    expect(await api.call(change)).toBe('made');
    const [{ line, body, headers } = { line: '', body: '', headers: {} }, ...others] = leader.calls;
    expect([line, body, headers['content-type'], headers.authorization]).toEqual([
      'POST /v1/change?redirect=1',
      '{"name":"ana"}',
      'application/json',
      basic,
    ]);
    expect([others, sleeps]).toEqual([[], []]);
  });

  test('is followed to a broker that is not configured, at the same port, with a warning for a password', async () => {
    const hosts = await startHosts((host, { line }) => {
      if (line === 'GET /v1/brokers') return brokersAt('b1.example', 'B2.example');
      return host.startsWith('b1') ? redirect('http://b2.example:9644/v1/change') : [200, {}];
    });
    const { api, warnings } = adminOf(['b1.example'], { credentials, proxy: hosts.proxy });
    expect(warnings).toEqual([expect.stringMatching(/ is sent unencrypted to b1\.example:9644 /)]);
    await api.call(change);
    await api.call(change);
    expect(hosts.lines().slice(0, 3)).toEqual([
      'POST b1.example:9644/v1/change',
      'GET b1.example:9644/v1/brokers',
      'POST b2.example:9644/v1/change',
    ]);
    expect(hosts.calls.every(({ headers }) => headers.authorization === basic)).toBe(true);
    expect(warnings.slice(1)).toEqual([expect.stringMatching(/ is sent unencrypted to b2\.example:9644 /)]);
  });

  test.each([
    ['b2.kafka.example', ['b1.kafka.example', 'B2.kafka.example'], 'made'],
    ['b2.kafka.example', [], 'REDIRECT_REFUSED'],
    ['eve.example', ['b1.kafka.example', 'b2.kafka.example'], 'REDIRECT_REFUSED'],
    ['127.0.0.1', ['127.0.0.1'], 'REDIRECT_REFUSED'],
  ])('to %s is followed if brokers announce %j: %s', async (target, announced, expected) => {
    const hosts = await startHosts((host, { line }) => {
      if (line === 'GET /v1/brokers') return brokersAt('10.0.0.1', '10.0.0.2');
      return host.startsWith('b1') ? redirect(`http://${target}:9644/v1/change`) : [200, {}];
    });
    const { api } = adminOf(['b1.kafka.example'], {
      ...{ credentials, proxy: hosts.proxy },
      announcedBrokers: async () => announced.map((host, at) => ({ id: at + 1, host })),
    });
    const result = await api.call(change).catch((error) => error.code);
    expect(result).toBe(expected);
    const sent = hosts.calls.some(({ line }) => line.includes(`//${target}:`));
    expect(sent).toBe(expected === 'made');
  });

  test('is refused like any other if the brokers cannot say what they announce', async () => {
    const node = await startNode(({ line }) =>
      line.endsWith('brokers') ? brokersAt('10.0.0.1') : redirect('http://eve.example:9644/v1/change'),
    );
    const announcedBrokers = () => Promise.reject(new Error('no broker answers'));
    const { error } = await failed(adminOf([node.url], { announcedBrokers }).api.call(change));
    expect(error.code).toBe('REDIRECT_REFUSED');
  });

  test('may name a path only', async () => {
    const node = await startNode(({ line }) => (line.endsWith('change') ? redirect('/v1/other') : [200, {}]));
    const { api } = adminOf([node.url]);
    await api.call(change);
    expect(node.lines()).toEqual(['POST /v1/change', 'POST /v1/other']);
  });

  test('never sends the credentials that a location contains', async () => {
    const node = await startNode(({ line, headers: { host } }) =>
      line.endsWith('change') ? redirect(`http://eve:secret@${host}/v1/other`) : refusal(400, 'refused'),
    );
    const { api } = adminOf([node.url]);
    const { error } = await failed(api.call(change));
    expect(error.message).toBe(`unable to make the change: refused (POST ${node.url}/v1/other: 400)`);
    expect(node.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test.each([
    ['2', [2_000]],
    ['0', []],
    ['600', [5_000]],
    ['soon', []],
  ])('is followed after Retry-After: %s', async (header, expected) => {
    const node = await startNode(({ line }) =>
      line.endsWith('change') ? redirect('/v1/other', { 'retry-after': header }) : [200, {}],
    );
    const { api, sleeps } = adminOf([node.url]);
    await api.call(change);
    expect(sleeps).toEqual(expected);
  });

  test('is followed five times', async () => {
    const simulator = await startSimulator();
    const [first = '', second = ''] = simulator.api.addresses;
    // Two nodes that each take the other for the leader, until the third request to the second one.
    const fault = { route: 'users.create', times: 2 } as const;
    simulator.switches.addFault({ ...fault, node: 0, times: 3, effect: { kind: 'redirect', to: second } });
    simulator.switches.addFault({ ...fault, node: 1, effect: { kind: 'redirect', to: first } });
    simulator.switches.moveController({ to: 1, electionMs: 0 });
    const { api } = adminOf([first, second]);
    const body = { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' };
    await api.call({ ...change, path: pathOf`/v1/security/users`, body });
    expect(simulator.switches.journal().map(({ node, status }) => [node, status])).toEqual([
      [0, 307],
      [1, 307],
      [0, 307],
      [1, 307],
      [0, 307],
      [1, 200],
    ]);
  });

  test('is not followed a sixth time; the request is repeated until the retry timeout', async () => {
    const node = await startNode(() => redirect('/v1/change'));
    const once = adminOf([node.url], { limits: { retry: 0 } });
    const { error } = await failed(once.api.call(change));
    expect(node.calls).toHaveLength(6);
    expect(error.message).toBe(
      `unable to make the change: POST ${node.url}/v1/change redirects a 6th time, to ${node.url}/v1/change`,
    );
    expect(error).toMatchObject({ exitCode: 5, code: 'TOO_MANY_REDIRECTS' });
    const patient = adminOf([node.url], { limits: { retry: 1_000 } });
    const { error: last } = await failed(patient.api.call(change));
    expect(last).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(last.message).toMatch(
      /redirects a 6th time, .*gave up on the request to make the change after .*retry_timeout=1s\)$/,
    );
    // Nothing was done, so there is no doubt about the change.
    expect(last.hints.join()).not.toContain('may have made');
  });
});

describe('a redirect elsewhere is not followed, and no request and no password gets there:', () => {
  test.each([
    ['an unknown host', 'http://evil.example:9644/v1/change', 'http://evil.example:9644'],
    ['another port of a broker', 'http://b2.example:8081/v1/change', 'http://b2.example:8081'],
    ['another port of the node itself', 'http://b1.example:8081/', 'http://b1.example:8081'],
    ['another port by another scheme', 'https://b1.example/v1/change', 'https://b1.example'],
    ['a name that only begins like a broker', 'http://b2.example.evil:9644/', 'http://b2.example.evil:9644'],
    ['a broker as a user name', 'http://b2.example:9644@evil.example:9644/', 'http://evil.example:9644'],
    ['another host without a scheme', '//evil.example:9644/v1/change', 'http://evil.example:9644'],
    ['this machine, which the cluster names too', 'http://127.0.0.1:9644/', 'http://127.0.0.1:9644'],
    ['this machine in another notation', 'http://0x7f.1:9644/', 'http://127.0.0.1:9644'],
  ])('%s', async (_, location, origin) => {
    const hosts = await startHosts((host, { line }) => {
      if (line === 'GET /v1/brokers') return brokersAt('b1.example', 'b2.example', '127.0.0.1', 'evil.example/..');
      return host === 'b1.example:9644' ? redirect(location) : [200, {}];
    });
    const { api, requests } = adminOf(['b1.example'], { credentials, proxy: hosts.proxy });
    const { error } = await failed(api.call(change));
    const { host, hostname } = new URL(origin);
    expect(error.message).toBe(
      `unable to make the change: POST http://b1.example:9644/v1/change redirects to ${origin}, which is not known to belong to the cluster`,
    );
    expect(error).toMatchObject({ exitCode: 1, code: 'REDIRECT_REFUSED', retryable: false });
    expect(error.hints).toEqual([`if ${hostname} is a broker of this cluster, add ${host} to admin.hosts`]);
    expect(new Set(requests.map(({ url }) => new URL(url).host))).toEqual(new Set(['b1.example:9644']));
    expect(hosts.lines().filter((line) => !line.includes(' b1.example:9644/'))).toEqual([]);
  });

  test('from a simulated node, by the journal of the other cluster', async () => {
    const [simulator, foreign] = [await startSimulator(), await startSimulator()];
    const [to = ''] = foreign.api.addresses;
    simulator.switches.addFault({ route: '*', times: null, effect: { kind: 'redirect', to } });
    const { admin } = adminOf(simulator.api.addresses, { credentials });
    for (const work of [() => admin.health(), () => admin.brokers(), () => admin.decommission(1)]) {
      expect((await failed(work())).error).toMatchObject({ exitCode: 1, code: 'REDIRECT_REFUSED' });
    }
    expect(foreign.switches.journal()).toEqual([]);
  });

  test('also when it answers the question for the brokers', async () => {
    const hosts = await startHosts((host) =>
      host === 'b1.example:9644' ? redirect('http://evil.example:9644/v1/brokers') : brokersAt('evil.example'),
    );
    const { admin } = adminOf(['b1.example'], { credentials, proxy: hosts.proxy });
    expect((await failed(admin.maintenance())).error).toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(hosts.lines()).toEqual(['GET b1.example:9644/v1/brokers', 'GET b1.example:9644/v1/brokers']);
  });

  test.each([
    ['no location', {}],
    ['an empty location', { location: '' }],
    ['no URL', { location: 'http://[' }],
    ['a file', { location: 'file:///etc/passwd' }],
    ['a script', { location: 'javascript:alert(1)' }],
  ])('%s', async (_, headers) => {
    const node = await startNode(() => [307, undefined, headers]);
    const { api } = adminOf([node.url]);
    const { error } = await failed(api.call(change));
    expect(error).toMatchObject({ exitCode: 1, code: 'REDIRECT_REFUSED' });
    expect(error.message).toBe(
      `unable to make the change: POST ${node.url}/v1/change redirects without a valid address`,
    );
    expect(node.calls).toHaveLength(1);
  });

  test('an address that a broker breaks because it is asked by IPv6: the hint says what to set', async () => {
    const hosts = await startHosts(() => redirect('http://10.0.0.1::1]:9644/v1/change'));
    const { error } = await failed(adminOf(['[fd00::1]'], { proxy: hosts.proxy }).api.call(change));
    expect(error).toMatchObject({
      code: 'REDIRECT_REFUSED',
      hints: ['brokers do not redirect from IPv6 addresses: use host names in admin.hosts'],
    });
  });

  test.each([301, 302, 303])('after the status %i, which would change the method', async (status) => {
    const other = await startNode(() => [200, {}]);
    const node = await startNode(() => [status, undefined, { location: `${other.url}/login` }]);
    const { api } = adminOf([node.url, other.url]);
    const { error } = await failed(api.call(change));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
    expect(error.message).toContain(` returned ${status} with an empty answer, not an answer of an Admin API `);
    expect(error.message).toContain(`(it redirects to ${other.url}/login)`);
    expect(other.calls).toEqual([]);
  });
});

test('a redirect is repeated if nobody can say at the moment which hosts belong to the cluster', async () => {
  const hosts = await startHosts((host, { line, before }) => {
    if (line === 'GET /v1/brokers') return before === 0 ? refusal(503, 'busy') : brokersAt('b1.example', 'b2.example');
    return host.startsWith('b1') ? redirect('http://b2.example:9644/v1/change') : [200, {}];
  });
  const { api, sleeps } = adminOf(['b1.example'], { proxy: hosts.proxy });
  expect(await api.call(change)).toBe('made');
  expect(sleeps).toEqual([250]);
});
