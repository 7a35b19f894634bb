import { expect, test } from 'vitest';
import { isSameValue } from '../../src/cluster-file/kinds/configs.ts';
import { createMemoryRegistry } from '../commands/registry/memory-registry.ts';
import { type Call, refusal } from '../registry/scripted-registry.ts';
import { redpanda, withRegistry } from './simulated-redpanda.ts';

/** What a file can have on Redpanda, with configs that its brokers ignore, hide or never list. */
const file = `weir: 1
owns: {topics: ['*'], groups: ['*'], users: ['*'], roles: ['*']}
defaults:
  topic:
    configs: {min.insync.replicas: 1}
topics:
  orders:
    partitions: 3
    replicas: 1
    configs:
      cleanup.policy: [compact, delete]
      redpanda.remote.read: false
      redpanda.remote.recovery: false
      retention.ms: 7d
users:
  ana: {mechanisms: [SCRAM-SHA-512], iterations: 5000, password: {env: PASSWORD}}
  app: {password: {env: PASSWORD}}
roles:
  readers: {members: [ana, app]}
grants:
  - {principal: app, produce: 'orders*', consume: orders, group: app}
acls:
  - {principal: 'RedpandaRole:readers', allow: [read, describe], topic: orders}
  - {principal: ana, deny: all, host: 10.0.0.1, cluster: true}
  - {principal: ana, deny: write, host: '2001:DB8:0:0:0:0:0:1', topic: orders}
quotas:
  - {user: app, client_id: '*', producer_byte_rate: 10MB}
  - {client_id_prefix: batch-, consumer_byte_rate: 1MB}
`;

test('on Redpanda, nothing differs after an apply, and its export is equal', async () => {
  const weir = await redpanda();
  const planned = await weir('diff -', file);
  expect(planned.exitCode).toBe(10);
  // What the cluster was asked to check is not made.
  expect(await weir('diff -', file)).toEqual(planned);
  const applied = await weir('apply - --yes -vv', file);
  expect(applied.exitCode).toBe(0);
  // An address that Redpanda writes in another form is not waited for.
  expect(applied.stderr.match(/^DescribeAcls/gm)?.length).toBeLessThan(5);
  const { stdout: rights } = await weir('security acl list --topic orders-new --resource-pattern-type match');
  expect(rights).toMatch(/^User:app .* orders +PREFIXED .*$/m);
  expect(rights).not.toContain('RedpandaRole:readers');
  expect(await weir('diff - --prune', file)).toMatchObject({ stdout: '', exitCode: 0 });
  // An ACL of the cluster belongs to who owns everything.
  const unnamed = file.replace(/^.*deny: all.*$/m, '');
  expect((await weir('diff -', unnamed)).stdout).toBe('');
  const everything = unnamed.replace('owns: {', "owns: {transactional_ids: ['*'], ");
  expect((await weir('diff -', everything)).stdout).toMatch(/^acl +cluster +keep$/m);
  const named = await weir('apply - --yes', file.replace('10.0.0.1', 'ana.example'));
  expect(named.stdout).toContain('Invalid host ana.example');
  const { stdout } = await weir('export --owns *');
  expect(await weir('diff - --strict --prune', stdout, { APP_PASSWORD: 'secret' })).toMatchObject({
    stdout: '',
    exitCode: 0,
  });
});

test('on Redpanda, a user has one mechanism: another takes its place, and two are refused', async () => {
  const weir = await redpanda();
  const users = (mechanisms: string) =>
    `{weir: 1, users: {ana: {mechanisms: [${mechanisms}], password: {env: PASSWORD}}}}`;
  expect(await weir('apply - --yes', users('SCRAM-SHA-256'))).toMatchObject({ exitCode: 0 });
  const other = users('SCRAM-SHA-512');
  expect((await weir('diff - --format json', other)).stdout).toContain('"from":"4096 iterations","to":null');
  expect(await weir('apply - --yes', other)).toMatchObject({ exitCode: 0 });
  expect(await weir('diff -', other)).toMatchObject({ stdout: '', exitCode: 0 });
  expect((await weir('security user list --format wide')).stdout).toContain('SCRAM-SHA-512');
  const both = await weir('apply - --yes', users('SCRAM-SHA-256, SCRAM-SHA-512'));
  expect(both).toMatchObject({ stdout: expect.stringContaining('a user of Redpanda has one mechanism'), exitCode: 6 });
  expect(await weir('diff -', other)).toMatchObject({ stdout: '', exitCode: 0 });
});

