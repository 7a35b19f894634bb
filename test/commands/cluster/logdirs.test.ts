import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../services/services.ts';
import { run, type World } from '../../world.ts';
import { adminWorld, limitedWorld } from './limited-world.ts';

const topic = `logdirs-${process.pid}`;
let limited: World;

beforeAll(async () => {
  limited = await limitedWorld(topic);
  await run(`topic create ${topic} -p 2`, adminWorld());
  await run(`topic produce ${topic} -p 1`, { ...adminWorld(), stdin: 'hello\n' });
});

afterAll(async () => {
  await run(`topic delete ${topic}`, adminWorld());
});

/** The rows of a table, without the directory, which differs from run to run. */
async function rowsOf(flags: string): Promise<readonly string[]> {
  const { stdout, stderr, exitCode } = await run(`cluster logdirs describe --topics ${topic} ${flags}`, adminWorld());
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\/\S+/, 'DIR').replace(/ +/g, ' '));
}

describe('cluster logdirs describe', () => {
  it('prints a row for each replica', async () => {
    expect(await rowsOf('')).toEqual([
      'BROKER DIR TOPIC PARTITION SIZE ERROR',
      `1 DIR ${topic} 0 0`,
      expect.stringMatching(new RegExp(`^1 DIR ${topic} 1 [1-9]\\d*$`)),
    ]);
  });

  it.each([
    ['topic', 'BROKER DIR TOPIC SIZE ERROR', `1 DIR ${topic} `],
    ['dir', 'BROKER DIR SIZE ERROR', '1 DIR '],
    ['broker', 'BROKER SIZE ERROR', '1 '],
  ])('adds up sizes per %s', async (aggregation, headers, start) => {
    const [head, ...rows] = await rowsOf(`--aggregate-into ${aggregation}`);
    expect(head).toBe(headers);
    expect(rows).toEqual([expect.stringMatching(new RegExp(`^${start}[1-9]\\d*$`))]);
  });

  it('sorts by size', async () => {
    const { stdout } = await run(
      `cluster logdirs describe --topics ${topic} --sort-by-size --format json`,
      adminWorld(),
    );
    expect(JSON.parse(stdout).map(({ partition }: { partition: number }) => partition)).toEqual([1, 0]);
  });

  it('has the space of volumes in wide rows of directories, in human-readable sizes', async () => {
    expect(await rowsOf('--aggregate-into dir --format wide -H')).toEqual([
      'BROKER DIR SIZE TOTAL USABLE ERROR',
      expect.stringMatching(/^1 DIR \d+B [\d.]+[GT]B [\d.]+[kMGT]B$/),
    ]);
  });

  it('has every key in json', async () => {
    const { stdout } = await run(`cluster logdirs describe -b 1 --topics ${topic} --format json`, adminWorld());
    expect(JSON.parse(stdout)[0]).toEqual({
      ...{ broker: 1, dir: expect.stringMatching(/^\//), topic, partition: 0, size: 0, offset_lag: 0 },
      ...{ is_future: false, total_bytes: null, usable_bytes: null, error: null },
    });
  });

  it('reports a topic that does not exist, beside the others, exit code 3', async () => {
    const line = `cluster logdirs describe --topics ${topic},${topic}-nope --aggregate-into topic --no-headers`;
    const { stdout, exitCode } = await run(line, adminWorld());
    const [missing = '', found = ''] = stdout.split('\n');
    expect(missing).toMatch(new RegExp(`^- +- +${topic}-nope +- +UNKNOWN_TOPIC_OR_PARTITION: `));
    expect(found).toContain(` ${topic} `);
    expect(exitCode).toBe(3);
  });

  it('exits with 3 for a broker that does not exist', async () => {
    expect(await run('cluster logdirs describe -b 77', adminWorld())).toEqual({
      stdout: '',
      stderr:
        'weir: unable to describe log directories: broker 77 is not in the cluster\n' +
        'hint: list the brokers with: weir cluster info -b\n',
      exitCode: 3,
    });
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stdout, stderr, exitCode } = await run('cluster logdirs describe --no-headers', limited);
    expect(stdout).toMatch(/^1 +- +- +- +- +CLUSTER_AUTHORIZATION_FAILED: /);
    expect(stderr).toContain(`${topic}-limited`);
    expect(exitCode).toBe(4);
  });

  it.each(['--aggregate-into disk', '-b x', '--topics a/b'])('%s is a usage error', async (flags) => {
    const { stdout, exitCode } = await run(`cluster logdirs describe ${flags}`, {
      env: { WEIR_BROKERS: '127.0.0.1:1' },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});
