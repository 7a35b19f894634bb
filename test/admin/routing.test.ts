import { describe, expect, test } from 'vitest';
import { pathOf } from '../../src/net/json-api/call.ts';
import { failed } from '../net/http-peers.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, change, type NodeAnswer, refusal, startNode } from './admin-of.ts';

const newUser = {
  doing: 'create user "ada"',
  method: 'POST',
  path: pathOf`/v1/security/users`,
  body: { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' },
  to: 'leader',
  repeats: true,
  read: () => undefined,
} as const;

/** The requests to a simulator as `node METHOD path`, without those that find the leader. */
function asked({ switches }: Awaited<ReturnType<typeof startSimulator>>): readonly string[] {
  return switches
    .journal()
    .filter(({ path }) => !/node_config|controller\/0/.test(path))
    .map(({ node, method, path, status }) => `${node} ${method} ${path} ${status}`);
}

describe('a request to any node', () => {
  test('goes to the first address, and to the next one if that node is down', async () => {
    const simulator = await startSimulator();
    const { admin } = adminOf(simulator.api.addresses);
    expect((await admin.brokers()).map(({ id, host }) => [id, host])).toEqual([
      [0, '127.0.0.1'],
      [1, '127.0.0.2'],
      [2, '127.0.0.3'],
    ]);
    await simulator.switches.stopNode(0);
    expect((await admin.health()).down).toEqual([0]);
    expect(asked(simulator).at(-1)).toBe('1 GET /v1/cluster/health_overview 200');
  });

  test('is repeated at another node after an answer that passes', async () => {
    const simulator = await startSimulator();
    const fault = { route: 'brokers.list', node: 0, times: null } as const;
    simulator.switches.addFault({ ...fault, effect: { kind: 'status', status: 503, message: 'booting' } });
    const { admin, sleeps } = adminOf(simulator.api.addresses);
    expect(await admin.maintenance()).toHaveLength(3);
    expect(asked(simulator)).toEqual(['0 GET /v1/brokers 503', '1 GET /v1/brokers 200']);
    expect(sleeps).toEqual([250]);
  });

  test('is not sent to another node after a final answer', async () => {
    const simulator = await startSimulator();
    simulator.switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status: 500 } });
    const { admin } = adminOf(simulator.api.addresses);
    expect((await failed(admin.maintenance())).error.exitCode).toBe(1);
    expect(asked(simulator)).toEqual(['0 GET /v1/brokers 500']);
  });

  test('names every node if all are down, at once', async () => {
    const simulator = await startSimulator();
    const { addresses } = simulator.api;
    for (const id of [0, 1, 2]) await simulator.switches.stopNode(id);
    const { admin, sleeps } = adminOf(addresses);
    for (const work of [() => admin.health(), () => admin.decommission(2)]) {
      const { error } = await failed(work());
      expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_REFUSED' });
      expect(error.message).toBe(
        addresses
          .map((url) => `unable to connect to the Admin API at ${url.slice(7)}: TCP: connection refused`)
          .join('; '),
      );
      expect(error.hints).toEqual([
        'check the address (-X admin.hosts=HOST:PORT) and that an Admin API is running there',
      ]);
    }
    expect(sleeps).toEqual([]);
  });
});

