import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, type World } from '../../world.ts';
import { type GroupMaker, limitedUser, makeGroups } from './group-members.ts';

const prefix = `group-delete-${process.pid}`;
const [a, b, busy, missing] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-busy`, `${prefix}-x`];
const topic = `${prefix}-t`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const person = (answer: string): World => ({
  ...world(),
  stdin: answer,
  terminal: { stdin: true, stdout: true, stderr: true },
});
let groups: GroupMaker;

beforeAll(async () => {
  await run(`topic create ${topic}`, world());
  groups = await makeGroups();
  await groups.joinClassic(busy, topic, [0]);
});

beforeEach(async () => {
  for (const group of [a, b]) await groups.commit(group, topic, { 0: 0n });
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic}`, world());
});

async function present(): Promise<readonly string[]> {
  const { stdout } = await run('group list --format json', world());
  const rows: { group: string }[] = JSON.parse(stdout);
  return rows.map(({ group }) => group).filter((group) => group.startsWith(prefix));
}

const spaced = (text: string): string => text.replace(/ +/g, ' ');

describe('group delete', () => {
  it('deletes groups and shows the status of each by name', async () => {
    expect(await run(`group delete ${b} ${a}`, world())).toEqual({
      stdout: `GROUP${' '.repeat(a.length - 3)}STATUS\n${a}  OK\n${b}  OK\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(await present()).toEqual([busy]);
  });

  it('deletes the groups that it can, with an error for the others', async () => {
    const { stdout, exitCode } = await run(`group delete ${a} ${busy} ${missing} --no-headers`, world());
    expect(spaced(stdout)).toBe(
      `${a} OK\n${busy} NON_EMPTY_GROUP: the group still has members\n${missing} GROUP_ID_NOT_FOUND: Group ${missing} not found.\n`,
    );
    expect(exitCode).toBe(1);
    expect(await present()).toEqual([b, busy]);
  });

  it.each([
    [busy, 6],
    [missing, 3],
  ])('exits for %s with %d', async (group, code) => {
    expect((await run(`group delete ${group}`, world())).exitCode).toBe(code);
  });

  it('deletes groups whose whole name matches a regular expression', async () => {
    const { stdout } = await run(`group delete -r '${prefix}-[a-z]' --no-headers --yes`, world());
    expect(stdout).toBe(`${a}  OK\n${b}  OK\n`);
  });

  it('deletes nothing and exits with 3 when nothing matches', async () => {
    const { stderr, exitCode } = await run(`group delete -r '${prefix}-' --yes`, world());
    expect(stderr).toContain(`unable to delete groups: no group matches ${prefix}-\n`);
    expect(exitCode).toBe(3);
    expect(await present()).toEqual([a, b, busy]);
  });

  it('only shows what would be deleted with --dry-run', async () => {
    const { stdout, exitCode } = await run(`group delete ${a} ${busy} ${missing} --dry-run --no-headers`, world());
    expect(spaced(stdout)).toMatch(
      new RegExp(
        `^${a} OK \\(dry run: would be deleted\\)\n${busy} NON_EMPTY_GROUP: .*\n${missing} GROUP_ID_NOT_FOUND: .*\n$`,
      ),
    );
    expect(exitCode).toBe(1);
    expect(await present()).toEqual([a, b, busy]);
  });

  it('asks on a terminal, and deletes nothing on no', async () => {
    const { stdout, stderr, exitCode } = await run(`group delete -r '${prefix}-[ab]'`, person('n\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain(`Delete 2 groups (${a}, ${b}) and their committed offsets on `);
    expect(await present()).toEqual([a, b, busy]);
  });

  it('exits with 4 when the principal may not delete the group', async () => {
    await groups.deny(a);
    const { stdout, exitCode } = await run(`group delete ${a} --format json`, { env: limitedUser() });
    expect(JSON.parse(stdout)).toMatchObject([
      { group: a, status: 'ERROR', dry_run: false, error: { code: 'GROUP_AUTHORIZATION_FAILED', exit_code: 4 } },
    ]);
    expect(exitCode).toBe(4);
  });

  it.each([
    [['group', 'delete'], 'GROUP'],
    [['group', 'delete', ''], 'invalid group name "": it is empty'],
    [['group', 'delete', '-r', '[a'], 'invalid regular expression "[a"'],
  ])('%j is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, world());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
