import { expect, onTestFinished, test } from 'vitest';
import type { Cluster } from '../../src/sandbox/broker/cluster-parts.ts';
import { appendAsLeader } from '../../src/sandbox/broker/log/replica-log.ts';
import { defaultSettings } from '../../src/sandbox/broker/settings.ts';
import { batchOf } from '../sandbox/broker/batches.ts';
import { startModelServer } from '../sandbox/broker/control.ts';
import { run } from '../world.ts';

/** Simulated brokers of Redpanda; `sent` has the APIs of the requests that they got. */
async function redpanda(count = 1, settings = {}) {
  const server = await startModelServer({
    brokers: Array.from({ length: count }, (_, id) => ({ id, host: '127.0.0.1', port: 0 })),
    settings: {
      flavour: 'redpanda',
      autoCreateTopics: false,
      initialRebalanceDelayMs: 0,
      metadataDelayMs: 0,
      ...settings,
    },
  });
  onTestFinished(() => server.close());
  const sent: string[] = [];
  server.cluster.inside.cluster.intercept = ({ api }) => {
    sent.push(api);
    return false;
  };
  const env = { WEIR_BROKERS: server.brokers.map(({ host, port }) => `${host}:${port}`).join(',') };
  const weir = (line: string, stdin = '') => run(line, { env, stdin });
  return { weir, sent, control: server.cluster.control, cluster: server.cluster.inside.cluster };
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
  expect(await weir(`${change} --no-input`)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
  expect(sent).not.toContain('IncrementalAlterConfigs');
  sent.length = 0;
  expect(await weir(change)).toMatchObject({ exitCode: 0 });
  expect(sent.slice(sent.indexOf('IncrementalAlterConfigs'))).toEqual(['IncrementalAlterConfigs']);
  const shown = async () => (await weir('cluster config get log.retention.ms --broker 0 --api kafka')).stdout;
  expect(await shown()).toBe('1000\n');
  const reset = 'cluster config set log.retention.ms --reset --api kafka';
  expect(await weir(reset)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('such as log_retention_ms') });
  expect((await weir(reset.replaceAll('log.retention.ms', 'log_retention_ms'))).exitCode).toBe(0);
  expect(await shown()).toBe('604800000\n');
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
  expect(await weir('cluster restart-check 1 --api kafka')).toMatchObject({ stdout: '', exitCode: 2 });
  const frame = await weir('top --once -r orders');
  expect(frame.stdout).not.toMatch(/3\/3|true/);
});

test('a guessed leader that is down is none, and the other partitions are read at once', async () => {
  const { weir, control } = await redpanda(3);
  control.createTopic({ name: 'orders', partitions: 3, replicas: 1 });
  control.createTopic({ name: 'kept', partitions: 3, replicas: 3 });
  const down = [2, 1, 0].find((id) => control.partition('orders', id).leader !== 0) ?? 0;
  const { leader } = control.partition('orders', down);
  control.stop(leader);
  const { stdout, exitCode } = await weir('topic describe orders -p --format json');
  const { partitions } = JSON.parse(stdout)[0];
  const leaders = partitions.map((one: { leader: number }) => one.leader);
  expect(leaders).toEqual([0, 1, 2].map((at) => (at === down ? -1 : control.partition('orders', at).leader)));
  expect(exitCode).toBe(5);
  // Broker 0 is no missing leader.
  const kept = JSON.parse((await weir('topic describe kept -p --format json')).stdout)[0].partitions;
  expect(kept.map((one: { leader: number }) => one.leader)).toEqual(
    [0, 1, 2].map((at) => control.partition('kept', at).leader),
  );
});

test('a topic config without an effect is reported, at once', async () => {
  const { weir, sent } = await redpanda();
  expect(await weir('topic create orders -c retention.mss=1 -c retention.ms=3600000')).toMatchObject({
    stderr: expect.stringMatching(/retention\.mss.*\n.*did you mean retention\.ms/),
    exitCode: 0,
  });
  expect((await weir('topic create checked -c redpanda.value.schema.id.validation=true')).stderr).toContain(
    'weir cluster config set enable_schema_id_validation redpanda',
  );
  sent.length = 0;
  const set = await weir('topic set-config orders min.insync.replicas=2 retention.ms=7200000');
  expect(set).toMatchObject({ stderr: expect.stringContaining('min.insync.replicas'), exitCode: 0 });
  expect(set.stderr).not.toContain('retention.ms');
  expect(sent.filter((api) => api === 'DescribeConfigs')).toHaveLength(2);
  for (const unlisted of ['replication.factor=1', 'redpanda.iceberg.invalid.record.action=drop'])
    expect(await weir(`topic set-config orders ${unlisted}`)).toMatchObject({ stderr: '', exitCode: 0 });
});

