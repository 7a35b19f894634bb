import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { clusterBody, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { temporaryDirectory, type World } from '../../world.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

let me: CloudPerson;
let clusterId: string;
beforeAll(async () => {
  me = await newCloudPerson();
});
afterAll(() => me.plane.stop());
beforeEach(async () => {
  await me.plane.reset();
  rmSync(join(me.cache, 'weir'), { recursive: true, force: true });
  rmSync(join(me.home, 'plugin.ndjson'), { force: true });
  const { groupId, networkId } = await readyNetwork(me.plane);
  const created = await me.plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  clusterId = created.body.operation.metadata.cluster_id;
  me.plane.clearJournal();
});
afterEach(() => me.plane.clearFaults());

const apply = (more = '') => `cloud byoc gcp apply --cluster-id ${clusterId} --project-id p1${more}`;
const pluginFile = () => join(me.cache, 'weir/byoc', me.pluginFiles()[0] ?? '');

async function stateOf(id = clusterId): Promise<string> {
  return (await me.plane.api('GET', `/v1/clusters/${id}`)).body.cluster.state;
}

test('apply downloads the plugin of the cluster, verifies it and runs it with provider and verb first, token and id last', async () => {
  expect(await me.run(apply(' --debug --identity x'))).toMatchObject({ exitCode: 0, stdout: '' });
  const [start] = me.pluginStarts();
  expect(start?.build.version).toBe('25.2.20250822');
  expect(start?.argv.slice(0, 6)).toEqual(['gcp', 'apply', '--project-id=p1', '--debug', '--identity', 'x']);
  expect(start?.argv.slice(6)).toEqual(['--cloud-api-token', expect.any(String), '--redpanda-id', clusterId]);
  expect(await stateOf()).toBe('STATE_CREATING');

  expect(me.pluginFiles()).toHaveLength(1);
  const file = pluginFile();
  expect(dirname(file)).toBe(join(me.cache, 'weir/byoc/25.2.20250822'));
  expect(statSync(file).mode & 0o777).toBe(0o755);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(file.endsWith(sha256.slice(0, 32))).toBe(true);
});

test.each([
  ['', true],
  [' --debug --identity x', false],
])('the plugin is started at home unless arguments may name files: %s', async (more, isAtHome) => {
  const started: unknown[] = [];
  const spawn: World['spawn'] = async (_file, _args, { cwd }) => {
    started.push(cwd);
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const home = temporaryDirectory();
  expect(await me.run(apply(more), { spawn, home })).toMatchObject({ exitCode: 0 });
  expect(started).toEqual([isAtHome ? home : undefined]);
});

test('a second apply asks for the version again, but downloads nothing', async () => {
  await me.run(apply());
  me.plane.clearJournal();
  expect(await me.run(apply())).toMatchObject({ exitCode: 0 });
  expect(await me.plane.journal('?route=artifacts.get')).toEqual([]);
  expect(me.pluginStarts()).toHaveLength(2);
});

test('the download carries no token', async () => {
  await me.run(apply());
  const [download] = await me.plane.journal('?route=artifacts.get');
  expect(download).toMatchObject({ status: 200, authorization: false });
});

test('another version of the cluster installs another plugin next to the first', async () => {
  await me.run(apply());
  me.plane.pin(clusterId, '25.1.20250310');
  await me.run(apply());
  expect(me.pluginStarts().map(({ build }) => build.version)).toEqual(['25.2.20250822', '25.1.20250310']);
  expect(me.pluginFiles()).toHaveLength(2);
});

test('a location that is signed in its query is read by its path', async () => {
  await me.plane.settings({ signedLocations: true });
  expect(await me.run(apply())).toMatchObject({ exitCode: 0 });
});

test('validate runs the newest plugin and names no cluster', async () => {
  expect(await me.run('cloud byoc aws validate --debug')).toMatchObject({ exitCode: 0 });
  const [start] = me.pluginStarts();
  expect(start?.build.version).toBe('25.3.20251105');
  expect(start?.argv).toEqual(['aws', 'validate', '--debug', '--cloud-api-token', expect.any(String)]);
});

test('words after -- go to the plugin, even if weir has a flag of that name', async () => {
  await me.run('cloud byoc azure validate --debug -- --client-id me --format x');
  const words = me.pluginStarts()[0]?.argv ?? [];
  expect(words.slice(0, -1)).toEqual([
    ...['azure', 'validate', '--debug', '--client-id', 'me', '--format', 'x'],
    '--cloud-api-token',
  ]);
});

test("the plugin's exit code is passed through, without output from weir", async () => {
  const outcome = await me.run(apply(), { env: { SIM_PLUGIN_EXIT: '42' } });
  expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 42 });
  const json = await me.run(apply(' --format json'), { env: { SIM_PLUGIN_EXIT: '42' } });
  expect(json.exitCode).toBe(42);
  expect(JSON.parse(json.stdout)).toEqual({
    provider: 'gcp',
    verb: 'apply',
    cluster_id: clusterId,
    version: '25.2.20250822',
    command: `weir cloud byoc gcp apply --cluster-id ${clusterId} --project-id=p1`,
    exit_code: 42,
    dry_run: false,
  });
});

