import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedWorld } from '../cluster/limited-world.ts';

const prefix = `describe-${process.pid}`;
const [a, b, missing] = [`${prefix}-a`, `${prefix}-b`, `absent-${process.pid}`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const unknown = 'UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition';

beforeAll(async () => {
  await run(`topic create ${a} -p 2 -c retention.ms=5000`, world());
  await run(`topic create ${b}`, world());
});

afterAll(async () => {
  await run(`topic delete -r '${prefix}.*' --yes`, world());
});

/** The titles of the sections, in order. */
function titles(stdout: string): string[] {
  return [...stdout.matchAll(/^([A-Z]+)\n=+\n/gm)].map(([, title]) => title ?? '');
}

describe('topic describe', () => {
  it('prints summary and configs of one topic', async () => {
    const { stdout, stderr, exitCode } = await run(`topic describe ${a}`, world());
    expect({ stderr, exitCode, titles: titles(stdout) }).toEqual({
      stderr: '',
      exitCode: 0,
      titles: ['SUMMARY', 'CONFIGS'],
    });
    expect(
      stdout.startsWith(`SUMMARY\n=======\nNAME        ${a}\nPARTITIONS  2\nREPLICAS    1\n\nCONFIGS\n=======\nKEY `),
    ).toBe(true);
  });

  it('prints a single summary without a title', async () => {
    expect(await run(`topic describe ${a} -s`, world())).toEqual({
      stdout: `NAME        ${a}\nPARTITIONS  2\nREPLICAS    1\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('prints the configs sorted by key, with where they come from', async () => {
    const { stdout } = await run(`topic info ${a} -c --no-headers`, world());
    const keys = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ')[0]);
    expect(keys).toEqual(keys.toSorted());
    expect(stdout).toMatch(/^retention\.ms +5000 +DYNAMIC_TOPIC_CONFIG$/m);
    expect(stdout).toMatch(/^follower\.replication\.throttled\.replicas +DEFAULT_CONFIG$/m);
  });

  it('prints the partitions with leaders, replicas and offsets', async () => {
    expect((await run(`topic describe ${a} -p`, world())).stdout).toBe(
      [
        'PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  HIGH-WATERMARK',
        '0          1       0      [1]       0                 0',
        '1          1       0      [1]       0                 0',
        '',
      ].join('\n'),
    );
  });

  it('omits the last stable offsets if none is below the high watermark', async () => {
    const { stdout } = await run(`topic describe ${a} -p --stable`, world());
    expect(stdout).not.toContain('LAST-STABLE-OFFSET');
    const [row] = JSON.parse((await run(`topic describe ${a} --stable --format json`, world())).stdout);
    expect(row.partitions[0]).toMatchObject({
      log_start_offset: 0,
      last_stable_offset: 0,
      high_watermark: 0,
      error: [],
    });
  });

  it('prints every section with -a, and of several topics', async () => {
    const all = ['SUMMARY', 'CONFIGS', 'PARTITIONS'];
    expect(titles((await run(`topic describe ${a} -a`, world())).stdout)).toEqual([...all, 'SIZES']);
    expect(titles((await run(`topic describe -r '${prefix}-[ab]'`, world())).stdout)).toEqual([...all, ...all]);
  });

  it('prints only the requested sections, for several topics with the summary that names them', async () => {
    expect((await run(`topic describe ${b} ${a} -s`, world())).stdout).toBe(
      `NAME        ${a}\nPARTITIONS  2\nREPLICAS    1\n\nNAME        ${b}\nPARTITIONS  1\nREPLICAS    1\n`,
    );
    expect(titles((await run(`topic describe ${b} ${a} -p`, world())).stdout)).toEqual([
      'SUMMARY',
      'PARTITIONS',
      'SUMMARY',
      'PARTITIONS',
    ]);
  });

  it('has every section in json, in yaml too', async () => {
    const { stdout, exitCode } = await run(`topic describe ${b} -s --format json`, world());
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        summary: { name: b, internal: false, partitions: 1, replicas: 1, error: null },
        configs: expect.arrayContaining([
          { key: 'cleanup.policy', value: 'delete', source: 'DEFAULT_CONFIG', sensitive: false },
        ]),
        partitions: [
          {
            partition: 0,
            leader: 1,
            epoch: 0,
            replicas: [1],
            preferred_leader: 1,
            isr: [1],
            offline_replicas: [],
            load_error: null,
            log_start_offset: 0,
            last_stable_offset: null,
            high_watermark: 0,
            records: 0,
            error: [],
          },
        ],
      },
    ]);
    expect((await run(`topic describe ${b} --format yaml`, world())).stdout).toContain('high_watermark: 0\n');
  });

  it('prints the size on disk of each replica with -z', async () => {
    const sized = `${prefix}-sized`;
    await run(`topic create ${sized} -p 2`, world());
    await run(['topic', 'produce', sized, '-p', '1'], { ...world(), stdin: 'x\n' });
    const { stdout, exitCode } = await run(`topic describe ${sized} -z`, world());
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^PARTITION {2}BROKER {2}BYTES {2}LAG\n0 +1 +0 +0\n1 +1 +[1-9]\d* +0\n$/);
    expect((await run(`topic describe ${sized} -z --format wide`, world())).stdout).toMatch(/ LAG +DIR\n0 .* \//);
  });

  it('prints everything else with -a, and exits with 0, for a principal who may not describe the cluster', async () => {
    const limited = await limitedWorld(`${prefix}-limits`);
    const { stdout, exitCode } = await run(`topic describe ${b} -a`, limited);
    expect(stdout).toMatch(/SIZES\n=====\nPARTITION .*ERROR\n.*CLUSTER_AUTHORIZATION_FAILED/);
    expect(exitCode).toBe(0);
    expect((await run(`topic describe ${b} -a -z`, limited)).exitCode).toBe(4);
  });

  it('has sizes in json only if they are asked for', async () => {
    const [plain] = JSON.parse((await run(`topic describe ${b} --format json`, world())).stdout);
    expect(plain).not.toHaveProperty('sizes');
    const [row] = JSON.parse((await run(`topic describe ${b} -z --format json`, world())).stdout);
    expect(row.sizes).toEqual([
      {
        ...{ partition: 0, bytes: 0, total_bytes: 0 },
        replicas: [{ broker: 1, bytes: 0, lag: 0, dir: expect.stringMatching(/^\//), error: null }],
      },
    ]);
  });

  it.each(['-s', '-c', '-p', '-z', ''])(
    'exits with 3 when the topic does not exist, whatever is asked for (%s)',
    async (flag) => {
      expect(await run(`topic describe ${missing} ${flag}`, world())).toEqual({
        stdout: `NAME        ${missing}\nPARTITIONS  0\nERROR       ${unknown}\n`,
        stderr: `weir: ${missing}: ${unknown}\nhint: see the topics with: weir topic list\n`,
        exitCode: 3,
      });
    },
  );

  it.each(['json', 'yaml'])('exits with 3 in %s, too, and describes the others', async (format) => {
    const { stdout, exitCode } = await run(`topic describe ${missing} ${b} --format ${format}`, world());
    expect(exitCode).toBe(3);
    expect(stdout).toContain('UNKNOWN_TOPIC_OR_PARTITION');
    expect(stdout).toContain('high_watermark');
  });

  it('exits with 3 when no topic matches', async () => {
    expect(await run(`topic describe -r '${prefix}'`, world())).toEqual({
      stdout: '',
      stderr:
        `weir: unable to describe topics: no topic matches ${prefix}\n` +
        `hint: the pattern must match the whole name; did you mean '${prefix}.*'?\n`,
      exitCode: 3,
    });
  });

  it('accepts the deprecated flags, which have no effect', async () => {
    const line = `topic describe ${a} -s --page 1 --page-size 3 --watermarks=false --detailed`;
    expect((await run(line, world())).stdout).toContain(`NAME        ${a}\n`);
  });
});
