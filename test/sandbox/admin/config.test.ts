import { expect, test } from 'vitest';
import { type Answer, sandboxTrial, startSimulator } from './simulator.ts';

const put = (upsert: object, remove: readonly string[] = []) => ({ body: { upsert, remove } });
const set = 'PUT /v1/cluster_config';

/** The reasons for a refusal by property. */
const reasonsIn = (answer: Answer): Readonly<Record<string, string>> => JSON.parse(answer.body.message);

test('the schema has a property of every type and with every mark', async () => {
  const { ok } = await startSimulator();
  const properties: readonly Record<string, unknown>[] = Object.values(
    (await ok('GET /v1/cluster_config/schema')).properties,
  );
  expect(properties.length).toBeGreaterThanOrEqual(40);
  for (const type of ['boolean', 'integer', 'number', 'string', 'array'])
    expect(properties.some((one) => one.type === type)).toBe(true);
  expect(new Set(properties.map(({ visibility }) => visibility))).toEqual(new Set(['user', 'tunable']));
  for (const mark of ['nullable', 'needs_restart', 'is_secret'])
    expect(new Set(properties.map((one) => one[mark]))).toEqual(new Set([true, false]));
  for (const key of ['items', 'units', 'example', 'enum_values', 'aliases'])
    expect(properties.some((one) => one[key] !== undefined)).toBe(true);
});

test('a change is shown with and without the defaults, and by name or alias', async () => {
  const { ok } = await startSimulator();
  expect(await ok(set, put({ log_retention_ms: '1000', superusers: ['ada'] }))).toEqual({ config_version: 2 });
  const changed = { log_retention_ms: 1000, superusers: ['ada'] };
  expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual(changed);
  expect(await ok('GET /v1/cluster_config')).toMatchObject({ ...changed, enable_sasl: false });
  expect(await ok('GET /v1/cluster_config?key=delete_retention_ms')).toEqual({ log_retention_ms: 1000 });
  await ok(set, put({ delete_retention_ms: null }, ['superusers']));
  expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual({ log_retention_ms: null });
});

test.each([400, 404])('an unknown key is answered with %d, as the settings say', async (status) => {
  const { call } = await startSimulator({ settings: { unknownKeyStatus: status } });
  expect((await call('GET /v1/cluster_config?key=nothing')).status).toBe(status);
});

test.each([
  ['enable_sasl', 'true', true],
  ['enable_sasl', false, false],
  ['log_segment_size', '1048576', 1_048_576],
  ['kafka_qdc_depth_alpha', '0.5', 0.5],
  ['kafka_qdc_depth_alpha', 1, 1],
  ['cluster_id', '', ''],
  ['cluster_id', '7', '7'],
  ['kafka_connections_max', null, null],
  ['superusers', [], []],
  ['http_authentication', ['OIDC'], ['OIDC']],
  ['superusers', 'ada', ['ada']],
  ['kafka_throughput_control', [{ name: 'g', client_id: 'a.*' }], [{ name: 'g', client_id: 'a.*' }]],
])('%s becomes %j as %j', async (name, sent, stored) => {
  const { ok } = await startSimulator();
  await ok(set, put({ [name]: sent }));
  expect(await ok(`GET /v1/cluster_config?key=${name}`)).toEqual({ [name]: stored });
});

