import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';

const topic = `info-${process.pid}`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });

beforeAll(async () => {
  await run(`topic create ${topic} -p 2`, world());
});

afterAll(async () => {
  await run(`topic delete ${topic}`, world());
});

describe('cluster info', () => {
  it('prints cluster, brokers and topics', async () => {
    const { stdout, stderr, exitCode } = await run('cluster info', world());
    const [host, port] = services().plaintext.split(':');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.replace(/ +/g, ' ')).toMatch(
      new RegExp(
        `^CLUSTER\n=======\n[\\w-]{22}\n\nBROKERS\n=======\nID HOST PORT\n1\\* ${host} ${port}\n\nTOPICS\n======\nNAME `,
      ),
    );
    expect(stdout).toMatch(new RegExp(`^${topic} +2 +1$`, 'm'));
  });

  it.each(['cluster metadata', 'cluster status', 'cluster info'])('%s is the same command', async (line) => {
    expect((await run(`${line} -c`, world())).stdout).toMatch(/^[\w-]{22}\n$/);
  });

  it('prints a single section without a title', async () => {
    expect((await run('cluster info -b', world())).stdout).toMatch(/^ID +HOST +PORT\n1\* +127\.0\.0\.1 +\d+\n$/);
  });

  it('prints the named topics only', async () => {
    expect((await run(`cluster info ${topic} --no-headers`, world())).stdout).toBe(`${topic}  2  1\n`);
  });

  it('prints the partitions with -d', async () => {
    expect((await run(`cluster info -d ${topic}`, world())).stdout).toBe(
      [
        `${topic}, 2 partitions, 1 replica`,
        '  PARTITION  LEADER  EPOCH  REPLICAS',
        '  0          1       0      [1]',
        '  1          1       0      [1]',
        '',
      ].join('\n'),
    );
  });

  it('exits with 3 when a named topic does not exist', async () => {
    const { stdout, exitCode } = await run(`cluster info ${topic}-nope --no-headers`, world());
    expect(stdout).toBe(`${topic}-nope  0  0  UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`);
    expect(exitCode).toBe(3);
  });

  it('has the requested sections in json', async () => {
    const { stdout } = await run(`cluster info -c -b ${topic} --format json`, world());
    expect(JSON.parse(stdout)).toEqual({
      cluster_id: expect.stringMatching(/^[\w-]{22}$/),
      controller_id: 1,
      brokers: [
        { id: 1, host: '127.0.0.1', port: Number(services().plaintext.split(':')[1]), rack: null, controller: true },
      ],
      topics: [{ name: topic, internal: false, partitions: 2, replicas: 1, error: null }],
    });
    expect(Object.keys(JSON.parse((await run('cluster info -c --format json', world())).stdout))).toEqual([
      'cluster_id',
      'controller_id',
    ]);
  });

  it('says which broker could not be reached, exit code 5', async () => {
    const env = { WEIR_BROKERS: '127.0.0.1:1', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    const { stdout, stderr, exitCode } = await run('cluster info', { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('127.0.0.1:1');
  });
});
