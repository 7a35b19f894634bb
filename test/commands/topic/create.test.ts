import { afterAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';

const prefix = `create-${process.pid}`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
/** An address without a broker: connecting fails with exit code 5. */
const nowhere = { env: { WEIR_BROKERS: '127.0.0.1:1' } };

afterAll(async () => {
  await run(`topic delete -r '${prefix}.*' --yes`, world());
});

describe('topic create', () => {
  it('creates topics and shows the status of each, in the order they were given', async () => {
    const outcome = await run(`topic create ${prefix}-b ${prefix}-a -p 3`, world());
    expect(outcome).toEqual({
      stdout: `TOPIC${' '.repeat(prefix.length - 1)}STATUS\n${prefix}-b  OK\n${prefix}-a  OK\n`,
      stderr: '',
      exitCode: 0,
    });
    const listed = await run(`topic list ${prefix}-a ${prefix}-b --no-headers`, world());
    expect(listed.stdout).toBe(`${prefix}-a  3  1\n${prefix}-b  3  1\n`);
  });

  it('shows in json what was created', async () => {
    const { stdout, exitCode } = await run(
      `topic create ${prefix}-json -r 1 -c retention.ms=1000 --format json`,
      world(),
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        topic: `${prefix}-json`,
        status: 'OK',
        topic_id: expect.stringMatching(/^[\w-]{22}$/),
        partitions: 1,
        replicas: 1,
        dry_run: false,
        error: null,
      },
    ]);
  });

  it('takes the last of two values of a config, which overrides --compact', async () => {
    const name = `${prefix}-config`;
    await run(
      `topic create ${name} --compact -c retention.ms=1 -c retention.ms=2000 -c cleanup.policy=delete`,
      world(),
    );
    const { stdout } = await run(`topic describe ${name} -c --no-headers`, world());
    expect(stdout).toMatch(/^retention\.ms +2000 +DYNAMIC_TOPIC_CONFIG$/m);
    expect(stdout).toMatch(/^cleanup\.policy +delete /m);
  });

  it('compacts with the deprecated --compact', async () => {
    await run(`topic create ${prefix}-compact --compact`, world());
    const { stdout } = await run(`topic describe ${prefix}-compact -c --no-headers`, world());
    expect(stdout).toMatch(/^cleanup\.policy +compact /m);
  });

  it('exits with 6 when a topic exists, and creates the others', async () => {
    const name = `${prefix}-twice`;
    await run(`topic create ${name}`, world());
    const outcome = await run(`topic create ${name} ${name}2 --no-headers`, world());
    expect(outcome).toEqual({
      stdout: `${name}   TOPIC_ALREADY_EXISTS: Topic '${name}' already exists.\n${name}2  OK\n`,
      stderr: `weir: ${name}: TOPIC_ALREADY_EXISTS: Topic '${name}' already exists. (1 of 2 failed)\n`,
      exitCode: 6,
    });
  });

  it('names topics that failed below a table that is longer than the terminal', async () => {
    const create = async (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `${prefix}-many-${at}`).join(' ');
      return (await run(`topic create ${names} -r 9`, { ...world(), terminal: { stdout: true } })).stderr;
    };
    expect(await create(24)).toContain(
      `(24 of 24 failed: ${prefix}-many-0, ${prefix}-many-1, ${prefix}-many-2 and 21 more)`,
    );
    expect(await create(5)).not.toContain('failed');
  });

  it('accepts an existing topic with --if-not-exists', async () => {
    const name = `${prefix}-maybe`;
    await run(`topic create ${name}`, world());
    const outcome = await run(`topic create ${name} --if-not-exists --no-headers`, world());
    expect(outcome).toEqual({ stdout: `${name}  OK (already exists)\n`, stderr: '', exitCode: 0 });
    const configs = '-c cleanup.policy=compact -c compression.type=producer';
    const larger = await run(`topic create ${name} -p 6 -r 1 ${configs} --if-not-exists --no-headers`, world());
    expect(larger.stderr).toBe(
      `warning: topic "${name}" already exists, with 1 partition instead of 6 and ` +
        'cleanup.policy=delete instead of compact\n',
    );
  });

  it.each(['--dry-run', '--dry', '-d'])('creates nothing with %s and says what would be created', async (flag) => {
    const name = `${prefix}-dry`;
    const outcome = await run(`topic create ${name} -p 4 --no-headers ${flag}`, world());
    expect(outcome).toEqual({
      stdout: `${name}  OK (dry run: would be created with 4 partitions and 1 replica)\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect((await run(`topic list ${name}`, world())).exitCode).toBe(3);
  });

  it.each([
    ['-p 0', 'INVALID_PARTITIONS: Number of partitions was set to an invalid non-positive value.', ''],
    ['-c foo.bar=1', 'INVALID_CONFIG: Unknown topic config name: foo.bar', ''],
    [
      '-c retention.ms=week -c segment.bytes=1048576',
      'INVALID_CONFIG: Invalid value week for configuration retention.ms: Not a number of type LONG',
      'hint: write retention.ms in milliseconds, or as 7d, 12h or 1m30s\n',
    ],
  ])("shows the broker's reason for %s", async (flags, reason, hint) => {
    const outcome = await run(`topic create ${prefix}-bad --no-headers ${flags}`, world());
    const [stdout, stderr] = [`${prefix}-bad  ${reason}\n`, `weir: ${prefix}-bad: ${reason}\n${hint}`];
    expect(outcome).toEqual({ stdout, stderr, exitCode: 1 });
  });

  it('names the number of brokers if more replicas are requested', async () => {
    const { stdout, exitCode } = await run(`topic create ${prefix}-bad -r 7`, world());
    expect(stdout).toContain('INVALID_REPLICATION_FACTOR: Unable to replicate the partition 7 time(s)');
    expect(exitCode).toBe(1);
  });

  it.each([
    [['a b'], 'it contains " "'],
    [['café'], 'it contains "é"'],
    [[''], 'it is empty'],
    [['.'], 'it is "."'],
    [['..'], 'it is ".."'],
    [['x'.repeat(250)], 'it has 250 characters'],
  ])('refuses the name %j before connecting', async (names, fault) => {
    const { stdout, stderr, exitCode } = await run(['topic', 'create', ...names], nowhere);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(fault);
    expect(stderr).toContain('1 to 249 of the characters a-z A-Z 0-9 . _ -');
  });

  it.each([
    ['topic create', 'TOPIC'],
    ['topic create x -p many', '--partitions'],
    ['topic create x -p -2', '--partitions'],
    ['topic create x -p 100001', '--partitions: more than 100000'],
    ['topic create x -p 2147483647 --dry-run', '--partitions: more than 100000'],
    ['topic create x -r 40000', '--replicas'],
    ['topic create x -c retention.ms', '--topic-config'],
    ['topic create x --partition 3', '--partitions'],
  ])('%s is a usage error', async (line, named) => {
    const { stdout, stderr, exitCode } = await run(line, nowhere);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(named);
  });
});