test.each([
  ['nothing', 1, /Unknown/],
  ['enable_sasl', 'yes', /boolean/],
  ['enable_sasl', null, /boolean/],
  ['log_segment_size', '1.5', /integer.*2147483648/],
  ['log_segment_size', '1', /1048576 to 4294967296/],
  ['default_topic_partitions', 0, /at least 1/],
  ['kafka_qdc_depth_alpha', 'many', /number/],
  ['http_authentication', 'BASIC', /^expected type string, for example '/],
  ['superusers', [['ada']], /string/],
  ['kafka_throughput_control', '[{"name":"g"}]', /^expected type config::throughput_control_group, for example '/],
  ['http_authentication', ['BASIC', 'NTLM'], /BASIC, OIDC/],
  ['cleanup_policy', 'keep', /delete, compact/],
  ['cloud_storage_bucket', {}, /string/],
])('%s cannot be %j', async (name, sent, reason) => {
  const { call, ok } = await startSimulator();
  const answer = await call(set, put({ [name]: sent, aggregate_metrics: true }));
  expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
  expect(reasonsIn(answer)).toEqual({ [name]: expect.stringMatching(reason) });
  expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual({});
});

test('every bad property is reported at once, and one that is to be removed too', async () => {
  const { call } = await startSimulator();
  const answer = await call(set, put({ nothing: 1, enable_sasl: 3 }, ['nobody']));
  expect(Object.keys(reasonsIn(answer))).toEqual(['enable_sasl', 'nobody', 'nothing']);
  const newer = await startSimulator({ settings: { release: '26.1' } });
  expect(Object.keys(reasonsIn(await newer.call(set, put({ nothing: 1 }, ['nobody']))))).toEqual(['nothing']);
});

test('a deprecated property is accepted without an effect, and shown nowhere', async () => {
  const { ok } = await startSimulator();
  expect(await ok(set, put({ target_quota_byte_rate: 5 }))).toEqual({ config_version: 1 });
  expect(await ok(set, put({ target_quota_byte_rate: 5, enable_sasl: true }))).toEqual({ config_version: 2 });
  expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual({ enable_sasl: true });
  for (const path of ['/v1/cluster_config', '/v1/cluster_config/schema'])
    expect(JSON.stringify(await ok(`GET ${path}`))).not.toContain('target_quota_byte_rate');
});

test.each([
  [{ upsert: {} }, /remove/],
  [{ remove: [] }, /upsert/],
  [{ upsert: {}, remove: [], more: 1 }, /more/],
  [{ upsert: [], remove: [] }, /upsert/],
  [{ upsert: {}, remove: [1] }, /remove\[0\]/],
  ['{', /JSON/],
])('the body %j is refused', async (body, message) => {
  const { call } = await startSimulator();
  expect(await call(set, { body })).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});

test('a version is made by what changes, and by every removal; a dry run makes none', async () => {
  const { call, ok } = await startSimulator();
  const version = async (...change: Parameters<typeof put>) => (await ok(set, put(...change))).config_version;
  expect(await version({})).toBe(1);
  expect(await version({ enable_sasl: 'false' })).toBe(1);
  expect(await version({ enable_sasl: true })).toBe(2);
  expect(await version({ enable_sasl: true })).toBe(2);
  expect(await version({}, ['aggregate_metrics'])).toBe(3);
  expect(await ok(`${set}?dry_run=true`, put({ enable_sasl: false }))).toEqual({ config_version: 3 });
  expect((await call(`${set}?dry_run=true`, put({ nothing: 1 }))).status).toBe(400);
  expect(await ok('GET /v1/cluster_config?key=enable_sasl')).toEqual({ enable_sasl: true });
});

test('the leader applies a change at once and the others after a while; one that is down when it is back', async () => {
  const { ok, switches } = await startSimulator();
  const versions = async () =>
    (await ok('GET /v1/cluster_config/status')).map((one: { config_version: number }) => one.config_version);
  await switches.stopNode(2);
  await ok(set, put({ enable_sasl: true }));
  expect(await versions()).toEqual([2, 1, 1]);
  expect(await ok('GET /v1/cluster_config?key=enable_sasl', { node: 1 })).toEqual({ enable_sasl: false });
  await switches.advance(500);
  expect(await versions()).toEqual([2, 2, 1]);
  expect(await ok('GET /v1/cluster_config?key=enable_sasl', { node: 1 })).toEqual({ enable_sasl: true });
  await switches.startNode(2);
  expect(await versions()).toEqual([2, 2, 2]);
});

test('a property that needs a restart is reported by each node until it is restarted', async () => {
  const { ok, switches } = await startSimulator();
  const restarts = async () =>
    (await ok('GET /v1/cluster_config/status')).map((one: { restart: boolean }) => one.restart);
  await ok(set, put({ enable_sasl: true }));
  await switches.advance(500);
  expect(await restarts()).toEqual([false, false, false]);
  await ok(set, put({ disable_batch_cache: true }));
  await switches.advance(500);
  expect(await restarts()).toEqual([true, true, true]);
  await switches.restartNode(1);
  expect(await restarts()).toEqual([true, false, true]);
  await ok(set, put({}, ['disable_batch_cache']));
  await switches.advance(500);
  expect(await restarts()).toEqual([false, true, false]);
});

test('force stores what is invalid or unknown, and the status reports it', async () => {
  const { ok } = await startSimulator();
  await ok(`${set}?force=true`, put({ nothing: 1, enable_sasl: 'yes' }));
  const [status] = await ok('GET /v1/cluster_config/status');
  expect(status).toMatchObject({ invalid: ['enable_sasl'], unknown: ['nothing'] });
});

test('a secret that is set is hidden everywhere, and one that is not set is not', async () => {
  const { ok } = await startSimulator();
  const key = 'cloud_storage_secret_key';
  expect(await ok(`GET /v1/cluster_config?key=${key}`)).toEqual({ [key]: null });
  await ok(set, put({ [key]: 'hidden-value' }));
  expect(await ok(`GET /v1/cluster_config?key=${key}`)).toEqual({ [key]: '[secret]' });
  for (const path of ['/v1/cluster_config', '/v1/config']) {
    const all = await ok(`GET ${path}`);
    expect(all[key]).toBe('[secret]');
    expect(JSON.stringify(all)).not.toContain('hidden-value');
  }
});

test('tiered storage needs its bucket, region and credentials, and a license', async () => {
  const { call, ok } = await startSimulator();
  const rest = { cloud_storage_bucket: 'b', cloud_storage_region: 'r', cloud_storage_access_key: 'a' };
  const whole = { ...rest, cloud_storage_secret_key: 's', cloud_storage_enabled: true };
  const refusal = async (upsert: object) => reasonsIn(await call(set, put(upsert))).cloud_storage_enabled;
  expect(await refusal({ cloud_storage_enabled: true })).toContain('cloud_storage_bucket');
  expect(await refusal({ ...rest, cloud_storage_enabled: true })).toBe('requires cloud_storage_secret_key');
  expect(await refusal(whole)).toBe('requires a valid license');
  await ok('PUT /v1/features/license', { body: sandboxTrial });
  expect(await ok(set, put(whole))).toEqual({ config_version: 2 });
});

test('a node shows its own configuration, by which clients find the node of an id', async () => {
  const { api, ok } = await startSimulator();
  for (const node of [0, 1, 2]) {
    const config = await ok('GET /v1/node_config', { node });
    expect(config).toMatchObject({ node_id: node, admin: [{ address: `127.0.0.${node + 1}`, port: api.port }] });
    expect(config.seed_servers).toHaveLength(3);
    expect(config.enable_sasl).toBeUndefined();
    const cluster = await ok('GET /v1/config', { node });
    expect([cluster.enable_sasl, 'node_id' in cluster]).toEqual([false, false]);
  }
});