test('a dry run shows what would be run, and downloads and starts nothing', async () => {
  const outcome = await me.run(apply(' --dry-run'));
  expect(outcome.stdout).toBe(
    `Would run, with the plugin 25.2.20250822: weir cloud byoc gcp apply --cluster-id ${clusterId} --project-id=p1\n`,
  );
  expect([me.pluginFiles(), me.pluginStarts()]).toEqual([[], []]);
});

test('the token is in no message, no trace and no file', async () => {
  const trace = join(me.home, 'trace.ndjson');
  const outcome = await me.run(apply(` -vv --trace ${trace}`));
  const [start] = me.pluginStarts();
  const token = readFileSync(trace, 'utf8') + outcome.stderr + outcome.stdout;
  expect(token).not.toMatch(/eyJ/);
  expect(start?.token_sha256).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, string, RegExp]>([
  ['no cluster', 'cloud byoc aws apply', /^weir: missing flag --cluster-id$/m],
  ['no project', 'cloud byoc gcp destroy --cluster-id x --yes', /missing flag --project-id/],
  ['no subscription', 'cloud byoc azure apply --redpanda-id x', /missing flag --subscription-id/],
  [
    'a token',
    'cloud byoc aws apply --cluster-id x --cloud-api-token t',
    /unable to pass --cloud-api-token to the plugin: weir sets it/,
  ],
  [
    'a token behind --',
    'cloud byoc aws apply --cluster-id x -- --cloud-api-token=t',
    /unable to pass --[a-z-]+ to the plugin: weir sets it/,
  ],
])('%s: a usage error before anything is asked', async (_, line, message) => {
  const outcome = await me.run(line);
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outcome.stderr).toMatch(message);
  expect(await me.plane.journal()).toEqual([]);
});

