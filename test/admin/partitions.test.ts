import { describe, expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import type { Fault } from '../sandbox/admin/controlled.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

const first = { namespace: 'kafka', topic: 'orders', partition: 0 };
const doubt = 'the cluster may have made the change: check before you repeat the command';

/** A simulator with a fault, its client, and the changes that arrived. */
async function withFault(fault: Fault) {
  const simulator = await startSimulator();
  simulator.switches.addFault(fault);
  const changes = () =>
    simulator.switches
      .journal()
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  return { ...simulator, ...adminOf(simulator.api.addresses), changes };
}

describe('a change of partitions that is cut', () => {
  test.each(['before', 'after'] as const)('%s it is made is repeated, and made once', async (when) => {
    const effect = { kind: 'drop', when } as const;
    const { admin, changes, switches } = await withFault({ route: 'partitions.move', effect });
    const [orders] = await admin.partitionsOf(first);
    expect(orders).toMatchObject({ replicas: [0, 1, 2], cores: [0, 0, 0], leader: 0, disabled: false });
    const single = { ...first, topic: 'single' };
    await admin.movePartition(single, [{ broker: 0, core: 1 }]);
    expect(await admin.moves()).toMatchObject([
      { topic: 'single', old_replicas: [2], new_replicas: [0], new_cores: [0] },
    ]);
    switches.addFault({ route: 'cluster.partitions.disable', effect });
    await admin.setDisabled(first, true);
    expect((await admin.partitionsOf(first))[0]).toMatchObject({ disabled: true, leader: null });
    switches.addFault({ route: 'cluster.partitions.disable_topic', effect });
    await admin.setDisabled({ namespace: 'kafka', topic: 'payments' }, true);
    expect(await admin.partitionsOf({ ...first, topic: 'payments' })).toMatchObject([
      { disabled: true },
      { disabled: true },
    ]);
    switches.addFault({ route: 'cluster.moves.cancel', effect });
    const results = await admin.cancelMoves();
    expect(results).toEqual(when === 'before' ? [{ ...single, result: 'Success' }] : []);
    expect(await admin.moves()).toEqual([]);
    switches.addFault({ route: 'partitions.rebalance', effect });
    await admin.rebalance();
    switches.addFault({ route: 'partitions.move_core', effect });
    await admin.moveToCore(single, { broker: 2, core: 1 });
    expect(await admin.partitionsOf(single)).toMatchObject([{ replicas: [2], cores: [1] }]);
    expect(await admin.partitionStates([single])).toMatchObject([{ replicas: [2], cores: [1] }]);
    expect(changes()).toHaveLength(12);
  });

  test.each(['before', 'after'] as const)(
    '%s a leadership is transferred is repeated at the next leader',
    async (when) => {
      const { admin, changes } = await withFault({ route: 'partitions.transfer', effect: { kind: 'drop', when } });
      await admin.transferLeadership(first, { from: 0, to: 2 });
      expect((await admin.partitionsOf(first))[0]?.leader).toBe(2);
      const path = 'POST /v1/partitions/kafka/orders/0/transfer_leadership?target=2';
      expect(changes().filter((line) => line === path).length).toBeGreaterThan(1);
    },
  );
});

describe('a forced recovery', () => {
  const lost = {
    ...{ ...first, topic_revision: 7, replicas: [0, 1], cores: [1, 0], dead_brokers: [0, 1] },
  };

  test('sends what the server has listed', async () => {
    const entry = {
      ntp: { ns: 'kafka', topic: 'orders', partition: 0 },
      topic_revision: 7,
      replicas: [
        { node_id: 0, core: 1 },
        { node_id: 1, core: 0 },
      ],
      dead_nodes: [0, 1],
    };
    const node = await startNode(({ line }) => [200, line.startsWith('GET') ? [entry] : undefined]);
    const { admin } = adminOf([node.url]);
    expect(await admin.majorityLost([0, 1])).toEqual([lost]);
    await admin.forceRecover([0, 1], [lost]);
    expect(node.lines()).toEqual([
      'GET /v1/partitions/majority_lost?dead_nodes=0%2C1',
      'POST /v1/partitions/force_recover_from_nodes',
    ]);
    expect(JSON.parse(node.calls[1]?.body ?? '')).toEqual({ dead_nodes: [0, 1], partitions_to_force_recover: [entry] });
  });

  test.each([503, 504, 'cut'] as const)('is not repeated after %s, and the doubt is said', async (how) => {
    const node = await startNode(({ socket }) => (how === 'cut' ? void socket.destroy() : refusal(how, 'busy')));
    const { error } = await failed(adminOf([node.url]).admin.forceRecover([0, 1], [lost]));
    expect(error).toMatchObject({ exitCode: 5, retryable: false });
    expect(error.hints).toContain(doubt);
    expect(node.calls).toHaveLength(1);
  });
});

describe('reads of partitions', () => {
  test('of a topic fall back to the call of older versions, whose 404 is about the topic', async () => {
    const placed = { ns: 'kafka', topic: 'old', partition_id: 0, leader_id: -1, replicas: [{ node_id: 4, core: 1 }] };
    const node = await startNode(({ line }) =>
      line === 'GET /v1/partitions/kafka/old' ? [200, [{ ...placed, status: 'done' }]] : refusal(404, 'Not found'),
    );
    const { admin } = adminOf([node.url]);
    expect(await admin.partitionsOf({ namespace: 'kafka', topic: 'old' })).toEqual([
      { namespace: 'kafka', topic: 'old', partition: 0, leader: null, replicas: [4], cores: [1], disabled: null },
    ]);
    const { error } = await failed(admin.partitionsOf({ namespace: 'kafka', topic: 'nope' }));
    expect(error).toMatchObject({ exitCode: 3, code: 'NOT_FOUND' });
    expect(error.message).toMatch(/^unable to list the partitions of topic nope: Not found \(GET .*\/v1\/partitions\//);
  });

  test('of the controller are the one that its topic answers with', async () => {
    const placed = { ns: 'redpanda', topic: 'controller', partition_id: 0, leader_id: 1, replicas: [] };
    const node = await startNode(({ line }) =>
      line === 'GET /v1/partitions/redpanda/controller' ? [200, placed] : refusal(404, 'Not found'),
    );
    const rows = await adminOf([node.url]).admin.partitionsOf({ namespace: 'redpanda', topic: 'controller' });
    expect(rows).toMatchObject([{ namespace: 'redpanda', topic: 'controller', partition: 0, leader: 1 }]);
  });

  test('an older version has no features, and brokers do not choose cores', async () => {
    const node = await startNode(() => refusal(404, 'Not found'));
    expect(await adminOf([node.url]).admin.choosesCores()).toBe(false);
  });

  test.each([
    [[{ name: 'node_local_core_assignment', state: 'active' }], true],
    [[{ name: 'node_local_core_assignment', state: 'available' }], false],
    [[5, null, { name: 'node_local_core_assignment', state: 'active' }], true],
    [undefined, false],
  ])('features %j: brokers choose cores: %s', async (features, chooses) => {
    const node = await startNode(() => [200, { features }]);
    expect(await adminOf([node.url]).admin.choosesCores()).toBe(chooses);
  });

  test('what is refused for one partition is its result; anything else fails the read', async () => {
    const { admin, switches } = await withFault({ route: 'partitions.get', effect: { kind: 'delay', ms: 0 } });
    const [known, unknown] = await admin.partitionStates([first, { ...first, partition: 9 }]);
    expect(known).toMatchObject({ partition: 0, is_moving: false });
    expect(unknown).toMatchObject({ exitCode: 3, code: 'NOT_FOUND' });
    switches.addFault({ route: 'partitions.get', effect: { kind: 'status', status: 403 }, times: null });
    expect((await failed(admin.partitionStates([first]))).error.exitCode).toBe(4);
  });

  test.each([
    ['replicas that are no list', { replicas: 5 }],
    ['a replica without a core', { replicas: [{ node_id: 1 }] }],
    ['no topic', { topic: null }],
  ])('an answer with %s is an error that names what is missing', async (_, wrong) => {
    const good = { ns: 'kafka', topic: 'a', partition_id: 0, replicas: [] };
    const node = await startNode(() => [200, [{ ...good, ...wrong }]]);
    const { error } = await failed(adminOf([node.url]).admin.allPartitions());
    expect(error.code).toBe('BAD_ANSWER');
    expect(error.message).toMatch(/has no valid (replicas|core|topic)$/);
  });

  test('the storage of a partition is asked for at its leader', async () => {
    const { admin, switches } = await withFault({ route: 'storage.status', effect: { kind: 'delay', ms: 0 } });
    const [known, unknown] = await admin.storageOf('orders', [
      { partition: 1, leader: 1 },
      { partition: 9, leader: null },
    ]);
    expect(known).toMatchObject({ mode: 'disabled', local_last_offset: 999, cloud_start_offset: null });
    expect(unknown).toMatchObject({ code: 'UNAVAILABLE', exitCode: 5 });
    const calls = switches.journal().filter(({ path }) => path.includes('/orders/1'));
    expect(calls.map(({ node, status }) => [node, status])).toEqual([
      [0, 307],
      [1, 200],
    ]);
  });
});

describe('the wait for a move', () => {
  const options = { waitTimeoutMs: 600_000, resumeWith: 'weir again', onProgress: () => undefined };
  const wanted = { ...first, new_replicas: [1, 2] };
  const state = (ids: readonly number[], status = 'done') => ({
    ...{ ns: 'kafka', topic: 'orders', partition_id: 0, leader_id: 1, status },
    replicas: ids.map((id) => ({ node_id: id, core: 0 })),
  });
  const move = {
    ...{ ns: 'kafka', topic: 'orders', partition: 0, previous_replicas: [], current_replicas: [] },
    ...{ bytes_moved: 1, bytes_left_to_move: 2, partition_size: 3 },
  };

  /** A node that lists the move at these polls, and the states of the partition that it returns after one another. */
  const nodeWith = (moves: readonly boolean[], states: readonly unknown[]) =>
    startNode(({ line, before }) =>
      line.endsWith('reconfigurations') ? [200, moves[before] ? [move] : []] : [200, states[before] ?? states.at(-1)],
    );

  test('goes on while a node does not know the move yet, and ends where the partition should be', async () => {
    const node = await nodeWith([false, false, true], [state([0]), state([0]), state([2, 1])]);
    const { admin, sleeps } = adminOf([node.url]);
    expect(await admin.waitForMoves([wanted], options)).toEqual({ moving: [], left: 0, stopped: [] });
    expect(sleeps).toHaveLength(3);
  });

  test('goes on while the partition is moving, although the move is not listed', async () => {
    const node = await nodeWith([], [state([1, 2], 'in_progress'), state([1, 2])]);
    const { admin, sleeps } = adminOf([node.url]);
    expect((await admin.waitForMoves([wanted], options)).stopped).toEqual([]);
    expect(sleeps).toHaveLength(1);
  });

  test('ends for a partition whose move was canceled: at once if it was seen, else after some polls', async () => {
    const seen = await nodeWith([true], [state([0])]);
    const early = adminOf([seen.url]);
    expect(await early.admin.waitForMoves([wanted], options)).toMatchObject({ left: 0, stopped: [first] });
    expect(early.sleeps).toHaveLength(1);
    const never = await nodeWith([], [state([0])]);
    const late = adminOf([never.url]);
    expect((await late.admin.waitForMoves([wanted], options)).stopped).toMatchObject([first]);
    expect(late.sleeps).toHaveLength(5);
  });

  test('fails for a partition that is gone', async () => {
    const node = await startNode(({ line }) =>
      line.endsWith('reconfigurations') ? [200, []] : refusal(404, 'no topic'),
    );
    expect((await failed(adminOf([node.url]).admin.waitForMoves([wanted], options))).error.exitCode).toBe(3);
  });

  test('reports what is left, and says at its limit how to resume', async () => {
    const node = await nodeWith(Array<boolean>(100).fill(true), [state([0])]);
    const details: number[] = [];
    const onProgress = ({ left }: { readonly left: number }) => void details.push(left);
    const wait = adminOf([node.url]).admin.waitForMoves([wanted], { ...options, waitTimeoutMs: 5_000, onProgress });
    const { error } = await failed(wait);
    expect(error).toMatchObject({ exitCode: 5, code: 'WAIT_TIMEOUT' });
    expect(error.hints).toContain('resume waiting with: weir again');
    expect(new Set(details)).toEqual(new Set([1]));
  });
});