test('on Redpanda, groups have no configs, and a role that is deleted keeps its ACLs', async () => {
  const weir = await redpanda();
  expect(await weir('apply - --yes', file)).toMatchObject({ exitCode: 0 });
  const files = `{weir: 1, groups: {app: {configs: {consumer.session.timeout.ms: 1m}}},
    roles: {readers: {absent: true, because: gone}}}`;
  const { stdout } = await weir('diff -', files);
  expect(stdout).toContain('Redpanda has no configs of groups');
  expect(stdout).toContain('gone; 2 ACLs for it are not deleted with it');
});

const registryFile = `weir: 1
owns: {subjects: ['orders*']}
acls:
  - {principal: app, allow: [read, write], subject: {prefixed: orders}}
  - {principal: 'RedpandaRole:readers', allow: describe, subject: orders-value}
  - {principal: app, deny: alter_configs, host: 10.0.0.1, registry: true}
  - {principal: 'RedpandaRole:readers', allow: read, registry: '*'}
`;

test('ACLs of the schema registry of Redpanda are created, exported and deleted like others', async () => {
  const { weir, calls } = await withRegistry();
  const of = (entry: string) => `{weir: 1, acls: [{principal: app, ${entry}}]}`;
  expect(await weir('apply - --yes', of('allow: read, topic: orders'))).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual([]);
  expect((await weir('apply - --yes', registryFile)).stdout).toMatch(
    /acl +subject orders\* +create +OK\n +User:app READ +- → ALLOW/,
  );
  expect(await weir('diff - --prune', registryFile)).toMatchObject({ stdout: '', exitCode: 0 });
  const rule = `require: [{rule: acl.resource_type != "REGISTRY"}]`;
  expect(await weir('diff -', `${registryFile}${rule}`)).toMatchObject({
    stderr: expect.stringContaining('acls[2]: acl.resource_type is "REGISTRY"'),
    exitCode: 2,
  });
  const { stdout } = await weir('export');
  expect(stdout).toContain('    allow: read\n    topic: orders\n');
  expect(stdout).toContain('    allow: read\n    registry: "*"\n');
  expect(stdout).toContain('    deny: alter_configs\n    registry: true\n');
  expect(await weir('diff -', stdout)).toMatchObject({ stdout: '', exitCode: 0 });

  // Some are gone, or belong to somebody else; those of the brokers are not owned.
  await weir('security acl create --allow-principal ana --operation read --registry-subject orders-key,pay');
  const owned = "{weir: 1, owns: {subjects: ['orders*']}}";
  expect(await weir('apply - --yes --prune --max-deletes 3', owned)).toMatchObject({
    stderr: expect.stringContaining('would delete 4 (acl subject orders-value'),
    exitCode: 6,
  });
  const pruned = JSON.parse((await weir('apply - --yes --prune --format json', owned)).stdout);
  expect(pruned.map(({ name, why, risk }: Record<string, string>) => [name, risk, why])).toEqual([
    ['subject orders-value', 'access', expect.stringContaining('RedpandaRole:readers loses DESCRIBE')],
    ['subject orders-key', 'access', expect.stringContaining('User:ana loses READ')],
    ['subject orders*', 'access', expect.stringContaining('User:app loses READ and WRITE')],
  ]);
  expect((await weir('export --owns pay*')).stdout).toMatch(
    /acls:\n {2}- principal: User:ana\n {4}allow: read\n {4}subject: pay\n$/,
  );
  // All of a request would be refused: they are faults of the file.
  const wrong = `weir: 1
acls:
  - {principal: app, allow: read, host: ana.example, subject: orders}
  - {principal: 'Team:app', allow: read, subject: orders}
  - {principal: 'Group:*', allow: read, registry: true}
`;
  expect((await weir('apply - --yes', wrong)).stderr).toMatch(
    /:3:41: acls\[0\]\.host: .*no names of hosts\n.*:4:17: .*principal: .*\n.*:5:17: acls\[2\]\.principal: /,
  );
  expect(await weir('diff -', of('allow: create, subject: orders'))).toMatchObject({
    stderr: expect.stringContaining('the operations on a subject are all, read, write, delete, '),
    exitCode: 2,
  });
});

