import { expect, test } from 'vitest';
import { bundleConfig } from '../../../src/commands/debug/remote-bundle/bundle-config.ts';
import type { Context } from '../../../src/context.ts';
import { bundleWorld, job } from './bundle-world.ts';

test.each([
  ['', {}],
  ['-p orders/0', { partition: ['kafka/orders/0'] }],
  ['-l a=b', { label_selector: [{ key: 'a', value: 'b' }] }],
])('debug remote-bundle start sends what its flags say, and nothing else: %j', async (flags, config) => {
  const { bundle, switches } = await bundleWorld();
  expect((await bundle(`start --broker 1 --job-id ${job} ${flags}`)).exitCode).toBe(0);
  const sizes = switches.journal().flatMap(({ route, bodyBytes }) => (route === 'bundle.start' ? [bodyBytes] : []));
  // The simulator checks the form; the length says that nothing else is in it.
  expect(sizes).toEqual([Buffer.byteLength(JSON.stringify({ job_id: job, config }))]);
});

const values = {
  ...{ controllerLogsSizeLimit: undefined, cpuProfilerWait: undefined, logsSizeLimit: undefined, namespace: undefined },
  ...{ metricsInterval: undefined, metricsSamples: undefined, partition: [], labelSelector: [] },
};

test.each([
  ['2030-01-01', '2030-01-01T00:00:00'],
  ['6h', '2030-01-01T18:00:00'],
  ['-30m', '2030-01-01T23:30:00'],
  ['2030-01-01T12:00:00+02:00', '2030-01-01T10:00:00'],
  // Without a time zone it is that of the broker already.
  ['2030-01-01T12:00:00', '2030-01-01T12:00:00'],
  ['1893456000', '2030-01-01T00:00:00'],
  ['now', 'now'],
  ['yesterday', 'yesterday'],
])('logs since %s are asked for as %s', async (given, sent) => {
  const config = { get: () => '' };
  const context = { host: { now: () => Date.UTC(2030, 0, 2) }, config: async () => config } as unknown as Context;
  expect(await bundleConfig(context, { ...values, logsSince: given, logsUntil: undefined })).toEqual({
    logs_since: sent,
  });
});

test.each(['--logs-since soon', '--logs-until 2030-02-30'])('%s has exit 2, and nothing is sent', async (words) => {
  const { bundle, switches } = await bundleWorld();
  expect(await bundle(`start ${words}`)).toMatchObject({ stdout: '', exitCode: 2 });
  expect(switches.journal()).toEqual([]);
});

test('a broker that cannot start one does not hold up the others: it is asked once, and its row has the error', async () => {
  const { bundle, switches, changes } = await bundleWorld({ settings: {} });
  switches.addFault({ route: 'bundle.start', node: 2, effect: { kind: 'status', status: 503 }, times: null });
  const busy = await bundle(`start --job-id ${job} --format json`);
  const errorsOf = (stdout: string) =>
    JSON.parse(stdout).map(({ error }: { error: { code: string } | null }) => error?.code ?? null);
  expect(errorsOf(busy.stdout)).toEqual([null, 'UNAVAILABLE', null]);
  expect([busy.exitCode, changes()]).toEqual([5, [1, 2, 3].map(() => 'POST /v1/debug/bundle')]);
  await switches.stopNode(2);
  const down = await bundle(`start --broker 2 --job-id ${job} --format json`);
  expect([errorsOf(down.stdout), down.exitCode]).toEqual([['CONNECTION_REFUSED'], 5]);
});
