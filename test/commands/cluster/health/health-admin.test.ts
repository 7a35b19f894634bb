import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';

beforeEach(skipPauses);

const healthy = [
  'CLUSTER HEALTH OVERVIEW',
  '=======================',
  'Healthy:                          true',
  'Unhealthy reasons:                []',
  'Controller ID:                    0',
  'All nodes:                        [0 1 2 3]',
  'Nodes down:                       []',
  'Nodes in recovery mode:           []',
  'Leaderless partitions (0):        []',
  'Under-replicated partitions (0):  []',
  '',
].join('\n');

describe('cluster health over the Admin API', () => {
  test('prints the rows that the API knows; the others are null in JSON', async () => {
    const { cluster, json } = await adminWorld();
    expect(await cluster('health')).toEqual({ stdout: healthy, stderr: '', exitCode: 0 });
    expect(await json('health')).toEqual({
      ...{ is_healthy: true, unhealthy_reasons: [], controller_id: 0, all_nodes: [0, 1, 2, 3], nodes_down: [] },
      ...{ nodes_in_recovery_mode: [], high_disk_usage_nodes: null },
      ...{ partition_count: null, offline_partitions: null, offline_count: null },
      ...{ leaderless_partitions: [], leaderless_count: 0 },
      ...{ under_replicated_partitions: [], under_replicated_count: 0 },
    });
  });

  test('exits with 10 if the cluster is unhealthy, in every format', async () => {
    const { cluster, switches } = await adminWorld();
    await switches.stopNode(3);
    for (const format of ['text', 'wide', 'json', 'yaml'])
      expect((await cluster(`health --format ${format}`)).exitCode, format).toBe(10);
    const { stdout } = await cluster('health --format json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ is_healthy: false, unhealthy_reasons: ['nodes_down', 'under_replicated_partitions'], nodes_down: [3] },
      ...{ under_replicated_partitions: ['kafka_internal/tx/0', 'orders/0', 'redpanda/controller/0'] },
      under_replicated_count: 3,
    });
  });

  test('names brokers whose disk is nearly full, as Redpanda 26.1 does', async () => {
    const { cluster, switches } = await adminWorld({ settings: { release: '26.1' } });
    switches.setFreeDisk(2, 1);
    const { stdout, exitCode } = await cluster('health');
    expect(stdout).toContain('Unhealthy reasons:                [high_disk_usage_nodes]\n');
    expect(stdout).toContain('Nodes with high disk usage:       [2]\n');
    expect(exitCode).toBe(10);
  });

  test('colors what is good and what is not', async () => {
    const { cluster, switches } = await adminWorld();
    const { stdout } = await cluster('health --color always');
    expect(stdout).toContain(' \u001b[32mtrue\u001b[39m\n');
    expect(stdout).not.toContain('\u001b[31m');
    await switches.stopNode(3);
    const { stdout: bad } = await cluster('health --color always');
    expect(bad).toContain(' \u001b[31mfalse\u001b[39m\n');
    expect(bad).toContain(' \u001b[31m[3]\u001b[39m\n');
    expect(bad).not.toContain('\u001b[32m');
  });

  test('reasons that weir does not know are printed; a list that the server cuts says so', async () => {
    const { cluster, switches } = await adminWorld();
    const text = JSON.stringify({
      ...{ is_healthy: false, unhealthy_reasons: ['high_disk_usage_nodes'], controller_id: -1 },
      ...{ all_nodes: [2, 1], nodes_down: [], nodes_in_recovery_mode: [2, 1] },
      ...{ leaderless_partitions: ['kafka/b/0', 'kafka/a/10'], leaderless_count: 3 },
      ...{ under_replicated_partitions: [], under_replicated_count: 0 },
    });
    switches.addFault({ route: 'cluster.health', effect: { kind: 'status', status: 200, text }, times: null });
    const { stdout, exitCode } = await cluster('health');
    expect(exitCode).toBe(10);
    expect(stdout).toContain('Unhealthy reasons:                [high_disk_usage_nodes]\n');
    expect(stdout).toContain('Controller ID:                    -\n');
    expect(stdout).toContain('Nodes in recovery mode:           [1 2]\n');
    expect(stdout).toContain('Leaderless partitions (3):        [a/10 b/0 ...truncated]\n');
  });

  test('--until-healthy waits for a broker to come back, and exits with 0', async () => {
    const { cluster, switches } = await adminWorld();
    await switches.stopNode(3);
    let seen = 0;
    const { stdout, exitCode } = await cluster('health --until-healthy --format json', {
      onStdout: () => {
        seen += 1;
        if (seen === 1) void switches.startNode(3);
      },
    });
    const states = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([states[0].nodes_down, states.at(-1)]).toMatchObject([[3], { is_healthy: true, nodes_down: [] }]);
    expect(exitCode).toBe(0);
  });

  test('--until-healthy waits for an API that does not answer yet', async () => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 503, message: 'starting' } as const;
    switches.addFault({ route: 'cluster.health', effect, times: 40 });
    expect(await cluster('health -e')).toMatchObject({ stdout: healthy, exitCode: 0 });
    switches.addFault({ route: 'cluster.health', effect, times: null });
    expect((await cluster('health')).exitCode).toBe(5);
  });

  test('--watch prints only changes, until Ctrl-C', async () => {
    const { cluster, switches, ok, whenAfter } = await adminWorld();
    const down = { ...(await ok('GET /v1/cluster/health_overview')), is_healthy: false, nodes_down: [3] };
    const effect = { kind: 'status', status: 200, text: JSON.stringify(down) } as const;
    switches.clearJournal();
    switches.addFault({ route: 'cluster.health', effect, skip: 3, times: null });
    const { stdout, exitCode } = await cluster('health --watch --format json', {
      onStart: (kill) => whenAfter(10, () => kill('SIGINT')),
    });
    const shown = stdout.trim().split('\n');
    expect(shown.map((line) => JSON.parse(line).is_healthy)).toEqual([true, false]);
    expect(switches.journal().length).toBeGreaterThanOrEqual(10);
    expect(exitCode).toBe(130);
  });

  test('--api kafka asks the brokers; without it, nothing but the Admin API is used if its address is set', async () => {
    const { cluster, switches } = await adminWorld();
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    expect((await cluster('health --api kafka', { env })).exitCode).toBe(5);
    expect(switches.journal()).toEqual([]);
    expect((await cluster('health --api admin', { env })).exitCode).toBe(0);
    expect((await cluster('health', { env })).exitCode).toBe(0);
  });
});