describe('a request to the leader', () => {
  test('goes straight to it, and the leader is looked up once', async () => {
    const simulator = await startSimulator();
    simulator.switches.moveController({ to: 2, electionMs: 0 });
    const { admin, api } = adminOf(simulator.api.addresses);
    await api.call(newUser);
    await admin.setMaintenance(1, true);
    expect(asked(simulator)).toEqual(['2 POST /v1/security/users 200', '2 PUT /v1/brokers/1/maintenance 200']);
    expect(simulator.switches.journal().filter(({ path }) => path.includes('controller'))).toHaveLength(1);
  });

  test('goes to the only address there is, which redirects', async () => {
    const simulator = await startSimulator();
    simulator.switches.moveController({ to: 2, electionMs: 0 });
    const { api } = adminOf(simulator.api.addresses.slice(1, 2));
    await api.call(newUser);
    expect(asked(simulator)).toEqual([
      '1 POST /v1/security/users 307',
      '1 GET /v1/brokers 200',
      '2 POST /v1/security/users?redirect=1 200',
    ]);
    expect(await simulator.ok('GET /v1/security/users')).toEqual(['ada']);
  });

  test.each([1, 2])('is repeated when the leader moves in the middle of it, %i times', async (times) => {
    const simulator = await startSimulator();
    const { switches } = simulator;
    switches.addFault({ route: 'users.create', times, effect: { kind: 'move-controller', electionMs: 600 } });
    const { api } = adminOf(simulator.api.addresses, { onSleep: (ms) => switches.advance(ms) });
    await api.call(newUser);
    expect(await simulator.ok('GET /v1/security/users')).toEqual(['ada']);
    const path = 'POST /v1/security/users';
    expect(asked(simulator).filter((line) => line.includes(path))).toEqual([
      ...[`0 ${path} 503`, `1 ${path} 503`].slice(0, times),
      `${times === 1 ? 1 : 0} ${path} 200`,
    ]);
  });

  test('ends with the retry timeout if the leader moves for ever', async () => {
    const simulator = await startSimulator();
    const { switches } = simulator;
    switches.addFault({ route: 'users.create', times: null, effect: { kind: 'move-controller', electionMs: 100 } });
    const options = { onSleep: (ms: number) => switches.advance(ms), limits: { retry: 5_000 } };
    const { api } = adminOf(simulator.api.addresses, options);
    const { error } = await failed(api.call(newUser));
    expect(error).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(error.message).toMatch(
      /^unable to create user "ada": .*: 503\) \(gave up on the request to create user "ada" after \d+ attempts in .*, globals\.retry_timeout=5s\)$/,
    );
  });

  test('waits while there is none, and says so after the retry timeout', async () => {
    const simulator = await startSimulator();
    const { switches } = simulator;
    switches.moveController({ electionMs: 2_000 });
    const { admin, sleeps } = adminOf(simulator.api.addresses, { onSleep: (ms) => switches.advance(ms) });
    await admin.decommission(2);
    expect(sleeps.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(2_000);
    switches.moveController({ electionMs: 1_000_000 });
    const { admin: other } = adminOf(simulator.api.addresses, { limits: { retry: 3_000 } });
    const { error } = await failed(other.recommission(2));
    expect(error).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(error.message).toMatch(/^the controller has no leader at the moment \(gave up on .*retry_timeout=3s\)$/);
    expect(error.cause).toMatchObject({ code: 'NO_CONTROLLER', exitCode: 5 });
    expect(error.hints[0]).toBe('see which brokers are down with: weir cluster health');
    expect(error.hints.join()).not.toContain('may have made the change');
  });

  test('finds the new leader when the old one goes down', async () => {
    const simulator = await startSimulator();
    const { switches } = simulator;
    const { admin } = adminOf(simulator.api.addresses, { onSleep: (ms) => switches.advance(ms) });
    await admin.setMaintenance(2, true);
    await switches.stopNode(0);
    await admin.setMaintenance(2, false);
    expect(asked(simulator).at(-1)).toMatch(/^[12] DELETE \/v1\/brokers\/2\/maintenance 200$/);
  });

  test('is repeated while the only address redirects to a leader that is down', async () => {
    const simulator = await startSimulator();
    const { port } = simulator.api;
    let isElected = false;
    const node = await startNode(
      ({ line }): NodeAnswer => {
        if (line === 'GET /v1/brokers') return [200, [{ node_id: 5, internal_rpc_address: '127.0.0.5' }]];
        return isElected ? [200] : [307, undefined, { location: `http://127.0.0.5:${port}/v1/x` }];
      },
      { host: '127.0.0.4', port },
    );
    const { admin, sleeps } = adminOf([node.url], {
      onSleep: () => {
        isElected = true;
      },
    });
    await admin.recommission(1);
    expect(sleeps).toEqual([250]);
  });

  test('is repeated while a node redirects to another configured one that is down', async () => {
    const simulator = await startSimulator();
    const [first = '', second = ''] = simulator.api.addresses;
    await simulator.switches.stopNode(1);
    simulator.switches.addFault({ route: 'brokers.list', times: 1, effect: { kind: 'redirect', to: second } });
    const { admin, sleeps } = adminOf([first, second]);
    expect(await admin.maintenance()).toHaveLength(3);
    expect(sleeps.length).toBeGreaterThan(0);
    const { admin: other } = adminOf([first], { limits: { retry: 0 } });
    simulator.switches.addFault({
      route: 'GET /v1/cluster/health_overview',
      times: null,
      effect: { kind: 'redirect', to: second },
    });
    const { error } = await failed(other.health());
    const path = '/v1/cluster/health_overview';
    expect(error.message).toBe(
      `unable to connect to the Admin API at ${second.slice(7)}: TCP: connection refused (GET ${first}${path} redirects there)`,
    );
  });

  test.each([
    ['the id of a node from its UUID', false, ['0 GET /v1/features 200']],
    ['no id at all', true, ['1 GET /v1/features 200']],
  ])('of a user who may not read the configuration: %s', async (_, isHidden, expected) => {
    const simulator = await startSimulator();
    const { switches } = simulator;
    const effect = { kind: 'status', status: 403, message: 'only a superuser may do this' } as const;
    switches.addFault({ route: 'GET /v1/node_config', times: null, effect });
    if (isHidden) switches.addFault({ route: 'debug.uuid.get', times: null, effect });
    // The second address comes first, so that any node and the leader are different ones.
    const { api } = adminOf([1, 0].map((at) => String(simulator.api.addresses[at])));
    await api.call({ doing: 'read', method: 'GET', path: pathOf`/v1/features`, to: 'leader', read: () => 0 });
    expect(asked(simulator).filter((line) => line.includes('features'))).toEqual(expected);
  });

  test.each([403, 404])('goes to any node if the leader may not be looked up (%i)', async (status) => {
    const simulator = await startSimulator();
    const route = 'GET /v1/partitions/{ns}/{topic}/{partition}';
    simulator.switches.addFault({ route, times: null, effect: { kind: 'status', status } });
    const { api } = adminOf(simulator.api.addresses.slice(1));
    await api.call(newUser);
    expect(await simulator.ok('GET /v1/security/users')).toEqual(['ada']);
  });

  test('does not wait for a slow node once the leader is found', async () => {
    const slow = await startNode(({ line }) => (line.includes('node_config') ? undefined : [200, { leader_id: 7 }]));
    const leader = await startNode(({ line }) => (line.includes('node_config') ? [200, { node_id: 7 }] : [200, {}]));
    const { api } = adminOf([slow.url, leader.url]);
    expect(await api.call({ ...change, to: 'leader' })).toBe('made');
    expect(leader.lines()).toContain('POST /v1/change');
  });

  test.each([{}, { leader_id: 'x' }, { leader_id: null }])('reports the answer %j about it, at once', async (body) => {
    const nodes = await Promise.all([1, 2].map(() => startNode(() => [200, body])));
    const { api } = adminOf(nodes.map(({ url }) => url));
    const { error } = await failed(api.call({ ...change, to: 'leader' }));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
    expect(error.message).toMatch(/\/v1\/partitions\/redpanda\/controller\/0 has no valid leader_id$/);
  });
});