test.each([
  {
    registry: 'one without ACLs',
    answer: createMemoryRegistry('redpanda'),
    env: {},
    why: 'this schema registry has no ACLs',
    code: 1,
    notice: '',
  },
  {
    registry: 'none',
    env: { WEIR_REGISTRY_HOSTS: undefined },
    why: 'registry.hosts is not set',
    code: 1,
    notice: 'without ACLs of the schema registry: registry.hosts is not set',
  },
  {
    registry: 'one whose ACLs the user may not read',
    answer: (call: Call) =>
      call.path.startsWith('/security') ? refusal(403, 'Forbidden') : createMemoryRegistry('redpanda26')(call),
    env: {},
    why: expect.stringContaining('Forbidden'),
    code: 4,
    notice: 'without ACLs of the schema registry: unable to read the ACLs',
  },
])('with $registry, ACLs of a registry are blocked, and an export has none', async (one) => {
  const { env, why, notice } = one;
  const { weir } = await withRegistry(one.answer);
  const files = `${registryFile}topics: {orders: {}}\n`;
  const differing = await weir('diff - --format json', files, env);
  expect(JSON.parse(differing.stdout)).toContainEqual(
    expect.objectContaining({ kind: 'acl', name: 'ACLs of the schema registry', action: 'blocked', why }),
  );
  expect(differing.exitCode).toBe(one.code);
  expect((await weir('apply - --yes', files, env)).stdout).toMatch(/topic +orders +create .* OK/);
  const stderr = notice === '' ? expect.not.stringContaining('ACLs') : expect.stringContaining(notice);
  const owned = await weir('diff -', "{weir: 1, owns: {subjects: ['*']}}", env);
  expect(owned).toMatchObject({ stdout: '', stderr, exitCode: 0 });
  expect(await weir('export', '', env)).toMatchObject({ stderr, exitCode: 0 });
});

test('an export of Redpanda says what it lacks', async () => {
  const weir = await redpanda({ missingApis: ['DescribeUserScramCredentials'] });
  const { stderr } = await weir('export', '', { WEIR_ADMIN_HOSTS: undefined });
  expect(stderr).toContain('without users: these brokers cannot list SCRAM users over Kafka');
  expect(stderr).toContain('without roles: admin.hosts is not set');
  expect(stderr).toContain('without cluster_configs: admin.hosts is not set');
});

test('properties of Redpanda keep the items of their lists, and differ by their values', async () => {
  const weir = await redpanda();
  const configs = (text: string) => `{weir: 1, cluster_configs: {${text}}}`;
  const apply = (text: string) => weir('apply - --yes --allow cluster', configs(text));
  const lists = `superusers: ["CN=admin,O=corp", admin], http_authentication: BASIC,
    kafka_throughput_control: [{client_id: 'a,b', name: g}], log_retention_ms: 7d`;
  expect(await apply(lists)).toMatchObject({ exitCode: 0 });
  expect((await weir('cluster config get superusers')).stdout).toContain('["CN=admin,O=corp","admin"]');
  // Neither the order of the fields of an item counts, nor a default that is not to be set.
  const same = `${lists.replace("client_id: 'a,b', name: g", "name: g, client_id: 'a,b'")}, log_segment_size: null`;
  expect(await weir('diff -', configs(same))).toMatchObject({ stdout: '', exitCode: 0 });
  expect((await weir('diff - --allow cluster', configs('superusers: [admin, "CN=admin,O=corp"]'))).exitCode).toBe(10);
  expect((await weir('cluster config set cluster_id=abc cloud_storage_bucket=mine')).exitCode).toBe(0);
  const { stdout } = await weir('export');
  expect(stdout).toContain('- CN=admin,O=corp\n');
  expect((await weir('export --owns orders*')).stdout).not.toContain('cluster_configs');
  expect(stdout).not.toMatch(/cluster_id|cloud_storage_bucket/);
  expect(await weir('diff -', stdout, { ANA_PASSWORD: 'secret' })).toMatchObject({ stdout: '', exitCode: 0 });
  expect(await weir('diff -', configs('cluster_id: abc'))).toMatchObject({ exitCode: 2 });
  // One row that is wrong does not keep the others from being made.
  expect(
    await apply('superusers: "a,b", log_segment_size: big, oidc_clock_skew_tolerance: 9, log_retention_ms: null'),
  ).toMatchObject({
    stdout: expect.stringMatching(/is a list.*a whole number\n/s),
    exitCode: 6,
  });
  expect((await weir('cluster config get oidc_clock_skew_tolerance')).stdout).toBe('9\n');
});