const file = { kind: 'artifact' } as const;
test.each<[string, [route: string, effect: object], number, RegExp]>([
  [
    'sha mismatch',
    ['install-packs.get', { ...file, change: 'sha-altered' }],
    1,
    /the downloaded plugin has the wrong sha256: it is [0-9a-f]{64}, not [0-9a-f]{32}…/,
  ],
  [
    'other checksum of the download',
    ['install-packs.get', { ...file, change: 'checksum-altered' }],
    1,
    /unable to download the plugin 25\.2\.20250822: its sha256 is [0-9a-f]{64}, but the install pack has/,
  ],
  [
    'name without a sha',
    ['install-packs.get', { ...file, change: 'name-without-sha' }],
    1,
    /unable to verify the plugin: the file name in http:\S+\.tar\.gz does not contain a sha256/,
  ],
  [
    'missing arch',
    ['install-packs.get', { ...file, change: 'missing' }],
    3,
    /install pack 25\.2\.20250822 has no plugin byoc-linux-amd64 for this system/,
  ],
  ['truncated download', ['artifacts.get', { kind: 'truncate', bytes: 100 }], 5, /unable to download the plugin/],
  ['garbage', ['artifacts.get', { kind: 'garbage' }], 1, /unable to download the plugin/],
  ['download refused', ['artifacts.get', { kind: 'status', status: 403 }], 4, /unable to download the plugin/],
  ['unknown install pack', ['install-packs.get', { kind: 'status', status: 404 }], 3, /there is no install pack 25\.2/],
  ['unknown cluster', ['legacy.cluster', { kind: 'status', status: 404 }], 3, /there is no such cluster/],
])('%s is an error, and nothing is stored or started', async (_, [route, effect], exitCode, message) => {
  await me.plane.fault(route, effect as never, { times: null });
  const outcome = await me.run(apply(' -X globals.retry_timeout=1s'));
  expect(outcome.stderr).toMatch(message);
  expect(outcome).toMatchObject({ exitCode, stdout: '' });
  expect([me.pluginFiles(), me.pluginStarts()]).toEqual([[], []]);
});

test('a failed download keeps an older plugin', async () => {
  await me.run(apply());
  const before = me.pluginFiles();
  me.plane.pin(clusterId, '25.1.20250310');
  await me.plane.fault('artifacts.get', { kind: 'truncate', bytes: 10 }, { times: null });
  expect((await me.run(apply(' -X globals.retry_timeout=1s'))).exitCode).toBe(5);
  expect(me.pluginFiles()).toEqual(before);
});

test.each([
  ['another file', (path: string) => writeFileSync(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 })],
  ['a link', (path: string) => symlinkSync('/bin/true', path)],
  ['a directory', (path: string) => mkdirSync(path)],
])("%s in the plugin's place is neither started nor replaced, and named", async (_, put) => {
  await me.run(apply());
  const path = pluginFile();
  rmSync(path);
  put(path);
  const started = me.pluginStarts().length;
  const outcome = await me.run(apply());
  expect(outcome.exitCode).toBe(6);
  expect(outcome.stderr).toContain(`the file ${path} is not a plugin that weir stored, or it was changed since`);
  expect(me.pluginStarts()).toHaveLength(started);
  const left = await me.run('cloud byoc uninstall');
  expect(left.exitCode).toBe(6);
  expect(statSync(path)).toBeTruthy();
});

test('a modified plugin is not started', async () => {
  await me.run(apply());
  writeFileSync(pluginFile(), `${readFileSync(pluginFile(), 'utf8')}\n`);
  expect((await me.run(apply())).exitCode).toBe(6);
});

test('two applies at once leave one whole plugin', async () => {
  await me.plane.fault('artifacts.get', { kind: 'slow', bytes: 400, everyMs: 20 }, { times: null });
  const outcomes = await Promise.all([me.run(apply()), me.run(apply())]);
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(me.pluginFiles()).toHaveLength(1);
  expect(await me.run('cloud byoc uninstall')).toMatchObject({ exitCode: 0 });
});

test('destroy before delete is refused unless it is forced', async () => {
  await me.run(apply());
  await me.plane.advance(15_000);
  const outcome = await me.run(`cloud byoc gcp destroy --cluster-id ${clusterId} --project-id p1 --yes`);
  expect(outcome).toMatchObject({ exitCode: 6, stdout: '' });
  expect(outcome.stderr).toBe(
    `weir: unable to run gcp destroy: the cluster "first" (${clusterId}) is in the state ready, not deleting-agent
hint: delete it with: weir cloud cluster delete ${clusterId}
hint: remove the agent nevertheless with --force
`,
  );
  expect(me.pluginStarts()).toHaveLength(1);
  const forced = await me.run(`cloud byoc gcp destroy --cluster-id first --project-id p1 --yes --force`);
  expect(forced.exitCode).toBe(1);
  expect(me.pluginStarts().at(-1)?.message).toContain('not STATE_DELETING_AGENT');
  expect(me.pluginStarts().at(-1)?.argv).not.toContain('--force');
});

