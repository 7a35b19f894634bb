import { beforeEach, describe, expect, test } from 'vitest';
import { metadataAnswer, versionsAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run, temporaryDirectory } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';
import { put, setIn } from './config-import.ts';

beforeEach(skipPauses);

const config = {
  ...{ superusers: ['root'], cloud_storage_secret_key: 'hunter2', cloud_storage_bucket: '', enable_sasl: true },
  ...{ kafka_connections_max: null, kafka_qdc_depth_alpha: 1e-7 },
};

describe('cluster config get over the Admin API', () => {
  test.each([
    ['enable_sasl', 'true\n'],
    ['superusers', '["root"]\n'],
    ['kafka_qdc_depth_alpha', '1e-7\n'],
    ['log_retention_ms', '604800000\n'],
    ['delete_retention_ms', '604800000\n'],
    ['cloud_storage_bucket', '\n'],
    ['kafka_connections_max', 'null\n'],
    ['cloud_storage_secret_key', '(sensitive)\n'],
  ])('%s prints %j', async (key, stdout) => {
    const { cluster } = await adminWorld({ seeds: { config } });
    expect(await cluster(`config get ${key}`)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  test('has the columns and keys that brokers have', async () => {
    const { cluster, json } = await adminWorld({ seeds: { config } });
    expect((await cluster('config get superusers --format wide')).stdout).toBe(
      ['BROKER   KEY         VALUE     SOURCE  READ-ONLY', 'cluster  superusers  ["root"]  set     false', ''].join(
        '\n',
      ),
    );
    expect(await json('config get cloud_storage_secret_key')).toEqual([
      {
        ...{ broker: null, key: 'cloud_storage_secret_key', value: null, source: 'DYNAMIC_DEFAULT_BROKER_CONFIG' },
        ...{ read_only: false, sensitive: true, error: null },
      },
    ]);
    expect((await json('config get kafka_connections_max'))[0].value).toBeNull();
    expect((await json('config get cloud_storage_bucket'))[0].value).toBe('');
  });

  test('an unknown property has exit 3 and the name that was meant', async () => {
    const { cluster } = await adminWorld();
    expect(await cluster('config get superuser')).toEqual({
      stdout: '',
      stderr: [
        'weir: the cluster has no property "superuser"',
        'hint: did you mean "superusers"?',
        'hint: list the properties with: weir cluster config list --all',
        '',
      ].join('\n'),
      exitCode: 3,
    });
    const { stderr } = await cluster('config get superuser --format json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'PROPERTY_NOT_FOUND', target: 'superuser' });
    for (const line of ['get superuser', 'set superuser []'])
      expect((await cluster(`config ${line} --api admin`)).stderr).toContain(
        'hint: list the properties with: weir cluster config list --all --api admin\n',
      );
  });

  test('--default is for what is set; there is nothing for one broker', async () => {
    const { cluster } = await adminWorld({ seeds: { config } });
    expect((await cluster('config get superusers --default')).stdout).toBe('["root"]\n');
    expect(await cluster('config get cleanup_policy --default')).toMatchObject({ stdout: '', exitCode: 3 });
    for (const line of ['get superusers', 'list', 'set superusers []']) {
      const { stderr, exitCode } = await cluster(`config ${line} --broker 1`);
      expect(stderr).toContain('--broker cannot be used with the Admin API');
      expect(exitCode).toBe(2);
    }
  });

  test('brokers that say that they are Redpanda lead to the Admin API; --api kafka does not', async () => {
    await using broker = await startScriptedBroker({
      ApiVersions: versionsAnswer(),
      Metadata: metadataAnswer({ brokers: [{ id: 1, host: '127.0.0.1', port: 1 }], clusterId: 'redpanda.2a1cfb0e' }),
    });
    const { cluster } = await adminWorld({ seeds: { config } });
    const env = { WEIR_BROKERS: `${broker.address.host}:${broker.address.port}` };
    expect(await cluster('config get enable_sasl', { env })).toEqual({ stdout: 'true\n', stderr: '', exitCode: 0 });
    // The broker that the scripted one names cannot be reached.
    expect((await cluster('config get enable_sasl --api kafka', { env })).exitCode).toBe(5);
  });
});

describe('cluster config list over the Admin API', () => {
  test('lists what is set, and with --all every property', async () => {
    const { cluster, json } = await adminWorld({ seeds: { config: { superusers: ['root'], enable_sasl: true } } });
    expect(await cluster('config list')).toEqual({
      stdout: [
        'BROKER   KEY          VALUE     SOURCE',
        'cluster  enable_sasl  true      set',
        'cluster  superusers   ["root"]  set',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    const all: readonly { key: string; source: string }[] = await json('config list --all');
    expect(all.length).toBeGreaterThan(40);
    expect(all.map(({ key }) => key)).toEqual(all.map(({ key }) => key).toSorted());
    expect((await json('config list --all --default')).length).toBe(2);
    expect(await json('config list --filter sasl')).toMatchObject([{ key: 'enable_sasl' }]);
  });
});

describe('cluster config set over the Admin API', () => {
  test.each([
    ['enable_sasl true', { enable_sasl: true }],
    ['enable_sasl=true', { enable_sasl: true }],
    [
      'enable_sasl=true delete_retention_ms=1000 kafka_qdc_depth_alpha=0.5',
      { enable_sasl: true, log_retention_ms: 1000, kafka_qdc_depth_alpha: 0.5 },
    ],
    ['delete_retention_ms 1000', { log_retention_ms: 1000 }],
    ['log_retention_ms 1e3', { log_retention_ms: 1000 }],
    ['log_retention_ms null', { log_retention_ms: null }],
    ['kafka_qdc_depth_alpha 0.5', { kafka_qdc_depth_alpha: 0.5 }],
    ["superusers \"['a', 'b c']\"", { superusers: ['a', 'b c'] }],
    ['cloud_storage_bucket 007', { cloud_storage_bucket: '007' }],
    ["cloud_storage_bucket ''", { cloud_storage_bucket: '' }],
  ])('%s sets %j', async (words, expected) => {
    const world = await adminWorld();
    expect((await world.cluster(`config set ${words} --yes`)).exitCode).toBe(0);
    expect(await setIn(world)).toEqual(expected);
    expect(world.changes()).toEqual([put]);
  });

  test('shows old and new, and the default after --reset', async () => {
    const world = await adminWorld();
    const asked = await world.cluster('config set log_retention_ms 1000', { terminal: { typed: 'n\n' } });
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain(
      'log_retention_ms  604800000 (default)  1000\nChange log_retention_ms of the cluster, which can erase older records, on ',
    );
    expect((await world.cluster('config set log_retention_ms 1000 --no-input')).exitCode).toBe(2);
    expect(world.changes()).toEqual([]);
    expect(await world.cluster('config set log_retention_ms 1000')).toEqual({
      stdout:
        'BROKER   KEY               OLD                  NEW   STATUS\ncluster  log_retention_ms  604800000 (default)  1000  OK\n',
      stderr: '',
      exitCode: 0,
    });
    expect((await world.cluster('config set log_retention_ms --reset --dry-run')).stderr).toBe(
      'log_retention_ms would get its default\ndry run: nothing was changed\n',
    );
    expect(await world.json('config set log_retention_ms --reset --dry-run')).toMatchObject([
      {
        ...{ broker: null, key: 'log_retention_ms', old: '1000', new: null, sensitive: false, dry_run: true },
        old_source: 'DYNAMIC_DEFAULT_BROKER_CONFIG',
      },
    ]);
    expect(await world.json('config set log_retention_ms --reset --yes')).toMatchObject([
      {
        ...{ broker: null, key: 'log_retention_ms', old: '1000', new: '604800000', sensitive: false },
        old_source: 'DYNAMIC_DEFAULT_BROKER_CONFIG',
      },
    ]);
    expect(await setIn(world)).toEqual({});
  });

  test.each(['log_retention_ms', 'delete_retention_ms'])('raises %s without a question', async (key) => {
    const world = await adminWorld();
    expect(await world.cluster(`config set ${key} 700000000`)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await setIn(world)).toEqual({ log_retention_ms: 700_000_000 });
  });

  test('sends nothing if the value is in use, or nothing is to be reset', async () => {
    const world = await adminWorld();
    expect((await world.cluster('config set enable_sasl false')).stderr).toBe('enable_sasl already has this value\n');
    expect((await world.cluster('config set enable_sasl --reset')).stderr).toBe('enable_sasl is not set\n');
    expect(world.changes()).toEqual([]);
  });

  test('shows no secret, and sends it although the old one may be the same', async () => {
    const world = await adminWorld({ seeds: { config: { cloud_storage_secret_key: 'hunter2' } } });
    const { stdout, stderr } = await world.cluster('config set cloud_storage_secret_key hunter3 -vv');
    expect(stdout + stderr).not.toContain('hunter');
    expect(stdout).toMatch(/^cluster +cloud_storage_secret_key +\(sensitive\) +\(sensitive\) +OK$/m);
    expect(world.changes()).toEqual([put]);
  });

  test('a secret is not shown either if the cluster repeats it in a refusal', async () => {
    const world = await adminWorld();
    for (const body of [{ cloud_storage_secret_key: 'bad value "hunter3"' }, { message: 'not hunter3', code: 400 }]) {
      const effect = { kind: 'status', status: 400, text: JSON.stringify(body) } as const;
      world.switches.addFault({ route: 'config.change', effect });
      const { stdout, stderr, exitCode } = await world.cluster('config set cloud_storage_secret_key hunter3 -vv');
      expect(exitCode).toBe(1);
      expect(stdout + stderr).not.toContain('hunter');
      expect(stderr).toContain('***');
    }
    const text = JSON.stringify({ message: 'bad request: {"upsert":{"a":["S3SE\\"C/RET"]}}', code: 400 });
    world.switches.addFault({ route: 'config.change', effect: { kind: 'status', status: 400, text } });
    const { stderr } = await world.weir(['cluster', 'config', 'set', 'cloud_storage_secret_key', 'S3SE"C/RET']);
    expect(stderr).toContain('bad request: {"upsert":{"a":["***"]}}');
  });

  test('--dry-run lets the cluster check the value, and changes nothing', async () => {
    const world = await adminWorld();
    const { stdout, stderr, exitCode } = await world.cluster('config set log_retention_ms -7 --dry-run');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('log_retention_ms: out of range: expected at least -1');
    expect((await world.cluster('config set log_retention_ms 7 --dry-run --no-headers')).stdout).toBe(
      'cluster  log_retention_ms  604800000 (default)  7  OK (dry run)\n',
    );
    expect(await setIn(world)).toEqual({});
  });

  test.each([
    ['enable_sasl yes', 2, 'invalid value for enable_sasl: it must be true or false\n'],
    ['log_retention_ms soon', 2, 'invalid value for log_retention_ms: it must be a whole number or null\n'],
    ["log_retention_ms ''", 2, 'hint: to reset it, use: weir cluster config set log_retention_ms --reset\n'],
    ["log_retention_ms '' --api admin", 2, 'use: weir cluster config set log_retention_ms --reset --api admin\n'],
    ['log_segment_size null', 2, 'it must be a whole number\nhint: for example: 2147483648\n'],
    ['superusers ana', 2, "it must be a list of strings\nhint: write a list as ['admin'], in quotes for the shell\n"],
    ['superusers [', 2, 'unable to read the value:1:'],
    ['cleanup_policy keep', 2, 'it must be one of delete, compact, compact,delete\n'],
    ['superuser []', 3, 'hint: did you mean "superusers"?\n'],
    ['enable_sasl=true superusers=[] x', 2, '"x" is not KEY=VALUE'],
    ['enable_sasl=true enable_sasl=false', 2, 'the config "enable_sasl" is given twice'],
    ['log_retention_ms', 2, 'no value for "log_retention_ms" is given'],
    ['log_retention_ms 1 --wait-timeout 1s', 2, '--wait-timeout needs --wait'],
  ])('%s has exit %d, and nothing is sent', async (words, code, message) => {
    const world = await adminWorld();
    const { stdout, stderr, exitCode } = await world.cluster(`config set ${words}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: code });
    expect(stderr).toContain(message);
    expect(world.changes()).toEqual([]);
  });

  test.each(['', ' --force'])('a list of objects is set as a list%s', async (force) => {
    const world = await adminWorld();
    const value = '[{"name":"g","client_id":"a.*"}]';
    const outcome = await world.weir([
      'cluster',
      'config',
      'set',
      'kafka_throughput_control',
      value,
      ...force.split(' ').slice(1),
    ]);
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await setIn(world)).toEqual({ kafka_throughput_control: [{ name: 'g', client_id: 'a.*' }] });
  });

  test('--force sets what the cluster does not know, with a warning', async () => {
    const world = await adminWorld();
    const { stderr, exitCode } = await world.cluster('config set frob soon --force');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('warning: broker 0 does not accept frob\n');
    expect(await setIn(world)).toEqual({ frob: 'soon' });
    expect((await world.cluster('config get frob')).stdout).toBe('soon\n');
    expect((await world.cluster('config set frob --reset --force')).exitCode).toBe(0);
    expect(await setIn(world)).toEqual({});
    await world.weir(['cluster', 'config', 'set', 'kafka_throughput_control', '[{a: 1}]', '--force']);
    expect(await setIn(world)).toEqual({ kafka_throughput_control: [{ a: 1 }] });
  });

  test('says which brokers need a restart, also those that do not have the change yet', async () => {
    const world = await adminWorld({ settings: {} });
    const { stderr } = await world.cluster('config set cloud_storage_bucket b');
    expect(stderr).toBe(
      'restart brokers 0, 1, 2, 3 for cloud_storage_bucket, then check with: weir cluster config status\n',
    );
    await world.switches.advance(60_000);
    for (const id of [0, 1, 2, 3]) await world.switches.restartNode(id);
    await world.switches.advance(60_000);
    const again = await world.cluster('config set enable_sasl true -v');
    expect(again.stderr).toMatch(/brokers \d, \d, \d do not have version 3 yet\n/);
    expect(again.stderr).not.toContain('restart');
  });

  test('the change counts although its state cannot be read', async () => {
    const world = await adminWorld();
    world.switches.addFault({ route: 'config.status', effect: { kind: 'status', status: 500 }, times: null });
    const { stdout, stderr, exitCode } = await world.cluster('config set enable_sasl true --no-headers');
    expect({ stdout, exitCode }).toEqual({ stdout: 'cluster  enable_sasl  false (default)  true  OK\n', exitCode: 0 });
    expect(stderr).toContain(
      'warning: the configuration has been changed, but its state on the brokers cannot be read',
    );
  });

  test('interrupted at every request and repeated, it ends the same', async () => {
    const line = 'config set enable_sasl true --wait';
    const { reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where, report }) {
        expect((await world.cluster(line)).exitCode, where).toBe(0);
        expect(await setIn(world)).toEqual({ enable_sasl: true });
        return /^weir: .*$/m.exec(report)?.[0];
      },
    });
    expect(reports).toEqual([
      'weir: stopped before anything was changed',
      'weir: stopped while changing the configuration: the request may or may not have arrived',
      'weir: stopped waiting for the distribution of configuration version 2; it is still running',
    ]);
  });
});

test('completion offers the properties of the cluster', async () => {
  const { api } = await adminWorld();
  const words = ['cluster', 'config', 'get', '-X', `admin.hosts=${api.addresses.join(',')}`];
  // Real time does not run out.
  const world = { home: temporaryDirectory(), uptimeMs: -600_000 };
  const { stdout, stderr, exitCode } = await run(['__complete', 'configs', '--', 'log_r', ...words], world);
  expect({ names: stdout.trimEnd().split('\n'), stderr, exitCode }).toEqual({
    names: ['log_retention_ms'],
    ...{ stderr: '', exitCode: 0 },
  });
});
