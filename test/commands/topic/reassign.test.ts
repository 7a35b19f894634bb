import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Property } from '../../../src/sandbox/kafka/properties.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { startThree } from '../../services/brokers.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { type Cluster3, services } from '../../services/services.ts';
import { knownEverywhere, leadersEverywhere } from '../../services/visibility.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { limitedWorld } from '../cluster/limited-world.ts';
import { throttleTests, throttleUsers } from './reassign-throttle.ts';

const prefix = `reassign-${process.pid}`;
const [quick, slow, failing] = [`${prefix}-quick`, `${prefix}-slow`, `${prefix}-failing`];
const home = temporaryDirectory();
let cluster: Cluster3;
const three = () => ({ home, cwd: home, env: { WEIR_BROKERS: cluster.brokers } });

beforeAll(async () => {
  const { runtime, directory } = services();
  // Its own cluster: the last test stops a broker.
  const more = (id: number): readonly Property[] => [
    ['broker.rack', id === 3 ? 'b' : 'a'],
    ['broker.session.timeout.ms', 3000],
  ];
  cluster = await startThree(join(directory, 'reassign'), runtime, more, throttleUsers);
  await run(`topic create ${quick} ${slow} ${failing} -p 1 -r 1`, three());
  for (const topic of [quick, slow, failing]) await knownEverywhere(cluster.brokers, topic);
  // More than a replica fetches before a throttle of one byte per second holds it, so not compressed.
  const records = `${'x'.repeat(100_000)}\n`.repeat(40);
  expect(await run(`topic produce ${slow} -z none`, { ...three(), stdin: records })).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await Promise.all(cluster.nodes.map(({ process }) => stop(process, { graceMs: 0 })));
});

/** The broker that has the only replica of a topic, and another one. */
async function brokersOf(topic: string): Promise<readonly [mine: number, other: number]> {
  const { stdout } = await run(`topic list ${topic} -d --format json`, three());
  const mine: number = JSON.parse(stdout)[0].partition_list[0].replicas[0];
  return [mine, (mine % 3) + 1];
}

function file(name: string, partitions: readonly object[]): string {
  writeFileSync(join(home, name), JSON.stringify({ version: 1, partitions }));
  return name;
}

async function rows(line: string): Promise<unknown> {
  return JSON.parse((await run(`${line} --format json`, three())).stdout);
}

/** Resolves when every broker knows that this broker has the only replica of a topic. */
async function isAt(topic: string, broker: number): Promise<void> {
  await leadersEverywhere(cluster.brokers, topic, ({ replicas }) => replicas.length === 1 && replicas[0] === broker);
}

/** Resolves when these configs throttle the slow topic, according to every broker. */
async function throttledBy(broker: number, expected: readonly string[]): Promise<void> {
  const isExpected = async (): Promise<boolean> => (await throttles(broker)).join() === expected.join();
  while (!(await isExpected())) await delay(20);
}

/** The configs of the slow topic and of a broker that throttle it. */
async function throttles(broker: number): Promise<readonly string[]> {
  const topic = await run(`topic describe ${slow} -c --no-headers`, three());
  const rate = await run(`cluster config list -b ${broker} --no-headers`, three());
  const lines = `${topic.stdout}${rate.stdout}`.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
  return lines.filter(
    (line) => /replication\.throttled\S+ \d/.test(line) || /replication\.throttled.*DYNAMIC/.test(line),
  );
}

function placement(topic: string, ...replicas: readonly number[]): string {
  return JSON.stringify({ version: 1, partitions: [{ topic, partition: 0, replicas }] });
}

const weir = (line: string, stdin = '') => run(line, { ...three(), stdin });

/** The brokers other than 3. */
function living(): string {
  const addresses = cluster.nodes.filter(({ id }) => id !== 3).map(({ address }) => address);
  return addresses.join(',');
}

