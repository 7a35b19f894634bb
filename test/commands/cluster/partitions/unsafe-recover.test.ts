import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

beforeEach(skipPauses);

const topic = (ns: string, name: string, replicas: readonly (readonly number[])[]) => ({
  ...{ ns, name },
  partitions: replicas.map((ids, id) => ({ id, leader: ids[0] ?? null, replicas: ids, sizeBytes: 1 << 20 })),
});

/** Enough that the controller keeps its majority without two of them. */
const fiveBrokers = {
  brokers: [0, 1, 2, 3, 4].map((id) => ({ id, rack: null, alive: true })),
  topics: [
    topic('kafka', 'orders', [
      [3, 1, 2],
      [1, 0, 2],
    ]),
    topic('kafka', 'pair', [[3, 4]]),
    topic('kafka_internal', 'tx', [[3, 0, 1]]),
  ],
};

describe('cluster partitions unsafe-recover', () => {
  const asking = 'partitions unsafe-recover --from-nodes 1,3';
  const line = `${asking} --yes`;
  const sent = 'POST /v1/partitions/force_recover_from_nodes';
  const lost = async () => {
    const world = await adminWorld({ settings: {}, cluster: fiveBrokers });
    await world.switches.stopNode(1);
    await world.switches.stopNode(3);
    return world;
  };

  test('shows the partitions that are lost, and recovers exactly those', async () => {
    const { cluster, json, switches, changes } = await lost();
    const lines = [
      'NAMESPACE       TOPIC   PARTITION  REPLICA-CORE   DEAD-NODES',
      'kafka           orders  0          [3-0 1-0 2-0]  [3 1]',
      'kafka           pair    0          [3-0 4-0]      [3]',
      'kafka_internal  tx      0          [3-0 0-0 1-0]  [3 1]',
    ];
    const no = await cluster(asking, { terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain(`${lines.join('\n')}\n`);
    expect(no.stderr).toContain(
      'Recover 3 partitions (orders/0, pair/0, kafka_internal/tx/0) without brokers 1, 3, and lose what only they have, on ',
    );
    expect(changes()).toEqual([]);
    const reads = () => switches.journal().filter(({ route }) => route === 'partitions.majority_lost').length;
    const before = reads();
    const yes = await cluster(asking, { terminal: { typed: 'y\n' } });
    expect(yes).toMatchObject({ exitCode: 0 });
    expect(yes.stderr).toContain('see how far the recovery is with: weir cluster partitions balancer-status\n');
    expect(yes.stdout.split('\n')).toEqual([
      expect.stringMatching(/STATUS$/),
      ...lines.slice(1).map((one) => expect.stringContaining(one)),
      '',
    ]);
    expect(reads()).toBe(before + 1);
    await switches.advance(60_000);
    expect((await json('partitions list orders -p 0'))[0].replicas.toSorted()).toEqual([0, 2, 4]);
  });

  test('--dry-run and a cluster that has lost nothing send nothing', async () => {
    const { json, cluster, changes } = await lost();
    expect(await json(`${line} --dry-run`)).toMatchObject([{ dry_run: true, dead_brokers: [3, 1] }, {}, {}]);
    expect(await cluster('partitions unsafe-recover --from-nodes 1', { terminal: { typed: '' } })).toMatchObject({
      stderr: 'no partition has lost most of its replicas\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });

  test('is refused for a broker that is alive or unknown, unless it is forced', async () => {
    const { cluster, changes } = await adminWorld();
    expect(await cluster(line)).toEqual({
      stdout: '',
      stderr:
        'weir: unable to recover partitions: brokers 1, 3 are alive\n' +
        'hint: recover anyway with --force; what was written there is lost\n',
      exitCode: 6,
    });
    const { stderr } = await cluster(`${line} --format json`);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'BROKER_ALIVE', target: '1,3' });
    expect((await cluster('partitions unsafe-recover --from-nodes 9 --yes')).exitCode).toBe(3);
    expect((await cluster(`${line} --force --dry-run`)).exitCode).toBe(0);
    expect(changes()).toEqual([]);
  });

  test.each(['before', 'after'] as const)('is not repeated when the connection is cut %s it arrives', async (when) => {
    const { cluster, switches, changes } = await lost();
    switches.addFault({ route: 'partitions.force_recover', effect: { kind: 'drop', when }, times: null });
    const { stderr, exitCode } = await cluster(line);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('hint: the cluster may have made the change: check before you repeat the command\n');
    expect(stderr).toContain('hint: see whether a recovery is running with: weir cluster partitions balancer-status\n');
    expect(changes()).toEqual([sent]);
  });

  test('interrupted at every request, it says whether anything was sent', async () => {
    const { whole, reports } = await interruptedEverywhere({
      ...{ make: lost, line },
      async resume({ world, where, report }) {
        expect(world.changes(), where).toEqual(report.includes('recovering') ? [sent] : []);
        return /^weir: .*$/m.exec(report)?.[0];
      },
    });
    expect(whole.exitCode).toBe(0);
    expect(reports).toEqual([
      'weir: stopped before anything was changed',
      'weir: stopped while recovering 3 partitions: the request may or may not have arrived',
    ]);
  });

  test('partitions that change while it asks are not recovered: exit 6', async () => {
    const { cluster, ok, whenAfter } = await lost();
    whenAfter('partitions.majority_lost', async () => {
      await ok('POST /v1/partitions/kafka/pair/0/replicas', { body: [{ node_id: 4, core: 0 }] });
    });
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toContain('Unexpected cluster error: Invalid request (POST ');
    expect(stderr).toContain('hint: the partitions have changed since they were listed: list them again\n');
    expect(exitCode).toBe(6);
  });

  test('an older version without the call: exit 1, and it says so', async () => {
    const { cluster, switches } = await lost();
    const effect = { kind: 'status', status: 404, message: 'Not found' } as const;
    switches.addFault({ route: 'partitions.majority_lost', effect });
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toContain('the cluster has no call to recover partitions, which needs a newer version');
    expect(exitCode).toBe(1);
    expect((await cluster('partitions unsafe-recover --yes')).exitCode).toBe(2);
  });
});
