import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { RegistrySync, ShadowPartition } from '../../../src/admin/shadow/link-rows.ts';
import { type LinkField, linkSections } from '../../../src/admin/shadow/link-words.ts';
import { linkTemplate } from '../../../src/commands/shadow/config/template.ts';
import { parseLinkFile } from '../../../src/commands/shadow/link-file.ts';
import { read } from '../../../src/shape/shape.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { temporaryDirectory } from '../../world.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';

beforeEach(skipPauses);

const plain = `name: dr
client_options:
  bootstrap_servers: [source:9092]
  authentication_configuration:
    plain_configuration: {username: replicator, password: swordfish}
topic_metadata_sync_options:
  auto_create_shadow_topic_filters:
    - {pattern_type: LITERAL, filter_type: INCLUDE, name: '*'}
`;

const cwd = temporaryDirectory();

function file(name: string, text: string): string {
  writeFileSync(join(cwd, name), text);
  return name;
}

/** A cluster with a link, whose topics are there. */
async function linkWorld(text = plain, release: '25.3' | '26.2' = '26.2'): Promise<AdminWorld> {
  const world = await adminWorld({
    settings: { release },
    seeds: { config: { enable_shadow_linking: true } },
    // The link creates its topics itself.
    cluster: { brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })), topics: [] },
  });
  const { exitCode, stderr } = await world.weir(`shadow create -c ${file('link.yaml', text)}`, { cwd });
  expect(exitCode, stderr).toBe(0);
  await world.switches.advance(3_000);
  return world;
}

test('a cluster without shadow links says since when they are there', async () => {
  const { weir } = await adminWorld();
  expect(await weir('shadow list')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/does not have shadow links\nhint: shadow links need Redpanda 25\.3 or newer/),
  });
});

test('the password of PLAIN, which the cluster does not keep, is asked for again', async () => {
  const { weir } = await linkWorld();
  const kept = file('kept.yaml', plain.replace(', password: swordfish', ''));
  const { exitCode, stderr } = await weir(`shadow update dr -c ${kept}`, { cwd });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('does not keep the password of plain_configuration')]);
  const paused = file('paused.yaml', plain.replace('sync_options:\n', 'sync_options:\n  paused: true\n'));
  expect((await weir(`shadow update dr -c ${paused}`, { cwd })).exitCode).toBe(0);
  const { configuration } = JSON.parse((await weir('shadow describe dr --format json')).stdout);
  // The server would append to the list if only the field were named.
  expect(configuration.topic_metadata_sync_options).toEqual({
    auto_create_shadow_topic_filters: [{ pattern_type: 'LITERAL', filter_type: 'INCLUDE', name: '*' }],
    paused: true,
  });
});

test('only ACTIVE topics fail over; of the others, the error says what they are', async () => {
  const { weir, api, switches } = await linkWorld();
  const topic = api.world.state.shadowLinks.get('dr')?.topics.get('payments');
  if (topic === undefined) throw new Error('the link copies no payments');
  topic.state = 'FAULTED';
  const { stdout, exitCode } = await weir('shadow failover dr --all --yes');
  expect(exitCode).toBe(6);
  expect(stdout).toMatch(/^payments .*TOPIC_NOT_ACTIVE: the topic is FAULTED/m);
  expect(stdout).toMatch(/^orders +FAILING_OVER .* OK$/m);
  expect(topic.state).toBe('FAULTED');
  await switches.advance(3_000);
  expect(JSON.parse((await weir('shadow status dr --format json')).stdout).topics).toMatchObject([
    { state: 'FAILED_OVER', lag: 0 },
    { state: 'FAULTED', lag: null },
    { state: 'FAILED_OVER', lag: 0 },
  ]);
  // A FAULTED topic does not keep the link, and loses what was not copied.
  const terminal = { stdin: true, stderr: true, typed: 'n\n' };
  expect((await weir('shadow delete dr', { terminal })).stderr).toContain(
    'and lose an unknown number of records in 1 partition',
  );
  // Nor does one that was promoted.
  for (const one of api.world.state.shadowLinks.get('dr')?.topics.values() ?? [])
    if (one.state === 'FAILED_OVER') one.state = 'PROMOTED';
  expect((await weir('shadow delete dr --yes --format json')).stdout).toContain('"topics":["payments"]');
});

