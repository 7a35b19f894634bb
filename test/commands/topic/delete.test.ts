import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, type World } from '../../world.ts';

const prefix = `delete-${process.pid}`;
const [a, b] = [`${prefix}-a`, `${prefix}-b`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const person = (answer: string): World => ({
  ...world(),
  stdin: answer,
  terminal: { stdin: true, stdout: true, stderr: true },
});

async function present(): Promise<string> {
  return (await run(`topic list -r '${prefix}.*' --no-headers`, world())).stdout;
}

beforeEach(async () => {
  await run(`topic create ${a} ${b} --if-not-exists`, world());
});

afterAll(async () => {
  await run(`topic delete ${a} ${b}`, world());
});

describe('topic delete', () => {
  it('deletes topics and shows the status of each by name', async () => {
    expect(await run(`topic delete ${b} ${a} --no-headers`, world())).toEqual({
      stdout: `${a}  OK\n${b}  OK\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(await present()).toBe('');
  });

  it('exits with 3 when no topic of the name exists, and deletes the others', async () => {
    const { stdout, exitCode } = await run(`topic delete ${a} ${prefix}-nope --no-headers`, world());
    expect(stdout.replace(/ +/g, ' ')).toBe(
      `${a} OK\n${prefix}-nope UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
    );
    expect(exitCode).toBe(3);
    expect(await present()).toBe(`${b}  1  1\n`);
  });

  it('deletes topics whose whole name matches a regular expression', async () => {
    const { stdout } = await run(`topic delete -r '${prefix}-[a-z]' --no-headers --yes`, world());
    expect(stdout).toBe(`${a}  OK\n${b}  OK\n`);
  });

  it('deletes topics that match any of several regular expressions', async () => {
    const { stdout } = await run(`topic delete -r '${prefix}-[a]' '${prefix}-[b]' --no-headers --yes`, world());
    expect(stdout).toBe(`${a}  OK\n${b}  OK\n`);
  });

  it('deletes nothing and exits with 3 when nothing matches', async () => {
    expect(await run(`topic delete -r '${prefix}-' --yes`, world())).toEqual({
      stdout: '',
      stderr:
        `weir: unable to delete topics: no topic matches ${prefix}-\n` +
        `hint: the pattern must match the whole name; did you mean '${prefix}-.*'?\n`,
      exitCode: 3,
    });
    expect(await present()).not.toBe('');
  });

  it('never matches internal topics', async () => {
    const { stdout } = await run("topic delete -r '*' --dry-run --format json", world());
    const rows: { topic: string }[] = JSON.parse(stdout);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ topic }) => topic.startsWith('__'))).toEqual([]);
  });

  it('only shows what would be deleted with --dry-run', async () => {
    const { stdout, exitCode } = await run(`topic delete ${a} ${prefix}-nope --dry-run --no-headers`, world());
    expect(stdout.replace(/ +/g, ' ')).toBe(
      `${a} OK (dry run: would be deleted with 1 partition)\n` +
        `${prefix}-nope UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
    );
    expect(exitCode).toBe(3);
    expect(await present()).toContain(a);
  });

  it('asks on a terminal, and deletes nothing on no', async () => {
    const { stdout, stderr, exitCode } = await run(`topic delete -r '${prefix}.*'`, person('n\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain(`Delete 2 topics (${a}, ${b}) and all their records on `);
    expect(await present()).toContain(a);
  });

  it('deletes on yes', async () => {
    const { stdout, stderr, exitCode } = await run(`topic delete ${a} --no-headers`, person('y\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: `${a}  OK\n`, exitCode: 0 });
    expect(stderr).toContain(`Delete 1 topic (${a}) and all its records on `);
  });

  it('asks nothing with --yes', async () => {
    expect((await run(`topic delete ${a} --no-headers --yes`, person(''))).stdout).toBe(`${a}  OK\n`);
  });

  it.each([
    [['topic', 'delete'], 'TOPIC'],
    [['topic', 'delete', 'a b'], 'invalid topic name "a b": it contains " "'],
    [['topic', 'delete', '-r', '[a'], 'invalid regular expression "[a"'],
  ])('%j is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
