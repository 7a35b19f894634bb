import { expect } from 'vitest';
import type { Outcome } from '../../world.ts';
import { type Scene, topic } from './scene.ts';

/** What a command answers while a broker is dead. */
interface Expected {
  readonly exitCode: number;
  /** Checks the JSON. */
  readonly rows?: (rows: unknown, scene: Scene) => void;
  readonly stderr?: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Commands that need no broker in particular, and what they answer. */
export const expectations: Readonly<Record<string, Expected>> = {
  'topic list': { exitCode: 0, rows: (rows) => expect(rows).toContainEqual(expect.objectContaining({ name: topic })) },
  'group list': {
    exitCode: 0,
    rows: (rows, scene) => expect(namesIn(rows, 'group')).toEqual(expect.arrayContaining(groupsOf(scene))),
  },
  'group describe GROUPS': {
    exitCode: 0,
    rows: (rows, scene) => expect(namesIn(rows, 'group')).toEqual(groupsOf(scene)),
  },
  'group lag GROUPS': { exitCode: 0 },
  'cluster health': {
    exitCode: 10,
    rows: (row, { coordinator }) => expect(row).toMatchObject({ is_healthy: false, nodes_down: [coordinator] }),
  },
  'cluster info': {
    exitCode: 0,
    rows: (row, scene) => expect((row as { brokers: Row[] }).brokers.map(({ id }) => id)).toEqual(livingOf(scene)),
  },
  'security acl list': { exitCode: 0 },
  'cluster quotas describe': { exitCode: 0 },
  'cluster txn list': { exitCode: 0 },
  // The dead broker is an error, and the others are shown.
  'cluster logdirs describe --aggregate-into broker': {
    exitCode: 5,
    rows: (rows, { brokers, coordinator }) =>
      expect((rows as Row[]).map(({ broker, error }) => [broker, (error as Row | null)?.code])).toEqual(
        brokers.ids.map((id) => [id, id === coordinator ? 'BROKER_NOT_AVAILABLE' : undefined]),
      ),
  },
  [`topic analyze ${topic}`]: {
    exitCode: 0,
    rows: (rows) => expect(rows).toMatchObject([{ topic, partitions: 6, is_cut: false, error: null }]),
  },
  [`topic elect-leaders ${topic}`]: { exitCode: 5, rows: unavailable },
  [`topic elect-leaders ${topic} --dry-run`]: { exitCode: 5, rows: unavailable },
  [`topic reassign plan ${topic} --replicas 2`]: {
    exitCode: 0,
    rows: (rows, { coordinator }) => {
      const placed = (rows as { new_replicas: number[] }[]).map(({ new_replicas: replicas }) => replicas);
      expect(placed).toHaveLength(6);
      expect(placed.flat()).not.toContain(coordinator);
    },
  },
  [`topic reassign plan ${topic}`]: { exitCode: 6, stderr: 'unable to place 3 replicas on 2 brokers' },
  'topic reassign list': { exitCode: 0, rows: (rows) => expect(rows).toEqual([]) },
};

/** The partitions whose preferred leader is dead keep the leader that they have. */
function unavailable(rows: unknown): void {
  const codes = (rows as Row[]).map(({ error }) => (error as Row | null)?.code);
  expect(codes.length).toBeGreaterThan(0);
  expect(new Set(codes)).toEqual(new Set(['PREFERRED_LEADER_NOT_AVAILABLE']));
}

/** A command while a broker was dead, and how long it took, in paced milliseconds. */
export interface Answer extends Outcome {
  readonly tookMs: number;
}

/** Runs them all at once. */
export async function askAll(scene: Scene): Promise<ReadonlyMap<string, Answer>> {
  const answers = Object.keys(expectations).map(async (line) => {
    const words = line.split(' ').flatMap((word) => (word === 'GROUPS' ? groupsOf(scene) : [word]));
    const at = scene.clock.now();
    const outcome = await scene.weir([...words, '--format', 'json']);
    return [line, { ...outcome, tookMs: scene.clock.now() - at }] as const;
  });
  return new Map(await Promise.all(answers));
}

function groupsOf({ groups }: Scene): string[] {
  return Object.values(groups)
    .map(({ name }) => name)
    .sort();
}

function livingOf({ brokers, coordinator }: Scene): readonly number[] {
  return brokers.ids.filter((id) => id !== coordinator);
}

function namesIn(rows: unknown, key: string): readonly unknown[] {
  return (rows as Row[]).map((row) => row[key]);
}
