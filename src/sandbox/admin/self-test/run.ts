/** One test of a self-test. */
export interface SelfTest {
  readonly type: 'disk' | 'network' | 'cloud';
  readonly name: string;
  readonly durationMs: number;
  readonly requestSize: number;
  readonly parallelism: number;
  readonly phases: readonly ('write' | 'read')[];
}

/** A self-test on one node. */
export interface SelfTestRun {
  readonly id: string;
  readonly tests: readonly SelfTest[];
  /** The nodes that take part; the network test measures the way to each of the others. */
  readonly participants: readonly number[];
  /** Virtual time in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The virtual time at which it was stopped; null when it was not. */
  stoppedAt: number | null;
}

/** The tests with the virtual times of their start and end, in milliseconds since the epoch. */
export function scheduleOf({ tests, startedAt }: Pick<SelfTestRun, 'tests' | 'startedAt'>) {
  let at = startedAt;
  return tests.map((test) => {
    const start = at;
    at += test.durationMs * test.phases.length;
    return { test, start, end: at };
  });
}

/** The test that is running at this time; undefined before and after. */
export function stageAt(run: SelfTestRun, at: number): SelfTest['type'] | undefined {
  if (run.stoppedAt !== null) return undefined;
  return scheduleOf(run).find(({ start, end }) => start <= at && at < end)?.test.type;
}