test('partitions that the link does not report are an unknown loss, and no loss of nothing', async () => {
  const { weir, api } = await linkWorld();
  const topics = api.world.state.shadowLinks.get('dr')?.topics;
  topics?.clear();
  topics?.set('new', { name: 'new', state: 'ACTIVE', since: 0 });
  const { stderr } = await weir('shadow failover dr --topic new --dry-run');
  expect(stderr).toContain('the failover would lose an unknown number of records in 1 partition\n');
});

test('partitions whose broker is down are an unknown loss, although the cluster does not report them', async () => {
  const { weir, api, switches } = await linkWorld();
  const [sessions] = [...api.world.state.partitions.values()].filter(({ topic }) => topic === 'sessions');
  await switches.stopNode(sessions?.leader ?? 0);
  await switches.advance(3_000);
  const { stdout, stderr } = await weir('shadow failover dr --all --dry-run --format json');
  expect(JSON.parse(stdout)[2]).toMatchObject({
    ...{ topic: 'sessions', lag: null },
    partitions: [{ partition: 0, high_watermark: null, lag: null }, { partition: 1 }],
  });
  expect(stderr).toContain('the failover would lose 20 records, and an unknown number in 2 partitions\n');
  expect((await weir('shadow failover dr --topic orders --dry-run')).stderr).toContain('lose 17 records\n');
  // While a broker hangs, the list of partitions fails: the failover does not.
  const fault = { kind: 'status', status: 500, message: 'Error getting cluster health report' } as const;
  switches.addFault({ route: 'cluster.partitions', effect: fault, times: null });
  const blind = await weir('shadow failover dr --topic orders --dry-run');
  expect(blind.stderr).toContain('lose 17 records, and an unknown number in 1 partition\n');
  expect(blind.stderr).toContain('the number of partitions is not known');
  expect(JSON.parse((await weir('shadow status dr --format json')).stdout).topics[0].lag).toBeNull();
  switches.clearFaults();
  expect(JSON.parse((await weir('shadow status dr --format json')).stdout).topics[2].lag).toBeNull();
  // A copy can be further than the source was when the link last heard of it.
  expect(read(ShadowPartition, { sourceHighWatermark: '5', highWatermark: '7' })).toMatchObject({ lag: 0n });
});

test.each([
  ['FAULTED', 1, /TOPIC_NOT_FAILED_OVER: the topic is FAULTED/],
  // A node may still show the state from before.
  ['ACTIVE', 0, /FAILED_OVER .* OK/],
] as const)('--wait waits for the end of a failover, which %s is not (exit %i)', async (state, code, shown) => {
  const { weir, api, switches, whenAfter } = await linkWorld();
  const topic = api.world.state.shadowLinks.get('dr')?.topics.get('payments');
  if (topic === undefined) throw new Error('the link copies no payments');
  whenAfter('v2.shadow.fail-over', () => {
    topic.state = state;
    if (state === 'ACTIVE') whenAfter(switches.journal().length + 2, () => (topic.state = 'FAILED_OVER'));
  });
  const { stdout, exitCode } = await weir('shadow failover dr --topic payments --yes --wait --no-headers');
  expect(stdout).toMatch(shown);
  expect(exitCode).toBe(code);
});

test.each([
  ['before', 2],
  ['after', 1],
] as const)('a failover whose connection is cut %s it is done is requested %i times', async (when, requests) => {
  const { weir, changes, switches } = await linkWorld();
  switches.addFault({ route: 'v2.shadow.fail-over', effect: { kind: 'drop', when } });
  expect((await weir('shadow failover dr --topic payments --yes')).exitCode).toBe(0);
  expect(changes().filter((line) => line.endsWith('FailOver'))).toHaveLength(requests);
});

test.each([
  ['before', 2],
  ['after', 1],
] as const)('a deletion whose connection is cut %s it is done is requested %i times', async (when, requests) => {
  const { weir, api, changes, switches } = await linkWorld();
  switches.addFault({ route: 'v2.shadow.delete', effect: { kind: 'drop', when } });
  expect((await weir('shadow delete dr --force --yes')).exitCode).toBe(0);
  expect(changes().filter((line) => line.endsWith('DeleteShadowLink'))).toHaveLength(requests);
  expect(api.world.state.shadowLinks.size).toBe(0);
});

test('an update whose connection is cut is repeated', async () => {
  const { weir, switches } = await linkWorld();
  switches.addFault({ route: 'v2.shadow.update', effect: { kind: 'drop', when: 'before' } });
  const text = plain.replace('sync_options:\n', 'sync_options:\n  paused: true\n');
  expect((await weir(`shadow update dr -c ${file('paused.yaml', text)}`, { cwd })).exitCode).toBe(0);
});

