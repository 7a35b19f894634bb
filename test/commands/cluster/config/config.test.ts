import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import '../../../services/services.ts';
import { run, type World } from '../../../world.ts';
import { adminWorld, limitedWorld } from '../limited-world.ts';

/** A config that no other test sets, and that changes nothing for them. */
const key = 'log.cleaner.backoff.ms';
const prefix = `config-${process.pid}`;
let limited: World;

async function reset(): Promise<void> {
  await run(`cluster config set ${key} --reset`, adminWorld());
  await run(`cluster config set ${key} --reset --broker 1`, adminWorld());
}

beforeAll(async () => {
  limited = await limitedWorld(prefix);
});
beforeEach(reset);
afterAll(reset);

const spaced = (text: string): readonly string[] => text.replace(/ +/g, ' ').trimEnd().split('\n');

describe('cluster config get', () => {
  it('prints the value alone', async () => {
    expect(await run(`cluster config get ${key}`, adminWorld())).toEqual({
      stdout: '15000\n',
      stderr: '',
      exitCode: 0,
    });
  });

  it('prints a table in wide', async () => {
    const { stdout } = await run(`cluster config get ${key} --format wide`, adminWorld());
    expect(spaced(stdout)).toEqual(['BROKER KEY VALUE SOURCE READ-ONLY', `1 ${key} 15000 DEFAULT_CONFIG false`]);
  });

  it('has every key in json', async () => {
    const { stdout } = await run(`cluster config get super.users -b 1 --format json`, adminWorld());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ broker: 1, key: 'super.users', value: null, source: 'STATIC_BROKER_CONFIG' },
        ...{ read_only: true, sensitive: true, error: null },
      },
    ]);
  });

  it.each([
    ['frob', 'config "frob" does not exist'],
    [`${key} --default`, `config "${key}" has no default for the whole cluster`],
    [`${key} --broker 77`, 'broker 77 is not in the cluster'],
  ])('%s exits with 3', async (words, message) => {
    const { stdout, stderr, exitCode } = await run(`cluster config get ${words}`, adminWorld());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toContain(message);
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stdout, exitCode } = await run(`cluster config get ${key}`, limited);
    expect(stdout).toContain('CLUSTER_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });
});

