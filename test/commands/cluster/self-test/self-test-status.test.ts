import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';

const stopped = 'POST /v1/debug/self_test/stop';
/** Ends after a few polls of the virtual clock, which moves by 400 ms with each request. */
const short = 'self-test start --only-disk-test --disk-duration-ms 200';

beforeEach(skipPauses);

describe('cluster self-test status', () => {
  test('before any self-test, and while one is running', async () => {
    const { cluster } = await adminWorld({ settings: {} });
    expect(await cluster('self-test status')).toEqual({
      stdout: [0, 1, 2, 3].map((id) => `NODE ID: ${id} | STATUS: IDLE\n=========================\n`).join('\n'),
      stderr: '',
      exitCode: 0,
    });
    await cluster('self-test start');
    expect((await cluster('self-test status')).stdout).toContain('NODE ID: 0 | STATUS: RUNNING (DISK)\n');
  });

  test('shows the numbers of each result with units', async () => {
    const node = await startNode(() => [
      200,
      [
        {
          node_id: 1,
          status: 'idle',
          results: [
            {
              ...{ test_id: 'i', name: 'disk\n', info: 'write run', test_type: 'disk', start_time: 1_893_456_000 },
              ...{ end_time: 1_893_456_030, duration: 30_000, timeouts: 2, p50: 3, p90: 4, p99: 5, p999: 6 },
              ...{ max_latency: 7, rps: 1000, bps: 1.5 * 2 ** 20, warning: 'slow' },
            },
            { test_id: 'i', name: 'net', info: '', test_type: 'network', rps: 1, bps: 2 ** 30, start_time: 1e300 },
            // Requests to object storage are only timed.
            { test_id: 'i', name: 'put', info: '', test_type: 'cloud', rps: 0, bps: 0, p50: 0, p99: 0, duration: 5 },
          ],
        },
      ],
    ]);
    const world = { env: { WEIR_ADMIN_HOSTS: node.url } };
    const short = await run('cluster self-test status', world);
    expect(short.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | ').trim())).toEqual([
      'NODE ID: 1 | STATUS: IDLE',
      '=========================',
      'NAME | INFO | IOPS | THROUGHPUT | P50 | P99 | MAX | NOTE',
      'disk\\n | write run | 1000 | 1.5MiB/sec | 3us | 5us | 7us | WARNING: slow',
      'net | - | 1 | 8Gib/sec | - | - | -',
      'put | - | - | - | - | - | -',
      '',
    ]);
    const { stdout } = await run('cluster self-test status --format wide', world);
    expect(stdout).toBe(
      [
        'NODE ID: 1 | STATUS: IDLE',
        '=========================',
        'NAME          disk\\n',
        'INFO          write run',
        'TYPE          disk',
        'TEST-ID       i',
        'TIMEOUTS      2',
        'START-TIME    2030-01-01T00:00:00Z',
        'END-TIME      2030-01-01T00:00:30Z',
        'AVG-DURATION  30000ms',
        'WARNING       slow',
        'IOPS          1000 req/sec',
        'THROUGHPUT    1.5MiB/sec',
        'LATENCY-P50   3us',
        'LATENCY-P90   4us',
        'LATENCY-P99   5us',
        'LATENCY-P999  6us',
        'LATENCY-MAX   7us',
        '',
        'NAME        net',
        'TYPE        network',
        'TEST-ID     i',
        'IOPS        1 req/sec',
        'THROUGHPUT  8Gib/sec',
        '',
        'NAME          put',
        'TYPE          cloud',
        'TEST-ID       i',
        'AVG-DURATION  5ms',
        '',
      ].join('\n'),
    );
    const json = await run('cluster self-test status --format json', world);
    expect(JSON.parse(json.stdout)[0].results[1]).toMatchObject({ info: null, p50: null, error: null, bps: 2 ** 30 });
  });

  test('--wait without a running self-test prints the last results at once', async () => {
    const { cluster, switches } = await adminWorld();
    await cluster(`${short} --wait`);
    switches.clearJournal();
    expect((await cluster('self-test status --wait')).exitCode).toBe(0);
    expect(switches.journal().filter(({ route }) => route === 'self_test.status')).toHaveLength(1);
  });

  test('--wait on a self-test that somebody stops: the stopped tests have warnings as on the real server, exit 0', async () => {
    const world = await adminWorld({ settings: {} });
    await world.cluster('self-test start');
    world.whenAfter(world.switches.journal().length + 1, () => world.ok(stopped));
    const { stdout, exitCode } = await world.cluster('self-test status --wait');
    expect(stdout).toContain('WARNING: the run was stopped\n');
    expect(stdout).toMatch(
      /^8Kb Network Throughput Test +- +- +- +- +- +- +WARNING: the network test was not started: the run was stopped$/m,
    );
    expect(stdout).not.toContain('ERROR');
    expect(exitCode).toBe(0);
  });

  test('--wait does not count what failed in an earlier self-test on another broker', async () => {
    const { cluster, switches } = await adminWorld();
    const earlier = { test_id: 'i', name: 'n', test_type: 'disk', error: 'the disk was full' };
    const failed = { node_id: 3, status: 'idle', stage: 'idle', results: [earlier] };
    const show = (status: string, times: number | null) => {
      const text = JSON.stringify([{ node_id: 0, status, stage: status }, failed]);
      switches.addFault({ route: 'self_test.status', effect: { kind: 'status', status: 200, text }, times });
    };
    show('running', 1);
    show('idle', null);
    const { stdout, exitCode } = await cluster('self-test status --wait');
    expect(stdout).toContain('the disk was full');
    expect(exitCode).toBe(0);
    expect((await cluster('self-test status --wait')).exitCode).toBe(1);
  });

  test('a cluster without self-tests: exit 1, and what may be the reason', async () => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 404, message: 'Not found' } as const;
    switches.addFault({ route: 'self_test.status', effect, times: null });
    const { stderr, exitCode } = await cluster('self-test status');
    expect(stderr).toMatch(
      /^weir: unable to read the self-test: Not found \(GET \S+: 404\)\nhint: the version of this cluster may not support self-tests/,
    );
    expect(exitCode).toBe(1);
  });
});
