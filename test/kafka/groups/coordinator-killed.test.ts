import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProcessId } from '../../../src/files/process-id.ts';
import { committedOffsets } from '../../../src/kafka/groups/commits.ts';
import { findCoordinator } from '../../../src/kafka/protocol/find-coordinator.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { startThree } from '../../services/brokers.ts';
import { clientOf, type TestClient } from '../../services/scripted-client.ts';
import { type Cluster3, services } from '../../services/services.ts';
import { run } from '../../world.ts';

const topic = 'survives';
const partitions = 6;
const half = 5_000;

let cluster: Cluster3;
let client: TestClient;
const processes: ProcessId[] = [];

beforeAll(async () => {
  const { runtime, directory } = services();
  cluster = await startThree(join(directory, 'coordinator-killed'), runtime);
  processes.push(...cluster.nodes.map((node) => node.process));
  client = clientOf(cluster.brokers.split(','));
  const created = await weir([
    'topic',
    'create',
    topic,
    '-p',
    `${partitions}`,
    '-r',
    '3',
    '-c',
    'min.insync.replicas=2',
  ]);
  expect(created).toMatchObject({ stderr: '', exitCode: 0 });
}, 120_000);

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await Promise.all(processes.map((id) => stop(id, { graceMs: 0 })));
});

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: { WEIR_BROKERS: cluster.brokers } });
}

/** Writes the keys from `from` on. */
async function produce(from: number): Promise<void> {
  const stdin = Array.from({ length: half }, (_, index) => `${from + index} v\n`).join('');
  const { exitCode, stderr } = await weir(['topic', 'produce', topic, '-f', '%k %v\\n', '-o', ''], { stdin });
  expect({ exitCode, errors: stderr.split('\n').filter((line) => /error|lost/.test(line)) }).toEqual({
    ...{ exitCode: 0, errors: [] },
  });
}

interface Reader {
  readonly group: string;
  /** How often each key was printed. */
  readonly seen: Map<string, number>;
  readonly done: ReturnType<typeof weir>;
  /** Resolves when so many keys were printed. */
  until(keys: number): Promise<void>;
  stop(): void;
}

function read(group: string, protocol: string): Reader {
  const seen = new Map<string, number>();
  let wanted = Number.POSITIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  let stopMember = (): void => undefined;
  let rest = '';
  const words = ['topic', 'consume', topic, '-g', group, '--group-protocol', protocol, '-f', '%k\\n'];
  const done = weir([...words, '--fetch-max-wait', '500ms'], {
    onStart(kill) {
      stopMember = () => kill('SIGINT');
    },
    onStdout(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const key of lines) seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.size >= wanted) reached.resolve();
    },
  });
  return {
    ...{ group, seen, done },
    until(keys) {
      wanted = keys;
      reached = Promise.withResolvers();
      if (seen.size >= keys) reached.resolve();
      return Promise.race([
        reached.promise,
        done.then(({ stderr, exitCode }) => Promise.reject(new Error(`it ended (${exitCode}): ${stderr}`))),
      ]);
    },
    stop: () => stopMember(),
  };
}

async function coordinatorOf(group: string, of: TestClient = client): Promise<number> {
  return of.retry('FindCoordinator', async () => {
    const { coordinators } = await of.requestOnce(findCoordinator, { keyType: 'group', keys: [group] }, 'any');
    return coordinators[0]?.errorCode === 0 ? coordinators[0].nodeId : -1;
  });
}

/** A group that has the given coordinator. */
async function groupAt(node: number, name: string): Promise<string> {
  for (let index = 0; index < 200; index += 1) {
    const group = `${name}-${index}`;
    if ((await coordinatorOf(group)) === node) return group;
  }
  throw new Error(`no group has the coordinator ${node}`);
}

/** Waits until another broker is the coordinator of both groups; resolves with when that was. */
async function failover(groups: readonly string[], dead: number): Promise<number> {
  for (;;) {
    const nodes = await Promise.all(groups.map((group) => coordinatorOf(group)));
    if (nodes.every((node) => node >= 0 && node !== dead)) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function committedBy(group: string): Promise<bigint> {
  const items = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
  const rows = await committedOffsets(client, group, items);
  return rows.reduce((sum, { offset }) => sum + (offset < 0n ? 0n : offset), 0n);
}

it('groups of both protocols go on when their coordinator dies for good: nothing lost, nothing twice', {
  timeout: 120_000,
}, async () => {
  await expect.poll(() => coordinatorOf('any'), { timeout: 20_000 }).toBeGreaterThan(0);
  const dead = 2;
  const readers = [read(await groupAt(dead, 'classic'), 'classic'), read(await groupAt(dead, 'consumer'), 'consumer')];
  await produce(0);
  await Promise.all(readers.map((reader) => reader.until(half)));
  await stop(processes[dead - 1] as ProcessId, { graceMs: 0 });
  const moved = failover(
    readers.map(({ group }) => group),
    dead,
  );
  await produce(half);
  const printed = Promise.all(
    readers.map(async (reader) => {
      await reader.until(2 * half);
      return performance.now();
    }),
  );
  const [movedAt, printedAt] = await Promise.all([moved, printed]);
  for (const at of printedAt) expect(at - movedAt).toBeLessThan(10_000);
  // The periodic commits go to the new coordinator.
  for (const { group } of readers) {
    await expect.poll(() => committedBy(group), { timeout: 10_000 }).toBe(BigInt(2 * half));
  }
  for (const reader of readers) reader.stop();
  for (const { done, seen } of readers) {
    expect(await done).toMatchObject({ exitCode: 130 });
    expect(seen.size).toBe(2 * half);
    expect([...seen.values()].every((count) => count === 1)).toBe(true);
  }
});
