import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { type GroupMaker, makeGroups } from './group-members.ts';

const prefix = `group-list-${process.pid}`;
const [idle, classic, consumer, topic] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-c`, `${prefix}-t`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;

beforeAll(async () => {
  await run(`topic create ${topic}`, world());
  groups = await makeGroups();
  await groups.commit(idle, topic, { 0: 0n });
  await groups.joinClassic(classic, topic, [0]);
  await groups.joinConsumer(consumer, topic);
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic}`, world());
});

/** The lines about this test's groups, with single spaces. */
function own(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes(prefix))
    .map((line) => line.replace(/ +/g, ' '));
}

describe('group list', () => {
  it('lists groups by name with coordinator and state', async () => {
    const { stdout, stderr, exitCode } = await run('group list', world());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^BROKER {2}GROUP +STATE\n/);
    expect(own(stdout).slice(0, 2)).toEqual([`1 ${idle} Empty`, `1 ${classic} Stable`]);
  });

  it('adds the types with --format wide', async () => {
    const { stdout } = await run('g ls --format wide', world());
    expect(stdout).toMatch(/^BROKER {2}GROUP +STATE +TYPE +PROTOCOL-TYPE\n/);
    expect(own(stdout)[0]).toBe(`1 ${idle} Empty classic -`);
    expect(own(stdout)[1]).toBe(`1 ${classic} Stable classic consumer`);
    expect(own(stdout)[2]).toMatch(/ consumer consumer$/);
  });

  it.each([
    ['--states empty', [idle]],
    ['-s EMPTY,Dead', [idle]],
    ['--types consumer', [consumer]],
    ['-t consumer -t classic -s Stable', [classic, consumer]],
    ['--types share', []],
  ])('selects groups with %s', async (flags, names) => {
    // The member of the consumer protocol reconciles until it reports its partitions.
    const states = flags.includes('Stable') ? ',Reconciling,Assigning' : '';
    const { stdout } = await run(`group list ${flags}${states} --format json`, world());
    const rows: { group: string; error: unknown }[] = JSON.parse(stdout);
    expect(rows.filter(({ group }) => group.startsWith(prefix)).map(({ group }) => group)).toEqual(names);
  });

  it('lists the groups that read a topic: by offsets, and by members that have committed nothing', async () => {
    const [other, none, reader] = [`${prefix}-other`, `${prefix}-none`, `reader-of-${prefix}`];
    await run(`topic create ${other} ${none}`, world());
    await groups.commit(reader, other, { 0: 0n });
    // Its offsets are those of the source; it reads nothing of the destination.
    await run(`topic copy ${other} ${none}`, world());
    await expect.poll(async () => own((await run(`group list --topic ${topic}`, world())).stdout).length).toBe(3);
    expect(own((await run(`group list --topics ${other}`, world())).stdout)).toEqual([`1 ${reader} Empty`]);
    const { stdout, stderr, exitCode } = await run(`group list --topics ${none} --no-headers`, world());
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `no group reads ${none}\n`, exitCode: 0 });
    const missing = await run(`group list --topic ${topic}-x`, world());
    expect(missing).toMatchObject({ stdout: '', exitCode: 3 });
    expect(missing.stderr).toContain(`unable to list the groups of topic "${topic}-x": UNKNOWN_TOPIC_OR_PARTITION`);
    await run(`topic delete ${other} ${none}`, world());
    await run(`group delete -r ${reader}|weir-copy-${other}.* --yes`, world());
  });

  it('has the same rows in JSON', async () => {
    const rows: { group: string }[] = JSON.parse((await run('group list --format json', world())).stdout);
    expect(rows.find(({ group }) => group === idle)).toEqual({
      ...{ broker: 1, group: idle, state: 'Empty', type: 'classic', protocol_type: '', error: null },
    });
  });

  it('rejects an unknown state', async () => {
    const { stderr, exitCode } = await run('group list --states sleeping', world());
    expect(exitCode).toBe(2);
    expect(stderr).toContain('not one of PreparingRebalance, CompletingRebalance, Stable, Empty, Dead');
  });
});
