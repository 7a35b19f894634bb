import { beforeEach, describe, expect, test } from 'vitest';
import { describeConfigs } from '../../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { incrementalAlterConfigs } from '../../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { showHostPort } from '../../../src/net/address.ts';
import { answerOf } from '../../services/answer.ts';
import { metadataAnswer, versionsAnswer } from '../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { run } from '../../world.ts';
import { adminWorld } from './admin-world.ts';

beforeEach(skipPauses);

/** A simulator whose clock stands still, and `weir redpanda admin config LINE`. */
async function world() {
  const simulator = await adminWorld({ settings: {} });
  const config = (line: string, more = {}) => simulator.weir(`redpanda admin config ${line}`, more);
  const put = (logger: string, query: string) => `PUT /v1/config/log_level/${logger}?${query}`;
  return { ...simulator, config, put };
}

describe('redpanda admin config print', () => {
  test('prints what the chosen node answers, which is asked alone', async () => {
    const { config, switches, api } = await world();
    for (const host of [
      '1',
      new URL(api.addresses[1] ?? '').host,
      api.addresses[1],
      new URL(api.addresses[1] ?? '').hostname,
    ]) {
      const before = switches.journal().length;
      const { stdout, stderr, exitCode } = await config(`print --host ${host}`);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ enable_sasl: false });
      expect(stdout).toMatch(/^\{\n {2}"/);
      expect(
        switches
          .journal()
          .slice(before)
          .map(({ node, path }) => [node, path]),
      ).toEqual([[1, '/v1/config']]);
    }
    expect(JSON.parse((await config('ls --host 2 --format json')).stdout)).toMatchObject({ enable_sasl: false });
    expect((await config('dump --host 2 --format yaml')).stdout).toContain('enable_sasl: false\n');
  });

  test('secrets stay hidden', async () => {
    const { config, ok } = await world();
    await ok('PUT /v1/cluster_config', { body: { upsert: { cloud_storage_secret_key: 'top' }, remove: [] } });
    expect((await config('print --host 0')).stdout).not.toContain('"top"');
  });

  test.each([
    ['print', 'missing flag --host'],
    ['print --host 9', '"9" is not one of the addresses in admin.hosts: 0 (127.0.0.'],
    ['print --host b.example', '"b.example" is not one of the addresses in admin.hosts'],
  ])('%s has exit 2, and nothing is sent', async (line, message) => {
    const { config, switches } = await world();
    const { stderr, exitCode } = await config(line);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });
});