test('a link that copies a topic again by the time it is deleted is kept without --force', async () => {
  const { weir, api, switches, whenAfter } = await linkWorld();
  const { shadowLinks } = api.world.state;
  const topics = [...(shadowLinks.get('dr')?.topics.values() ?? [])];
  for (const topic of topics) topic.state = 'FAILED_OVER';
  whenAfter(switches.journal().length + 1, () => {
    for (const topic of topics) topic.state = 'ACTIVE';
  });
  expect((await weir('shadow delete dr --yes')).exitCode).toBe(6);
  expect(shadowLinks.has('dr')).toBe(true);
});

test('what stands for a secret is no secret of a new link', async () => {
  const { weir, changes } = await adminWorld({ settings: { release: '26.2' } });
  const shown = file('shown.yaml', plain.replace('swordfish', '"[secret]"'));
  expect(await weir(`shadow create -c ${shown}`, { cwd })).toMatchObject({ exitCode: 2 });
  expect(changes()).toEqual([]);
});

test('--watch prints the status again, until Ctrl-C', async () => {
  const { weir, whenAfter } = await linkWorld();
  const { stdout, exitCode } = await weir('shadow status dr --watch --format json', {
    onStart: (kill) => whenAfter(9, () => kill('SIGINT')),
  });
  expect(stdout.trim().split('\n').length).toBeGreaterThanOrEqual(3);
  expect(exitCode).toBe(130);
});

test('the template is a valid file, and has every field', async () => {
  expect(await parseLinkFile('link.yaml', linkTemplate, { isNew: true })).toMatchObject({ name: 'my-link' });
  const names = [...new Set(namesIn(linkSections))];
  expect(names.filter((name) => !linkTemplate.includes(name))).toEqual([]);
});

function namesIn(field: LinkField): readonly string[] {
  if (field.form === 'list') return namesIn(field.item);
  if (field.form !== 'map') return [];
  const fields = Object.entries(field.fields).filter(([, one]) => !('isIgnored' in one));
  return fields.flatMap(([name, one]) => [name, ...namesIn(one)]);
}

test.each([
  ['  source_cluster_id: abc', 0, 'Redpanda 26.2 ignores client_options.source_cluster_id'],
  [
    '  tls_settings: {tls_pem_settings: {cert: C}}',
    2,
    'link.yaml:4: client_options.tls_settings.tls_pem_settings.key is',
  ],
  [
    '  authentication_configuration: {scram_configuration: {username: u, scram_mechanism: SCRAM_SHA_256}}',
    2,
    'link.yaml:4: client_options.authentication_configuration.scram_configuration.password is missing',
  ],
  [
    'security_sync_options: {acl_filters: [{access_filter: {operation: ANY, permission_type: ANY}}]}',
    2,
    'link.yaml:4: security_sync_options.acl_filters[0].resource_filter is missing',
  ],
  [
    'schema_registry_sync_options: {shadow_schema_registry_api: {source_url: http://r, auth_options: {basic: {username: u}}}}',
    2,
    'auth_options.basic.password is missing',
  ],
] as const)('a new link with %s has exit %i', async (lines, code, shown) => {
  const { weir } = await adminWorld({
    settings: { release: '26.2' },
    seeds: { config: { enable_shadow_linking: true } },
  });
  const text = `name: dr\nclient_options:\n  bootstrap_servers: [source:9092]\n${lines}\n`;
  const { exitCode, stderr } = await weir(`shadow create -c ${file('link.yaml', text)}`, { cwd });
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(shown)]);
});

