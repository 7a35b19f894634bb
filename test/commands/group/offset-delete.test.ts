import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { type GroupMaker, limitedUser, makeGroups } from './group-members.ts';

const prefix = `offset-delete-${process.pid}`;
const [group, busy, missing] = [`${prefix}-g`, `${prefix}-busy`, `${prefix}-x`];
const [topic, other] = [`${prefix}-t`, `${prefix}-u`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;

beforeAll(async () => {
  await run(`topic create ${topic} ${other} -p 3`, world());
  groups = await makeGroups();
  await groups.commit(busy, topic, { 0: 0n });
  await groups.joinClassic(busy, topic, [0]);
});

beforeEach(async () => {
  await groups.commit(group, topic, { 0: 0n, 2: 0n });
  await groups.commit(group, other, { 1: 0n });
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic} ${other}`, world());
});

/** The committed offsets of the group, as `TOPIC PARTITION`. */
async function committed(): Promise<readonly string[]> {
  const [row] = JSON.parse((await run(`group describe ${group} --format json`, world())).stdout);
  const rows: { topic: string; partition: number; current_offset: number | null }[] = row.partitions;
  return rows.flatMap((one) => (one.current_offset === null ? [] : `${one.topic} ${one.partition}`));
}

const spaced = (text: string): string => text.replace(/ +/g, ' ');
const none = 'NO_COMMITTED_OFFSET: the group has no committed offset here';

describe('group offset-delete', () => {
  it('deletes all offsets of one topic and some of another, sorted', async () => {
    const { stdout, stderr, exitCode } = await run(`group offset-delete ${group} -t ${other}:1 -t ${topic}`, world());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(spaced(stdout)).toBe(`TOPIC PARTITION STATUS\n${topic} 0 OK\n${topic} 2 OK\n${other} 1 OK\n`);
    expect(await committed()).toEqual([]);
  });

  it('deletes what it can, and exits with 3 for offsets that are not there', async () => {
    const { stdout, exitCode } = await run(`group offset-delete ${group} -t ${topic}:0,1 --no-headers`, world());
    expect(spaced(stdout)).toBe(`${topic} 0 OK\n${topic} 1 ${none}\n`);
    expect(exitCode).toBe(3);
    expect(await committed()).toEqual([`${topic} 2`, `${other} 1`]);
    const unknown = await run(`group offset-delete ${group} -t nope --no-headers`, world());
    expect(unknown).toEqual({ stdout: `nope  -  ${none}\n`, stderr: `weir: nope: ${none}\n`, exitCode: 3 });
  });

  it('refuses the offsets of a topic that a member reads, in a dry run too', async () => {
    for (const flag of ['--dry-run', '']) {
      const { stdout, exitCode } = await run(`group offset-delete ${busy} -t ${topic} ${flag}`, world());
      expect(stdout).toContain('GROUP_SUBSCRIBED_TO_TOPIC: the group is subscribed to the topic');
      expect(exitCode).toBe(6);
    }
  });

  it('only shows what would be deleted with --dry-run', async () => {
    const { stdout, exitCode } = await run(`group offset-delete ${group} -t ${other} --dry-run --format json`, world());
    expect(JSON.parse(stdout)).toEqual([
      { topic: other, partition: 1, offset: 0, status: 'OK', dry_run: true, error: null },
    ]);
    expect(exitCode).toBe(0);
    expect(await committed()).toHaveLength(3);
  });

  it.each([
    ['a.txt', `# mine\n\n${topic} 0\n${other}\t1\n`],
    ['a.json', JSON.stringify([0, 1].map((at) => ({ topic: at === 0 ? topic : other, partition: at })))],
    ['a.yaml', `- {topic: ${topic}, partition: 0}\n- {topic: ${other}, partition: 1}\n`],
  ])('reads the offsets from %s', async (name, content) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, name), content);
    const { exitCode } = await run(`group offset-delete ${group} --from-file ${name} --yes`, { ...world(), cwd });
    expect(exitCode).toBe(0);
    expect(await committed()).toEqual([`${topic} 2`]);
  });

  it('reads the offsets from standard input, and asks on the terminal', async () => {
    const typed: World = { ...world(), stdin: `${topic} 2\n`, terminal: { stderr: true, typed: 'y\n' } };
    const { stderr, exitCode } = await run(`group offset-delete ${group} -f -`, typed);
    expect(stderr).toContain(`Delete 1 committed offset of group "${group}" in 1 topic on `);
    expect(exitCode).toBe(0);
    expect(await committed()).toEqual([`${topic} 0`, `${other} 1`]);
  });

  it('exits with 3 for a group that does not exist', async () => {
    const { stderr, exitCode } = await run(`group offset-delete ${missing} -t ${topic}`, world());
    expect(stderr).toContain(`unable to delete offsets of group "${missing}": GROUP_ID_NOT_FOUND (69): `);
    expect(exitCode).toBe(3);
  });

  it('exits with 4 when the principal may not see the group', async () => {
    await groups.deny(group);
    const { stderr, exitCode } = await run(`group offset-delete ${group} -t ${topic}`, { env: limitedUser() });
    expect(stderr).toContain('GROUP_AUTHORIZATION_FAILED (30)');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['group offset-delete g', 'missing flag --topic or --from-file'],
    ['group offset-delete g -t a -f b', '--topic and --from-file exclude each other'],
    ['group offset-delete g -t a:x', 'not of the form TOPIC:0,1,2'],
    ['group offset-delete g -t :1', 'it has no topic'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, world());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it.each([
    ['', 'unable to use a.txt: it names no partition'],
    ['a 1 2\n', 'unable to use a.txt, line 1: expected TOPIC PARTITION\n'],
    ['a b\n', 'unable to use a.txt, line 1: the partition is not a whole number'],
    ['a 1\na 1\n', 'unable to use a.txt: it names topic a partition 1 twice'],
  ])('rejects a file with %j', async (content, message) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'a.txt'), content);
    const { stderr, exitCode } = await run(`group offset-delete g -f a.txt --yes`, { ...world(), cwd });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('exits with 2 when the file does not exist', async () => {
    const { stderr, exitCode } = await run(`group offset-delete g -f nope.txt --yes`, world());
    expect(stderr).toContain('unable to read nope.txt: no such file\n');
    expect(exitCode).toBe(2);
  });
});