/** Resolves when both living brokers know that broker 3 is gone. */
async function delistedEverywhere(): Promise<void> {
  for (const address of living().split(',')) {
    const ids = async (): Promise<readonly number[]> => {
      await using client = clientOf([address]);
      return (await client.metadata([])).brokers.map(({ id }) => id);
    };
    while ((await ids()).includes(3)) await delay(50);
  }
}

describe('topic reassign', { shuffle: false }, () => {
  it('plans a move into a file, executes it, and undoes it', async () => {
    const [mine, other] = await brokersOf(quick);
    const header = `TOPIC${' '.repeat(quick.length - 3)}PARTITION  OLD-REPLICAS  NEW-REPLICAS`;
    expect(await run(`topic reassign plan ${quick} --brokers ${other} --out plan.json`, three())).toEqual({
      stdout: `${header}\n${quick}  0          [${mine}]           [${other}]\n`,
      stderr: 'start the moves with: weir topic reassign execute plan.json\n',
      exitCode: 0,
    });
    expect(JSON.parse(readFileSync(join(home, 'plan.json'), 'utf8'))).toEqual({
      version: 1,
      partitions: [{ topic: quick, partition: 0, replicas: [other] }],
    });
    const row = { topic: quick, partition: 0, old_replicas: [mine], new_replicas: [other], error: null };
    expect(await rows('topic reassign execute plan.json --dry-run')).toEqual([{ ...row, status: 'OK', dry_run: true }]);
    expect(await brokersOf(quick)).toEqual([mine, other]);
    const done = await run('topic reassign execute plan.json --wait --undo-file undo.json --yes', three());
    expect(done).toEqual({
      stdout: `${header}  STATUS\n${quick}  0          [${mine}]           [${other}]           OK\n`,
      stderr: '',
      exitCode: 0,
    });
    await isAt(quick, other);
    expect(await rows('topic reassign execute plan.json --yes')).toEqual([
      { ...row, old_replicas: [other], status: 'NOT_NEEDED', dry_run: false },
    ]);
    const again = await run('topic reassign execute undo.json --undo-file undo.json --yes', three());
    expect(again).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('unable to write undo.json: the file exists'),
    });
    const undo = readFileSync(join(home, 'undo.json'), 'utf8');
    expect((await weir('topic reassign execute - --wait --yes', undo)).exitCode).toBe(0);
    await isAt(quick, mine);
    const none = await run(`topic reassign plan ${quick} --brokers ${mine}`, three());
    expect(none).toMatchObject({ stderr: 'no partition needs to change\n', exitCode: 0 });
  });

  it('asks with the plan above the question, and moves nothing on no', async () => {
    const [mine, other] = await brokersOf(failing);
    const plan = file('ask.json', [{ topic: failing, partition: 0, replicas: [other] }]);
    const person = { ...three(), stdin: 'n\n', terminal: { stdin: true, stdout: true, stderr: true } };
    const { stderr, exitCode } = await run(`topic reassign execute ${plan}`, person);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `[${mine}]           [${other}]           OK (dry run)\nMove the replicas of 1 partition (${failing}) on `,
    );
    expect(await brokersOf(failing)).toEqual([mine, other]);
  });

  it('throttles a move, lists it, refuses a second one, and cancels it with its throttle', async () => {
    const [mine, other] = await brokersOf(slow);
    const plan = file('slow.json', [{ topic: slow, partition: 0, replicas: [other], log_dirs: ['any'] }]);
    expect(await run(`topic reassign execute ${plan} --throttle 1 --yes`, three())).toMatchObject({
      stderr: `wait for them and remove the throttle with: weir topic reassign wait ${slow}\n`,
      exitCode: 0,
    });
    const [row, ...others] = (await rows(`topic reassign list ${slow}`)) as [Record<string, unknown>];
    expect(others).toEqual([]);
    expect(row).toMatchObject({ topic: slow, partition: 0, adding: [other], removing: [mine] });
    expect(Number(row?.copied_bytes)).toBeLessThan(Number(row?.total_bytes));
    await throttledBy(mine, [
      `follower.replication.throttled.replicas 0:${other} DYNAMIC_TOPIC_CONFIG`,
      `leader.replication.throttled.replicas 0:${mine} DYNAMIC_TOPIC_CONFIG`,
      `${mine} follower.replication.throttled.rate 1 DYNAMIC_BROKER_CONFIG`,
      `${mine} leader.replication.throttled.rate 1 DYNAMIC_BROKER_CONFIG`,
    ]);
    const early = await run(`topic reassign plan ${slow}`, three());
    expect(early).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('partition 0 is being reassigned') });
    const second = await run(`topic reassign execute ${plan} --no-headers --yes`, three());
    expect(second).toMatchObject({ exitCode: 6, stdout: expect.stringContaining('REASSIGNMENT_IN_PROGRESS') });
    expect((await run(`topic reassign cancel --all --dry-run --no-headers`, three())).stdout).toContain(`${slow}  0`);
    const printed = Promise.withResolvers<void>();
    const watching = run(`topic reassign list ${slow} --watch --format json`, {
      ...three(),
      onStdout: () => printed.resolve(),
    });
    await printed.promise;
    const canceled = await run(`topic reassign cancel ${slow} --no-headers`, three());
    expect(canceled).toMatchObject({ stderr: `removed the throttle of ${slow}\n`, exitCode: 0 });
    expect(canceled.stdout.trim()).toMatch(new RegExp(`^${slow} .*\\[${mine}\\] +OK$`));
    const watched = await watching;
    expect(watched.exitCode).toBe(0);
    const readings = watched.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(readings[0]).toMatchObject([{ topic: slow, adding: [other] }]);
    expect(readings.at(-1)).toEqual([]);
    await throttledBy(mine, []);
    await throttledBy(other, []);
    expect(await run(`topic reassign list ${slow} --no-headers`, three())).toEqual({
      stdout: '',
      stderr: 'no reassignment is in progress\n',
      exitCode: 0,
    });
  });

  it('says after Ctrl-C what is left, and removes the throttle when the move is done', async () => {
    const [, other] = await brokersOf(slow);
    const plan = file('stopped.json', [{ topic: slow, partition: 0, replicas: [other] }]);
    let kill: (signal: 'SIGINT') => void = () => undefined;
    const onStart = (given: typeof kill): void => {
      kill = given;
    };
    // Its progress shows that it waits: before that, the signal may come while the move is asked for.
    const onStderr = (text: string): void => {
      if (text.includes('1 left')) kill('SIGINT');
    };
    const { stderr, exitCode } = await run(`topic reassign execute ${plan} --throttle 1 --wait --yes`, {
      ...three(),
      terminal: { stderr: true },
      onStart,
      onStderr,
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('stopped waiting; the reassignments continue, and their throttle stays\n');
    expect(stderr).toContain(`weir topic reassign wait ${slow}\n`);
    // A higher rate lets it finish.
    const faster = `topic reassign execute ${plan} --additional --throttle 100000000 --wait --yes`;
    expect(await run(faster, three())).toMatchObject({ stderr: `removed the throttle of ${slow}\n`, exitCode: 0 });
    await throttledBy(other, []);
    await isAt(slow, other);
    expect(await run(`topic reassign wait ${slow}`, three())).toMatchObject({
      stderr: 'no reassignment is in progress\n',
      exitCode: 0,
    });
  });

  throttleTests({ home, topic: slow, weir, three, at: () => cluster, brokersOf: () => brokersOf(slow) });

  it('keeps a throttle of all replicas, which is not from a reassignment', async () => {
    const key = 'leader.replication.throttled.replicas';
    await weir(`topic alter-config ${failing} --set ${key}=*`);
    expect(await weir(`topic reassign wait ${failing}`)).toMatchObject({
      stderr: 'no reassignment is in progress\n',
      exitCode: 0,
    });
    const { stdout } = await weir(`topic alter-config ${failing} --delete ${key} --format json`);
    expect(JSON.parse(stdout)).toMatchObject([{ changes: [{ key, old: '*' }] }]);
  });

  it('reports each partition by itself: unknown ones and brokers that are not in the cluster', async () => {
    const [mine] = await brokersOf(failing);
    const plan = file('failing.json', [
      { topic: failing, partition: 0, replicas: [mine, 9] },
      { topic: failing, partition: 7, replicas: [mine] },
      { topic: `${prefix}-nope`, partition: 0, replicas: [1] },
    ]);
    const { stdout, exitCode } = await run(`topic reassign execute ${plan} --no-headers --yes`, three());
    expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
      `${failing} 0 [${mine}] [${mine} 9] INVALID_REPLICA_ASSIGNMENT: not in the cluster: broker 9`,
      `${failing} 7 [] [${mine}] UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition`,
      expect.stringMatching(/-nope 0 \[\] \[1\] UNKNOWN_TOPIC_OR_PARTITION: /),
      '',
    ]);
    expect(exitCode).toBe(1);
    expect(await run(`topic reassign plan ${prefix}-nope`, three())).toMatchObject({ exitCode: 3 });
    expect(await run(`topic reassign plan ${failing} --brokers 9`, three())).toMatchObject({ exitCode: 3 });
    const tooMany = await run(`topic reassign plan ${failing} --replicas 4`, three());
    expect(tooMany).toMatchObject({
      stderr: expect.stringContaining('unable to place 4 replicas on 3 brokers'),
      exitCode: 6,
    });
  });

  it('exits with 4 when the principal has no rights', async () => {
    await run(`topic create ${prefix}-closed`, { env: { WEIR_BROKERS: services().plaintext } });
    const limited = { ...(await limitedWorld(prefix)), home, cwd: home };
    const plan = file('closed.json', [{ topic: `${prefix}-closed`, partition: 0, replicas: [1] }]);
    for (const line of [`plan ${prefix}-closed`, `execute ${plan}`, 'list', 'cancel --all', 'wait']) {
      expect(await run(`topic reassign ${line}`, limited), line).toMatchObject({ exitCode: 4 });
    }
    await run(`topic delete ${prefix}-closed`, { env: { WEIR_BROKERS: services().plaintext } });
  });

  it('spreads replicas over racks, unless told to ignore them', async () => {
    await weir('topic create racked -p 1 -r 2');
    await knownEverywhere(cluster.brokers, 'racked');
    await weir('topic reassign execute - --wait --yes', placement('racked', 1, 2));
    expect((await weir('topic reassign plan racked --no-headers')).stdout).toMatch(
      /^racked {2}0 +\[1 2\] +\[(1 3|2 3)\]\n$/,
    );
    expect((await weir('topic reassign plan racked --ignore-racks')).stderr).toBe('no partition needs to change\n');
  });

  it('moves replicas away from a dead broker, with a throttle, and none to it', async () => {
    await weir('topic create moved -p 1 -r 2');
    await knownEverywhere(cluster.brokers, 'moved');
    await weir('topic reassign execute - --wait --yes', placement('moved', 1, 3));
    const dead = cluster.nodes.find(({ id }) => id === 3);
    if (dead !== undefined) await stop(dead.process, { graceMs: 0 });
    await delistedEverywhere();
    const there = await weir('topic reassign execute - --no-headers --yes', placement('moved', 3, 1));
    expect(there).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('not in the cluster: broker 3') });
    expect((await weir('topic reassign plan moved --out away.json --no-headers')).stdout).toMatch(
      /\[1 3\] +\[1 2\]\n$/,
    );
    expect(await weir('topic reassign execute away.json --throttle 100000000 --wait --yes')).toMatchObject({
      stderr: 'removed the throttle of moved\n',
      exitCode: 0,
    });
    await leadersEverywhere(living(), 'moved', ({ replicas }) => replicas.join() === '1,2');
    expect(await weir('topic reassign list')).toMatchObject({ exitCode: 0 });
  });
});