test('an update keeps secrets beside what they belong to, and shows those that go', async () => {
  const secrets = (key: string, password: string) => `name: dr
client_options:
  bootstrap_servers: [source:9092]
  source_cluster_id: ignored
  tls_settings: {enabled: true, tls_pem_settings: {ca: A, cert: C${key}}}
schema_registry_sync_options:
  shadow_schema_registry_api: {source_url: http://r, auth_options: {basic: {username: u${password}}}}
`;
  const { weir, api } = await linkWorld(secrets(', key: K', ', password: p'));
  const link = api.world.state.shadowLinks.get('dr');
  if (link === undefined) throw new Error('there is no link');
  // A field of a newer server stays, too.
  const registry = { ...(link.configurations.schemaRegistrySyncOptions as object), newOption: 7 };
  link.configurations = { ...link.configurations, schemaRegistrySyncOptions: registry };
  const kept = file('kept.yaml', secrets('', '').replace('http://r', 'http://s').replace('ca: A', 'ca: B'));
  const { stdout, exitCode } = await weir(`shadow update dr -c ${kept} --format json`, { cwd });
  const fields = (printed: string) =>
    JSON.parse(printed).map(({ field }: { field: string }) => field.split('.').at(-1));
  expect([exitCode, fields(stdout)]).toEqual([0, ['ca', 'source_url']]);
  expect(link.configurations).toMatchObject({
    clientOptions: { tlsSettings: { tlsPemSettings: { ca: 'B', key: 'K' } } },
    schemaRegistrySyncOptions: { newOption: 7, shadowSchemaRegistryApi: { authOptions: { basic: { password: 'p' } } } },
  });
  const dropped = file('dropped.yaml', secrets('', ', password: p').replace(', cert: C', ''));
  const shown = await weir(`shadow update dr -c ${dropped} --dry-run --format json`, { cwd });
  expect(fields(shown.stdout)).toEqual(expect.arrayContaining(['cert', 'key']));
});

test('a schema registry that is not being copied has no copying of 1970', async () => {
  const { weir } = await linkWorld(`${plain}schema_registry_sync_options:
  shadow_schema_registry_api: {source_url: http://registry:8081}
`);
  const { schema_registry: idle } = JSON.parse((await weir('shadow status dr --format json')).stdout);
  expect(idle).toMatchObject({
    ...{ selected_source_subjects: 0, current_sync: null, last_full_sync: null, totals_since_task_start: null },
  });
  const [begun, none] = ['2026-11-29T10:00:00.000000000Z', '1970-01-01T00:00:00.000000000Z'];
  const summary = { startTime: begun, finishTime: none, errors: '3' };
  expect(
    read(RegistrySync, {
      currentSync: { syncType: 'SCHEMA_REGISTRY_SYNC_TYPE_TAIL', summary },
      lastFullSync: { ...summary, finishTime: begun },
      totalsSinceTaskStart: summary,
    }),
  ).toMatchObject({
    current_sync: { type: 'TAIL', start_time: '2026-11-29T10:00:00.000Z', finish_time: null, errors: 3 },
    last_full_sync: { finish_time: '2026-11-29T10:00:00.000Z' },
    totals_since_task_start: { finish_time: null },
  });
});

test('a file of rpk is read, with its spellings, and what has its default is left out', async () => {
  const text = `
name: sample
client_options:
  bootstrap_servers: ["localhost:9092"]
  tls_settings: {enabled: true, tls_file_settings: {ca_path: /ca.crt, key_path: /c.key, cert_path: /c.crt}}
  authentication_configuration:
    scram_configuration: {username: u, password: p, scram_mechanism: SCRAM-SHA-256}
  fetch_max_bytes: 1048576
topic_metadata_sync_options:
  interval: 1m0s
  start_at_timestamp: 2024-01-01T00:00:00+02:00
consumer_offset_sync_options:
  paused: false
  group_filters: [{pattern_type: PREFIXED, filter_type: include, name: app-}]
security_sync_options:
  acl_filters:
    - resource_filter: {resource_type: SUBJECT, pattern_type: PREFIX, name: a}
      access_filter: {principal: User:a, operation: DELETE, permission_type: ALLOW, host: '*'}
schema_registry_sync_options:
  shadow_schema_registry_topic: {}
`;
  const { config } = await parseLinkFile('link.yaml', text, { isNew: true });
  expect(config).toMatchObject({
    client_options: {
      authentication_configuration: { scram_configuration: { scram_mechanism: 'SCRAM_SHA_256' } },
      fetch_max_bytes: 1_048_576,
    },
    topic_metadata_sync_options: { interval: '1m', start_at_timestamp: '2023-12-31T22:00:00Z' },
    consumer_offset_sync_options: { group_filters: [{ pattern_type: 'PREFIX', filter_type: 'INCLUDE', name: 'app-' }] },
    security_sync_options: {
      acl_filters: [
        {
          resource_filter: { resource_type: 'SR_SUBJECT', pattern_type: 'PREFIXED' },
          access_filter: { operation: 'REMOVE' },
        },
      ],
    },
    schema_registry_sync_options: { shadow_schema_registry_topic: {} },
  });
  expect(config.consumer_offset_sync_options).not.toHaveProperty('paused');
});