test('what Redpanda ignores, hides or does not list is no difference, and what it ignores is reported', async () => {
  const weir = await redpanda();
  const configs = (text: string) => `{weir: 1, topics: {orders: {configs: {${text}}}}}`;
  // Without any topic, only the answer of the cluster shows what it does not know.
  const typo = '{weir: 1, topics: {odd: {configs: {retenton.ms: 7d}}}}';
  const stdout = expect.stringContaining('the cluster does not know retenton.ms');
  expect(await weir('diff -', typo)).toMatchObject({ stdout, exitCode: 6 });
  expect(await weir('apply - --yes', typo)).toMatchObject({ stdout, exitCode: 1 });
  const ignored = 'the cluster ignores min.insync.replicas';
  const one = configs('min.insync.replicas: 1, compression.type: uncompressed, flush.ms: 9223372036854775807');
  expect((await weir('apply - --yes', one)).stderr).toContain(ignored);
  expect(await weir('diff -', one)).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining(ignored),
    exitCode: 0,
  });
  // Those of Iceberg are not listed before it is on.
  const iceberg = configs('redpanda.iceberg.delete: false, redpanda.iceberg.target.lag.ms: 30s');
  expect(await weir('diff -', iceberg)).toMatchObject({ stdout: '', exitCode: 0 });
  const withIceberg = iceberg.replace('{redpanda', '{redpanda.iceberg.mode: key_value, redpanda');
  expect(await weir('apply - --yes', withIceberg)).toMatchObject({ exitCode: 0 });
  expect(await weir('diff -', withIceberg)).toMatchObject({ stdout: '', exitCode: 0 });
  expect((await weir('topic describe orders --format json')).stdout).toContain('"30000"');
  // What it does not know, it refuses.
  expect(await weir('diff -', configs('retension.ms: 7d'))).toMatchObject({
    stdout: expect.stringMatching(/blocked.*Unknown topic config name/s),
    exitCode: 6,
  });
  expect(await weir('diff -', configs('replication.factor: 3'))).toMatchObject({
    stderr: expect.stringContaining('write "replicas:"'),
    exitCode: 2,
  });
  const moved = await weir('diff -', '{weir: 1, topics: {orders: {replicas: 3}, new: {replicas: 3}}}');
  expect(moved.stdout).toMatch(/replicas +1 → 3/);
  expect(moved.stdout).toMatch(/topic +new +blocked.*needs 3 brokers, there is 1/s);
  const added = '{weir: 1, topics: {new: {configs: {min.insync.replicas: 1}}, odder: {configs: {retenton.ms: 7d}}}}';
  expect(await weir('apply - --yes', added)).toMatchObject({
    stdout: expect.stringMatching(
      /topic +new +create +OK\n\S* *topic +odder +blocked.*no topic has a config retenton.ms; did you mean retention.ms\?/s,
    ),
    stderr: expect.stringContaining(ignored),
    exitCode: 6,
  });
});

test.each([
  ['compression.type', 'uncompressed', 'none'],
  ['retention.ms', '9223372036854775807', '9223372036854'],
  [
    'redpanda.iceberg.mode',
    'value_schema_latest:subject=a,protobuf_name=B',
    'value_schema_latest:protobuf_name=B,subject=a',
  ],
  ['redpanda.leaders.preference', 'racks: a, b', 'racks:b,a'],
  ['redpanda.leaders.preference', 'ordered_racks: a, b', 'ordered_racks:a,b'],
])('%s: %s is %s', (key, one, other) => {
  expect(isSameValue(key, one, other)).toBe(true);
});

test.each([
  ['redpanda.leaders.preference', 'ordered_racks:a,b,c', 'ordered_racks:a,c,b'],
  ['retention.bytes', '9223372036854775807', '9223372036854'],
])('%s: %s is not %s', (key, one, other) => {
  expect(isSameValue(key, one, other)).toBe(false);
});
