import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { type Outcome, run } from '../../world.ts';
import { controllerOf, coordinatorsOf } from './brokers.ts';
import { type Recovery, strike } from './recovery.ts';
import { bringBack, type Ending, endScene, protocols, type Scene, startScene, topic } from './scene.ts';
import { outOfOrder, repeated, type Tally } from './tally.ts';
import { type Answer, askAll, expectations } from './while-dead.ts';

/** The longest interruption by a new leader, coordinator or controller after its election, in paced milliseconds. */
const boundMs = 10_000;
/** How often groups commit. */
const commitMs = 5_000;

let scene: Scene;
let ending: Ending;
/** What topic commands print while a broker is dead. */
let meanwhile: readonly Outcome[];
let answers: ReadonlyMap<string, Answer>;
const recoveries: Recovery[] = [];

beforeAll(async () => {
  scene = await startScene(join(services().directory, 'failover'));
  await coordinatorLeftDead();
  await controllerKilled();
  // A broker that leads partitions and coordinates groups hands both over.
  const [coordinator = -1] = await coordinatorsOf(scene.brokers, [scene.groups.classic.name]);
  await restarted(coordinator);
  ending = await endScene(scene);
}, 300_000);

afterAll(() => scene?.brokers.close());

/** The coordinator of both groups, which also leads partitions, stays dead until everything continues. */
async function coordinatorLeftDead(): Promise<void> {
  const { brokers, coordinator, groups } = scene;
  await inTurn(['topic', 'create', 'lonely', '-p', '3', '-r', '1']);
  const { recovered } = await strike(scene, 'coordinator killed', coordinator, () => brokers.kill(coordinator));
  recoveries.push(...(await recovered));
  answers = await askAll(scene);
  meanwhile = await inTurn(
    ['topic', 'describe', 'lonely', '--format', 'json'],
    ['topic', 'describe', topic, '--format', 'json'],
    ['topic', 'list', 'lonely', topic, '--no-headers'],
    ['topic', 'create', 'after', '-p', '3', '-r', '2', '--no-headers'],
    ['topic', 'delete', 'after', 'lonely', '--no-headers'],
  );
  // New members rebalance the groups under their new coordinator.
  for (const group of Object.values(groups)) group.join();
  await bringBack(scene, coordinator);
}

async function inTurn(...lines: readonly (readonly string[])[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const words of lines) outcomes.push(await scene.weir(words));
  return outcomes;
}

async function controllerKilled(): Promise<void> {
  const { brokers } = scene;
  const controller = await controllerOf(brokers);
  const aftermath = await strike(scene, 'controller killed', controller, () => brokers.kill(controller));
  await aftermath.elected;
  await bringBack(scene, controller);
  recoveries.push(...(await aftermath.recovered));
}

/** One step of a rolling restart. */
async function restarted(id: number): Promise<void> {
  const { brokers } = scene;
  let down = Promise.resolve();
  const { elected, recovered } = await strike(scene, `broker ${id} restarted`, id, async () => {
    down = brokers.shutDown(id);
  });
  await Promise.all([down, elected]);
  await bringBack(scene, id);
  recoveries.push(...(await recovered));
}

function expectExact(tally: Tally): void {
  expect(tally.distinct).toBe(scene.producer.fed);
  expect(repeated(tally)).toEqual([]);
}

