import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { temporaryDirectory } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';
import { imported, put, setIn } from './config-import.ts';

beforeEach(skipPauses);

/** A list with the anchor `x`, of ten lists of ten lists, and so on: as a whole ten thousand million texts. */
const bomb = Array.from({ length: 9 }).reduce<string>(
  (inner, _, level) => `&${level === 8 ? 'x' : `x${level}`} [${inner}${`, *x${level - 1}`.repeat(9)}]`,
  '&x-1 [a]',
);

describe('cluster config export', () => {
  test('writes each property with what the cluster says about it, without tunables and deprecated ones', async () => {
    const { cluster } = await adminWorld({ seeds: { config: { superusers: ['root', 'a#b'] } } });
    const { stdout, stderr, exitCode } = await cluster('config export');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toContain(
      '\n\n# Default time after which records are deleted. In ms. (may be null)\nlog_retention_ms: 604800000\n\n',
    );
    expect(stdout).toContain(
      '\n# Users who may do everything. (for example [\'admin\'])\nsuperusers:\n  - root\n  - "a#b"\n',
    );
    expect(stdout).toContain('cleanup_policy: delete\n');
    expect(stdout).not.toMatch(/^(cluster_id|log_segment_size|rm_violation_recovery_policy):/m);
    const keys = [...stdout.matchAll(/^(\w+):/gm)].map(([, key]) => key);
    expect(keys).toEqual([...keys].sort());
  });

  test('--all adds tunable properties', async () => {
    const { cluster } = await adminWorld();
    const { stdout } = await cluster('config export --all');
    expect(stdout).toMatch(/^log_segment_size: 134217728$/m);
    expect(stdout).toMatch(/^kafka_qdc_depth_alpha: 0\.8$/m);
    expect(stdout).not.toMatch(/^(cluster_id|rm_violation_recovery_policy):/m);
  });

  test('hides secrets', async () => {
    const { cluster } = await adminWorld({ seeds: { config: { cloud_storage_secret_key: 'hunter2' } } });
    const { stdout } = await cluster('config export --format json');
    expect(JSON.parse(stdout)).toMatchObject({ file: null, properties: { cloud_storage_secret_key: '[secret]' } });
    expect((await cluster('config export')).stdout).toContain('cloud_storage_secret_key: "[secret]"\n');
    expect(stdout).not.toContain('hunter2');
  });

  test('writes a file whole, with the same text as to standard output', async () => {
    const { cluster } = await adminWorld();
    const cwd = temporaryDirectory();
    expect(await cluster('config export -f out.yaml', { cwd })).toEqual({
      ...{ stdout: 'Wrote 34 values to out.yaml.\n', stderr: '', exitCode: 0 },
    });
    expect(readFileSync(join(cwd, 'out.yaml'), 'utf8')).toBe((await cluster('config export --file -')).stdout);
    const lost = await cluster('config export --file no/out.yaml', { cwd });
    expect(lost).toMatchObject({ stdout: '', exitCode: 1 });
    expect(lost.stderr).toContain('unable to write');
  });

  test('follows a link, and refuses what is no file', async () => {
    const { cluster } = await adminWorld();
    const cwd = temporaryDirectory();
    symlinkSync('real.yaml', join(cwd, 'link.yaml'));
    expect((await cluster('config export -f link.yaml', { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'real.yaml'), 'utf8')).toContain('enable_sasl: false\n');
    for (const file of ['/dev/null', '/dev/stdout', cwd]) {
      const { stderr, exitCode } = await cluster(`config export -f ${file}`);
      expect(stderr).toBe(
        `weir: unable to write ${file}: it is not a regular file\nhint: for standard output, use: --file -\n`,
      );
      expect(exitCode).toBe(2);
    }
  });
});

describe('cluster config import', () => {
  const hostile = `'", # : {x} [y] & * ! | > % @ \` \n\t\r \u0000 \u001b[31m \u202e \u{1f600} \u2028 end `;
  const everyType = {
    ...{ enable_sasl: true, log_retention_ms: -1, kafka_connections_max: null, kafka_qdc_depth_alpha: 1e-7 },
    ...{ superusers: ['null', 'yes', '', '2024-01-01', '1e3', '0x10', '- a', hostile, '[secret]'] },
    ...{ cloud_storage_bucket: hostile, cloud_storage_region: '', cloud_storage_secret_key: 'hunter2' },
    ...{ cloud_storage_access_key: '2024-01-01', cleanup_policy: 'compact,delete', http_authentication: [] },
    ...{ rm_violation_recovery_policy: 7, cluster_id: 'null' },
  };

  test.each(['', '--all'])('of an export changes nothing, with every type and hostile texts %s', async (all) => {
    const { cluster, changes } = await adminWorld({ seeds: { config: everyType } });
    for (const format of ['text', 'json', 'yaml']) {
      const { stdout } = await cluster(`config export ${all} --format ${format}`);
      expect(stdout).not.toContain('hunter2');
      const outcome = await cluster(`config import --file - --yes ${all}`, { stdin: stdout });
      expect(outcome, format).toEqual({
        stdout: '',
        stderr: 'no changes were made: the configuration is already as in the file\n',
        exitCode: 0,
      });
    }
    expect(changes()).toEqual([]);
  });

  test('of the export into an empty cluster makes it the same, except for its secrets', async () => {
    const { cloud_storage_secret_key: _, ...config } = everyType;
    const source = await adminWorld({ seeds: { config: { ...everyType } } });
    const target = await adminWorld();
    const { stdout: text } = await source.cluster('config export --all');
    const { stderr, exitCode } = await imported(target, text, '--all --wait');
    expect({ stderr, exitCode }).toEqual({
      stderr: [
        'warning: cloud_storage_secret_key is not set: the file has only the placeholder of a secret',
        'restart brokers 0, 1, 2, 3 for cloud_storage_access_key, cloud_storage_bucket, cloud_storage_region, kafka_qdc_depth_alpha, then check with: weir cluster config status',
        '',
      ].join('\n'),
      exitCode: 0,
    });
    const set = await setIn(target);
    const { rm_violation_recovery_policy: __, cluster_id: ___, kafka_connections_max: ____, ...expected } = config;
    expect(set).toEqual(expected);
    expect(target.changes()).toEqual([put]);
  });

  test('sets what differs with one request, and shows old and new', async () => {
    const world = await adminWorld();
    const text = 'log_retention_ms: 1e3\nsuperusers: [ana, "#b"]\nenable_sasl: false\n';
    expect(await imported(world, text, '--yes')).toEqual({
      stdout: [
        'PROPERTY          OLD        NEW',
        'log_retention_ms  604800000  1000',
        'superusers        []         [ana, "#b"]',
        'The configuration has version 2.',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await setIn(world)).toEqual({
      log_retention_ms: 1000,
      superusers: ['ana', '#b'],
    });
  });

  test('asks before it resets a property that the file does not have', async () => {
    const config = {
      log_retention_ms: 1000,
      superusers: ['ana'],
      log_segment_size: 1 << 20,
    };
    const world = await adminWorld({ seeds: { config } });
    const text = 'superusers: [ben]\n';
    const no = await imported(world, text, '', { terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain('log_retention_ms  1000   (default)\n');
    expect(no.stderr).toContain('superusers        [ana]  [ben]\n');
    expect(no.stderr).toContain('Set 1 property and reset 1 property to its default, which can erase older');
    expect(world.changes()).toEqual([]);
    expect((await imported(world, text, '--no-input')).exitCode).toBe(2);
    const yes = await imported(world, text, '', { terminal: { typed: 'y\n' } });
    expect(yes.exitCode).toBe(0);
    expect(await setIn(world)).toEqual({
      superusers: ['ben'],
      log_segment_size: 1 << 20,
    });
    await imported(world, text, '--all --yes');
    expect(await setIn(world)).toEqual({
      superusers: ['ben'],
    });
  });

  test('does not ask if nothing is reset', async () => {
    const world = await adminWorld();
    const { stderr, exitCode } = await imported(world, 'enable_sasl: true\n', '--no-input');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  test('--dry-run lets the cluster check the change, and changes nothing', async () => {
    const world = await adminWorld();
    const dry = await imported(world, 'log_retention_ms: 1000\n', '--dry-run --format json');
    expect(JSON.parse(dry.stdout)).toEqual({
      ...{ version: null, restart: null, dry_run: true },
      changes: [
        {
          ...{ property: 'log_retention_ms', old: 604_800_000, new: 1000, action: 'set' },
          ...{ needs_restart: false, status: 'OK', dry_run: true, error: null },
        },
      ],
    });
    const refused = await imported(world, 'log_retention_ms: -7\n', '--dry-run');
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain('out of range');
    expect(await setIn(world)).toEqual({});
  });

  test('what the cluster refuses is shown by property, and nothing is changed', async () => {
    const world = await adminWorld();
    const text = 'cloud_storage_enabled: true\nlog_retention_ms: -7\ndefault_topic_partitions: 3\n';
    const { stdout, stderr, exitCode } = await imported(world, text, '--format json');
    const reported = 'log_retention_ms: INVALID_REQUEST: out of range: expected at least -1 (3 of 3 failed)';
    expect({ message: JSON.parse(stderr).error.message, exitCode }).toEqual({ message: reported, exitCode: 1 });
    const { version, changes } = JSON.parse(stdout);
    expect(version).toBeNull();
    expect(changes.map((one: { property: string; error: unknown }) => [one.property, one.error])).toEqual([
      ['cloud_storage_enabled', expect.objectContaining({ code: 'NOT_CHANGED' })],
      ['default_topic_partitions', expect.objectContaining({ code: 'NOT_CHANGED' })],
      [
        'log_retention_ms',
        {
          ...{ code: 'INVALID_REQUEST', number: null, retryable: false, exit_code: 1 },
          message: 'out of range: expected at least -1',
        },
      ],
    ]);
    const shown = await imported(world, text);
    expect(shown.stdout).toMatch(/default_topic_partitions +1 +3 +NOT_CHANGED/);
    expect(await setIn(world)).toEqual({});
  });

  test('a reason for a property that is not in the file is shown as well', async () => {
    const world = await adminWorld();
    const text = JSON.stringify({ audit_sink: 'not reachable' });
    world.switches.addFault({ route: 'config.change', effect: { kind: 'status', status: 400, text } });
    const { stdout, exitCode } = await imported(world, 'enable_sasl: true\n');
    expect(stdout).toMatch(/^audit_sink +- +- +INVALID_REQUEST: not reachable$/m);
    expect(exitCode).toBe(1);
  });

  test.each([
    ['enable_sas: true', 'cluster.yaml:1: the cluster has no property "enable_sas", did you mean "enable_sasl"?'],
    ['frob: 1', 'cluster.yaml:1: the cluster has no property "frob"'],
    ['enable_sasl: yes', 'cluster.yaml:1: "enable_sasl" must be true or false'],
    ['enable_sasl:', 'cluster.yaml:1: "enable_sasl" must not be null, but true or false'],
    ['log_segment_size: 1.5', 'cluster.yaml:1: "log_segment_size" must be a whole number'],
    ['log_retention_ms: [1]', 'cluster.yaml:1: "log_retention_ms" must be a whole number or null'],
    ['kafka_qdc_depth_alpha: .inf', 'cluster.yaml:1: "kafka_qdc_depth_alpha" must be a number'],
    ['superusers: ana', 'cluster.yaml:1: "superusers" must be a list of strings'],
    ['superusers: [[a]]', 'cluster.yaml:1: "superusers" must be a list of strings'],
    ['superusers: [null]', 'cluster.yaml:1: "superusers" must be a list of strings'],
    ['cleanup_policy: keep', '"cleanup_policy" must be one of delete, compact, compact,delete'],
    ['http_authentication: [NTLM]', '"http_authentication" must be a list of one of BASIC, OIDC'],
    ['cloud_storage_bucket: {a: 1}', '"cloud_storage_bucket" must be text or null'],
    ['enable_sasl: true\nenable_sasl: false', 'cluster.yaml:2: duplicate key "enable_sasl" (first on line 1)'],
    [
      'log_retention_ms: 1\ndelete_retention_ms: 2',
      'cluster.yaml:2: "delete_retention_ms" and "log_retention_ms" are the same property',
    ],
    ['', 'unable to use cluster.yaml: it has no properties'],
    ['# only a comment', 'unable to use cluster.yaml: it has no properties'],
    ['{}', 'unable to use cluster.yaml: it has no properties'],
    ['cluster_id: x', 'unable to use cluster.yaml: it has no properties'],
    ['- a', 'unable to use cluster.yaml: it is not a map of properties'],
    ['a: [', 'unable to read cluster.yaml:1:'],
    ['enable_sasl: &a [*a]', 'unable to read cluster.yaml:1: its aliases stand for too many values'],
    [`cluster_id: ${bomb}\nenable_sasl: *x`, 'unable to read cluster.yaml:2: its aliases stand for too many values'],
  ])('%j is refused with its line, and nothing is sent', async (text, message) => {
    const world = await adminWorld({ seeds: { config: { log_segment_size: 1 << 21 } } });
    const { stdout, stderr, exitCode } = await imported(world, text, '--yes --all');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(world.changes().filter((one) => !one.includes('dry_run=true'))).toEqual([]);
  });

  test('what has no effect any more is left out with a warning, and lists of objects are set', async () => {
    const world = await adminWorld();
    const lists = 'kafka_throughput_control:\n  - name: g\n    client_id: a.*\n';
    const text = `target_quota_byte_rate: 5\n${lists}`;
    const first = await imported(world, text);
    expect(first).toMatchObject({
      stderr: 'warning: target_quota_byte_rate is left out: it has no effect any more\n',
      exitCode: 0,
    });
    expect(await setIn(world)).toEqual({ kafka_throughput_control: [{ name: 'g', client_id: 'a.*' }] });
    expect(await imported(await adminWorld(), 'target_quota_byte_rate: 5')).toMatchObject({ exitCode: 0 });
    const again = await imported(
      world,
      'target_quota_byte_rate: 5\nkafka_throughput_control: [{client_id: a.*, name: g}]\n',
    );
    expect(again.stderr).toContain('no changes were made');
  });

  test('every fault of a file is reported at once', async () => {
    const world = await adminWorld();
    const { stderr } = await imported(world, 'a: 1\nenable_sasl: 3\nb: 2\n');
    expect(stderr.match(/cluster\.yaml:[123]:/g)).toEqual(['cluster.yaml:1:', 'cluster.yaml:2:', 'cluster.yaml:3:']);
  });

  test('a file of something else is reported in part', async () => {
    const world = await adminWorld();
    const text = Array.from({ length: 5_000 }, (_, at) => `a${at}: 1\n`).join('');
    const { stderr, exitCode } = await imported(world, text);
    expect(exitCode).toBe(2);
    expect(stderr.match(/has no property/g)).toHaveLength(100);
  });

  test('a value that is in use is accepted even if it does not fit the schema', async () => {
    const config = { cleanup_policy: 'from-an-older-version', enable_sasl: null, log_segment_size: 1.5 };
    const world = await adminWorld({ seeds: { config } });
    const { stdout: text } = await world.cluster('config export --all');
    expect((await imported(world, text, '--all --yes')).exitCode).toBe(0);
    expect(world.changes()).toEqual([]);
  });

  test("a secret is set, and left as it is for the placeholder, also in rpk's spelling", async () => {
    const world = await adminWorld({ seeds: { config: { cloud_storage_secret_key: 'hunter2' } } });
    for (const hidden of ['"[secret]"', '[secret]'])
      expect((await imported(world, `cloud_storage_secret_key: ${hidden}\n`)).stdout).toBe('');
    expect(world.changes()).toEqual([]);
    const { stdout } = await imported(world, 'cloud_storage_secret_key: hunter3\n');
    expect(stdout).toContain('cloud_storage_secret_key  "[secret]"  (new secret)\n');
    expect(world.changes()).toEqual([put]);
  });

  test('a file that is missing has exit 2', async () => {
    const { cluster } = await adminWorld();
    expect(await cluster('config import --file no.yaml')).toMatchObject({ stdout: '', exitCode: 2 });
  });
});
