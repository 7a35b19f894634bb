import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { type GroupMaker, limitedUser, makeGroups } from './group-members.ts';

const prefix = `group-seek-${process.pid}`;
const [group, other, busy, fresh] = [`${prefix}-g`, `${prefix}-other`, `${prefix}-busy`, `${prefix}-new`];
const [topic, second] = [`${prefix}-t`, `${prefix}-u`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;
/** The id of `topic`. */
let id = '';

/** Partition 0 has records of 2024-01-01 (offsets 0 to 2) and 2024-02-01 (offsets 3 and 4), partition 1 has none. */
const january = Date.parse('2024-01-01T00:00:00Z');
const february = Date.parse('2024-02-01T00:00:00Z');

beforeAll(async () => {
  const created = await run(`topic create ${topic} -p 2 -c retention.ms=-1 --format json`, world());
  id = JSON.parse(created.stdout)[0].topic_id;
  await run(`topic create ${second}`, world());
  const lines = [january, january, january, february, february].map((time) =>
    JSON.stringify({ value: 'v', timestamp: time }),
  );
  await run(`topic produce ${topic} -p 0 --format json`, { ...world(), stdin: `${lines.join('\n')}\n` });
  await run(`topic produce ${second}`, { ...world(), stdin: 'a\nb\n' });
  groups = await makeGroups();
  await groups.commit(other, topic, { 0: 1n });
  await groups.commit(other, second, { 0: 2n });
  await groups.joinClassic(busy, topic, [0]);
});

beforeEach(async () => {
  await run(`group delete ${group} ${fresh}`, world());
  await groups.commit(group, topic, { 0: 2n });
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic} ${second}`, world());
});

/** The committed offsets of a group, as `TOPIC PARTITION OFFSET`. */
async function committed(name = group): Promise<readonly string[]> {
  const [row] = JSON.parse((await run(`group describe ${name} --format json`, world())).stdout);
  const rows: { topic: string; partition: number; current_offset: number | null }[] = row.partitions;
  return rows.flatMap((one) =>
    one.current_offset === null ? [] : `${one.topic} ${one.partition} ${one.current_offset}`,
  );
}

const spaced = (text: string): string => text.replace(/ +/g, ' ');

describe('group seek', () => {
  it('moves all partitions of the topics of the group, and shows the offsets before and after', async () => {
    const { stdout, stderr, exitCode } = await run(`group seek ${group} --to end --yes`, world());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(spaced(stdout)).toBe(
      `TOPIC PARTITION PRIOR-OFFSET NEW-OFFSET SHIFT ERROR\n${topic} 0 2 5 +3\n${topic} 1 - 0 -\n`,
    );
    expect(await committed()).toEqual([`${topic} 0 5`, `${topic} 1 0`]);
  });

  it.each([
    ['start', 0],
    ['end', 5],
    ['2024-01-15', 3],
    ['2024-01-01T00:00:00Z', 0],
    ['1705312800', 3],
    ['1705312800000', 3],
    ['1705312800000000000', 3],
    ['2024-03-01', 5],
    ['-1h', 5],
    ['@-1h', 5],
    ['-876000h', 0],
  ])('moves to %s', async (place, offset) => {
    await run(`group seek ${group} --to ${place} --yes`, world());
    expect((await committed())[0]).toBe(`${topic} 0 ${offset}`);
  });

  it('commits offsets of new topics, and of new groups, only when asked to', async () => {
    const refused = await run(`group seek ${group} --to end --topics ${second} --yes`, world());
    expect(refused).toEqual({
      stdout: '',
      stderr:
        `weir: unable to seek group "${group}": it has no committed offset of topic "${second}"\n` +
        'hint: give --allow-new-topics to commit offsets of new topics\n',
      exitCode: 2,
    });
    const typo = `${prefix}-othr`;
    for (const target of [`--to end --topics ${second} --allow-new-topics`, '--to end', `--to-group ${group}`]) {
      expect(await run(`group seek ${typo} ${target} --yes`, world())).toEqual({
        stdout: '',
        stderr:
          `weir: unable to seek group "${typo}": there is no group with this name\n` +
          `hint: did you mean "${other}"? see the groups with: weir group list\n` +
          'hint: give --allow-new-group to create the group\n',
        exitCode: 3,
      });
    }
    const { stdout } = await run(
      `group seek ${fresh} --to end --topics ${second} --allow-new-group --no-headers --yes`,
      world(),
    );
    expect(spaced(stdout)).toBe(`${second} 0 - 2 -\n`);
    expect(await committed(fresh)).toEqual([`${second} 0 2`]);
  });

  it('copies the offsets of another group, of all topics or some', async () => {
    await run(`group seek ${group} --to-group ${other} --topics ${second} --yes`, world());
    expect(await committed()).toEqual([`${topic} 0 2`, `${second} 0 2`]);
    await run(`group seek ${group} --to-group ${other} --yes`, world());
    expect(await committed()).toEqual([`${topic} 0 1`, `${second} 0 2`]);
  });

  it('writes an undo file that --to-file reads', async () => {
    const cwd = temporaryDirectory();
    await run(`group seek ${group} --to end --undo-file undo.txt --yes`, { ...world(), cwd });
    expect(readFileSync(join(cwd, 'undo.txt'), 'utf8').replaceAll(id, 'ID')).toBe(
      `# committed offsets of group "${group}" before a seek: topic, partition, offset, topic id\n` +
        `${topic} 0 2 ID\n${topic} 1 - ID\n`,
    );
    expect(statSync(join(cwd, 'undo.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
    const { stdout } = await run(`group seek ${group} --to-file undo.txt --no-headers --yes`, { ...world(), cwd });
    expect(spaced(stdout)).toBe(`${topic} 0 5 2 -3\n${topic} 1 0 - -\n`);
    expect(await committed()).toEqual([`${topic} 0 2`]);
    const again = await run(`group seek ${group} --to end --undo-file undo.txt --yes`, { ...world(), cwd });
    expect(again).toMatchObject({ stdout: '', exitCode: 6 });
    expect(again.stderr).toContain('unable to write undo.txt: the file exists\n');
    expect((await committed())[0]).toBe(`${topic} 0 2`);
  });

  it('writes no undo file if there is nothing to undo, and none to standard output', async () => {
    const cwd = temporaryDirectory();
    const nothing = await run(`group seek ${group} --to-file - --undo-file undo.txt --yes`, {
      ...{ ...world(), cwd },
      stdin: `${topic} 9 1\n`,
    });
    expect(nothing.stderr).toMatch(
      /^there is nothing to undo: undo.txt is not written\nweir: .*\/9: UNKNOWN_TOPIC_OR_PARTITION/,
    );
    expect(existsSync(join(cwd, 'undo.txt'))).toBe(false);
    const refused = await run(`group seek ${group} --to end --undo-file - --yes`, { ...world(), cwd });
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect(refused.stderr).toContain('standard output has the result; for a file with this name, use ./-');
  });

  it('writes an undo file in JSON if its name says so, and restores even the largest offset', async () => {
    const cwd = temporaryDirectory();
    const largest = 2n ** 63n - 1n;
    await groups.commit(group, topic, { 0: largest });
    await run(`group seek ${group} --to end --undo-file undo.json --yes`, { ...world(), cwd });
    expect(JSON.parse(readFileSync(join(cwd, 'undo.json'), 'utf8'))).toEqual([
      { topic, partition: 0, offset: String(largest), topic_id: id },
      { topic, partition: 1, offset: '-', topic_id: id },
    ]);
    const { stdout } = await run(`group seek ${group} --to-file undo.json --no-headers --yes`, { ...world(), cwd });
    expect(spaced(stdout)).toBe(`${topic} 0 5 ${largest} +${largest - 5n}\n${topic} 1 0 - -\n`);
    const tooLarge = { ...world(), stdin: `${topic} 0 ${largest + 1n}\n` };
    expect(await run(`group seek ${group} --to-file - --yes`, tooLarge)).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['latin-1', Buffer.from('# caf\xe9\nx 0 1\n', 'latin1')],
    ['UTF-16', Buffer.from('x 0 1\n', 'utf16le')],
  ])('refuses a file in %s', async (_, bytes) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'a.txt'), bytes);
    const { stdout, exitCode } = await run(`group seek ${group} --to-file a.txt --yes`, { ...world(), cwd });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });

  it('commits what a file names, with an error for a partition that does not exist', async () => {
    const stdin = `${topic} 0 4\n${topic} 9 1\n`;
    const { stdout, exitCode } = await run(`group seek ${group} --to-file - --no-headers --yes`, { ...world(), stdin });
    expect(spaced(stdout)).toBe(
      `${topic} 0 2 4 +2\n${topic} 9 - - - UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
    );
    expect(exitCode).toBe(3);
    expect((await committed())[0]).toBe(`${topic} 0 4`);
  });

  it('warns about an offset outside the log', async () => {
    const { stderr, exitCode } = await run(`group seek ${group} --to-file - --yes`, {
      ...world(),
      stdin: `${topic} 0 99\n`,
    });
    expect(stderr).toBe(`warning: offset 99 is outside the log of topic "${topic}" partition 0 (0 to 5)\n`);
    expect(exitCode).toBe(0);
  });

  it('only shows the plan with --dry-run, and writes no undo file', async () => {
    const cwd = temporaryDirectory();
    const line = `group seek ${group} --to start --dry-run --undo-file undo.txt --format json`;
    const { stdout, exitCode } = await run(line, { ...world(), cwd });
    expect(JSON.parse(stdout)).toEqual([
      {
        group,
        topic,
        partition: 0,
        prior_offset: 2,
        new_offset: 0,
        shift: -2,
        status: 'OK',
        dry_run: true,
        error: null,
      },
      {
        group,
        topic,
        partition: 1,
        prior_offset: null,
        new_offset: 0,
        shift: null,
        status: 'OK',
        dry_run: true,
        error: null,
      },
    ]);
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, 'undo.txt'))).toBe(false);
    expect(await committed()).toEqual([`${topic} 0 2`]);
  });

  it('skips one record of one partition, without a terminal and without --yes', async () => {
    await groups.commit(group, topic, { 0: 2n, 1: 0n });
    const skipped = await run(`group seek ${group} --to +1 --topics ${topic}:0`, world());
    expect(spaced(skipped.stdout)).toBe(`TOPIC PARTITION PRIOR-OFFSET NEW-OFFSET SHIFT ERROR\n${topic} 0 2 3 +1\n`);
    const back = await run(`group seek ${group} --to -2 --topics ${topic}:0,1 --no-headers`, world());
    expect(spaced(back.stdout)).toBe(`${topic} 0 3 1 -2\n${topic} 1 0 0 0\n`);
    expect(back.stderr).toBe(
      `warning: offset -2 is outside the log of topic "${topic}" partition 1 (0 to 0): moving to 0\n1 partition needed no change\n`,
    );
    expect(await committed()).toEqual([`${topic} 0 1`, `${topic} 1 0`]);
    await run(`group seek ${group} --to 4 --topics ${topic}:0`, world());
    expect(await committed()).toEqual([`${topic} 0 4`, `${topic} 1 0`]);
  });

  it('shifts nothing where nothing is committed, and reads numbers of 10 digits as times', async () => {
    const { stdout, exitCode } = await run(`group seek ${group} --to +1 --topics ${topic}:1 --no-headers`, world());
    expect(spaced(stdout)).toBe(`${topic} 1 - - - NO_COMMITTED_OFFSET: the group has no committed offset here\n`);
    expect(exitCode).toBe(3);
    const time = await run(`group seek ${group} --to 1705312800 --dry-run`, world());
    expect(time.stderr).toContain('for the offset 1705312800, use --to-offset\n');
    const { stdout: moved } = await run(`group seek ${group} --to-offset 1705312800 --no-headers`, world());
    expect(spaced(moved)).toBe(`${topic} 0 2 5 +3\n${topic} 1 - 0 -\n`);
  });

  it('moves several groups, all or none; those of a pattern need --yes without a terminal', async () => {
    await groups.commit(fresh, topic, { 0: 1n });
    const refused = await run(`group seek -r ${prefix}-(g|new) --to start`, world());
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    const busyToo = await run(`group seek ${group} ${busy} --to start`, world());
    expect(busyToo).toMatchObject({ stdout: '', exitCode: 6 });
    expect(await committed()).toEqual([`${topic} 0 2`]);
    const { stdout } = await run(`group seek ${group} ${fresh} --to +1`, world());
    expect(spaced(stdout)).toBe(
      `GROUP TOPIC PARTITION PRIOR-OFFSET NEW-OFFSET SHIFT ERROR\n${group} ${topic} 0 2 3 +1\n${fresh} ${topic} 0 1 2 +1\n`,
    );
    expect(await committed(fresh)).toEqual([`${topic} 0 2`]);
    const undo = await run(`group seek ${group} ${fresh} --to +1 --undo-file undo.txt`, world());
    expect(undo).toMatchObject({ stdout: '', exitCode: 2 });
  });

  it('shows the plan before the question, and changes nothing on no', async () => {
    const person: World = { ...world(), stdin: 'n\n', terminal: { stdin: true, stdout: true, stderr: true } };
    const { stdout, stderr, exitCode } = await run(`group seek ${group} --to start`, person);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(spaced(stderr)).toContain(
      `TOPIC PARTITION PRIOR-OFFSET NEW-OFFSET SHIFT\n${topic} 0 2 0 -2\n${topic} 1 - 0 -\n` +
        `Move the committed offsets of 2 partitions of group "${group}" on `,
    );
    expect(await committed()).toEqual([`${topic} 0 2`]);
  });

  it.each(['', '--dry-run'])('refuses a group with members and says who they are (%s)', async (flag) => {
    expect(
      await run(`group seek ${busy} --to start --topics ${topic} --allow-new-topics ${flag} --yes`, world()),
    ).toEqual({
      stdout: '',
      stderr: `weir: unable to seek group "${busy}": it has 1 member\nhint: stop weir-test (127.0.0.1) first\n`,
      exitCode: 6,
    });
  });

  it.each([
    [`group seek ${fresh} --to end --allow-new-group`, `unable to seek group "${fresh}": it has no committed offsets`],
    [`group seek ${group} --to-group ${busy}`, `unable to seek to group "${busy}": it has no committed offsets`],
    [`group seek ${group} --to-group ${prefix}-othr`, `hint: did you mean "${other}"? see the groups`],
    [`group offset-delete ${prefix}-othr -t t --yes`, `hint: did you mean "${other}"? see the groups`],
    [`group delete ${prefix}-othr --yes`, `hint: no group "${prefix}-othr" exists; did you mean "${other}"?\n`, 'rows'],
    [`group describe ${prefix}-othr`, `hint: no group "${prefix}-othr" exists; did you mean "${other}"?\n`, 'rows'],
    [`group lag ${prefix}-othr`, `hint: no group "${prefix}-othr" exists; did you mean "${other}"?\n`, 'rows'],
    [`group seek ${group} --to end --topics nope --allow-new-topics`, 'unable to seek to topic "nope": UNKNOWN_TOPIC'],
    [
      `group seek ${group} --to-group ${other} --topics nope --yes`,
      'unable to seek to topic "nope": the target has no offset',
    ],
  ])('%s exits with 3', async (line, message, rows = '') => {
    const { stdout, stderr, exitCode } = await run(line, world());
    expect(stderr).toContain(message);
    expect({ hasRows: stdout !== '', exitCode }).toEqual({ hasRows: rows !== '', exitCode: 3 });
  });

  it('exits with 4 when the principal may not see the group', async () => {
    await groups.deny(group);
    const { stderr, exitCode } = await run(`group seek ${group} --to start --yes`, { env: limitedUser() });
    expect(stderr).toContain('GROUP_AUTHORIZATION_FAILED (30)');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['group seek g', 'missing flag --to, --to-offset, --to-group or --to-file'],
    ['group seek g --to end --to-group h', '--to, --to-offset, --to-group and --to-file exclude each other'],
    ['group seek g --to @12345', 'invalid value "@12345" of --to: not a time'],
    ['group seek g --to 2024-02-31', 'not a valid date or time of day'],
    ['group seek g --to 2024-01-01:end', 'not a time'],
    ['group seek g --to 24h', 'it is in the future (20'],
    ['group seek g --to @24h', 'hint: did you mean -24h?\n'],
    ['group seek g --to 2099-01-01', 'hint: use end for the end of the log\n'],
    ['group seek g --to end --topics a,b/c', 'it contains "/"'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, world());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it.each([
    ['a 1\n', 'unable to use a.txt, line 1: expected TOPIC PARTITION OFFSET'],
    ['a 1 5 id\n', 'unable to use a.txt, line 1: the topic id has not 22 letters, digits, - and _'],
    ['a 1 -5\n', 'unable to use a.txt, line 1: the offset is not a whole number'],
  ])('rejects a file with %j', async (content, message) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'a.txt'), content);
    const { stderr, exitCode } = await run('group seek g --to-file a.txt --yes', { ...world(), cwd });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
