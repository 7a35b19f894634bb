/** Something of a source partition that is written once all its batches are acknowledged. */
export interface TrailStep {
  /** The offset after it in the source. */
  readonly upTo: bigint;
  /** Batches that are not acknowledged. */
  left: number;
  /** Called once everything up to `upTo` is acknowledged. */
  readonly onReached: () => void;
}

/** What of a source partition the destination has, without a gap. */
export interface Trail {
  /** The source offset up to which everything is acknowledged. */
  readonly reached: bigint;
  /** Adds the next step; one without batches is done at once. */
  add(upTo: bigint, batches: number, onReached?: () => void): TrailStep;
  /** Notes that a batch of the step is acknowledged. */
  acknowledge(step: TrailStep): void;
  /**
   * Continues at another offset. Where retention has removed the records before it, earlier steps are still waited for;
   * where the log was cut, they do not count any more.
   */
  jump(offset: bigint): void;
}

/** Creates the trail of a partition that is copied from `start` on. */
export function createTrail(start: bigint): Trail {
  let steps: TrailStep[] = [];
  let reached = start;
  const advance = (): void => {
    let done = 0;
    for (const step of steps) {
      if (step.left > 0) break;
      reached = step.upTo;
      step.onReached();
      done += 1;
    }
    if (done > 0) steps.splice(0, done);
  };
  const add: Trail['add'] = (upTo, batches, onReached = () => undefined) => {
    const step: TrailStep = { upTo, left: batches, onReached };
    steps.push(step);
    advance();
    return step;
  };
  return {
    get reached() {
      return reached;
    },
    add,
    acknowledge(step) {
      step.left -= 1;
      advance();
    },
    jump(offset) {
      const last = steps.at(-1)?.upTo ?? reached;
      if (offset >= last) return void add(offset, 0);
      steps = [];
      reached = offset;
    },
  };
}
