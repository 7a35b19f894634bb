import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';

beforeEach(skipPauses);

describe('cluster partitions transfer-leadership', () => {
  const line = 'partitions transfer-leadership orders -p 0:1';
  const sent = 'POST /v1/partitions/kafka/orders/0/transfer_leadership';

  test('asks the leader of the partition, and shows the old and the new one', async () => {
    const { cluster, json, switches } = await adminWorld();
    expect(await cluster(line)).toEqual({
      stdout: [
        'NAMESPACE  TOPIC   PARTITION  OLD-LEADER  NEW-LEADER  STATUS',
        'kafka      orders  0          3           1           OK',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    const calls = switches.journal().filter(({ method }) => method === 'POST');
    expect(calls).toMatchObject([{ node: 3, status: 200 }]);
    expect((await json('partitions list orders -p 0'))[0].leader).toBe(1);
    expect(await json(line)).toMatchObject([{ old_leader: 1, new_leader: 1, status: 'NOT_NEEDED' }]);
  });

  test('follows a leader that has moved in the meantime', async () => {
    const world = await adminWorld();
    world.whenAfter('partitions.get', () => world.ok(`${sent}?target=2`));
    expect((await world.cluster(line)).exitCode).toBe(0);
    expect((await world.json('partitions list orders -p 0'))[0].leader).toBe(1);
  });

  test('a broker without a replica, and a partition without a leader, do not affect the others', async () => {
    const { cluster, ok, changes } = await adminWorld();
    await ok('POST /v1/cluster/partitions/kafka/orders/1', { body: { disabled: true } });
    const before = changes().length;
    const many = ['orders/0:0', 'orders/1:2', 'kafka_internal/tx/0:1', 'nope/0:1'].map((value) => `-p ${value}`);
    const { stdout, exitCode } = await cluster(`partitions transfer-leadership ${many.join(' ')}`);
    expect(stdout).toContain('NO_REPLICA: broker 0 has no replica of orders/0, only 3, 1, 2\n');
    expect(stdout).toMatch(/tx +0 +3 +1 +OK$/m);
    expect(stdout).toContain('DISABLED: orders/1 is disabled\n');
    expect(stdout).toContain('NOT_FOUND: unable to read partition nope/0: topic kafka/nope does not exist');
    expect(exitCode).toBe(1);
    expect(changes().slice(before)).toEqual(['POST /v1/partitions/kafka_internal/tx/0/transfer_leadership?target=1']);
  });

  test('a refusal of the server is in the row: exit 6, unlike rpk', async () => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 400, message: 'it is not a voter' } as const;
    switches.addFault({ route: 'partitions.transfer', effect });
    const { stdout, exitCode } = await cluster(line);
    expect(stdout).toContain('CONFLICT: unable to transfer the leadership of orders/0 to broker 1: it is not a voter');
    expect(exitCode).toBe(6);
  });

  test('a partition without a leader is not asked for a transfer: exit 5', async () => {
    const { cluster, switches, changes } = await adminWorld();
    const replicas = [1, 3].map((id) => ({ node_id: id, core: 0 }));
    const state = { ns: 'kafka', topic: 'orders', partition_id: 0, status: 'done', leader_id: -1, replicas };
    const effect = { kind: 'status', status: 200, text: JSON.stringify(state) } as const;
    // The first request of this route looks up the leader of the controller.
    switches.addFault({ route: 'partitions.get', skip: 1, effect });
    const { stdout, exitCode } = await cluster(line);
    expect(stdout).toContain('NO_LEADER: orders/0 has no leader at the moment\n');
    expect(exitCode).toBe(5);
    expect(changes()).toEqual([]);
  });

  test('--dry-run changes nothing', async () => {
    const { json, changes } = await adminWorld();
    expect(await json(`${line} --dry-run`)).toMatchObject([{ old_leader: 3, new_leader: 1, dry_run: true }]);
    expect(changes()).toEqual([]);
  });

  test.each([
    ['partitions transfer-leadership orders', 'missing --partition'],
    ['partitions transfer-leadership orders -p 0', 'not of the form [TOPIC/]PARTITION:BROKER'],
    ['partitions transfer-leadership orders -p 0:1 -p 0:2', 'names partition orders/0 twice'],
  ])('%s: exit 2', async (words, reason) => {
    const { stderr, exitCode } = await (await adminWorld()).cluster(words);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
  });
});

describe('cluster partitions balance and balancer-status', () => {
  test('balance starts the balancer; --dry-run does not', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await json('partitions balance --dry-run')).toEqual({ status: 'OK', dry_run: true, error: null });
    expect(changes()).toEqual([]);
    expect(await cluster('partitions balance')).toEqual({
      stdout: 'The cluster balances its partitions.\n',
      stderr: 'see what it does with: weir cluster partitions balancer-status\n',
      exitCode: 0,
    });
    expect(changes()).toEqual(['POST /v1/partitions/rebalance']);
    expect(await cluster('partitions balance')).toEqual({
      stdout: '',
      stderr:
        'weir: the cluster is balancing its partitions already\n' +
        'hint: see what it does with: weir cluster partitions balancer-status\n',
      exitCode: 6,
    });
    expect(changes()).toHaveLength(2);
  });

  test('balancer-status shows what keeps it from balancing', async () => {
    const { cluster, json, switches } = await adminWorld({ settings: {} });
    expect((await cluster('partitions balancer-status')).stdout).toBe(
      [
        'STATUS                       ready',
        'SECONDS-SINCE-LAST-TICK      0',
        'CURRENT-REASSIGNMENT-COUNT   0',
        'PARTITIONS-PENDING-RECOVERY  0',
        '',
      ].join('\n'),
    );
    await switches.stopNode(2);
    switches.setFreeDisk(1, 1);
    expect(await json('partitions balancer-status')).toMatchObject({
      ...{ status: 'stalled', current_reassignments: 0, pending_recovery: 0, pending_recovery_partitions: [] },
      ...{ unavailable_brokers: [2], over_disk_limit_brokers: [1] },
    });
    expect((await cluster('partitions balancer-status')).stdout).toContain('UNAVAILABLE-NODES            [2]\n');
  });

  test('balancer-status names partitions that wait for a forced recovery', async () => {
    const { cluster, switches } = await adminWorld();
    const text = JSON.stringify({
      ...{ status: 'ready', partitions_pending_force_recovery_count: 9 },
      partitions_pending_force_recovery_sample: ['{kafka/orders/0}', '{kafka/orders/1}'],
    });
    switches.addFault({ route: 'cluster.balancer', effect: { kind: 'status', status: 200, text } });
    expect((await cluster('partitions balancer-status')).stdout).toMatch(
      /^PARTITIONS-PENDING-RECOVERY +9\nSOME-OF-THEM +\[\S+orders\/0\S* \S+orders\/1\S*\]\n$/m,
    );
  });
});
