import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { type GroupMaker, limitedUser, makeGroups } from './group-members.ts';

const prefix = `group-lag-${process.pid}`;
const [behind, done, missing] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-x`];
const topic = `${prefix}-t`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;

beforeAll(async () => {
  await run(`topic create ${topic}`, world());
  await run(`topic produce ${topic}`, { ...world(), stdin: 'a\nb\nc\n' });
  groups = await makeGroups();
  await groups.commit(behind, topic, { 0: 1n });
  await groups.commit(done, topic, { 0: 3n });
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic}`, world());
});

const spaced = (text: string): string => text.replace(/ +/g, ' ');
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('group lag', () => {
  it('prints the lag of groups, sorted by name', async () => {
    const { stdout, stderr, exitCode } = await run(`group lag ${done} ${behind}`, world());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(spaced(stdout)).toBe(`GROUP STATE MEMBERS LAG\n${behind} Empty 0 2\n${done} Empty 0 0\n`);
  });

  it('prints that of all groups without names, except for the progress of copies', async () => {
    const { stdout } = await run('group lag', world());
    expect(spaced(stdout)).toContain(`\n${behind} Empty 0 2\n${done} Empty 0 0\n`);
    const copied = `${prefix}-copied`;
    await run(`topic copy ${topic} ${copied} --create`, world());
    const listed = (await run('group list --no-headers', world())).stdout;
    const copy = new RegExp(`weir-copy-${topic}-\\S+`).exec(listed)?.[0] ?? '';
    expect((await run('group lag', world())).stdout).not.toContain(copy);
    const named = await run(`group lag ${copy}`, world());
    expect(spaced(named.stdout)).toBe(`GROUP TYPE STATE MEMBERS LAG\n${copy} copy Empty 0 -\n`);
    const top = await run('top --once --interval 100ms --format json', world());
    const seen: { groups: { group: string }[]; brokers: unknown[] } = JSON.parse(top.stdout);
    expect(seen.groups.map(({ group }) => group)).toContain(behind);
    expect(seen.groups.map(({ group }) => group)).not.toContain(copy);
    await run(`topic delete ${copied}`, world());
    await run(`group delete ${copy}`, world());
  });

  it('adds the lag of each topic with --format wide', async () => {
    const { stdout } = await run(`group lag ${behind} --format wide`, world());
    expect(spaced(stdout).split('\n\n')[1]).toBe(`GROUP TOPIC LAG\n${behind} ${topic} 2\n`);
  });

  it('has one object in JSON, with the time', async () => {
    const { stdout } = await run(`group lag ${behind} --age --format json`, world());
    const [tick] = linesOf(stdout);
    expect(tick).toMatchObject({ tick: 0, status: 'done' });
    expect(Math.abs(Date.parse(tick.time) - Date.now())).toBeLessThan(60_000);
    expect(tick.groups).toEqual([
      {
        ...{
          group: behind,
          type: 'classic',
          state: 'Empty',
          members: 0,
          lag: 2,
          read_rate: null,
          write_rate: null,
          trend: null,
        },
        ...{ seconds_to_zero: null, age_seconds: expect.any(Number), error: null, topics: [{ topic, lag: 2 }] },
      },
    ]);
    expect(tick.groups[0].age_seconds).toBeLessThan(600);
  });

  it.each([
    [1, 10],
    [2, 0],
  ])('with --fail-above %d, exits for a lag of 2 with %d', async (limit, code) => {
    const { stdout, stderr, exitCode } = await run(`group lag ${behind} ${done} --fail-above ${limit}`, world());
    expect(stderr).toBe(code === 0 ? '' : `the lag of group "${behind}" is 2, above ${limit}\n`);
    expect(exitCode).toBe(code);
    expect(stdout).toContain(behind);
  });

  it('ends a watch at the first lag above the limit', async () => {
    const { stdout, exitCode } = await run(
      `group lag ${behind} -w --interval 1ms --fail-above 1 --format json`,
      world(),
    );
    expect(linesOf(stdout).map(({ status }) => status)).toEqual(['above_limit']);
    expect(exitCode).toBe(10);
  });

  it('fails the check for a group that has committed nothing, with a member and after its death', async () => {
    const group = `${prefix}-d`;
    const member = await groups.joinClassic(group, topic, [0]);
    const alive = await run(`group lag ${group} --fail-above 2`, world());
    expect([spaced(alive.stdout), alive.exitCode]).toEqual([`GROUP STATE MEMBERS LAG\n${group} Stable 1 3\n`, 10]);
    await groups.leave(group, member);
    const dead = await run(`group lag ${group} --fail-above 2`, world());
    expect(dead).toMatchObject({
      stderr: `the lag of group "${group}" is unknown: it has committed nothing and reads no partition\n`,
      exitCode: 10,
    });
    expect(spaced(dead.stdout)).toBe(`GROUP STATE MEMBERS LAG\n${group} Empty 0 -\n`);
    const watch = await run(`group lag ${group} ${done} --watch --fail-above 2 --format json`, world());
    expect(linesOf(watch.stdout).map(({ status }) => status)).toEqual(['unknown_lag']);
    expect(watch.exitCode).toBe(10);
    // Without a limit, nothing is checked; but the group does not count as one that has read everything.
    expect((await run(`group lag ${group}`, world())).exitCode).toBe(0);
    const until = await run(`group lag ${group} --until-zero --for 1ms`, world());
    expect(until.exitCode).toBe(10);
  });

  it('watches until there is no lag', async () => {
    const group = `${prefix}-c`;
    await groups.commit(group, topic, { 0: 1n });
    let moved: Promise<void> | undefined;
    const { stdout, exitCode } = await run(`group lag ${group} --until-zero --interval 1ms --format json`, {
      ...world(),
      onStdout() {
        moved ??= groups.commit(group, topic, { 0: 3n });
      },
    });
    await moved;
    const ticks = linesOf(stdout);
    expect(exitCode).toBe(0);
    expect(ticks.at(-1)).toMatchObject({
      status: 'done',
      groups: [{ lag: 0, seconds_to_zero: 0, trend: 'shrinking' }],
    });
    expect(ticks.at(-1).groups[0].read_rate).toBeGreaterThan(0);
    expect(ticks.slice(0, -1).every(({ status }) => status === 'running')).toBe(true);
  });

  it('exits with 10 if there is still lag at the end of --for', async () => {
    const { stdout, exitCode } = await run(`group lag ${behind} --until-zero --for 1ms --format json`, world());
    expect(linesOf(stdout).map(({ status }) => status)).toEqual(['not_zero']);
    expect(exitCode).toBe(10);
  });

  it('stops on Ctrl-C', async () => {
    let kill: (signal: 'SIGINT') => void = () => undefined;
    const { stdout, exitCode } = await run(`group lag ${done} -w`, {
      ...world(),
      onStart: (send) => {
        kill = send;
      },
      onStdout: () => kill('SIGINT'),
    });
    expect(spaced(stdout)).toMatch(
      new RegExp(
        `^TIME GROUP STATE MEMBERS LAG READ/S WRITTEN/S TREND ZERO-IN\n\\d{4}-\\S+Z ${done} Empty 0 0 - - - -\n$`,
      ),
    );
    expect(exitCode).toBe(130);
  });

  it('exits with 3 for a group that does not exist, and does not watch it', async () => {
    for (const flag of ['', '--watch']) {
      const { stdout, exitCode } = await run(`group lag ${missing} ${flag}`, world());
      expect(stdout).toContain('GROUP_ID_NOT_FOUND: ');
      expect(exitCode).toBe(3);
    }
    const { stderr, exitCode } = await run(`group lag -r '${prefix}'`, world());
    expect(stderr).toContain(`unable to read the lag: no group matches ${prefix}\n`);
    expect(exitCode).toBe(3);
  });

  it('exits with 4 when the principal may not see the group', async () => {
    await groups.deny(behind);
    const { stdout, exitCode } = await run(`group lag ${behind} --fail-above 5`, { env: limitedUser() });
    expect(stdout).toContain('GROUP_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['group lag g --interval 1s', '--interval needs --watch or --until-zero'],
    ['group lag g --for 1s', '--for needs --watch or --until-zero'],
    ['group lag g -w --interval 0s', 'invalid --interval: it must be longer than 0s'],
    ['group lag g --fail-above -1', 'less than 0'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, world());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