describe('while brokers are killed and restarted', () => {
  it('every workload continues within ten seconds of each election', () => {
    expect(recoveries).toHaveLength(21);
    const late = recoveries.filter(({ workload, tookMs }) => {
      return tookMs >= (workload.startsWith('commits') ? boundMs + commitMs : boundMs);
    });
    expect(late).toEqual([]);
  });

  it('a producer writes every record once, and reports where', () => {
    const { producer, reader } = scene;
    expect(ending.producer.exitCode).toBe(0);
    expectExact(producer.tally);
    const written = new Map(reader.tally.printed.map(({ key, partition, offset }) => [key, { partition, offset }]));
    const wrong = producer.tally.printed.filter(({ key, partition, offset }) => {
      const at = written.get(key);
      // A batch whose answer was lost may be found in the log without its offset.
      return at?.partition !== partition || (offset !== -1 && at.offset !== offset);
    });
    expect(wrong).toEqual([]);
  });

  it('a reader prints every record once, in the order of its partition', () => {
    const { tally } = scene.reader;
    expect(ending.reader.exitCode).toBe(130);
    expectExact(tally);
    expect(outOfOrder(tally)).toEqual([]);
    // Without gaps: a batch that was written twice would use up offsets.
    const ends = Map.groupBy(tally.printed, ({ partition }) => partition);
    for (const printed of ends.values()) expect(printed.map(({ offset }) => offset)).toEqual([...printed.keys()]);
  });

  it.each(protocols)('a %s group prints every record once and commits all of them', (protocol) => {
    const { tally } = scene.groups[protocol];
    expect(ending.members[protocol].map(({ exitCode }) => exitCode)).toEqual([130, 130]);
    expectExact(tally);
    expect(ending.committed[protocol]).toBe(scene.producer.fed);
  });

  it('every description is complete, and a topic is created or reported as unknown', async () => {
    const { attempts } = scene.administrator;
    const failed = attempts.filter(({ outcome }) => outcome.exitCode !== 0);
    // A broker that loses the controller forwards the request to the next one, which may find what the first one did.
    const fates = /check whether the request was carried out|TOPIC_ALREADY_EXISTS/;
    const unsure = failed.filter(
      ({ command, outcome }) => command === 'create' && fates.test(outcome.stderr + outcome.stdout),
    );
    expect(failed).toEqual(unsure);
    const created = attempts.filter(({ command }) => command === 'create').map((attempt) => attempt.topic);
    const listed = await run(['topic', 'list', '-r', 'made-.*', '--format', 'json'], {
      env: { WEIR_BROKERS: scene.brokers.addresses },
    });
    const names = (JSON.parse(listed.stdout) as { name: string }[]).map(({ name }) => name);
    const surely = created.filter((name) => !unsure.some((attempt) => attempt.topic === name));
    expect(names).toEqual(expect.arrayContaining(surely));
    expect(created).toEqual(expect.arrayContaining(names));
  });
});

/** The partitions that a description shows. */
function partitionsIn({ stdout }: Outcome): readonly Record<string, unknown>[] {
  const [row] = JSON.parse(stdout) as { partitions: Record<string, unknown>[] }[];
  return row?.partitions ?? [];
}

describe('while one of three brokers is dead', () => {
  it('a topic is described as soon as other brokers lead it', () => {
    const [, described] = meanwhile;
    expect(described?.exitCode).toBe(0);
    const partitions = partitionsIn(described as Outcome);
    expect(partitions).toHaveLength(6);
    for (const partition of partitions) {
      expect(partition).toMatchObject({ offline_replicas: [scene.coordinator], log_start_offset: 0, error: [] });
    }
  });

  it('a description names the partition that has lost its leader, and exits with 5', () => {
    const [lonely] = meanwhile;
    expect(lonely?.exitCode).toBe(5);
    const rows = partitionsIn(lonely as Outcome);
    expect(rows.filter(({ leader }) => leader === -1)).toEqual([
      expect.objectContaining({
        replicas: [scene.coordinator],
        offline_replicas: [scene.coordinator],
        load_error: 'LEADER_NOT_AVAILABLE',
        log_start_offset: null,
        high_watermark: null,
        error: ['LEADER_NOT_AVAILABLE'],
      }),
    ]);
    expect(rows.filter(({ error }) => Array.isArray(error) && error.length === 0)).toHaveLength(2);
  });

  it.each(Object.entries(expectations))('weir %s needs no dead broker', (line, { exitCode, rows, stderr = '' }) => {
    const answer = answers.get(line);
    expect(answer).toMatchObject({ exitCode, stderr: expect.stringContaining(stderr) });
    expect(answer?.tookMs).toBeLessThan(boundMs);
    if (exitCode !== 6) rows?.(JSON.parse(answer?.stdout ?? ''), scene);
  });

  it('the remaining brokers list, create and delete topics', () => {
    expect(meanwhile.slice(2).map(({ stdout }) => stdout)).toEqual([
      'lonely  3  1\norders  6  3\n',
      'after  OK\n',
      'after   OK\nlonely  OK\n',
    ]);
  });
});
