import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { type GroupMaker, limitedUser, makeGroups } from './group-members.ts';

const prefix = `group-describe-${process.pid}`;
const [idle, classic, consumer, missing] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-c`, `${prefix}-x`];
const [topic, other] = [`${prefix}-t`, `${prefix}-u`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;
let memberId: string;

beforeAll(async () => {
  await run(`topic create ${topic} -p 3`, world());
  await run(`topic create ${other}`, world());
  for (const partition of [0, 1]) {
    await run(`topic produce ${topic} -p ${partition}`, { ...world(), stdin: 'a\nb\nc\nd\ne\n' });
  }
  groups = await makeGroups();
  await groups.commit(idle, topic, { 0: 2n });
  // A commit of a topic that no member reads any more.
  await groups.commit(classic, other, { 0: 0n });
  await groups.commit(classic, topic, { 0: 4n });
  memberId = await groups.joinClassic(classic, topic, [0, 1]);
  await groups.joinConsumer(consumer, topic);
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic} ${other}`, world());
});

const spaced = (text: string): string => text.replace(/ +/g, ' ');

describe('group describe', () => {
  it('prints the summary and every partition of the topics of a group without members', async () => {
    const { stdout, stderr, exitCode } = await run(`group describe ${idle}`, world());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(spaced(stdout)).toBe(
      [
        `GROUP ${idle}\nCOORDINATOR 1\nSTATE Empty\nBALANCER -\nMEMBERS 0\nTOTAL-LAG 8\n`,
        'TOPIC PARTITION CURRENT-OFFSET LOG-START-OFFSET LOG-END-OFFSET LAG MEMBER-ID CLIENT-ID HOST',
        `${topic} 0 2 0 5 3 - - -`,
        `${topic} 1 - 0 5 5 - - -`,
        `${topic} 2 - 0 0 0 - - -`,
        '',
      ].join('\n'),
    );
  });

  it('prints the assigned partitions with their member, and those of its topics that nobody reads', async () => {
    const { stdout } = await run(`group describe ${classic} -c --no-headers`, world());
    const client = '127.0.0.1';
    expect(spaced(stdout)).toBe(
      [
        `${topic} 0 4 0 5 1 ${memberId} weir-test ${client}`,
        `${topic} 1 - 0 5 5 ${memberId} weir-test ${client}`,
        `${topic} 2 - 0 0 0 - - -`,
        `${other} 0 0 0 0 0 - - -`,
        '',
      ].join('\n'),
    );
  });

  it('describes groups of both protocols, sorted by name, with the whole answer in JSON', async () => {
    const { stdout, exitCode } = await run(`group describe ${consumer} ${classic} --format json`, world());
    expect(exitCode).toBe(0);
    const [first, second] = JSON.parse(stdout);
    expect(first).toMatchObject({
      ...{ group: classic, type: 'classic', coordinator: 1, state: 'Stable', balancer: 'range', members: 1 },
      ...{ total_lag: 6, error: null },
      member_list: [
        {
          ...{ member_id: memberId, instance_id: null, host: '/127.0.0.1' },
          assignment: [{ topic, partitions: [0, 1] }],
        },
      ],
    });
    expect(second).toMatchObject({ group: consumer, type: 'consumer', balancer: 'uniform', members: 1, error: null });
    expect(second.partitions.map((row: { partition: number; lag: number }) => [row.partition, row.lag])).toEqual([
      [0, 5],
      [1, 5],
      [2, 0],
    ]);
  });

  it('prints the type of a group that is not classic', async () => {
    const { stdout } = await run(`group describe ${consumer} -s`, world());
    expect(spaced(stdout)).toMatch(
      /^GROUP \S+\nCOORDINATOR 1\nSTATE \w+\nTYPE consumer\nBALANCER uniform\nMEMBERS 1\nTOTAL-LAG 10\n$/,
    );
  });

  it('prints the members with what is assigned to them', async () => {
    const { stdout } = await run(`group describe ${classic} -m`, world());
    expect(spaced(stdout).split('\n\n')[1]).toBe(
      `MEMBER-ID CLIENT-ID HOST ASSIGNMENT\n${memberId} weir-test 127.0.0.1 ${topic}:0,1\n`,
    );
  });

  it('prints the lag of each topic below the summaries, with the group if there are several', async () => {
    const one = (await run(`group describe ${classic} -t`, world())).stdout;
    expect(spaced(one).split('\n\n')[1]).toBe(`TOPIC LAG\n${topic} 6\n${other} 0\n`);
    const both = (await run(`group describe -r '${prefix}-[ab]' -t -s`, world())).stdout;
    expect(spaced(both).split('\n\n')[2]).toBe(
      `GROUP TOPIC LAG\n${idle} ${topic} 8\n${classic} ${topic} 6\n${classic} ${other} 0\n`,
    );
  });

  it.each(['text', 'json', 'yaml'])('exits with 3 in %s for a group that does not exist', async (format) => {
    const { stdout, stderr, exitCode } = await run(`group describe ${missing} ${idle} --format ${format}`, world());
    const hint = `no group "${missing}" exists; did you mean "${idle}"?`;
    expect(exitCode).toBe(3);
    const reason = `${missing}: GROUP_ID_NOT_FOUND: Group ${missing} not found. (1 of 2 failed)`;
    if (format === 'text') expect(stderr).toBe(`weir: ${reason}\nhint: ${hint}\n`);
    else expect(parse(stderr).error).toMatchObject({ message: reason, hint });
    expect(stdout).toContain('GROUP_ID_NOT_FOUND');
    expect(stdout).toContain(idle);
  });

  it('prints only a summary with the error for a group that does not exist', async () => {
    expect(spaced((await run(`group describe ${missing}`, world())).stdout)).toMatch(
      new RegExp(
        `^GROUP ${missing}\nCOORDINATOR 1\nSTATE -\nBALANCER -\nMEMBERS 0\nTOTAL-LAG -\nERROR GROUP_ID_NOT_FOUND: `,
      ),
    );
  });

  it('exits with 3 when no group matches', async () => {
    expect(await run(`group describe -r '${prefix}'`, world())).toEqual({
      stdout: '',
      stderr:
        `weir: unable to describe groups: no group matches ${prefix}\n` +
        `hint: the pattern must match the whole name; did you mean '${prefix}.*'?\n`,
      exitCode: 3,
    });
  });

  it('exits with 4 when the principal may not describe the group', async () => {
    await groups.deny(prefix);
    const { stdout, exitCode } = await run(`group describe ${idle}`, { env: limitedUser() });
    expect(stdout).toContain('GROUP_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it('shows what is left of a group whose topic was deleted', async () => {
    const gone = `${prefix}-gone`;
    await run(`topic create ${gone}`, world());
    await groups.commit(`${prefix}-d`, gone, { 0: 0n });
    await run(`topic delete ${gone}`, world());
    const { stdout, exitCode } = await run(`group describe ${prefix}-d --format json`, world());
    const [row] = JSON.parse(stdout);
    // Brokers may remove the offsets of a deleted topic at any time.
    const codes = row.partitions.map(({ error }: { error: { code: string } }) => error.code);
    expect([
      [0, []],
      [3, []],
      [1, ['UNKNOWN_TOPIC_OR_PARTITION']],
    ]).toContainEqual([exitCode, codes]);
  });

  it.each([
    [['group', 'describe'], 'GROUP'],
    [['group', 'describe', ''], 'invalid group name "": it is empty'],
    [['group', 'describe', 'g', '-s', '-c'], '--print-summary and --print-commits exclude each other'],
    [['group', 'describe', '-r', '[a'], 'invalid regular expression "[a"'],
  ])('%j is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: services().plaintext } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
