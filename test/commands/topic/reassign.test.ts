import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Property } from '../../../src/sandbox/kafka/properties.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { startThree } from '../../services/brokers.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { type Cluster3, services } from '../../services/services.ts';
import { leadersEverywhere } from '../../services/visibility.ts';
import { run } from '../../world.ts';
import { limitedWorld } from '../cluster/limited-world.ts';
import { throttleTests, throttleUsers } from './reassign-throttle.ts';
import { placement, type ReassignWorld, reassignWorld } from './reassign-world.ts';

let cluster: Cluster3;

beforeAll(async () => {
  const { runtime, directory } = services();
  // Its own cluster: one test stops a broker, and others throttle brokers or move what is there.
  const more = (id: number): readonly Property[] => [
    ['broker.rack', id === 3 ? 'b' : 'a'],
    ['broker.session.timeout.ms', 3000],
    // A replica that has copied too much stays held for hours, not for the seconds after which it may copy some more.
    ['replication.quota.window.size.seconds', 3600],
  ];
  cluster = await startThree(join(directory, 'reassign'), runtime, more, throttleUsers);
});

afterAll(async () => {
  await Promise.all(cluster.nodes.map(({ process }) => stop(process, { graceMs: 0 })));
});

/** Resolves when these configs throttle the topic, according to a broker and to the one that is asked about topics. */
async function throttledBy(world: ReassignWorld, broker: number, expected: readonly string[]): Promise<void> {
  while ((await throttles(world, broker)).join() !== expected.join()) await delay(20);
}

/** The configs of the topic and of a broker that throttle it. */
async function throttles({ weir, topic }: ReassignWorld, broker: number): Promise<readonly string[]> {
  const lists = await weir(`topic describe ${topic} -c --no-headers`);
  const rates = await weir(`cluster config list -b ${broker} --no-headers`);
  const lines = `${lists.stdout}${rates.stdout}`.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
  return lines.filter(
    (line) => /replication\.throttled\S+ \d/.test(line) || /replication\.throttled.*DYNAMIC/.test(line),
  );
}

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

