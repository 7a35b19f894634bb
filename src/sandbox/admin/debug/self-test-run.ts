import type { SelfTest, SelfTestRun } from '../state.ts';
import { toSeconds } from '../world.ts';

/** The tests with the virtual times of their start and end, in milliseconds since the epoch. */
function scheduleOf({ tests, startedAt }: Pick<SelfTestRun, 'tests' | 'startedAt'>) {
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

/**
 * The results of a run on one node. Their numbers are made up, but the same for the same test. As in Redpanda, a test that
 * was stopped keeps what it had measured, one that had not begun has no times, and both have a warning.
 */
export function resultsOf(run: SelfTestRun, nodeId: number): readonly object[] {
  return scheduleOf(run).flatMap(({ test, start, end }): readonly object[] => {
    const lastMs = run.stoppedAt ?? end;
    const common = { test_id: run.id, name: test.name, test_type: test.type };
    if (lastMs < start) {
      const never = { start_time: 0, end_time: 0, info: '', duration: 0, timeouts: 0, ...unmeasured };
      return [{ ...common, ...never, warning: `the ${test.type} test was not started: the run was stopped` }];
    }
    const times = { start_time: toSeconds(start), end_time: toSeconds(Math.min(end, lastMs)) };
    const cut = lastMs < end ? { duration: lastMs - start, warning: 'the run was stopped' } : {};
    return infosOf(test, run, nodeId).map((info) => ({ ...common, ...times, info, ...measured(test), ...cut }));
  });
}

/** Requests to object storage are only timed. */
const unmeasured = { p50: 0, p90: 0, p99: 0, p999: 0, max_latency: 0, rps: 0, bps: 0 };

function infosOf(test: SelfTest, { participants }: SelfTestRun, nodeId: number): readonly string[] {
  switch (test.type) {
    case 'disk':
      return test.phases.map((phase) => `${phase} run`);
    case 'network':
      return participants.filter((id) => id !== nodeId).map((id) => `Test performed against node: ${id}`);
    default:
      return ['Put', 'List', 'Get', 'Head', 'Delete'];
  }
}

function measured({ type, durationMs, requestSize, parallelism }: SelfTest) {
  if (type === 'cloud') return { duration: durationMs, timeouts: 0, ...unmeasured };
  const p50 = 200 + parallelism * 3;
  const rps = Math.floor((1_000_000 / p50) * Math.max(1, parallelism));
  return {
    duration: durationMs,
    timeouts: 0,
    p50,
    p90: p50 * 2,
    p99: p50 * 4,
    p999: p50 * 8,
    max_latency: p50 * 10,
    rps,
    bps: rps * requestSize,
  };
}
