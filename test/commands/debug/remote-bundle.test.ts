import { beforeEach, describe, expect, test, vi } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { weirInterruptedAt } from '../cluster/admin-world.ts';
import { bundleWorld, job } from './bundle-world.ts';

const posted = 'POST /v1/debug/bundle';
const deleted = `DELETE /v1/debug/bundle/${job}`;
const slow = { settings: {} };
const table = (status: string, ids = [1, 2, 3]) =>
  ['BROKER  STATUS   JOB-ID', ...ids.map((id) => `${id}       ${status.padEnd(7)}  ${job}`), ''].join('\n');

beforeEach(skipPauses);

describe('debug remote-bundle start', () => {
  test('starts the same job on every broker, and says how to see it', async () => {
    const { bundle, changes, switches } = await bundleWorld(slow);
    expect(await bundle(`start --job-id ${job}`)).toEqual({
      stdout: table('running'),
      stderr: `see how far it is with: weir debug remote-bundle status --job-id ${job}\n`,
      exitCode: 0,
    });
    expect(changes()).toEqual([posted, posted, posted]);
    const nodes = switches.journal().flatMap(({ route, node }) => (route === 'bundle.start' ? [node] : []));
    expect(nodes.sort()).toEqual([1, 2, 3]);
  });

  test('makes an id of its own, and only on chosen brokers', async () => {
    const { bundle, changes, ok } = await bundleWorld(slow);
    const { stdout } = await bundle('start --broker 3,1 --format json');
    const made = { created: null, file_size: null, state: 'running', status: 'OK', dry_run: false, error: null };
    const rows = JSON.parse(stdout);
    expect(rows).toEqual([
      { ...made, broker: 1, job_id: expect.any(String) },
      { ...made, broker: 3, job_id: rows[0].job_id },
    ]);
    expect(changes()).toHaveLength(2);
    expect(await ok('GET /v1/debug/bundle', { node: 2 })).toMatchObject({ job_id: rows[0].job_id });
    expect(await bundle('start --broker 9')).toMatchObject({ stdout: '', exitCode: 3 });
  });

  test('sends what to collect, and the login of the Kafka API', async () => {
    const { bundle, switches } = await bundleWorld(slow);
    const size = () => switches.journal().find(({ route }) => route === 'bundle.start')?.bodyBytes;
    const flags = [
      '--controller-logs-size-limit 1MB --logs-size-limit 1.5MiB --cpu-profiler-wait 1m --metrics-interval 5s',
      '--metrics-samples 3 --logs-since yesterday --logs-until now -p orders/0,1 -p kafka_internal/tx/0',
      '-n pods -l a/b=c -l d=',
    ].join(' ');
    const env = { WEIR_USER: 'ana', WEIR_PASS: 'secret', WEIR_TLS_ENABLED: 'true' };
    const { stdout, stderr, exitCode } = await bundle(`start --broker 1 --job-id ${job} ${flags}`, { env });
    expect({ stdout, exitCode }).toEqual({ stdout: table('running', [1]), exitCode: 0 });
    expect(stderr).not.toContain('secret');
    const config = {
      controller_logs_size_limit_bytes: 1_000_000,
      cpu_profiler_wait_seconds: 60,
      logs_since: 'yesterday',
      logs_until: 'now',
      logs_size_limit_bytes: 1_572_864,
      metrics_interval_seconds: 5,
      metrics_samples: 3,
      partition: ['kafka/orders/0,1', 'kafka_internal/tx/0'],
      namespace: 'pods',
      label_selector: [
        { key: 'a/b', value: 'c' },
        { key: 'd', value: '' },
      ],
      authentication: { mechanism: 'SCRAM-SHA-256', username: 'ana', password: 'secret' },
      ...{ tls_enabled: true, tls_insecure_skip_verify: false },
    };
    // The simulator checks the form; the length says that nothing else is in it.
    expect(size()).toBe(Buffer.byteLength(JSON.stringify({ job_id: job, config })));
  });

  test.each([
    '--job-id 5',
    '--cpu-profiler-wait 14s',
    '--metrics-interval 1.5s',
    '--metrics-samples 1',
    '--logs-size-limit 5XB',
    '--logs-size-limit 0',
    '-p orders',
    '-l novalue',
    '--wait-timeout 1s',
  ])('%s has exit 2, and nothing is sent', async (words) => {
    const { bundle, switches } = await bundleWorld();
    expect(await bundle(`start ${words}`)).toMatchObject({ stdout: '', exitCode: 2 });
    expect(switches.journal()).toEqual([]);
  });

  test('--dry-run shows the brokers and sends nothing', async () => {
    const { bundle, changes } = await bundleWorld();
    expect(await bundle(`start --job-id ${job} --dry-run`)).toEqual({
      stdout: ['BROKER  STATUS  JOB-ID', ...[1, 2, 3].map((id) => `${id}       -       ${job}`), ''].join('\n'),
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });

  test('a broker that is collecting another one refuses, and the others start', async () => {
    const { bundle, ok } = await bundleWorld(slow);
    const other = job.replace('3', '4');
    await ok(posted, { node: 1, body: { job_id: other } });
    const { stdout, exitCode } = await bundle(`start --job-id ${job} --format json`);
    const rows = JSON.parse(stdout);
    expect(rows.map(({ state }: { state: string | null }) => state)).toEqual(['running', null, 'running']);
    expect(rows[1].error).toMatchObject({ code: 'CONFLICT', exit_code: 6 });
    expect(rows[1].error.message).toContain('a bundle is being collected (POST ');
    expect(exitCode).toBe(6);
  });

  test('--wait ends when all are finished', async () => {
    const { bundle } = await bundleWorld();
    expect(await bundle(`start --job-id ${job} --wait`)).toEqual({ stdout: table('success'), stderr: '', exitCode: 0 });
  });

  test('--wait with a broker that fails to collect has exit 1 and its reason', async () => {
    const { bundle } = await bundleWorld({ settings: { perRequestMs: 400, bundleOutcome: 'error' } });
    const { stdout, exitCode } = await bundle(`start --broker 2 --job-id ${job} --wait`);
    expect(stdout).toBe(
      `BROKER  STATUS  JOB-ID${' '.repeat(32)}ERROR\n` +
        `2       error   ${job}  BUNDLE_FAILED: the bundle could not be collected: unable to collect\n`,
    );
    expect(exitCode).toBe(1);
  });

  test('--wait-timeout ends only the wait', async () => {
    const { bundle } = await bundleWorld(slow);
    expect(await bundle(`start --job-id ${job} --wait --wait-timeout 5s`)).toEqual({
      stdout: '',
      stderr: [
        'weir: the debug bundle was not done within 5s (--wait-timeout); it is still running',
        'hint: raise the limit with --wait-timeout DURATION',
        `hint: resume waiting with: weir debug remote-bundle status --wait --job-id ${job}`,
        '',
      ].join('\n'),
      exitCode: 5,
    });
  });

  test('a lost answer is not repeated, and is an error of its broker', async () => {
    const { bundle, changes, switches } = await bundleWorld(slow);
    switches.addFault({ route: 'bundle.start', node: 2, effect: { kind: 'drop', when: 'after' } });
    const { stdout, exitCode } = await bundle(`start --job-id ${job} --format json`);
    expect(JSON.parse(stdout)[1]).toMatchObject({ broker: 2, state: null, error: { exit_code: 5 } });
    expect(exitCode).toBe(5);
    expect(changes()).toEqual([posted, posted, posted]);
    expect((await bundle(`status --job-id ${job}`)).stdout).toBe(table('running'));
  });

  test('interrupted at every request and taken up again with the job id, it ends the same', async () => {
    const line = `debug remote-bundle start --job-id ${job} --wait`;
    const whole = await bundleWorld();
    await whole.weir(line);
    const routes = whole.switches.journal().map(({ route }) => route);
    const firstStart = routes.indexOf('bundle.start');
    const lastStart = routes.lastIndexOf('bundle.start');
    expect(routes.length).toBeGreaterThan(lastStart + 3);
    // The requests to several brokers are under way at the same time, in no fixed order.
    for (const at of [0, firstStart, lastStart + 1, lastStart + 2, routes.length - 1]) {
      const world = await bundleWorld();
      const first = await weirInterruptedAt(world, line, at);
      expect(first, `at ${at}: ${routes[at]}`).toMatchObject({ stdout: '', exitCode: 130 });
      await vi.waitFor(() => expect(world.switches.journal().length).toBeGreaterThan(at));
      if (at < firstStart) {
        expect(first.stderr).toContain('weir: stopped before anything was changed\n');
        continue;
      }
      if (at === firstStart) {
        expect(first.stderr).toContain(
          `weir: stopped while starting the debug bundle ${job}: the request may or may not have arrived\n` +
            `hint: check with: weir debug remote-bundle status --job-id ${job}\n`,
        );
        continue;
      }
      expect(first.stderr).toContain(
        `weir: stopped waiting for the debug bundle; it is still running\n` +
          `hint: resume waiting with: weir debug remote-bundle status --wait --job-id ${job}\n`,
      );
      expect(await world.bundle(`status --wait --job-id ${job}`)).toMatchObject({
        stdout: table('success'),
        exitCode: 0,
      });
      expect(world.changes()).toEqual([posted, posted, posted]);
    }
  });
});

describe('a broker that does not answer', () => {
  const down = { route: 'bundle.status', node: 2, effect: { kind: 'drop', when: 'before' } } as const;

  test('is asked once, so that it does not hold up the others', async () => {
    const { bundle, switches } = await bundleWorld(slow);
    switches.addFault({ ...down, times: null });
    expect(await bundle('status')).toMatchObject({ exitCode: 5 });
    const asked = switches.journal().filter(({ route }) => route === 'bundle.status');
    expect(asked.map(({ node }) => node).sort()).toEqual([1, 2, 3]);
  });

  test('for a moment does not end a wait', async () => {
    const { bundle, switches } = await bundleWorld();
    switches.addFault({ ...down, times: 2 });
    expect(await bundle(`start --job-id ${job} --wait`)).toMatchObject({ stdout: table('success'), exitCode: 0 });
  });

  test('for longer is not waited for', async () => {
    const { bundle, switches } = await bundleWorld();
    switches.addFault({ ...down, times: null });
    const { stdout, exitCode } = await bundle(`start --job-id ${job} --wait --format json`);
    const rows = JSON.parse(stdout);
    expect(rows.map(({ state }: { state: string | null }) => state)).toEqual(['success', null, 'success']);
    expect(exitCode).toBe(5);
  });
});

describe('debug remote-bundle status', () => {
  test('shows none, running, success and expired without an error', async () => {
    const { bundle, ok, switches } = await bundleWorld({ settings: { bundleLifetimeMs: 60_000 } });
    const rows = async () => {
      const { stdout, exitCode } = await bundle('status --format json');
      expect(exitCode).toBe(0);
      return JSON.parse(stdout);
    };
    await ok(posted, { node: 0, body: { job_id: job } });
    const none = { status: 'none', job_id: null, created: null, file_size: null, error: null };
    const created = '2030-01-01T00:00:00Z';
    const running = { broker: 1, status: 'running', job_id: job, created, file_size: null, error: null };
    expect(await rows()).toEqual([running, { broker: 2, ...none }, { broker: 3, ...none }]);
    await switches.advance(10_000);
    expect((await rows())[0]).toEqual({ ...running, status: 'success', file_size: expect.any(Number) });
    expect((await bundle('status --broker 1 --format wide')).stdout).toMatch(
      /CREATED +SIZE\n.*2030-01-01T00:00:00Z {2}\d+B\n$/,
    );
    await switches.advance(60_000);
    expect((await rows())[0]).toEqual({ ...running, status: 'expired' });
  });

  test('--job-id: a broker without a bundle of that job is an error', async () => {
    const { bundle, ok } = await bundleWorld(slow);
    const other = job.replace('3', '4');
    await ok(posted, { node: 0, body: { job_id: job } });
    await ok(posted, { node: 1, body: { job_id: other } });
    const { stdout, exitCode } = await bundle(`status --job-id ${job} --format json`);
    expect(JSON.parse(stdout).map(({ error }: { error: unknown }) => error)).toEqual([
      null,
      expect.objectContaining({
        message: `broker 2 has no bundle of the job ${job}: its last one is ${other}`,
        exit_code: 3,
      }),
      expect.objectContaining({ message: `broker 3 has no bundle of the job ${job}: it has none`, exit_code: 3 }),
    ]);
    expect(exitCode).toBe(3);
  });

  test('a broker that is down does not hide the others', async () => {
    const { bundle, switches, ok } = await bundleWorld(slow);
    await ok(posted, { node: 0, body: { job_id: job } });
    await switches.stopNode(2);
    const { stdout, exitCode } = await bundle('status --format json');
    const rows = JSON.parse(stdout);
    expect(rows.map(({ status }: { status: string | null }) => status)).toEqual(['running', null, 'none']);
    expect(rows[1].error).toMatchObject({ exit_code: 5 });
    expect(exitCode).toBe(5);
  });
});

describe('debug remote-bundle cancel', () => {
  test('cancels where a bundle is collected, and only there', async () => {
    const { bundle, ok, changes } = await bundleWorld(slow);
    await ok(posted, { node: 1, body: { job_id: job } });
    expect(await bundle('cancel --dry-run')).toMatchObject({
      stdout: `BROKER  JOB-ID${' '.repeat(32)}STATUS\n1       -${' '.repeat(37)}OK (nothing to cancel)\n2       ${job}  OK (dry run: would be canceled)\n3       -${' '.repeat(37)}OK (nothing to cancel)\n`,
      exitCode: 0,
    });
    expect(await bundle('cancel --format json --yes')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(changes()).toEqual([posted, deleted]);
    expect(await bundle('cancel')).toMatchObject({ stderr: 'no broker is collecting a debug bundle\n', exitCode: 0 });
    expect(changes()).toEqual([posted, deleted]);
  });

  test('--job-id leaves other jobs alone', async () => {
    const { bundle, ok, changes } = await bundleWorld(slow);
    await ok(posted, { node: 1, body: { job_id: job.replace('3', '4') } });
    expect((await bundle(`cancel --job-id ${job}`)).stderr).toBe('no broker is collecting a debug bundle\n');
    expect(changes()).toEqual([posted]);
  });

  test('asks first, and repeats a request whose answer was lost', async () => {
    const { bundle, ok, changes, switches } = await bundleWorld(slow);
    await ok(posted, { node: 0, body: { job_id: job } });
    const terminal = { stdin: true, stderr: true } as const;
    const refused = await bundle('cancel', { terminal, stdin: 'n\n' });
    expect(refused.stderr).toContain('Cancel the debug bundle of broker 1');
    expect(refused.exitCode).toBe(1);
    switches.addFault({ route: 'bundle.cancel', effect: { kind: 'drop', when: 'after' } });
    const { stdout, exitCode } = await bundle('cancel --format json', { terminal, stdin: 'y\n' });
    expect(JSON.parse(stdout)[0]).toEqual({ broker: 1, job_id: job, status: 'OK', dry_run: false, error: null });
    expect(exitCode).toBe(0);
    expect(changes()).toEqual([posted, deleted, deleted]);
  });
});