test.each(['apply', 'destroy --yes --force'])('a Dedicated cluster has no agent: %s is refused', async (verb) => {
  const { groupId, networkId } = await readyNetwork(
    me.plane,
    {
      ...{ name: 'other', cidr_block: '10.9.0.0/20', cluster_type: 'TYPE_DEDICATED' },
    },
    'other',
  );
  const body = clusterBody(groupId, networkId, { name: 'second', type: 'TYPE_DEDICATED' });
  const id = (await me.plane.api('POST', '/v1/clusters', body)).body.operation.metadata.cluster_id;
  const outcome = await me.run(`cloud byoc gcp ${verb} --cluster-id ${id} --project-id p1`);
  expect(outcome).toMatchObject({ exitCode: 6, stdout: '' });
  expect(outcome.stderr).toContain(`the cluster "second" (${id}) is Dedicated, which has no agent\n`);
  expect(me.pluginStarts()).toEqual([]);
});

test('destroy of a deleted cluster fails with not found', async () => {
  const outcome = await me.run('cloud byoc aws destroy --cluster-id cccccccccccccccccccc --yes');
  expect(outcome.exitCode).toBe(3);
  expect(outcome.stderr).toContain(
    'unable to find the plugin of cluster cccccccccccccccccccc: there is no such cluster',
  );
});

test('install and uninstall', async () => {
  const dry = await me.run(`cloud byoc install --cluster-id ${clusterId} --dry-run --format json`);
  expect(JSON.parse(dry.stdout)).toMatchObject({ version: '25.2.20250822', status: 'OK' });
  expect(me.pluginFiles()).toEqual([]);
  const first = await me.run(`cloud byoc install --redpanda-id ${clusterId}`);
  expect(first.stdout).toBe(`Installed the plugin 25.2.20250822: ${pluginFile()}\n`);
  const second = await me.run(`cloud byoc install --cluster-id ${clusterId}`);
  expect(second.stdout).toBe(`The plugin is 25.2.20250822: ${pluginFile()}\n`);
  const asData = await me.run(`cloud byoc install --cluster-id ${clusterId} --format json`);
  expect(JSON.parse(asData.stdout)).toEqual({
    cluster_id: clusterId,
    version: '25.2.20250822',
    path: pluginFile(),
    ...{ status: 'NOT_NEEDED', dry_run: false, error: null },
  });
  const removed = await me.run('cloud byoc uninstall --format json');
  expect(JSON.parse(removed.stdout)).toMatchObject([{ version: '25.2.20250822', status: 'OK', error: null }]);
  expect(me.pluginFiles()).toEqual([]);
  expect(await me.run('cloud byoc uninstall')).toMatchObject({
    stdout: '',
    stderr: 'no plugin is installed\n',
    exitCode: 0,
  });
});

test('a plugin that is swapped between the check and the start is not run: the verified bytes are', async () => {
  let started = '';
  const spawn: World['spawn'] = async (file) => {
    const stored = me.pluginFiles().find((name) => !name.startsWith('.runs/')) ?? '';
    rmSync(join(me.cache, 'weir/byoc', stored));
    writeFileSync(join(me.cache, 'weir/byoc', stored), 'evil');
    started = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(stored).toContain(started.slice(0, 32));
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  expect(await me.run(apply(), { spawn })).toMatchObject({ exitCode: 0 });
  expect(started).not.toBe('');
});

test('a store of another user is an error that says how to repair it, and nothing is run', async () => {
  await me.run(apply());
  const starts = me.pluginStarts().length;
  const outcome = await me.run(apply(), { uid: statSync(me.cache).uid + 1 });
  expect(outcome).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('sudo chown -R') });
  expect(me.pluginStarts()).toHaveLength(starts);
});
