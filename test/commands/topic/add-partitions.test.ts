import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const prefix = `grow-${process.pid}`;
const [a, b] = [`${prefix}-a`, `${prefix}-b`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });

beforeAll(async () => {
  await run(`topic create ${a} ${b}`, world());
});

afterAll(async () => {
  await run(`topic delete ${a} ${b}`, world());
});

async function sizes(): Promise<string> {
  return (await run(`topic list ${a} ${b} --no-headers`, world())).stdout;
}

describe('topic add-partitions', () => {
  it('adds partitions and waits until the next command sees them', async () => {
    const [c, d] = [`${prefix}-c`, `${prefix}-d`];
    await run(`topic create ${c} ${d}`, world());
    expect(await run(`topic add-partitions ${d} ${c} -n 2`, world())).toEqual({
      stdout: `TOPIC${' '.repeat(c.length - 3)}PARTITIONS  STATUS\n${c}  1 -> 3      OK\n${d}  1 -> 3      OK\n`,
      stderr: '',
      exitCode: 0,
    });
    expect((await run(`topic list ${c} ${d} --no-headers`, world())).stdout).toBe(`${c}  3  1\n${d}  3  1\n`);
    await run(`topic delete ${c} ${d}`, world());
  });

  it('adds none in a dry run, which the broker validates', async () => {
    const before = await sizes();
    const { stdout, exitCode } = await run(`topic add-partitions ${a} -n 4 --dry-run --format json`, world());
    expect(exitCode).toBe(0);
    const [{ old_partitions: old, new_partitions: grown, ...row }] = JSON.parse(stdout);
    expect(row).toEqual({ topic: a, status: 'OK', dry_run: true, error: null });
    expect(grown).toBe(old + 4);
    const text = await run(`topic add-partitions ${a} -n 4 --dry-run --no-headers`, world());
    expect(text.stdout).toBe(`${a}  ${old} -> ${grown}  OK (dry run)\n`);
    // The limit of Kafka is 10,000; far more would cost its controller all its memory.
    const tooMany = await run(`topic add-partitions ${a} -n 10001 --dry-run --no-headers`, world());
    expect(tooMany).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^grow-\S+ {2}- {2}[A-Z_]+: .*\n$/) });
    expect(await sizes()).toBe(before);
  });

  it('adds as many as --to needs, again without a change, and never fewer', async () => {
    const e = `${prefix}-e`;
    await run(`topic create ${e} -p 6`, world());
    const to = (count: number) => run(`topic add-partitions ${e} --to ${count} --no-headers`, world());
    expect((await to(8)).stdout).toBe(`${e}  6 -> 8  OK\n`);
    expect(await to(8)).toMatchObject({ stdout: `${e}  8 -> 8  OK (already has 8 partitions)\n`, exitCode: 0 });
    const fewer = await to(7);
    expect(fewer).toMatchObject({ exitCode: 6, stdout: expect.stringContaining('the topic has 8 partitions already') });
    expect(await run(`topic add-partitions ${e}`, world())).toMatchObject({ exitCode: 2 });
    expect(await run(`topic add-partitions ${e} -n 1 --to 9`, world())).toMatchObject({ exitCode: 2 });
    await run(`topic delete ${e}`, world());
  });

  it('exits with 3 when a topic does not exist, and grows the others', async () => {
    const { stdout, exitCode } = await run(
      `topic add-partitions ${prefix}-nope ${b} -n 1 --format wide --no-headers`,
      world(),
    );
    expect(stdout.replace(/ +/g, ' ')).toMatch(
      new RegExp(`^${b} \\d+ \\d+ OK\n${prefix}-nope - - UNKNOWN_TOPIC_OR_PARTITION: .*\n$`),
    );
    expect(exitCode).toBe(3);
  });

  it('refuses internal topics without --force, before any change', async () => {
    const before = await sizes();
    expect(await run(`topic add-partitions ${a} _schemas -n 1`, world())).toMatchObject({ stdout: '', exitCode: 6 });
    const refused = await run(`topic add-partitions ${a} __consumer_offsets -n 1`, world());
    expect(refused).toEqual({
      stdout: '',
      stderr:
        'weir: unable to add partitions to internal topics: __consumer_offsets\n' +
        'hint: the programs that own them rely on the number of partitions; use --force to add some anyway\n',
      exitCode: 6,
    });
    const { stderr } = await run('topic add-partitions __consumer_offsets -n 1 --format json', world());
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'INTERNAL_TOPIC', target: '__consumer_offsets' });
    const forced = await run(`topic add-partitions __consumer_offsets -n 1 --force --dry-run --no-headers`, world());
    expect(forced.stdout).toMatch(/^__consumer_offsets {2}(- {2}UNKNOWN_TOPIC|\d+ -> \d+ {2}OK \(dry run)/);
    expect(await sizes()).toBe(before);
  });

  it('grows topics whose whole name matches a regular expression', async () => {
    const { stdout } = await run(`topic add-partitions -r '${prefix}-[ab]' -n 1 --no-headers`, world());
    expect(stdout).toMatch(new RegExp(`^${a}  \\d+ -> \\d+  OK\n${b}  \\d+ -> \\d+  OK\n$`));
  });

  it('exits with 4 when the principal has no rights', async () => {
    const { stdout, exitCode } = await run(`topic add-partitions ${a} -n 1`, await limitedUser(a));
    expect(stdout).toContain('TOPIC_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['topic add-partitions x', 'give either -n'],
    ['topic add-partitions x -n 0', '--num'],
    ['topic add-partitions x -n 100001', 'invalid value "100001" of --num: more than 100000'],
    ['topic add-partitions x -n 100001 --dry-run', 'more than 100000'],
    ['topic add-partitions -n 1', 'TOPIC'],
    ['topic add-partitions a/b -n 1', 'it contains "/"'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
