import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicConfigKeys } from '../../../src/commands/topic/config-keys.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const prefix = `alter-${process.pid}`;
const [a, b] = [`${prefix}-a`, `${prefix}-b`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const nowhere = { env: { WEIR_BROKERS: '127.0.0.1:1' } };

beforeAll(async () => {
  await run(`topic create ${a} ${b}`, world());
});

afterAll(async () => {
  await run(`topic delete ${a} ${b}`, world());
});

/** Runs a line and returns its text without runs of spaces, and its exit code. */
async function shown(line: string): Promise<[string, number]> {
  const { stdout, exitCode } = await run(`${line} --no-headers`, world());
  return [stdout.replace(/ +/g, ' '), exitCode];
}

async function configOf(topic: string, key: string): Promise<string | undefined> {
  const { stdout } = await run(`topic describe ${topic} -c --format json`, world());
  const [row]: { configs: { key: string; value: string }[] }[] = JSON.parse(stdout);
  return row?.configs.find((config) => config.key === key)?.value;
}

describe('topic alter-config', () => {
  it('sets configs of several topics and shows their old and new values', async () => {
    const line = `topic alter-config ${b} ${a} -s retention.ms=1000 --set retention.ms=5000 -s segment.ms=60000`;
    expect((await run(line, world())).stdout.split('\n')[0]?.split(/ +/)).toEqual([
      ...['TOPIC', 'KEY', 'OLD', 'NEW', 'STATUS'],
    ]);
    expect(await shown(`topic alter-config ${b} ${a} -s retention.ms=6000`)).toEqual([
      `${a} retention.ms 5000 6000 OK\n${b} retention.ms 5000 6000 OK\n`,
      0,
    ]);
  });

  it('asks before a change that can erase records, with the value in use, and only then', async () => {
    const change = `topic alter-config ${a} ${b} --set`;
    const ask = (line: string, typed: string) => run(line, { ...world(), terminal: { typed } });
    await run(`topic alter-config ${a} ${b} -d retention.bytes,cleanup.policy`, world());
    const no = await ask(`${change} retention.bytes=1000`, 'n\n');
    expect(no.exitCode).toBe(1);
    expect(no.stderr.replace(/ +/g, ' ')).toContain(
      `TOPIC KEY OLD NEW\n${a} retention.bytes -1 1000\n${b} retention.bytes -1 1000\nChange retention.bytes of 2 topics (${a}, ${b}), which can erase the oldest records, on `,
    );
    expect(await configOf(a, 'retention.bytes')).toBe('-1');
    expect((await ask(`topic set-config ${a} cleanup.policy=compact`, 'n\n')).stderr).toContain('can erase all but');
    expect((await ask(`${change} retention.bytes=1000`, 'y\n')).exitCode).toBe(0);
    const more = await ask(`${change} retention.bytes=2000`, '');
    expect({ stderr: more.stderr, exitCode: more.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const pattern = await run(`topic alter-config -r '${prefix}-.*' --set retention.bytes=1`, world());
    expect(pattern).toMatchObject({ stdout: '', exitCode: 2 });
    expect(pattern.stderr).toContain(`hint: --yes would change retention.bytes of 2 topics (${a}, ${b}), which can`);
    await run(`topic alter-config ${a} ${b} -d retention.bytes`, world());
  });

  it('deletes, appends and subtracts', async () => {
    await run(`topic alter-config ${a} -s retention.ms=6000 -d cleanup.policy`, world());
    const line = `topic alter-config ${a} --append cleanup.policy=compact -d retention.ms,flush.ms`;
    expect(await shown(line)).toEqual([
      `${a} cleanup.policy delete delete,compact OK\n` +
        `${a} flush.ms 9223372036854775807 9223372036854775807 OK\n` +
        `${a} retention.ms 6000 604800000 OK\n`,
      0,
    ]);
    expect(await shown(`topic alter-config ${a} --subtract cleanup.policy=delete`)).toEqual([
      `${a} cleanup.policy delete,compact compact OK\n`,
      0,
    ]);
    await run(`topic alter-config ${a} -d cleanup.policy`, world());
  });

  it.each(['--dry-run', '--dry'])('changes nothing with %s, and predicts what a real run shows', async (flag) => {
    await run(`topic alter-config ${a} -s segment.bytes=1048576 -d cleanup.policy`, world());
    const changes = '-d segment.bytes --append cleanup.policy=compact';
    const { stdout, stderr } = await run(`topic alter-config ${a} ${changes} ${flag} --format json`, world());
    expect(stderr).toBe('dry run: nothing was changed\n');
    expect(await configOf(a, 'segment.bytes')).toBe('1048576');
    const rows = JSON.parse(stdout);
    expect(rows).toEqual([
      {
        ...{ topic: a, status: 'OK', dry_run: true, error: null },
        changes: [
          { key: 'cleanup.policy', operation: 'append', old: 'delete', new: 'delete,compact' },
          { key: 'segment.bytes', operation: 'delete', old: '1048576', new: '1073741824' },
        ],
      },
    ]);
    const real = JSON.parse((await run(`topic alter-config ${a} ${changes} --format json`, world())).stdout);
    expect(real).toEqual([{ ...rows[0], dry_run: false }]);
    await run(`topic alter-config ${a} -d cleanup.policy`, world());
  });

  it.each(['', ' --dry-run'])(
    'changes nothing that the topic has already, and pins what it only inherits%s',
    async (how) => {
      const bytes = (await configOf(a, 'segment.bytes')) ?? '';
      expect(await shown(`topic alter-config ${a} -s segment.bytes=${bytes} --dry-run`)).toEqual([
        `${a} segment.bytes ${bytes} ${bytes} OK (dry run)\n`,
        0,
      ]);
      await run(`topic alter-config ${a} -s cleanup.policy=compact,delete -d flush.ms --yes`, world());
      for (const [flags, row] of [
        ['-s cleanup.policy=compact,delete', 'cleanup.policy compact,delete compact,delete OK (already set)'],
        ['--append cleanup.policy=compact', 'cleanup.policy compact,delete compact,delete OK (already set)'],
        ['--subtract cleanup.policy=x', 'cleanup.policy compact,delete compact,delete OK (already set)'],
        ['-d flush.ms', 'flush.ms 9223372036854775807 9223372036854775807 OK (not set)'],
      ] as const)
        expect(await shown(`topic alter-config ${a} ${flags}${how}`)).toEqual([`${a} ${row}\n`, 0]);
      await run(`topic alter-config ${a} -d cleanup.policy --yes`, world());
    },
  );

  it('shows a topic that cannot be changed above the question', async () => {
    const line = `topic alter-config ${a} ${prefix}-nope -s retention.bytes=1`;
    const { stderr } = await run(line, { ...world(), terminal: { typed: 'n\n' } });
    expect(stderr.replace(/ +/g, ' ')).toMatch(
      /-a retention.bytes -1 1\n\S+-nope - - - UNKNOWN_TOPIC_OR_PARTITION.*\nChange /,
    );
  });

  it('does not guess a default that the broker does not report', async () => {
    await run(`topic alter-config ${a} -s retention.ms=7000`, world());
    expect(await shown(`topic alter-config ${a} -d retention.ms --dry-run`)).toEqual([
      `${a} retention.ms 7000 - OK (dry run)\n`,
      0,
    ]);
    expect(await shown(`topic alter-config ${a} -d retention.ms`)).toEqual([
      `${a} retention.ms 7000 604800000 OK\n`,
      0,
    ]);
  });

  it('lets the broker refuse a change in a dry run, too', async () => {
    expect(await shown(`topic alter-config ${a} -s retention.ms=soon --dry-run`)).toEqual([
      `${a} - - - INVALID_CONFIG: Invalid value soon for configuration retention.ms: Not a number of type LONG\n`,
      1,
    ]);
  });

  it('suggests the key that was meant for an unknown one', async () => {
    for (const line of [
      `alter-config ${a} -s retenton.ms=5`,
      `set-config ${a} retenton.ms=5`,
      'create typo -c retenton.ms=5',
    ])
      expect(await run(`topic ${line} --dry-run`, world())).toMatchObject({
        stdout: expect.stringContaining('INVALID_CONFIG: Unknown topic config name: retenton.ms\n'),
        stderr: expect.stringMatching(
          /INVALID_CONFIG.*\nhint: did you mean retention.ms instead of retenton.ms\?\ndry run: nothing was changed\n$/,
        ),
        exitCode: 1,
      });
    const { configs } = JSON.parse((await run(`topic describe ${a} --format json`, world())).stdout)[0];
    expect(configs.map(({ key }: { readonly key: string }) => key)).not.toEqual([]);
    for (const { key } of configs) expect(topicConfigKeys).toContain(key);
  });

  it('changes topics whose whole name matches a regular expression', async () => {
    expect(await shown(`topic alter-config -r '${prefix}-.' -s max.message.bytes=2000`)).toEqual([
      `${a} max.message.bytes 1048588 2000 OK\n${b} max.message.bytes 1048588 2000 OK\n`,
      0,
    ]);
    const { stderr, exitCode } = await run(`topic alter-config -r '${prefix}' -s max.message.bytes=3000`, world());
    expect({ stderr, exitCode }).toEqual({
      stderr:
        `weir: unable to alter topics: no topic matches ${prefix}\n` +
        `hint: the pattern must match the whole name; did you mean '${prefix}.*'?\n`,
      exitCode: 3,
    });
  });

  it('exits with 3 when a topic does not exist, and changes the others', async () => {
    await run(`topic alter-config ${b} -s segment.bytes=2097152`, world());
    expect(await shown(`topic alter-config ${b} ${prefix}-nope -s segment.bytes=1048576`)).toEqual([
      `${b} segment.bytes 2097152 1048576 OK\n` +
        `${prefix}-nope - - - UNKNOWN_TOPIC_OR_PARTITION: The topic '${prefix}-nope' does not exist.\n`,
      3,
    ]);
  });

  it('exits with 4 when the principal has no rights', async () => {
    const { stdout, exitCode } = await run(
      `topic alter-config ${a} -s retention.ms=1 --no-headers`,
      await limitedUser(a),
    );
    expect(stdout).toContain('TOPIC_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
    expect(await configOf(a, 'retention.ms')).not.toBe('1');
  });

  it.each([
    ['topic alter-config x', 'missing flag --set, --delete, --append or --subtract'],
    ['topic alter-config x -s a=1 -d a', 'unable to both set and delete the config "a"'],
    ['topic alter-config x -s a', '--set'],
    ['topic alter-config -s a=1', 'TOPIC'],
    ['topic alter-config a/b -s a=1', 'it contains "/"'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, nowhere);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});

describe('topic set-config', () => {
  it('sets configs of a topic, or of those that match', async () => {
    await run(`topic set-config ${a} retention.ms=1000 segment.ms=1000`, world());
    expect(await shown(`topic set-config ${a} retention.ms=2000 segment.ms=3000`)).toEqual([
      `${a} retention.ms 1000 2000 OK\n${a} segment.ms 1000 3000 OK\n`,
      0,
    ]);
    expect(await shown(`topic set-config -r '${prefix}-[a]' retention.ms=1000 --dry-run`)).toEqual([
      `${a} retention.ms 2000 1000 OK (dry run)\n`,
      0,
    ]);
    expect(await configOf(a, 'retention.ms')).toBe('2000');
  });

  it.each([
    ['topic set-config x', 'KEY=VALUE'],
    ['topic set-config x retention.ms', 'invalid KEY=VALUE "retention.ms": not of the form key=value'],
    ['topic set-config x retention.ms 7200000', 'invalid KEY=VALUE "7200000": not of the form key=value'],
    ['topic produce x -H broken', 'invalid value "broken" of --header: not of the form key=value'],
  ])('%s is a usage error', async (line, message) => {
    const { stderr, exitCode } = await run(line, nowhere);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