// In this order: the last one leaves a cluster of two brokers.
describe('topic reassign', { shuffle: false }, () => {
  describe('with three brokers', { shuffle: true }, () => {
    it('plans a move into a file, executes it, and undoes it', async () => {
      const { topic, home, weir, rows, brokers, isAt } = await reassignWorld(cluster);
      const [mine, other] = await brokers();
      const header = `TOPIC${' '.repeat(topic.length - 3)}PARTITION  OLD-REPLICAS  NEW-REPLICAS`;
      expect(await weir(`topic reassign plan ${topic} --brokers ${other} --out plan.json`)).toEqual({
        stdout: `${header}\n${topic}  0          [${mine}]           [${other}]\n`,
        stderr: 'start the moves with: weir topic reassign execute plan.json\n',
        exitCode: 0,
      });
      expect(JSON.parse(readFileSync(join(home, 'plan.json'), 'utf8'))).toEqual({
        version: 1,
        partitions: [{ topic, partition: 0, replicas: [other] }],
      });
      const row = { topic, partition: 0, old_replicas: [mine], new_replicas: [other], error: null };
      expect(await rows('topic reassign execute plan.json --dry-run')).toEqual([
        { ...row, status: 'OK', dry_run: true },
      ]);
      expect(await brokers()).toEqual([mine, other]);
      expect(await weir('topic reassign execute plan.json --wait --undo-file undo.json --yes')).toEqual({
        stdout: `${header}  STATUS\n${topic}  0          [${mine}]           [${other}]           OK\n`,
        stderr: '',
        exitCode: 0,
      });
      await isAt(other);
      expect(await rows('topic reassign execute plan.json --yes')).toEqual([
        { ...row, old_replicas: [other], status: 'NOT_NEEDED', dry_run: false },
      ]);
      expect(await weir('topic reassign execute undo.json --undo-file undo.json --yes')).toMatchObject({
        exitCode: 6,
        stderr: expect.stringContaining('unable to write undo.json: the file exists'),
      });
      expect(await weir('topic reassign execute undo.json --wait --yes')).toMatchObject({ exitCode: 0 });
      await isAt(mine);
      const none = await weir(`topic reassign plan ${topic} --brokers ${mine}`);
      expect(none).toMatchObject({ stderr: 'no partition needs to change\n', exitCode: 0 });
    });

    it('asks with the plan above the question, and moves nothing on no', async () => {
      const { topic, person, home, plan, brokers } = await reassignWorld(cluster);
      const [mine, other] = await brokers();
      writeFileSync(join(home, 'ask.json'), plan(other));
      const terminal = { stdin: true, stdout: true, stderr: true };
      const { stderr, exitCode } = await run('topic reassign execute ask.json', { ...person, stdin: 'n\n', terminal });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`[${mine}]           [${other}]\nMove the replicas of 1 partition (${topic}) on `);
      expect(await brokers()).toEqual([mine, other]);
    });

    it('throttles a move, lists it, refuses a second one, and cancels it with its throttle', async () => {
      const world = await reassignWorld(cluster, { isLarge: true });
      const { topic, person, weir, rows, brokers } = world;
      const [mine, other] = await brokers();
      const moved = placement({ topic, partition: 0, replicas: [other], log_dirs: ['any'] });
      expect(await weir('topic reassign execute - --throttle 1 --yes', moved)).toMatchObject({
        stderr: `wait for them and remove the throttle with: weir topic reassign wait ${topic}\n`,
        exitCode: 0,
      });
      const [row, ...others] = (await rows(`topic reassign list ${topic}`)) as [Record<string, unknown>];
      expect(others).toEqual([]);
      expect(row).toMatchObject({ topic, partition: 0, adding: [other], removing: [mine] });
      expect(Number(row?.copied_bytes)).toBeLessThan(Number(row?.total_bytes));
      await throttledBy(world, mine, [
        `follower.replication.throttled.replicas 0:${other} DYNAMIC_TOPIC_CONFIG`,
        `leader.replication.throttled.replicas 0:${mine} DYNAMIC_TOPIC_CONFIG`,
        `${mine} follower.replication.throttled.rate 1 DYNAMIC_BROKER_CONFIG`,
        `${mine} leader.replication.throttled.rate 1 DYNAMIC_BROKER_CONFIG`,
      ]);
      expect(await weir(`topic reassign plan ${topic}`)).toMatchObject({
        exitCode: 6,
        stderr: expect.stringContaining('partition 0 is being reassigned'),
      });
      const second = await weir('topic reassign execute - --no-headers --yes', moved);
      expect(second).toMatchObject({ exitCode: 6, stdout: expect.stringContaining('REASSIGNMENT_IN_PROGRESS') });
      expect((await weir('topic reassign cancel --all --dry-run --no-headers')).stdout).toContain(`${topic}  0`);
      const printed = Promise.withResolvers<void>();
      const watching = run(`topic reassign list ${topic} --watch --format json`, {
        ...person,
        onStdout: () => printed.resolve(),
      });
      await printed.promise;
      const canceled = await weir(`topic reassign cancel ${topic} --no-headers`);
      expect(canceled).toMatchObject({ stderr: `removed the throttle of ${topic}\n`, exitCode: 0 });
      expect(canceled.stdout.trim()).toMatch(new RegExp(`^${topic} .*\\[${mine}\\] +OK$`));
      const watched = await watching;
      expect(watched.exitCode).toBe(0);
      const readings = watched.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(readings[0]).toMatchObject([{ topic, adding: [other] }]);
      expect(readings.at(-1)).toEqual([]);
      await throttledBy(world, mine, []);
      await throttledBy(world, other, []);
      expect(await weir(`topic reassign list ${topic} --no-headers`)).toEqual({
        stdout: '',
        stderr: 'no reassignment is in progress\n',
        exitCode: 0,
      });
    });

    it('says after Ctrl-C what is left, and removes the throttle when the move is done', async () => {
      const world = await reassignWorld(cluster, { isLarge: true });
      const { topic, person, weir, plan, brokers, isAt } = world;
      const [, other] = await brokers();
      let kill: (signal: 'SIGINT') => void = () => undefined;
      const { stderr, exitCode } = await run('topic reassign execute - --throttle 1 --wait --yes', {
        ...{ ...person, stdin: plan(other), terminal: { stderr: true } },
        onStart(given) {
          kill = given;
        },
        // Its progress shows that it waits: before that, the signal may come while the move is asked for.
        onStderr(text) {
          if (text.includes('1 left')) kill('SIGINT');
        },
      });
      expect(exitCode).toBe(130);
      expect(stderr).toContain('stopped waiting; the reassignments continue, and their throttle stays\n');
      expect(stderr).toContain(`weir topic reassign wait ${topic}\n`);
      // A higher rate lets it finish.
      const faster = 'topic reassign execute - --additional --throttle 100000000 --wait --yes';
      expect(await weir(faster, plan(other))).toMatchObject({
        stderr: `removed the throttle of ${topic}\n`,
        exitCode: 0,
      });
      await throttledBy(world, other, []);
      await isAt(other);
      expect(await weir(`topic reassign wait ${topic}`)).toMatchObject({
        stderr: 'no reassignment is in progress\n',
        exitCode: 0,
      });
    });

    throttleTests(() => cluster);

    it('keeps a throttle of all replicas, which is not from a reassignment', async () => {
      const { topic, weir, rows } = await reassignWorld(cluster);
      const key = 'leader.replication.throttled.replicas';
      await weir(`topic alter-config ${topic} --set ${key}=*`);
      expect(await weir(`topic reassign wait ${topic}`)).toMatchObject({
        stderr: 'no reassignment is in progress\n',
        exitCode: 0,
      });
      expect(await rows(`topic alter-config ${topic} --delete ${key}`)).toMatchObject([
        { changes: [{ key, old: '*' }] },
      ]);
    });

    it('reports each partition by itself: unknown ones and brokers that are not in the cluster', async () => {
      const { topic, weir, brokers } = await reassignWorld(cluster);
      const [mine] = await brokers();
      const plan = placement(
        { topic, partition: 0, replicas: [mine, 9] },
        { topic, partition: 7, replicas: [mine] },
        { topic: `${topic}-nope`, partition: 0, replicas: [1] },
      );
      const { stdout, exitCode } = await weir('topic reassign execute - --no-headers --yes', plan);
      expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
        `${topic} 0 [${mine}] [${mine} 9] INVALID_REPLICA_ASSIGNMENT: not in the cluster: broker 9`,
        `${topic} 7 [] [${mine}] UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition`,
        expect.stringMatching(/-nope 0 \[\] \[1\] UNKNOWN_TOPIC_OR_PARTITION: /),
        '',
      ]);
      expect(exitCode).toBe(1);
      expect(await weir(`topic reassign plan ${topic}-nope`)).toMatchObject({ exitCode: 3 });
      const unknown = await weir(`topic reassign plan ${topic} --brokers 9 --format json`);
      expect(unknown.exitCode).toBe(3);
      expect(JSON.parse(unknown.stderr).error).toMatchObject({ code: 'BROKER_NOT_FOUND', target: '9' });
      expect(await weir(`topic reassign plan ${topic} --replicas 4`)).toMatchObject({
        stderr: expect.stringContaining('unable to place 4 replicas on 3 brokers'),
        exitCode: 6,
      });
    });

    it('exits with 4 when the principal has no rights', async () => {
      const topic = `reassign-${process.pid}-closed`;
      const everybody = { env: { WEIR_BROKERS: services().plaintext } };
      await run(`topic create ${topic}`, everybody);
      const limited = await limitedWorld(topic);
      const stdin = placement({ topic, partition: 0, replicas: [1] });
      for (const line of [`plan ${topic}`, 'execute -', 'list', 'cancel --all', 'wait']) {
        expect(await run(`topic reassign ${line}`, { ...limited, stdin }), line).toMatchObject({ exitCode: 4 });
      }
      await run(`topic delete ${topic}`, everybody);
    });

    it('spreads replicas over racks, unless told to ignore them', async () => {
      const { topic, weir, plan, isAt } = await reassignWorld(cluster, { replicas: 2 });
      await weir('topic reassign execute - --wait --yes', plan(1, 2));
      await isAt(1, 2);
      expect((await weir(`topic reassign plan ${topic} --no-headers`)).stdout).toMatch(
        new RegExp(`^${topic} {2}0 +\\[1 2\\] +\\[(1 3|2 3)\\]\\n$`),
      );
      const ignoring = await weir(`topic reassign plan ${topic} --ignore-racks`);
      expect(ignoring.stderr).toBe('no partition needs to change\n');
    });
  });

  it('moves replicas away from a dead broker, with a throttle, and none to it', async () => {
    const { topic, weir, plan, isAt } = await reassignWorld(cluster, { replicas: 2 });
    await weir('topic reassign execute - --wait --yes', plan(1, 3));
    await isAt(1, 3);
    const dead = cluster.nodes.find(({ id }) => id === 3);
    if (dead !== undefined) await stop(dead.process, { graceMs: 0 });
    await delistedEverywhere();
    const there = await weir('topic reassign execute - --no-headers --yes', plan(3, 1));
    expect(there).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('not in the cluster: broker 3') });
    expect((await weir(`topic reassign plan ${topic} --out away.json --no-headers`)).stdout).toMatch(
      /\[1 3\] +\[1 2\]\n$/,
    );
    expect(await weir('topic reassign execute away.json --throttle 100000000 --wait --yes')).toMatchObject({
      stderr: `removed the throttle of ${topic}\n`,
      exitCode: 0,
    });
    await leadersEverywhere(living(), topic, ({ replicas }) => replicas.join() === '1,2');
    expect(await weir(`topic reassign list ${topic}`)).toMatchObject({ exitCode: 0 });
  });
});
