import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const move = 'partitions move orders -p 0:0,1,2';
const moved = 'POST /v1/partitions/kafka/orders/0/replicas';
const headers = 'NAMESPACE  TOPIC   PARTITION  OLD-REPLICAS   NEW-REPLICAS  STATUS\n';
const resultHeaders = headers.replace('STATUS', 'ERROR');
/** The clock stands still, so that moves stay in progress. */
const standing = { settings: {} };
const slow = { settings: { perRequestMs: 400, moveBytesPerS: 1 << 10 } };

beforeEach(skipPauses);

describe('cluster partitions move', () => {
  test('starts a move and says how to follow it', async () => {
    const { cluster, changes, json } = await adminWorld(standing);
    expect(await cluster(move)).toEqual({
      stdout: `${resultHeaders}kafka      orders  0          [3-0 1-0 2-0]  [0 1-0 2-0]\n`,
      stderr: 'see how far they are with: weir cluster partitions move-status\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([moved]);
    expect(await json('partitions move-status')).toMatchObject([{ topic: 'orders', partition: 0, size: 64 << 20 }]);
  });

  test('--wait ends when the partition is there', async () => {
    const { cluster, json } = await adminWorld();
    expect(await cluster(`${move} --wait`)).toMatchObject({ stderr: '', exitCode: 0 });
    expect((await json('partitions list orders -p 0'))[0]).toMatchObject({ replicas: [0, 1, 2] });
    expect(await json('partitions move-status')).toEqual([]);
  });

  test('of a partition that is there already sends nothing', async () => {
    const { json, changes } = await adminWorld();
    expect(await json('partitions move orders -p 0:2,3,1 --wait')).toMatchObject([{ status: 'NOT_NEEDED' }]);
    expect(changes()).toEqual([]);
  });

  test('--dry-run shows old and new replicas and changes nothing', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster(`${move} --dry-run`)).toEqual({
      stdout: `${headers}kafka      orders  0          [3-0 1-0 2-0]  [0 1-0 2-0]   OK (dry run)\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json(`${move} --dry-run`)).toEqual([
      {
        ...{ namespace: 'kafka', topic: 'orders', partition: 0, old_replicas: [3, 1, 2], old_cores: [0, 0, 0] },
        ...{ new_replicas: [0, 1, 2], new_cores: [null, 0, 0], status: 'OK', dry_run: true, error: null },
      },
    ]);
    expect(changes()).toEqual([]);
  });

  test('asks on a terminal with old and new replicas; no changes nothing, yes sends what was shown', async () => {
    const { cluster, changes, json, switches } = await adminWorld(standing);
    const no = await cluster(move, { terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain('kafka      orders  0          [3-0 1-0 2-0]  [0 1-0 2-0]\n');
    expect(no.stderr).toContain('Move the replicas of 1 partition (orders/0) on ');
    expect(changes()).toEqual([]);
    expect((await cluster(move, { terminal: { typed: 'y\n' } })).exitCode).toBe(0);
    expect(changes()).toEqual([moved]);
    // Once for each question: nothing is planned anew after the answer.
    expect(switches.journal().filter(({ path }) => path.endsWith('/orders/0'))).toHaveLength(2);
    expect((await json('partitions move-status'))[0]).toMatchObject({ new_replicas: [0, 1, 2], new_cores: [0, 0, 0] });
  });

  test('a partition that cannot be moved does not affect the others', async () => {
    const { cluster, changes } = await adminWorld(standing);
    const line = 'partitions move -p orders/7:0,1,2 -p orders/1:0,1 -p kafka_internal/tx/0:1,2,0 -p orders/0:1,2,9';
    const { stdout, exitCode } = await cluster(line);
    expect(stdout).toContain('NOT_FOUND: unable to read partition orders/7: topic kafka/orders has no partition 7');
    // Redpanda takes odd numbers only.
    expect(stdout).toMatch(/REPLICATION_FACTOR: orders\/1 has 3 replicas, not 2$/m);
    const single = await cluster('partitions move -p orders/1:0');
    expect(single.stdout).toContain('has 3 replicas, not 1; change that with: weir topic');
    expect(stdout).toContain('BROKER_NOT_FOUND: the cluster has no broker 9, only 0, 1, 2, 3\n');
    expect(stdout).toMatch(/^kafka_internal +tx +0 .*\]$/m);
    expect(exitCode).toBe(1);
    expect(changes()).toEqual(['POST /v1/partitions/kafka_internal/tx/0/replicas']);
  });

  test('what the server refuses is in the row, with exit 6', async () => {
    const { json } = await adminWorld();
    const line = 'partitions move -p redpanda/controller/0:3,2,1,0 -p orders/0:0,1,2';
    expect(await json(line)).toMatchObject([{ topic: 'controller', status: 'NOT_NEEDED' }, { status: 'OK' }]);
    const world = await adminWorld();
    const refused = { kind: 'status', status: 400, message: 'it is locked' } as const;
    world.switches.addFault({ route: 'partitions.move', effect: refused });
    const outcome = await world.cluster('partitions move -p orders/0:0,1,2 -p orders/1:1,2,3');
    expect(outcome.stdout).toMatch(
      /orders +0 .* CONFLICT: unable to move partition orders\/0: it is locked \(POST .*\)$/m,
    );
    expect(outcome.stdout).toMatch(/orders +1 .*\]$/m);
    expect(outcome.exitCode).toBe(6);
  });

  test('after a failure that would repeat itself, the rest is left out and said to be', async () => {
    const { json, cluster, switches, changes } = await adminWorld();
    const effect = { kind: 'status', status: 401, message: 'expired' } as const;
    switches.addFault({ route: 'partitions.move', effect, skip: 1, times: null });
    const line = 'partitions move -p orders/0:0,1,2 -p orders/1:1,2,3 -p kafka_internal/tx/0:1,2,0';
    const { stdout, stderr, exitCode } = await cluster(`${line} --format json`);
    expect(stderr).toContain('set the credentials with -X user=TEXT and WEIR_PASS');
    expect(JSON.parse(stdout).map((row: { error: { code: string } | null }) => row.error?.code ?? null)).toEqual([
      null,
      'UNAUTHENTICATED',
      'NOT_ATTEMPTED',
    ]);
    expect(exitCode).toBe(1);
    expect(changes()).toHaveLength(2);
    switches.clearFaults();
    expect((await json(`${line} --wait`)).map((row: { status: string }) => row.status)).not.toContain('ERROR');
  });

  test('the same move again waits for the one in progress; another one is refused', async () => {
    const { json, cluster, changes, switches } = await adminWorld(standing);
    await cluster(move);
    expect(await json(move)).toMatchObject([{ old_replicas: [3, 1, 2], status: 'NOT_NEEDED', error: null }]);
    const other = await cluster('partitions move orders -p 0:0,1,3');
    expect(other.stdout).toContain(
      'BEING_MOVED: orders/0 is being moved to 0, 1, 2 already; wait, or cancel that first',
    );
    expect(other.exitCode).toBe(6);
    switches.changeSettings({ perRequestMs: 400 });
    expect((await cluster(`${move} --wait`)).exitCode).toBe(0);
    expect(changes()).toEqual([moved]);
  });

  test('a core is moved by a call of its own where brokers choose cores', async () => {
    const { json, cluster, changes } = await adminWorld();
    expect(await json('partitions move orders -p 0:3-1,1,2 --wait')).toMatchObject([
      { old_cores: [0, 0, 0], new_cores: [1, 0, 0], status: 'OK' },
    ]);
    expect(changes()).toEqual(['POST /v1/partitions/kafka/orders/0/replicas/3']);
    expect((await json('partitions list orders -p 0'))[0]).toMatchObject({ replicas: [3, 1, 2], cores: [1, 0, 0] });
    expect((await cluster('partitions move orders -p 0:0-1,1,2')).stdout).toContain(
      'CORE_NOT_CHOSEN: broker 0 chooses',
    );
    expect((await cluster('partitions move orders -p 0:3-2,1,2')).stdout).toContain(
      'NO_SUCH_CORE: broker 3 has no core 2, only 0 to 1',
    );
  });

  test('where they do not, or an older version does not say, the cores are part of the move', async () => {
    const { cluster, ok, switches, changes } = await adminWorld();
    await ok('PUT /v1/features/node_local_core_assignment', { body: { state: 'disabled' } });
    const { stdout } = await cluster('partitions move orders -p 1:1-0,0,3');
    expect(stdout).toMatch(/ \[1-1 0-1 2-1] +\[1-0 0-1 3-1]$/m);
    switches.addFault({ route: 'features.list', effect: { kind: 'status', status: 404 } });
    expect((await cluster('partitions move orders -p 0:0-1,1,2')).stdout).toContain('[0-1 1-0 2-0]');
    const paths = changes().filter((line) => line.startsWith('POST'));
    expect(paths).toEqual(['POST /v1/partitions/kafka/orders/1/replicas', moved]);
  });

  test('a move that is canceled during the wait is an error of its row: exit 6', async () => {
    const world = await adminWorld(slow);
    world.whenAfter('partitions.move', () =>
      world.whenAfter(world.switches.journal().length + 2, () => world.ok('POST /v1/cluster/cancel_reconfigurations')),
    );
    const { stdout, exitCode } = await world.cluster(`${move} --wait`);
    expect(stdout).toContain('MOVE_STOPPED: the move of orders/0 was canceled or replaced by another one\n');
    expect(exitCode).toBe(6);
  });

  test('the wait ends at its limit with exit 5 and says how to resume', async () => {
    const { cluster } = await adminWorld(slow);
    expect(await cluster(`${move} --wait --wait-timeout 30s`)).toEqual({
      stdout: '',
      stderr: [
        'weir: the move of partitions was not done within 30s (--wait-timeout); it is still running',
        'hint: raise the limit with --wait-timeout DURATION',
        'hint: resume waiting with: weir cluster partitions move-status orders --wait',
        '',
      ].join('\n'),
      exitCode: 5,
    });
  });

  test('interrupted at every request and taken up again, it ends the same', async () => {
    const line = `${move} --wait`;
    const { routes, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where }) {
        expect(await world.cluster(line), where).toMatchObject({ exitCode: 0 });
        expect(world.changes()).toEqual([moved]);
        expect((await world.json('partitions list orders -p 0'))[0].replicas).toEqual([0, 1, 2]);
      },
    });
    expect(routes.length).toBeGreaterThan(routes.indexOf('partitions.move') + 2);
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while moving orders/0: the request may or may not have arrived\n' +
        'hint: check with: weir cluster partitions move-status\n' +
        'hint: repeat the command to continue: what is done already is left out\n',
      'weir: stopped waiting for the move of partitions; it is still running\n' +
        'hint: resume waiting with: weir cluster partitions move-status orders --wait\n',
    ]);
  });

  test.each([
    ['partitions move orders', 'missing --partition'],
    ['partitions move -p 0:1,2,3', 'missing argument TOPIC'],
    ['partitions move orders -p x/0:1,2,3', 'TOPIC cannot be combined with the topic "x"'],
    ['partitions move orders -p 0:1,2,3 -p 0:3,1,2', 'names partition orders/0 twice'],
    ['partitions move orders -p 0:1,1,2', 'it names a broker twice'],
    ['partitions move orders -p 0', 'not of the form'],
    ['partitions move orders -p 0:1-x', 'a core is not a whole number from 0'],
    ['partitions move orders -p 0:4294967296', 'a broker is not a whole number from 0'],
    ['partitions move a/b/c -p 0:1', 'not of the form [NAMESPACE/]TOPIC'],
    ['partitions move orders -p 0:1,2,3 --wait-timeout 1m', '--wait-timeout needs --wait'],
    ['partitions move-status -p 0', '--partitions needs TOPIC'],
    ['partitions move-cancel --node x', 'not a whole number'],
  ])('%s: exit 2 before any request', async (line, reason) => {
    const { cluster, switches } = await adminWorld();
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });
});
