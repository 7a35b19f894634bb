import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import type { Json } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';

const started = 'POST /v1/debug/self_test/start';
const stopped = 'POST /v1/debug/self_test/stop';
/** Ends after a few polls of the virtual clock, which moves by 400 ms with each request. */
const short = 'self-test start --only-disk-test --disk-duration-ms 200';

beforeEach(skipPauses);

/** The bodies of the requests that start a self-test. */
async function sentBy(line: string): Promise<readonly Json[]> {
  const node = await startNode(({ line: asked }) => {
    if (asked === 'GET /v1/brokers') return [200, [0, 1].map(brokerOf)];
    if (asked === 'GET /v1/broker_uuids') return [200, []];
    if (asked === 'GET /v1/debug/self_test/status') return [200, []];
    return [200, '"the-id"'];
  });
  const outcome = await run(`cluster ${line}`, { env: { WEIR_ADMIN_HOSTS: node.url } });
  expect(outcome).toMatchObject({ stdout: expect.stringContaining('the-id'), exitCode: 0 });
  return node.calls.filter(({ line: asked }) => asked === started).map(({ body }) => JSON.parse(body));
}

function brokerOf(id: number) {
  return {
    ...{ node_id: id, num_cores: 1, internal_rpc_address: 'b', internal_rpc_port: 1 },
    ...{ membership_status: 'active', is_alive: true },
  };
}

describe('cluster self-test start', () => {
  test('sends the documented tests and all brokers', async () => {
    const gib = 2 ** 30;
    const disk = { type: 'disk', skip_write: false, data_size: gib, duration_ms: 30_000 };
    const write = { ...disk, skip_read: true };
    const both = { ...disk, skip_read: false };
    const k4 = { request_size: 4096 };
    expect(await sentBy('self-test start')).toEqual([
      {
        nodes: [0, 1],
        tests: [
          { ...both, name: '512KB sequential r/w', request_size: 524_288, parallelism: 4, dsync: true },
          { ...both, ...k4, name: '4KB sequential r/w, low io depth', parallelism: 1, dsync: true },
          { ...write, ...k4, name: '4KB sequential write, medium io depth', parallelism: 8, dsync: true },
          { ...write, ...k4, name: '4KB sequential write, high io depth', parallelism: 64, dsync: true },
          { ...write, ...k4, name: '4KB sequential write, very high io depth', parallelism: 256, dsync: true },
          { ...write, ...k4, name: '4KB sequential write, no dsync', parallelism: 64, dsync: false },
          { ...both, name: '16KB sequential r/w, high io depth', request_size: 16_384, parallelism: 64, dsync: false },
          {
            ...{ type: 'network', name: '8Kb Network Throughput Test' },
            ...{ request_size: 8192, duration_ms: 30_000, parallelism: 10 },
          },
          { type: 'cloud', name: 'Cloud Storage Test', timeout_ms: 5000, backoff_ms: 100 },
        ],
      },
    ]);
  });

  test('the flags change durations, choose a kind, and choose brokers', async () => {
    const [network] = await sentBy(
      'self-test start --only-network-test --network-duration-ms 7 --participant-node-ids 1',
    );
    expect(network).toMatchObject({ nodes: [1], tests: [{ type: 'network', duration_ms: 7 }] });
    const [cloud] = await sentBy('self-test start --only-cloud-test --cloud-timeout-ms 8 --cloud-backoff-ms 9');
    expect(cloud.tests).toEqual([{ type: 'cloud', name: 'Cloud Storage Test', timeout_ms: 8, backoff_ms: 9 }]);
    const [disk] = await sentBy('self-test start --only-disk-test --disk-duration-ms 6 --participant-node-ids 1,0,1');
    expect(disk.nodes).toEqual([0, 1]);
    expect(new Set(disk.tests.map((one: Json) => `${one.type} ${one.duration_ms}`))).toEqual(new Set(['disk 6']));
    expect(disk.tests).toHaveLength(7);
  });

  test('starts and says how to follow it', async () => {
    const { cluster, changes } = await adminWorld();
    const { stdout, stderr, exitCode } = await cluster('self-test start');
    expect(stdout).toMatch(/^Self-test [\da-f-]{36} has started on brokers 0, 1, 2, 3\.\n$/);
    expect(stderr).toBe('see the results with: weir cluster self-test status\n');
    expect(exitCode).toBe(0);
    expect(changes()).toEqual([started]);
  });

  test('--wait ends with the results of all brokers', async () => {
    const { json, cluster } = await adminWorld();
    const row = await json(`${short} --wait --participant-node-ids 0,2`);
    expect(row).toMatchObject({ status: 'OK', nodes: [0, 2], tests: { length: 7 } });
    expect(row.results.map((one: Json) => [one.node_id, one.status, one.results.length])).toEqual([
      [0, 'idle', 10],
      [2, 'idle', 10],
    ]);
    expect(row.results[0].results.every((one: Json) => one.test_id === row.test_id)).toBe(true);
    const text = await cluster(`${short} -w --no-headers`);
    expect(text).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('a test that fails: its error, and exit 1 with --wait', async () => {
    const { cluster, json, switches } = await adminWorld();
    const result = { test_id: 'x', name: 'n', test_type: 'cloud', error: 'no bucket' };
    const text = JSON.stringify([{ node_id: 0, status: 'idle', stage: 'idle', results: [result] }]);
    const effect = { kind: 'status', status: 200, text } as const;
    switches.addFault({ route: 'self_test.start', effect: { kind: 'status', status: 200, text: '"x"' } });
    switches.addFault({ route: 'self_test.status', effect, skip: 1, times: null });
    const outcome = await cluster(`${short} --wait`);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).toBe(
      [
        'NODE ID: 0 | STATUS: IDLE',
        '=========================',
        'NAME  INFO  IOPS  THROUGHPUT  P50  P99  MAX  NOTE',
        'n     -     -     -           -    -    -    ERROR: no bucket',
        '',
      ].join('\n'),
    );
    expect((await cluster('self-test status --wait')).exitCode).toBe(1);
    expect(await json('self-test status')).toHaveLength(1);
  });

  test('--dry-run shows the tests and sends nothing', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster('self-test start --only-network-test --dry-run')).toEqual({
      stdout: [
        'TYPE     REQUEST-SIZE  PARALLELISM  LIMIT    NAME',
        'network  8192          10           30000ms  8Kb Network Throughput Test',
        'The self-test would run on brokers 0, 1, 2, 3.',
        '',
      ].join('\n'),
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('self-test start --dry-run')).toMatchObject({ test_id: null, status: 'OK', dry_run: true });
    expect(changes()).toEqual([]);
  });

  test('asks on a terminal because of the load; no changes nothing', async () => {
    const { cluster, changes } = await adminWorld();
    const { stderr, exitCode } = await cluster('self-test start', { terminal: { typed: 'n\n' } });
    expect(stderr).toContain('cloud    -             -            5000ms   Cloud Storage Test\n');
    expect(stderr).toContain('Run 9 tests on brokers 0, 1, 2, 3, with a load that slows clients down, on ');
    expect(exitCode).toBe(1);
    expect(changes()).toEqual([]);
    expect((await cluster('self-test start', { terminal: { typed: 'y\n' } })).exitCode).toBe(0);
    expect((await cluster('self-test stop')).exitCode).toBe(0);
    expect((await cluster('self-test start --no-confirm', { terminal: { typed: '' } })).exitCode).toBe(0);
  });

  test('while one is running is refused with exit 6, also before the question', async () => {
    const { cluster, changes } = await adminWorld();
    await cluster('self-test start');
    const again = await cluster('self-test start', { terminal: { typed: 'y\n' } });
    expect(again).toEqual({
      stdout: '',
      stderr:
        'weir: unable to start a self-test: one is running on brokers 0, 1, 2, 3\n' +
        'hint: wait for its end with: weir cluster self-test status --wait\n' +
        'hint: stop it with: weir cluster self-test stop\n',
      exitCode: 6,
    });
    expect(changes()).toEqual([started]);
  });

  test.each([
    ['--only-disk-test --only-cloud-test', 2, '--only-disk-test and --only-cloud-test are mutually exclusive'],
    ['--disk-duration-ms 0', 2, 'less than 1'],
    ['--participant-node-ids x', 2, 'not a whole number'],
    ['--participant-node-ids 1,9', 3, 'the cluster has no broker 9, only 0, 1, 2, 3'],
    ['--wait-timeout 5s', 2, '--wait-timeout needs --wait'],
  ])('%s has exit %i, and nothing is started', async (flags, expected, message) => {
    const { cluster, changes } = await adminWorld();
    const { stderr, exitCode } = await cluster(`self-test start ${flags}`);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(expected);
    expect(changes()).toEqual([]);
  });

  test('a broker that is down takes no part, with a warning', async () => {
    const { cluster, json, switches } = await adminWorld();
    await switches.stopNode(2);
    const row = await json('self-test start --only-disk-test');
    expect(row.nodes).toEqual([0, 1, 3]);
    await cluster('self-test stop');
    expect((await cluster('self-test start --dry-run')).stderr).toContain(
      'warning: broker 2 is down and takes no part\n',
    );
  });
});

