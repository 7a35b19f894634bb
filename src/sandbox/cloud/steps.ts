import type { Step, StepKind } from './state.ts';
import type { World } from './world.ts';

/** What each kind of step does when its time has come. */
export type StepTable = Readonly<Record<StepKind, (world: World, step: Step) => void>>;

/** Plans a step for `step.at`. */
export function schedule(world: World, step: Step): void {
  world.state.steps = [...world.state.steps, step];
}

/** Forgets what was planned for a resource. */
export function cancelSteps(world: World, resourceId: string): void {
  world.state.steps = world.state.steps.filter((step) => step.resourceId !== resourceId);
}

/** Takes every step whose time has come, in the order of their times. */
export function settle(world: World, table: StepTable): void {
  const now = world.clock.now();
  for (;;) {
    const due = world.state.steps.filter((step) => step.at <= now);
    const first = due.reduce<Step | undefined>((best, step) => (best && best.at <= step.at ? best : step), undefined);
    if (first === undefined) return;
    world.state.steps = world.state.steps.filter((step) => step !== first);
    table[first.kind](world, first);
  }
}
