import type { OperationStep, StepKind } from './state.ts';
import type { World } from './world.ts';

/** The function that performs each kind of step when it is due. */
export type StepTable = Readonly<Record<StepKind, (world: World, step: OperationStep) => void>>;

/** Schedules a step for `step.at`. */
export function schedule(world: World, step: OperationStep): void {
  world.state.steps = [...world.state.steps, step];
}

/** Cancels the scheduled steps of a resource. */
export function cancelSteps(world: World, resourceId: string): void {
  world.state.steps = world.state.steps.filter((step) => step.resourceId !== resourceId);
}

/** Performs every step that is due, in order of time. */
export function settle(world: World, table: StepTable): void {
  const now = world.clock.now();
  for (;;) {
    const due = world.state.steps.filter((step) => step.at <= now);
    const first = due.reduce<OperationStep | undefined>(
      (best, step) => (best && best.at <= step.at ? best : step),
      undefined,
    );
    if (first === undefined) return;
    world.state.steps = world.state.steps.filter((step) => step !== first);
    table[first.kind](world, first);
  }
}