test('a compacted topic takes records without a key', async () => {
  const { weir } = await redpanda();
  await weir('topic create orders -c cleanup.policy=compact');
  expect(await weir('topic produce orders', 'a\n')).toMatchObject({ exitCode: 0 });
});

test('two configs that older releases confuse are set one after the other', async () => {
  const { weir, sent } = await redpanda();
  await weir('topic create orders');
  const line = 'topic set-config orders redpanda.remote.write=true redpanda.remote.read=true retention.ms=1';
  const { stdout } = await weir(`${line} --format json`);
  expect(JSON.parse(stdout)[0].changes.map((one: { new: string }) => one.new)).toEqual(['true', 'true', '1']);
  // They are checked before they are made.
  expect(sent.filter((api) => api === 'IncrementalAlterConfigs')).toHaveLength(4);
});

test('a reassignment that is canceled goes back to the replicas from before it', async () => {
  const { weir, control } = await redpanda(4, { redpanda: { ...defaultSettings.redpanda, moveMs: 60_000 } });
  control.createTopic({ name: 'orders', replicas: 3 });
  const { replicas } = control.partition('orders', 0);
  const [stays, leaves] = [replicas.slice(0, 2), replicas[2]];
  const target = [...stays, [0, 1, 2, 3].find((id) => !replicas.includes(id))];
  const plan = JSON.stringify({ version: 1, partitions: [{ topic: 'orders', partition: 0, replicas: target }] });
  expect(await weir('topic reassign execute - --yes', plan)).toMatchObject({ exitCode: 0 });
  const { stdout } = await weir('topic reassign cancel --all --yes --format json');
  expect(JSON.parse(stdout)[0]).toMatchObject({ old_replicas: [...target, leaves], new_replicas: replicas });
  expect(control.partition('orders', 0).replicas).toEqual(replicas);
});

/** Begins a transaction, and writes a record of it to every partition of a topic. */
function openTransaction(cluster: Cluster, topic: string): void {
  cluster.coordinators.prepare('transaction');
  const { producerId, epoch } = cluster.transactions.init('tx', 60_000, { producerId: -1n, epoch: -1 });
  const partitions = cluster.topics.get(topic)?.partitions ?? [];
  if (topic === '__consumer_offsets') cluster.transactions.addGroup('tx', { producerId, epoch }, 'g');
  else cluster.transactions.addPartitions('tx', { producerId, epoch }, partitions);
  const batch = batchOf({ values: ['a'], timestamps: [0n], producerId, epoch, sequence: 0, isTransactional: true });
  for (const { logs, leaderEpoch } of partitions)
    for (const log of logs.values()) appendAsLeader(log, batch, leaderEpoch);
}

test('offsets of a group in a transaction do not hang, although the coordinator does not name their partition', async () => {
  const { weir, cluster } = await redpanda();
  cluster.coordinators.prepare('group');
  openTransaction(cluster, '__consumer_offsets');
  const found = await weir('cluster txn find-hanging --max-transaction-timeout 0ms');
  expect(found).toEqual({ stdout: '', stderr: 'no hanging transactions\n', exitCode: 0 });
});

test('a transaction that no broker lists is not said to hang', async () => {
  const { weir, control, cluster } = await redpanda(4);
  control.createTopic({ name: 'orders' });
  openTransaction(cluster, 'orders');
  const found = await weir('cluster txn find-hanging -t orders --max-transaction-timeout 0ms');
  expect(found).toMatchObject({ stdout: '', stderr: expect.stringContaining('unable to tell'), exitCode: 1 });
  for (const verb of ['list', 'describe'])
    expect((await weir(`cluster txn ${verb}`)).stderr).toContain('transactions may be missing');
  const described = await weir('cluster txn describe tx --format json');
  expect(JSON.parse(described.stdout)[0]).toMatchObject({ state: 'Ongoing', start_timestamp: null });
  expect(described.stderr).toBe('');
  expect((await (await redpanda(3)).weir('cluster txn list')).stderr).toBe('');
});

