import { progressDecommissions } from './brokers/decommission.ts';
import { progressDrains } from './brokers/drain.ts';
import { progressUpgrade } from './cluster/upgrade.ts';
import { deliverConfig } from './config/delivery.ts';
import { progressBundles } from './debug/bundle.ts';
import { expireLevels } from './debug/logger-routes.ts';
import { electLeaders } from './partitions/election.ts';
import { progressMoves } from './partitions/moves.ts';
import { progressLinks } from './shadow/copying.ts';
import { progressMigrations } from './storage/migration.ts';
import type { World } from './world.ts';

/** Does the work of `elapsedMs` virtual milliseconds that end at `at`. */
type Progress = (world: World, at: number, elapsedMs: number) => void;

const all: readonly Progress[] = [
  deliverConfig,
  electLeaders,
  progressMoves,
  progressDrains,
  progressDecommissions,
  electLeaders,
  expireLevels,
  progressBundles,
  progressMigrations,
  progressUpgrade,
  progressLinks,
];

const stepMs = 50;
const mostSteps = 20_000;

/** Brings the work up to the virtual time `now`, in small steps because one thing waits for another. */
export function progressTo(world: World, now: number): void {
  const { state } = world;
  const step = Math.max(stepMs, Math.ceil((now - state.settledAt) / mostSteps));
  do {
    const at = Math.min(now, state.settledAt + step);
    const elapsed = Math.max(0, at - state.settledAt);
    state.settledAt = Math.max(at, state.settledAt);
    for (const progress of all) progress(world, state.settledAt, elapsed);
  } while (state.settledAt < now);
}