describe('cluster config set', () => {
  it('sets the default of the cluster, which one broker may override', async () => {
    const { stdout, stderr, exitCode } = await run(`cluster config set ${key} 16000`, adminWorld());
    expect({ rows: spaced(stdout), stderr, exitCode }).toEqual({
      rows: ['BROKER KEY OLD NEW STATUS', `cluster ${key} 15000 (default) 16000 OK`],
      ...{ stderr: '', exitCode: 0 },
    });
    const own = await run(`cluster config set ${key}=17000 --broker 1 --no-headers`, adminWorld());
    expect(spaced(own.stdout)).toEqual([`1 ${key} 16000 17000 OK`]);
    const shown = await run(`cluster config list --no-headers`, adminWorld());
    expect(spaced(shown.stdout)).toContain(`1 ${key} 17000 DYNAMIC_BROKER_CONFIG`);
    expect((await run(`cluster config get ${key} --default`, adminWorld())).stdout).toBe('16000\n');
    const back = await run(`cluster config set ${key} --reset -b 1 --no-headers`, adminWorld());
    expect(spaced(back.stdout)).toEqual([`1 ${key} 17000 16000 OK`]);
    const again = await run(`cluster config set ${key} 18000 --dry-run --no-headers`, adminWorld());
    expect(spaced(again.stdout)).toEqual([`cluster ${key} 16000 18000 OK (dry run)`]);
    const { stdout: inherited } = await run(`cluster config get ${key} --format wide --no-headers`, adminWorld());
    expect(spaced(inherited)).toEqual([`1 ${key} 16000 DYNAMIC_DEFAULT_BROKER_CONFIG false`]);
  });

  it('a key like a property of Redpanda gets a hint about the other API, unless an API was chosen', async () => {
    const hint = 'hint: for a property of a Redpanda cluster, add: --api admin\n';
    for (const line of ['get log_retention_ms', 'set log_retention_ms 1'])
      expect((await run(`cluster config ${line}`, adminWorld())).stderr).toContain(hint);
    const { stderr } = await run('cluster config get log_retention_ms --api kafka', adminWorld());
    expect(stderr).toContain('hint: list the configs with: weir cluster config list --all --api kafka\n');
    expect(stderr).not.toContain(hint);
    expect((await run('cluster config get log.retention', adminWorld())).stderr).not.toContain(hint);
  });

  it('a config without a value is null, and a dash in a table', async () => {
    expect((await run('cluster config get log.flush.interval.ms', adminWorld())).stdout).toBe('null\n');
    const { stdout } = await run('cluster config get log.flush.interval.ms --format wide --no-headers', adminWorld());
    expect(spaced(stdout)).toEqual(['1 log.flush.interval.ms - DEFAULT_CONFIG false']);
  });

  it('get shows the retention that hours or minutes say, as the old value of set does', async () => {
    expect((await run('cluster config get log.retention.ms', adminWorld())).stdout).toBe('604800000\n');
    const set = await run('cluster config set log.retention.ms 604800000 --dry-run --no-headers', adminWorld());
    expect(spaced(set.stdout)).toEqual(['cluster log.retention.ms 604800000 (default) 604800000 OK (dry run)']);
  });

  it('asks before less retention, with what applies until then, also where hours or minutes say it', async () => {
    const no = await run('cluster config set log.retention.ms 1000', { ...adminWorld(), terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toMatch(
      /log.retention.ms +604800000 \(default\) +1000\nChange log.retention.ms of the cluster, which can/,
    );
    const unasked = await run('cluster config set log.retention.ms 1000 --no-input', adminWorld());
    expect(unasked).toMatchObject({ stdout: '', exitCode: 2 });
    const more = await run('cluster config set log.retention.ms 999999999 --dry-run --no-headers', adminWorld());
    expect(spaced(more.stdout)).toEqual(['cluster log.retention.ms 604800000 (default) 999999999 OK (dry run)']);
  });

  it('changes nothing in a dry run', async () => {
    const { stdout, exitCode } = await run(`cluster config set ${key} 16000 --dry-run --format json`, adminWorld());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ broker: null, key, old: '15000', old_source: 'DEFAULT_CONFIG', new: '16000' },
        ...{ sensitive: false, status: 'OK', dry_run: true, error: null },
      },
    ]);
    expect(exitCode).toBe(0);
    expect((await run(`cluster config get ${key}`, adminWorld())).stdout).toBe('15000\n');
  });

  it.each([
    [`${key} soon`, 1, 'INVALID_REQUEST (42)'],
    [`${key} soon --dry-run`, 1, 'INVALID_REQUEST (42)'],
    ['broker.id 7', 1, 'Cannot update these configs dynamically'],
    [`${key}=`, 1, `hint: to reset it, use: weir cluster config set ${key} --reset\n`],
    [`${key}= --broker 1`, 1, `hint: to reset it, use: weir cluster config set ${key} --reset --broker 1\n`],
    ['frob 1', 3, 'unable to set config "frob": brokers do not list it'],
    ['log.retention.mss 1', 3, 'hint: did you mean "log.retention.ms"?\n'],
    ['log_retention_ms 1', 3, 'hint: did you mean "log.retention.ms"?\n'],
    [`${key} 1 --broker 77`, 3, 'broker 77 is not in the cluster'],
    [key, 2, `no value for "${key}" is given`],
    [`${key} 1 --reset`, 2, '--reset takes no value'],
    ['=1', 2, 'the key is empty'],
  ])('%s exits with %d', async (words, code, message) => {
    const { stdout, stderr, exitCode } = await run(`cluster config set ${words}`, adminWorld());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: code });
    expect(stderr).toContain(message);
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stderr, exitCode } = await run(`cluster config set ${key} 1`, limited);
    expect(stderr).toContain('CLUSTER_AUTHORIZATION_FAILED (31)');
    expect(exitCode).toBe(4);
  });
});

describe('cluster config list', () => {
  it('lists what is set, and built-in defaults with --all', async () => {
    const { stdout } = await run('cluster config list', adminWorld());
    expect(spaced(stdout)).toContain('1 node.id 1 STATIC_BROKER_CONFIG');
    expect(stdout).not.toContain('DEFAULT_CONFIG\n');
    const { stdout: all } = await run('cluster config list -b 1 --all', adminWorld());
    expect(spaced(all)).toContain(`1 ${key} 15000 DEFAULT_CONFIG`);
  });

  it('--filter keeps the names that match anywhere', async () => {
    const { stdout } = await run(
      'cluster config list -b 1 --all --no-headers --filter ^node[.]|retention',
      adminWorld(),
    );
    const keys = spaced(stdout).map((line) => line.split(' ')[1]);
    expect(keys).toContain('node.id');
    expect(keys).toContain('log.retention.ms');
    expect(keys.filter((one) => one !== undefined && !/^node[.]|retention/.test(one))).toEqual([]);
    const bad = await run('cluster config list --filter [', adminWorld());
    expect(bad).toMatchObject({ stdout: '', exitCode: 2 });
    expect(bad.stderr).toContain('invalid regular expression "["');
  });

  it('refuses both a broker and the defaults', async () => {
    const { stderr, exitCode } = await run('cluster config list -b 1 --default', adminWorld());
    expect(stderr).toContain('--broker and --default exclude each other');
    expect(exitCode).toBe(2);
  });
});