test('the bucket is not on the disk of a broker', async () => {
  const { weir } = await redpanda(1, { redpanda: { ...defaultSettings.redpanda, bucket: 'archive' } });
  await weir('topic create orders');
  await weir('topic produce orders', 'a\n');
  const sizeOf = async (into: string) => {
    const { stdout } = await weir(`cluster logdirs describe --aggregate-into ${into} --format json`);
    return JSON.parse(stdout).map(({ dir, size }: { dir: string | null; size: string }) => [dir, size]);
  };
  const [[, onDisk], ...others] = await sizeOf('dir');
  expect(others).toEqual([['remote://archive', onDisk]]);
  expect(await sizeOf('broker')).toEqual([[null, onDisk]]);
});

test('a broker without replicas is no error', async () => {
  const { weir } = await redpanda(2);
  await weir('topic create orders');
  expect(await weir('cluster logdirs describe')).toMatchObject({ stderr: '', exitCode: 0 });
});

test('sizes that a principal may not see are an error', async () => {
  const { weir } = await redpanda(1, { redpanda: { ...defaultSettings.redpanda, mayDescribeCluster: false } });
  await weir('topic create orders');
  for (const line of [
    'cluster logdirs describe',
    'cluster logdirs describe --topics orders',
    'topic describe orders --print-sizes',
  ])
    expect(await weir(line)).toMatchObject({
      stdout: expect.stringContaining('the principal needs describe on the cluster'),
      exitCode: 4,
    });
});

test.each([
  ['topic elect-leaders orders -p 0', 'use weir cluster partitions transfer-leadership'],
  ['security user list --api kafka', 'with --api admin'],
  ...['create', 'update'].map((verb) => [
    `security user ${verb} ana --mechanism scram-sha-256,scram-sha-512 --api kafka --generate-password --yes`,
    'a user of Redpanda has one mechanism',
  ]),
  ['topic delete _schemas --yes', 'kafka_nodelete_topics'],
  ['topic alter-config orders --append cleanup.policy=compact --yes', '--set cleanup.policy=compact,delete'],
  ['topic set-config orders replication.factor=2', 'must be an odd number'],
  ['topic reassign plan orders --replicas 1', 'topic set-config orders replication.factor=1'],
  ['topic reassign execute - --throttle 1MB --yes', 'raft_learner_recovery_rate'],
  ['topic consume orders -p 0 -o start', 'weir cluster partitions enable'],
  ['topic produce orders -p 0', 'weir cluster partitions enable'],
  ['topic trim-prefix orders -p 0 -o 1 --yes', 'weir cluster partitions enable'],
])('%s is refused with what to do: %s', async (line, hint) => {
  const { weir, control } = await redpanda(2, {
    redpanda: { ...defaultSettings.redpanda, disabledPartitions: ['orders/0'] },
    // As before Redpanda 26.1.
    missingApis: ['DescribeUserScramCredentials', 'AlterUserScramCredentials'],
  });
  control.createTopic({ name: 'orders', replicas: 1 });
  control.createTopic({ name: '_schemas', replicas: 1 });
  const [replica = 0] = control.partition('orders', 0).replicas;
  const plan = { version: 1, partitions: [{ topic: 'orders', partition: 0, replicas: [1 - replica] }] };
  const startedAt = performance.now();
  const { stdout, stderr, exitCode } = await weir(line, JSON.stringify(plan));
  expect(`${stdout}${stderr}`).toContain(hint);
  expect(exitCode).not.toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('the number of replicas of a topic follows replication.factor, up to the number of brokers', async () => {
  const { weir, control } = await redpanda(3);
  control.createTopic({ name: 'orders', partitions: 2, replicas: 1 });
  const [first] = control.partition('orders', 0).replicas;
  const wanted = (count: number) => `{weir: 1, topics: {orders: {replicas: ${count}}}}`;
  expect(await weir('apply - --yes', wanted(3))).toMatchObject({ exitCode: 0 });
  for (const index of [0, 1]) expect(control.partition('orders', index).replicas).toHaveLength(3);
  expect(await weir('diff -', wanted(3))).toMatchObject({ exitCode: 0 });
  expect((await weir('topic set-config orders replication.factor=5')).stdout).toContain('INVALID_REPLICATION_FACTOR');
  expect((await weir('topic set-config orders replication.factor=1')).stdout).toContain('REASSIGNMENT_IN_PROGRESS');
  await expect.poll(async () => (await weir('topic set-config orders replication.factor=1')).exitCode).toBe(0);
  expect(control.partition('orders', 0).replicas).toEqual([first]);
});
