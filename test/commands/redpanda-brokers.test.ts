import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../sandbox/broker/control.ts';
import { skipPauses } from '../skipped-pauses.ts';
import { run } from '../world.ts';

beforeEach(skipPauses);

/** Simulated brokers of Redpanda; `sent` has the APIs of the requests that they got. */
async function redpanda(count = 1, settings = {}) {
  const server = await startModelServer({
    brokers: Array.from({ length: count }, (_, id) => ({ id, host: '127.0.0.1', port: 0 })),
    settings: { flavour: 'redpanda', autoCreateTopics: false, initialRebalanceDelayMs: 0, ...settings },
  });
  onTestFinished(() => server.close());
  const sent: string[] = [];
  server.cluster.inside.cluster.intercept = ({ api }) => {
    sent.push(api);
    return false;
  };
  const env = { WEIR_BROKERS: server.brokers.map(({ host, port }) => `${host}:${port}`).join(',') };
  const weir = (line: string, stdin = '') => run(line, { env, stdin });
  return { weir, sent, control: server.cluster.control };
}

test('a dry run of a broker config, which Redpanda would make a change, is refused', async () => {
  const { weir, sent } = await redpanda();
  for (const line of [
    'log_retention_ms --reset',
    'log_retention_ms 1000 --force',
    'log.cleanup.policy compact --force',
  ])
    expect(await weir(`cluster config set ${line} --dry-run --api kafka`)).toMatchObject({ exitCode: 2, stdout: '' });
  expect(sent).not.toContain('IncrementalAlterConfigs');
});

test('a broker config whose old value is not known asks first, and is not waited for', async () => {
  const { weir, sent } = await redpanda();
  const change = 'cluster config set log_retention_ms 1000 --force --api kafka';
  expect(await weir(change)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
  expect(sent).not.toContain('IncrementalAlterConfigs');
  sent.length = 0;
  expect(await weir(`${change} --yes`)).toMatchObject({ exitCode: 0 });
  expect(sent.slice(sent.indexOf('IncrementalAlterConfigs'))).toEqual(['IncrementalAlterConfigs']);
  expect((await weir('cluster config get log.retention.ms --broker 0 --api kafka')).stdout).toBe('1000\n');
});

test('the health over Kafka is not known where only brokers can be seen', async () => {
  const { weir, control } = await redpanda(3);
  control.createTopic({ name: 'orders', replicas: 3 });
  const { leader } = control.partition('orders', 0);
  for (const id of [0, 1, 2]) if (id !== leader) control.dropFromIsr('orders', 0, id);
  const { stdout, stderr, exitCode } = await weir('cluster health --api kafka --format json');
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ is_healthy: null, leaderless_partitions: null, leaderless_count: null, under_replicated_count: null },
    ...{ offline_partitions: null, nodes_down: [] },
  });
  expect(exitCode).toBe(10);
  expect(stderr).toContain('--api admin');
  expect(await weir('cluster health --api kafka --until-healthy')).toMatchObject({ exitCode: 2 });
  const frame = await weir('top --once -r orders');
  expect(frame.stdout).not.toMatch(/3\/3|true/);
});

test('a topic config without an effect is reported, at once', async () => {
  const { weir, sent } = await redpanda();
  expect(await weir('topic create orders -c retention.mss=1 -c retention.ms=3600000')).toMatchObject({
    stderr: expect.stringMatching(/retention\.mss.*\n.*did you mean retention\.ms/),
    exitCode: 0,
  });
  sent.length = 0;
  const set = await weir('topic set-config orders min.insync.replicas=2 retention.ms=7200000');
  expect(set).toMatchObject({ stderr: expect.stringContaining('min.insync.replicas'), exitCode: 0 });
  expect(set.stderr).not.toContain('retention.ms');
  expect(sent.filter((api) => api === 'DescribeConfigs')).toHaveLength(2);
  const factor = await weir('topic set-config orders replication.factor=1');
  expect(factor).toMatchObject({ stderr: '', exitCode: 0 });
});