describe('redpanda admin config log-level', () => {
  test('list and get show levels and their expiry', async () => {
    const { config, ok, put } = await world();
    await ok(put('raft', 'level=trace&expires=60'), { node: 1 });
    expect((await config('log-level list --host 1')).stdout).toMatch(/^LOGGER +LEVEL\n[\s\S]*\nraft +trace\n/);
    expect((await config('log-level list --host 0')).stdout).toMatch(/\nraft +info\n/);
    expect((await config('log-level get kafka/client raft --host 1')).stdout).toBe(
      'LOGGER        LEVEL  EXPIRES-IN\nkafka/client  info   -\nraft          trace  60s\n',
    );
    expect(JSON.parse((await config('log-level get raft --host 1 --format json')).stdout)).toEqual([
      { name: 'raft', level: 'trace', expires_s: 60 },
    ]);
  });

  test('set changes the loggers of one node, and shows the old and the new level', async () => {
    const { config, ok, changes, put, switches } = await world();
    expect(await config('log-level set kafka/client raft --host 1')).toEqual({
      stdout: [
        'LOGGER        OLD-LEVEL  NEW-LEVEL  EXPIRES-IN  STATUS',
        'kafka/client  info       debug      300s        OK',
        'raft          info       debug      300s        OK',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(changes()).toEqual([
      put('kafka%2Fclient', 'level=debug&expires=300'),
      put('raft', 'level=debug&expires=300'),
    ]);
    expect(switches.journal().every(({ node }) => node === 1)).toBe(true);
    expect(await ok('GET /v1/config/log_level/raft', { node: 1 })).toMatchObject({ level: 'debug', expiration: 300 });
    const { stdout } = await config('log-level set raft -l WARN -e 0 --host 1 --format json');
    expect(JSON.parse(stdout)).toEqual([
      {
        logger: 'raft',
        old_level: 'debug',
        new_level: 'warn',
        expires_s: null,
        ...{ status: 'OK', dry_run: false, error: null },
      },
    ]);
  });

  test('a shorter expiry of the node is shown', async () => {
    const { config } = await world();
    const { stdout } = await config('log-level set raft -e 99999 --host 0 --format json');
    expect(JSON.parse(stdout)).toMatchObject([{ new_level: 'debug', expires_s: 3600 }]);
  });

  test('all, and --dry-run', async () => {
    const { config, changes } = await world();
    const { stdout, stderr } = await config('log-level set all --host 0 --dry-run --format json');
    expect(JSON.parse(stdout).length).toBeGreaterThan(10);
    expect(JSON.parse(stdout)[0]).toMatchObject({ old_level: 'info', new_level: 'debug', dry_run: true });
    expect(stderr).toBe('dry run: nothing was changed\n');
    expect(changes()).toEqual([]);
  });

  test('a logger that the node refuses does not hide the others: exit 1', async () => {
    const { config, switches } = await world();
    const effect = { kind: 'status', status: 400, message: 'not now' } as const;
    switches.addFault({ route: 'loggers.level.set', effect });
    const { stdout, exitCode } = await config('log-level set kafka raft --host 0');
    expect(stdout).toMatch(/^kafka +info +info +- +INVALID_REQUEST: unable to set the level .*not now/m);
    expect(stdout).toMatch(/^raft +info +debug +300s +OK$/m);
    expect(exitCode).toBe(1);
    const unknown = await config('log-level set none raft --host 0');
    expect(unknown.stdout).toMatch(/^raft +.* OK[\s\S]*^none +- .*LOGGER_NOT_FOUND: the broker has no logger "none"/m);
    expect(unknown.exitCode).toBe(3);
  });

  test('an error of the node ends the command, and is not one of a logger', async () => {
    const { config, switches, changes } = await world();
    const effect = { kind: 'status', status: 500, message: 'broken' } as const;
    switches.addFault({ route: 'loggers.level.set', effect, times: null });
    const { stdout, stderr, exitCode } = await config('log-level set kafka raft --host 0');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('broken');
    expect(changes().every((line) => line.includes('/kafka'))).toBe(true);
  });

  test.each([
    ['log-level get none --host 0', 3, 'the broker has no logger "none"'],
    ['log-level set --host 0', 2, 'missing argument LOGGER'],
    ['log-level set raft -l loud --host 0', 2, 'not one of error, warn, info, debug, trace'],
    ['log-level set raft -e -1 --host 0', 2, '-1'],
    ['log-level set raft', 2, 'missing flag --broker'],
  ])('%s has exit %i', async (line, code, message) => {
    const { config, changes } = await world();
    const { stderr, exitCode } = await config(line);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
    expect(changes()).toEqual([]);
  });

  test('an unknown logger is named in the data of the error', async () => {
    const { config } = await world();
    const { stderr } = await config('log-level get none --host 0 --format json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'LOGGER_NOT_FOUND', target: 'none' });
  });
});

test('redpanda admin is in no help but its own', async () => {
  expect((await run('--help')).stdout).not.toContain('redpanda ');
  expect((await run('redpanda admin --help')).stdout).toMatch(/ {2}brokers .*\n {2}partitions .*\n {2}config /);
  expect((await run('redpanda admin config log-level --help')).stdout).toContain('set');
});

test('cluster loggers set over Kafka asks and changes the broker of --broker alone', async () => {
  const brokers: ScriptedBroker[] = [];
  const of = (id: number) => ({ errorCode: 0, resourceType: 8, resourceName: String(id) });
  const start = (id: number) =>
    startScriptedBroker({
      ApiVersions: versionsAnswer([
        [describeConfigs.key, 1, 4],
        [incrementalAlterConfigs.key, 0, 1],
      ]),
      Metadata: () => metadataAnswer({ brokers: brokers.map(({ address }, at) => ({ id: at + 1, ...address })) }),
      DescribeConfigs: answerOf(describeConfigs, 4, {
        results: [{ ...of(id), configs: [{ ...logger, value: id === 2 ? 'WARN' : 'INFO' }] }],
      }),
      IncrementalAlterConfigs: answerOf(incrementalAlterConfigs, 1, { responses: [of(id)] }),
    });
  const logger = { name: 'root', readOnly: false, configSource: 6, isSensitive: false, synonyms: [] };
  await using first = await start(1);
  await using second = await start(2);
  brokers.push(first, second);
  const env = { WEIR_BROKERS: showHostPort(first.address) };
  const line = 'cluster loggers set root --broker 2 --api kafka --format json';
  expect(await run(`${line} -e 60`, { env })).toMatchObject({ exitCode: 2 });
  const { stdout, stderr, exitCode } = await run(line, { env });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject([{ old_level: 'warn', new_level: 'debug', expires_s: null, status: 'OK' }]);
  expect(brokers.map((one) => one.of('IncrementalAlterConfigs').length)).toEqual([0, 1]);
});
