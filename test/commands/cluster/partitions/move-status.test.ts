import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const move = 'partitions move orders -p 0:0,1,2';
const moved = 'POST /v1/partitions/kafka/orders/0/replicas';
/** The clock stands still, so that moves stay in progress. */
const standing = { settings: {} };

beforeEach(skipPauses);

describe('cluster partitions move-status', () => {
  test('lists moves; -H adds units, -a the work of each broker', async () => {
    const { cluster, switches } = await adminWorld(standing);
    await cluster(move);
    await switches.advance(1_000);
    expect(await cluster('partitions move-status')).toEqual({
      stdout: [
        'NAMESPACE-TOPIC  PARTITION  MOVING-FROM  MOVING-TO  COMPLETION-%  PARTITION-SIZE  BYTES-MOVED  BYTES-REMAINING',
        'kafka/orders     0          [3 1 2]      [0 1 2]    50            67108864        33554432     33554432',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    const { stdout } = await cluster('partitions move-status -a -H');
    expect(stdout).toContain('50            67.11MB         33.55MB      33.55MB\n');
    expect(stdout).toContain('RECONCILIATION STATUSES\n=======================\nkafka/orders/0\nNODE-ID  CORE  TYPE');
  });

  test('a filter that matches nothing shows nothing, and a partition without data is complete', async () => {
    const { cluster, json } = await adminWorld(standing);
    await cluster(move);
    for (const filter of ['payments', 'orders -p 1', 'kafka_internal/orders'])
      expect(await json(`partitions move-status ${filter}`)).toEqual([]);
    expect(await json('partitions move-status orders -p 0,5')).toHaveLength(1);
    const empty = await adminWorld({
      ...standing,
      cluster: {
        brokers: [0, 1].map((id) => ({ id, rack: null, alive: true })),
        topics: [{ ns: 'kafka', name: 'e', partitions: [{ id: 0, leader: 0, replicas: [0], sizeBytes: 0 }] }],
      },
    });
    await empty.cluster('partitions move e -p 0:1');
    expect(await empty.json('partitions move-status')).toMatchObject([{ size: 0, completion_percent: 100 }]);
  });

  test('--wait ends when none of the listed partitions is moving', async () => {
    const { cluster, json } = await adminWorld({ settings: { perRequestMs: 400, moveBytesPerS: 8 << 20 } });
    await cluster(move);
    expect(await json('partitions move-status orders --wait')).toMatchObject([{ partition: 0 }]);
    expect(await json('partitions move-status')).toEqual([]);
  });
});

describe('cluster partitions move-cancel', () => {
  test('cancels all moves; --node only those of a broker', async () => {
    const { cluster, json, changes } = await adminWorld(standing);
    await cluster(`${move} -p 1:3,0,2`);
    expect((await cluster('partitions move-cancel --node 0 --dry-run')).stdout).toContain('OK (dry run)\n');
    expect(await cluster('partitions move-cancel --node 3 --yes')).toMatchObject({ exitCode: 0 });
    expect(await json('partitions move-status')).toEqual([]);
    await cluster(move);
    expect(await cluster('partitions alter-cancel --yes')).toEqual({
      stdout: [
        'NAMESPACE  TOPIC   PARTITION  REPLICAS  MOVING-TO  STATUS',
        'kafka      orders  0          [3 1 2]   [0 1 2]    OK',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect((await json('partitions list orders -p 0'))[0].replicas).toEqual([3, 1, 2]);
    expect(changes().filter((line) => line.includes('cancel'))).toEqual([
      'POST /v1/brokers/3/cancel_partition_moves',
      'POST /v1/cluster/cancel_reconfigurations',
    ]);
  });

  test('--node leaves out the moves that have nothing to do with the broker', async () => {
    const partition = (id: number, broker: number) => ({ id, leader: broker, replicas: [broker], sizeBytes: 1 });
    const { cluster, json } = await adminWorld({
      ...standing,
      cluster: {
        brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
        topics: [{ ns: 'kafka', name: 'e', partitions: [partition(0, 0), partition(1, 2)] }],
      },
    });
    await cluster('partitions move e -p 0:1 -p 1:3');
    for (const node of [0, 1])
      expect(await json(`partitions move-cancel --node ${node} --dry-run`)).toMatchObject([{ partition: 0 }]);
    expect(await json('partitions move-cancel --node 3 --yes')).toMatchObject([{ partition: 1, status: 'OK' }]);
    expect(await json('partitions move-status')).toMatchObject([{ partition: 0 }]);
  });

  test('asks on a terminal with the moves; no cancels nothing, and without moves nothing is asked', async () => {
    const { cluster, changes } = await adminWorld(standing);
    const none = await cluster('partitions move-cancel', { terminal: { typed: '' } });
    expect(none).toMatchObject({ stderr: 'no partition is being moved\n', exitCode: 0 });
    await cluster(move);
    const no = await cluster('partitions move-cancel', { terminal: { typed: 'n\n' } });
    expect(no.stderr).toContain('kafka      orders  0          [3 1 2]   [0 1 2]\n');
    expect(no.stderr).toContain('Cancel 1 move on ');
    expect(no.exitCode).toBe(1);
    expect(changes()).toEqual([moved]);
  });

  test('a move that cannot be canceled has the reason of the server: exit 6', async () => {
    const { cluster, json, switches } = await adminWorld(standing);
    await cluster(`${move} -p 1:3,0,2`);
    const result = [{ ns: 'kafka', topic: 'orders', partition: 0, result: 'it is too late\u001b[2J' }];
    const effect = { kind: 'status', status: 200, text: JSON.stringify(result) } as const;
    switches.addFault({ route: 'cluster.moves.cancel', effect });
    const { stdout, exitCode } = await cluster('partitions move-cancel --yes');
    expect(stdout).toMatch(/orders +0 .* NOT_CANCELED: it is too late\\u001b\[2J$/m);
    expect(stdout).toMatch(/orders +1 .* NOT_NEEDED$/m);
    expect(exitCode).toBe(6);
    expect(await json('partitions move-status')).toHaveLength(2);
  });

  test('interrupted at every request and repeated, nothing is moving', async () => {
    const line = 'partitions move-cancel --yes';
    const { whole, reports } = await interruptedEverywhere({
      async make() {
        const world = await adminWorld(standing);
        await world.cluster(move);
        return world;
      },
      line,
      async resume({ world, where, report }) {
        expect((await world.cluster(line)).exitCode, where).toBe(0);
        expect(await world.json('partitions move-status')).toEqual([]);
        return /^weir: .*$/m.exec(report)?.[0];
      },
    });
    expect(whole.exitCode).toBe(0);
    expect(reports).toEqual([
      'weir: stopped before anything was changed',
      'weir: stopped while canceling 1 move: the request may or may not have arrived',
    ]);
  });
});