describe('a request to one node', () => {
  const read = { doing: 'read', method: 'GET', path: pathOf`/v1/loggers`, read: () => 'read' } as const;

  test('goes to the configured address of that node', async () => {
    const simulator = await startSimulator();
    const { api } = adminOf(simulator.api.addresses);
    await api.call({ ...read, to: { node: 1 } });
    await api.call({ ...read, to: { node: 2 } });
    expect(asked(simulator)).toEqual(['1 GET /v1/loggers 200', '2 GET /v1/loggers 200']);
  });

  test('goes to the address that the cluster names if the node is not configured', async () => {
    const simulator = await startSimulator();
    const { api } = adminOf(simulator.api.addresses.slice(0, 1));
    await api.call({ ...read, to: { node: 2 } });
    expect(asked(simulator)).toEqual(['0 GET /v1/brokers 200', '2 GET /v1/loggers 200']);
  });

  test('that is down fails at once, and is not sent to another node', async () => {
    const simulator = await startSimulator();
    await simulator.switches.stopNode(1);
    const { api, sleeps } = adminOf(simulator.api.addresses);
    const { error } = await failed(api.call({ ...read, to: { node: 1 } }));
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_REFUSED' });
    expect(error.message).toContain('127.0.0.2:');
    expect(sleeps).toEqual([]);
    expect(asked(simulator).filter((line) => line.includes('loggers'))).toEqual([]);
    // The ids of the others are known; this one is asked for again.
    await simulator.switches.startNode(1);
    await api.call({ ...read, to: { node: 1 } });
    expect(simulator.switches.journal(1).map(({ path }) => path)).toEqual(['/v1/node_config', '/v1/loggers']);
  });

  test('that does not exist names those there are', async () => {
    const simulator = await startSimulator();
    const { api } = adminOf(simulator.api.addresses);
    const { error } = await failed(api.call({ ...read, to: { node: 9 } }));
    expect(error).toMatchObject({ exitCode: 3, code: 'BROKER_NOT_FOUND' });
    expect(error.message).toBe('the cluster has no broker 9, only 0, 1, 2');
  });

  test.each([
    ['b1.example', ['b1.example', 'b2.example'], 'b2.example'],
    ['10.0.0.1', ['b1.example', 'b2.example'], '10.0.0.2'],
    ['b1.example', ['b1.example', 'b1.example'], '10.0.0.2'],
    ['b1.example', ['b1.example', 'a@b'], undefined],
  ])('is asked from %s, where brokers announce %j, at %s', async (from, announced, expected) => {
    const proxy = await startNode(({ line }) => {
      const brokers = [1, 2].map((id) => ({ node_id: id, internal_rpc_address: `10.0.0.${id}` }));
      return line.endsWith('/v1/brokers') ? [200, brokers] : refusal(404, 'Not found');
    });
    const { api } = adminOf([from], {
      proxy: { option: '', env: { http_proxy: proxy.url } },
      announcedBrokers: async () => announced.map((host, at) => ({ id: at + 1, host })),
    });
    await failed(api.call({ ...read, to: { node: 2 } }));
    const asked = proxy.lines().flatMap((line) => /\/\/([^:/]+)[^ ]*\/v1\/loggers$/.exec(line)?.[1] ?? []);
    expect(asked).toEqual(expected === undefined ? [] : [expected]);
  });

  test.each(['', 'evil/..', 'a@b', 'a#', 'a b', '[', '::x', '127.0.0.1', '0.0.0.0', 'localhost', '::1', '::'])(
    'whose address is %j from afar is not sent anywhere',
    async (host) => {
      const proxy = await startNode(({ line }) =>
        line.endsWith('/v1/brokers') ? [200, [{ node_id: 7, internal_rpc_address: host }]] : refusal(404, 'Not found'),
      );
      const { api } = adminOf(['admin.example'], { proxy: { option: '', env: { http_proxy: proxy.url } } });
      const { error } = await failed(api.call({ ...read, to: { node: 7 } }));
      expect(error).toMatchObject({ exitCode: 1, code: 'BROKER_ADDRESS_UNKNOWN' });
      expect(error.message).toContain(`(the cluster names "${host}", which leads elsewhere from here)`);
      expect(error.hints).toEqual(['add the address of broker 7 to admin.hosts']);
      expect(proxy.lines().join()).not.toContain('/v1/loggers');
    },
  );
});