describe('cluster self-test stop', () => {
  test('stops it; again, it says so and sends nothing', async () => {
    const { cluster, json, changes } = await adminWorld({ settings: {} });
    await cluster('self-test start');
    expect(await cluster('self-test stop --dry-run')).toEqual({
      stdout: 'The self-test would be stopped on 4 brokers.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('self-test stop')).toEqual({ nodes: [0, 1, 2, 3], status: 'OK', dry_run: false, error: null });
    expect(await cluster('self-test stop')).toEqual({
      stdout: 'No self-test is running.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(changes()).toEqual([started, stopped]);
  });

  test('is repeated when the answer is lost', async () => {
    const { cluster, switches, changes } = await adminWorld({ settings: {} });
    await cluster('self-test start');
    switches.addFault({ route: 'self_test.stop', effect: { kind: 'drop', when: 'after' } });
    expect(await cluster('self-test stop')).toMatchObject({
      stdout: 'The self-test was stopped on 4 brokers.\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([started, stopped, stopped]);
  });

  test('a broker that does not stop: exit 5 in the words of the server', async () => {
    const { cluster, switches } = await adminWorld({ settings: {} });
    await cluster('self-test start');
    const effect = { kind: 'status', status: 503, message: 'not every broker stopped its self-test' } as const;
    switches.addFault({ route: 'self_test.stop', effect, times: null });
    const { stderr, exitCode } = await cluster('self-test stop');
    expect(stderr).toContain('not every broker stopped its self-test');
    expect(exitCode).toBe(5);
  });
});
