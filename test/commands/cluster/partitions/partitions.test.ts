import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

beforeEach(skipPauses);

const places = (rows: readonly Json[]) => rows.map((row) => `${row.namespace}/${row.topic}/${row.partition}`);

describe('cluster partitions list', () => {
  test('prints the columns of rpk', async () => {
    const { cluster } = await adminWorld();
    expect(await cluster('partitions list orders')).toEqual({
      stdout: [
        'NAMESPACE  TOPIC   PARTITION  LEADER-ID  REPLICA-CORE   DISABLED',
        'kafka      orders  0          3          [3-0 1-0 2-0]  false',
        'kafka      orders  1          1          [1-1 0-1 2-1]  false',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  test('filters by partition, broker and state, with internal namespaces', async () => {
    const { json, ok } = await adminWorld();
    await ok('POST /v1/cluster/partitions/kafka/orders/1', { body: { disabled: true } });
    const list = async (line: string) => places(await json(`partitions list ${line}`));
    expect(await list('--all')).toEqual([...['kafka/orders/0', 'kafka/orders/1', 'kafka_internal/tx/0']]);
    expect(await list('kafka_internal/tx')).toEqual(['kafka_internal/tx/0']);
    expect(await list('orders -p 1')).toEqual(['kafka/orders/1']);
    expect(await list('orders kafka_internal/tx -p 1')).toEqual(['kafka/orders/1']);
    expect(await list('--all --node-ids 0,2')).toEqual(['kafka/orders/1']);
    expect(await list('--all --disabled-only')).toEqual(['kafka/orders/1']);
    expect(await json('partitions describe orders -p 1')).toMatchObject([{ leader: null, disabled: true }]);
  });

  test('an unknown topic does not affect the others: exit 3', async () => {
    const { cluster } = await adminWorld();
    const { stdout, exitCode } = await cluster('partitions list nope orders');
    expect(stdout).toMatch(/^kafka +nope +- .*NOT_FOUND: .*topic kafka\/nope does not exist \(GET /m);
    expect(stdout).toMatch(/^kafka +orders +1 +1 +\[1-1 0-1 2-1] +false$/m);
    expect(exitCode).toBe(3);
  });

  test('a server without the list of all partitions: topics are listed, --all has exit 1 and says why', async () => {
    const { cluster, json, switches } = await adminWorld();
    for (const route of ['cluster.partitions', 'cluster.partitions.topic'])
      switches.addFault({ route, effect: { kind: 'status', status: 404, message: 'Not found' }, times: null });
    expect(places(await json('partitions list orders'))).toEqual(['kafka/orders/0', 'kafka/orders/1']);
    const { stderr, exitCode } = await cluster('partitions list --all');
    expect(stderr).toContain('the cluster has no call to list all partitions, which needs a newer version: ');
    expect(stderr).toContain('hint: name the topics instead of --all\n');
    expect(exitCode).toBe(1);
    expect(JSON.parse((await cluster('partitions list --all --format json')).stderr).error.code).toBe('UNSUPPORTED');
  });

  test('a partition that no named topic has is an item with an error (exit 3), also beside --disabled-only', async () => {
    const { cluster } = await adminWorld();
    for (const flags of ['', ' --disabled-only']) {
      const { stdout, exitCode } = await cluster(`partitions list orders -p 7,7${flags} --format json`);
      expect(JSON.parse(stdout)).toEqual([
        {
          ...{
            namespace: 'kafka',
            topic: 'orders',
            partition: 7,
            leader: null,
            replicas: [],
            cores: [],
            disabled: null,
          },
          error: {
            ...{ code: 'NOT_FOUND', number: null, message: 'topic orders has no partition 7' },
            ...{ retryable: false, exit_code: 3 },
          },
        },
      ]);
      expect(exitCode).toBe(3);
    }
    expect((await cluster('partitions list --all -p 7')).exitCode).toBe(0);
  });

  test.each([
    ['', 'missing argument TOPIC'],
    ['orders --all', '--all cannot be combined with TOPIC'],
    ['orders -n x', 'not a whole number'],
    ['o=secret/a/b', 'not of the form [NAMESPACE/]TOPIC'],
  ])('"%s" has exit 2', async (words, reason) => {
    const { cluster, switches } = await adminWorld();
    const { stderr, exitCode } = await cluster(`partitions list ${words}`.trim());
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });
});

describe('cluster partitions disable and enable', () => {
  const one = 'POST /v1/cluster/partitions/kafka/orders/0';

  test('disable what is named, once, and enable it again', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster('partitions disable orders -p 0')).toEqual({
      stdout: [
        'NAMESPACE  TOPIC   PARTITION  OLD-DISABLED  NEW-DISABLED  STATUS',
        'kafka      orders  0          false         true          OK',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await json('partitions disable -p orders/0,0')).toMatchObject([{ status: 'NOT_NEEDED' }]);
    expect(changes()).toEqual([one]);
    expect(await json('partitions enable orders -p 0')).toMatchObject([{ old_disabled: true, new_disabled: false }]);
    expect((await json('partitions list orders -p 0'))[0]).toMatchObject({ disabled: false });
    expect(changes()).toEqual([one, one]);
  });

  test('--all changes the topic with one request', async () => {
    const { json, changes } = await adminWorld();
    expect(await json('partitions disable orders --all')).toMatchObject([{ status: 'OK' }, { status: 'OK' }]);
    expect(changes()).toEqual(['POST /v1/cluster/partitions/kafka/orders']);
    expect(await json('partitions list orders')).toMatchObject([{ disabled: true }, { disabled: true }]);
    expect(await json('partitions disable orders --all')).toMatchObject([
      { status: 'NOT_NEEDED' },
      { status: 'NOT_NEEDED' },
    ]);
    expect(changes()).toHaveLength(1);
  });

  test('a partition that is not there does not affect the others', async () => {
    const { cluster, changes } = await adminWorld();
    const { stdout, exitCode } = await cluster('partitions disable -p orders/0,7 -p nope/0 -p kafka_internal/tx/0');
    expect(stdout).toContain('NOT_FOUND: topic orders has no partition 7\n');
    expect(stdout).toMatch(/nope +0 +- +true +NOT_FOUND: .*topic kafka\/nope does not exist/);
    // Only topics of Kafka clients can be disabled.
    expect(stdout).toMatch(/tx +0 .* CONFLICT: .*Invalid partition operation/);
    expect(exitCode).toBe(1);
    expect(changes()).toEqual([one, 'POST /v1/cluster/partitions/kafka_internal/tx/0']);
  });

  test('disable asks on a terminal with the partitions; no and --dry-run change nothing', async () => {
    const { cluster, json, changes, switches } = await adminWorld();
    const { stderr, exitCode } = await cluster('partitions disable orders --all', { terminal: { typed: 'n\n' } });
    expect(stderr).toContain('kafka      orders  1          false         true\n');
    expect(stderr).toContain('Disable 2 partitions (orders/0, orders/1) on ');
    expect(exitCode).toBe(1);
    for (const verb of ['disable', 'enable'])
      expect(await json(`partitions ${verb} orders --all --dry-run`)).toMatchObject([{ dry_run: true }, {}]);
    expect(changes()).toEqual([]);
    switches.clearJournal();
    expect((await cluster('partitions disable orders -p 1', { terminal: { typed: 'y\n' } })).exitCode).toBe(0);
    // Nothing is planned anew after the answer.
    expect(switches.journal().filter(({ route }) => route === 'cluster.partitions.topic')).toHaveLength(1);
  });

  test('interrupted at every request and repeated, it ends the same', async () => {
    const line = 'partitions disable orders -p 0,1';
    const { whole, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where, report }) {
        expect((await world.cluster(line)).exitCode, where).toBe(0);
        expect(await world.json('partitions list orders --disabled-only')).toHaveLength(2);
        expect(world.changes()).toHaveLength(2);
        return /^weir: .*$/m.exec(report)?.[0];
      },
    });
    expect(whole.exitCode).toBe(0);
    expect(reports).toEqual([
      'weir: stopped before anything was changed',
      'weir: stopped while disabling orders/0: the request may or may not have arrived; 0 of 2 were made before',
      'weir: stopped while disabling orders/1: the request may or may not have arrived; 1 of 2 were made before',
    ]);
  });

  test('a server that cannot disable partitions: exit 1, and nothing is sent', async () => {
    const { cluster, switches, changes } = await adminWorld();
    const partition = { ns: 'kafka', topic: 'orders', partition_id: 0, replicas: [{ node_id: 1, core: 0 }] };
    const effect = { kind: 'status', status: 200, text: JSON.stringify([partition]) } as const;
    switches.addFault({ route: 'cluster.partitions.topic', effect });
    const { stderr, exitCode } = await cluster('partitions disable orders -p 0 --format json');
    expect(JSON.parse(stderr).error).toMatchObject({
      message: 'the cluster cannot disable partitions, which needs a newer version',
      code: 'UNSUPPORTED',
    });
    expect(exitCode).toBe(1);
    expect(changes()).toEqual([]);
  });

  test.each([
    ['partitions disable orders', 'missing --partitions'],
    ['partitions disable --all', '--all needs TOPIC'],
    ['partitions enable orders --all -p 0', '--all cannot be combined with --partitions'],
    ['partitions enable -p 0', 'missing argument TOPIC'],
    ['partitions enable orders -p payments/0', 'TOPIC cannot be combined with the topic "payments"'],
    ['partitions enable orders -p 0,,1', 'a partition is not a whole number from 0'],
  ])('%s: exit 2 before any request', async (line, reason) => {
    const { cluster, switches } = await adminWorld();
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });
});

test('redpanda admin partitions list shows what a broker holds, or leads', async () => {
  const { cluster, json } = await adminWorld();
  expect(await cluster('redpanda admin partitions list 1')).toEqual({
    stdout: 'TOPIC   PARTITION  IS-LEADER\norders  0          false\norders  1          true\n',
    stderr: '',
    exitCode: 0,
  });
  expect(await json('redpanda admin partitions ls 1 -l')).toEqual([{ topic: 'orders', partition: 1, is_leader: true }]);
  expect((await cluster('redpanda admin partitions list 9')).exitCode).toBe(3);
});
