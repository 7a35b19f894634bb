import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { failed } from '../net/http-peers.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, change, type NodeAnswer, type NodeCall, refusal, startNode, type TestAdmin } from './admin-of.ts';

const doubt = 'the cluster may have made the change: check before you repeat the command';

const repeatable = { ...change, repeats: true } as const;

describe('a change that cannot be repeated', () => {
  test.each([502, 503, 504])('is not repeated after %i, and the doubt is said', async (status) => {
    const node = await startNode(() => refusal(status, 'interrupted'));
    const { api } = adminOf([node.url]);
    const { error } = await failed(api.call(change));
    expect(error).toMatchObject({ exitCode: 5, retryable: false });
    expect(error.message).toBe(`unable to make the change: interrupted (POST ${node.url}/v1/change: ${status})`);
    expect(error.hints).toEqual([doubt]);
    expect(node.calls).toHaveLength(1);
  });

  test('is not repeated after a cut, also at another address', async () => {
    const node = await startNode(({ socket }) => void socket.destroy());
    const other = await startNode(() => [200, {}]);
    const { api } = adminOf([node.url, other.url]);
    const { error } = await failed(api.call(change));
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST', retryable: false, hints: [doubt] });
    expect([node.calls.length, other.calls.length]).toEqual([1, 0]);
  });

  test('is repeated after 429, which made nothing', async () => {
    const node = await startNode(({ before }) => (before === 0 ? refusal(429, 'throttled') : [200, {}]));
    const { api } = adminOf([node.url]);
    expect(await api.call(change)).toBe('made');
  });

  test('is repeated while the leader cannot be looked up, because it has not been sent', async () => {
    const node = await startNode(({ line, before, socket }) => {
      if (line === 'POST /v1/change') return [200, {}];
      if (line.includes('controller') && before === 0) return void socket.destroy();
      return before === 1 ? refusal(503, 'busy') : [200, { leader_id: 1, node_id: 1 }];
    });
    const { api, sleeps } = adminOf([node.url, 'http://127.0.0.1:1']);
    expect(await api.call({ ...change, to: 'leader' })).toBe('made');
    expect(sleeps).toHaveLength(2);
    expect(node.calls.filter(({ line }) => line === 'POST /v1/change')).toHaveLength(1);
  });

  test.each([400, 403, 409, 500])('has no doubt about it after %i', async (status) => {
    const node = await startNode(() => refusal(status, 'no'));
    const { api } = adminOf([node.url]);
    expect((await failed(api.call(change))).error.hints).not.toContain(doubt);
  });
});

describe('a change that can be repeated', () => {
  test.each(['before', 'after'] as const)('is, when the connection is cut %s it is made', async (when) => {
    const simulator = await startSimulator();
    for (const route of ['brokers.decommission', 'brokers.recommission', 'brokers.maintenance.start'])
      simulator.switches.addFault({ route, effect: { kind: 'drop', when } });
    const { admin, sleeps } = adminOf(simulator.api.addresses);
    const membership = async () => (await admin.brokers()).map((one) => one.membership);
    await admin.decommission(2);
    expect(await membership()).toEqual(['active', 'active', 'draining']);
    // The repeated request is refused if the first one was made: the broker is not being decommissioned any more.
    await admin.recommission(2);
    expect(await membership()).toEqual(['active', 'active', 'active']);
    await admin.setMaintenance(2, true);
    expect((await admin.maintenance()).map(({ enabled }) => enabled)).toEqual([false, false, true]);
    expect(sleeps).toEqual([250, 250, 250]);
  });

  test('fails if it is refused at the first attempt, or for another reason', async () => {
    const { api, switches } = await startSimulator();
    const { admin } = adminOf(api.addresses);
    const { error } = await failed(admin.recommission(2));
    expect(error).toMatchObject({ exitCode: 1, status: 400, hints: [] });
    expect(error.message).toMatch(/^unable to recommission broker 2: broker 2 is not being decommissioned \(PUT /);
    switches.addFault({ route: 'brokers.decommission', times: 1, effect: { kind: 'drop', when: 'before' } });
    switches.addFault({ route: 'brokers.decommission', skip: 1, effect: { kind: 'status', status: 400 } });
    const { error: second } = await failed(admin.decommission(1));
    expect(second.message).toContain('a simulated fault');
    expect(second.hints).toEqual([doubt]);
  });

  test('of a broker that is not there is not taken for made', async () => {
    const { api, switches } = await startSimulator();
    switches.addFault({ route: 'brokers.decommission', effect: { kind: 'drop', when: 'before' } });
    const { error } = await failed(adminOf(api.addresses).admin.decommission(7));
    expect(error).toMatchObject({ exitCode: 3, hints: [doubt] });
  });

  test('of a broker that has left in the meantime is taken for made', async () => {
    const node = await startNode(({ line, before, socket }) => {
      if (line === 'GET /v1/brokers') return [200, []];
      if (line === 'GET /v1/broker_uuids') return [200, [{ node_id: 7, uuid: 'u' }]];
      return before === 0 ? void socket.destroy() : refusal(404, 'broker 7 does not exist');
    });
    await adminOf([node.url]).admin.decommission(7);
    expect(node.lines().filter((line) => line.startsWith('PUT'))).toHaveLength(2);
  });

  test('says the doubt when a node that only closes connections ends it', async () => {
    const node = await startNode(({ socket }) => void socket.destroy());
    const { api } = adminOf([node.url], { limits: { retry: 30_000 } });
    const { error } = await failed(api.call(repeatable));
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
    expect(error.hints).toContain(doubt);
    expect(node.calls).toHaveLength(3);
  });
});

describe('the end of the command', () => {
  const end = new CliError(5, 'the command timed out', { code: 'COMMAND_TIMEOUT', hints: ['first'] });

  /** Makes a call whose command ends when `when` is true of a request that has arrived or of a pause. */
  async function endedAt(call: Parameters<TestAdmin['api']['call']>[0], answer: (call: NodeCall) => NodeAnswer) {
    const node = await startNode((given) => {
      const answered = answer(given);
      if (answered === undefined) abort(end);
      return answered;
    });
    const { api, abort } = adminOf([node.url], { onSleep: () => abort(end) });
    const { error } = await failed(api.call(call));
    expect(error).toMatchObject({ exitCode: 5, code: 'COMMAND_TIMEOUT' });
    return error.hints;
  }

  test.each([change, repeatable])('says of a change that was not answered that it may be made', async (call) => {
    expect(await endedAt(call, () => undefined)).toEqual(['first', doubt]);
  });

  test('says so of a repeated change whose first answer was lost', async () => {
    const cut = ({ socket }: NodeCall): NodeAnswer => {
      socket.destroy();
      return [200];
    };
    expect(await endedAt(repeatable, cut)).toEqual(['first', doubt]);
  });

  test('has no doubt about a request that only reads, or that was refused', async () => {
    expect(await endedAt({ ...change, method: 'GET' }, () => undefined)).toEqual(['first']);
    expect(await endedAt(change, () => refusal(429, 'throttled'))).toEqual(['first']);
  });
});
