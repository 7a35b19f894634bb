import { randomUUID } from 'node:crypto';
import { isObject } from '../../../shape/object.ts';
import { boolean, integer, list, object, oneOf, optional, type Reader, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { badRequest, unavailable } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { type AdminRequest, by, done, ok, type Route, readJson, route } from '../request.ts';
import type { Node, SelfTest, SelfTestRun } from '../state.ts';
import { membersOf, toSeconds, type World } from '../world.ts';

/** The routes of self-tests. */
export const selfTestRoutes: readonly Route[] = [
  route('self_test.start', 'POST /v1/debug/self_test/start', by.controller, start),
  route('self_test.stop', 'POST /v1/debug/self_test/stop', by.controller, stop),
  route('self_test.status', 'GET /v1/debug/self_test/status', { level: 'user', duty: 'forward' }, status),
];

const diskBody = object({
  type: oneOf('disk'),
  name: optional(text),
  dsync: optional(boolean),
  skip_write: optional(boolean),
  skip_read: optional(boolean),
  data_size: optional(integer),
  request_size: optional(integer),
  duration_ms: optional(integer),
  parallelism: optional(integer),
});
const networkBody = object({
  type: oneOf('network'),
  name: optional(text),
  request_size: optional(integer),
  duration_ms: optional(integer),
  parallelism: optional(integer),
});
const cloudBody = object({
  type: oneOf('cloud'),
  name: optional(text),
  timeout_ms: optional(integer),
  backoff_ms: optional(integer),
});

const defaultDurationMs = 5_000;
/** How long the test of object storage takes, whose request has no duration. */
const cloudDurationMs = 2_000;

const testBody: Reader<SelfTest> = (value, at) => {
  const type = isObject(value) ? value.type : undefined;
  if (type === 'disk') {
    const read = diskBody(value, at);
    const phases = [...(read.skip_write ? [] : ['write' as const]), ...(read.skip_read ? [] : ['read' as const])];
    return { ...measureOf(read), type, name: read.name ?? 'disk', phases };
  }
  if (type === 'network') {
    const read = networkBody(value, at);
    return { ...measureOf(read), type, name: read.name ?? 'network', phases: ['write'] };
  }
  if (type !== 'cloud') throw badRequest(`${at}.type must be one of disk, network, cloud`);
  const { name } = cloudBody(value, at);
  const measure = { durationMs: cloudDurationMs, requestSize: 1024, parallelism: 1 };
  return { ...measure, type, name: name ?? 'cloud', phases: ['write'] };
};

interface Measure {
  readonly duration_ms: number | undefined;
  readonly request_size: number | undefined;
  readonly parallelism: number | undefined;
}

function measureOf({ duration_ms: duration, request_size: size, parallelism }: Measure) {
  return { durationMs: duration ?? defaultDurationMs, requestSize: size ?? 4096, parallelism: parallelism ?? 1 };
}

const startBody = object({ tests: optional(list(testBody)), nodes: optional(list(integer)) });

const brief = { durationMs: defaultDurationMs, requestSize: 4096, parallelism: 1 };
const standard: readonly SelfTest[] = [
  { ...brief, type: 'disk', name: 'disk', phases: ['write', 'read'] },
  { ...brief, type: 'network', name: 'network', phases: ['write'] },
  { ...brief, type: 'cloud', name: 'cloud', phases: ['write'] },
];

function start(world: World, request: AdminRequest): Reply {
  const { tests: wanted = standard, nodes: asked } = readJson(request, startBody);
  const members = membersOf(world);
  const ids = asked ?? members.map(({ id }) => id);
  const unknown = ids.find((id) => !members.some((member) => member.id === id));
  if (unknown !== undefined) throw unavailable(`broker ${unknown} is not in the cluster`);
  if (ids.length === 0 || wanted.length === 0) throw unavailable('no brokers, or no tests');
  const tests = wanted.map((test) => ({ ...test, durationMs: Math.min(test.durationMs, world.settings.selfTestMs) }));
  const id = randomUUID();
  // One that is running is stopped, and nodes that take no part lose their results.
  for (const node of members.filter(({ alive }) => alive))
    node.selfTest = ids.includes(node.id)
      ? { id, tests, participants: ids, startedAt: world.clock.now(), stoppedAt: null }
      : null;
  return ok(id);
}

function isRunning({ clock }: World, { selfTest }: Node): boolean {
  return selfTest !== null && stageAt(selfTest, clock.now()) !== undefined;
}

function stop(world: World): Reply {
  for (const node of membersOf(world)) {
    if (node.selfTest !== null && node.alive && isRunning(world, node)) node.selfTest.stoppedAt = world.clock.now();
  }
  return done;
}

function status(world: World): Reply {
  return ok(membersOf(world).map((node) => show(world, node)));
}

const stages = { disk: 'disk', network: 'net', cloud: 'cloud' } as const;

function show(world: World, node: Node) {
  const { id, alive, selfTest } = node;
  if (!alive) return { node_id: id, status: 'unreachable', stage: 'idle', results: [] };
  const stage = selfTest === null ? undefined : stageAt(selfTest, world.clock.now());
  if (stage !== undefined) return { node_id: id, status: 'running', stage: stages[stage], results: [] };
  const results = selfTest === null ? [] : resultsOf(selfTest, id);
  const hasStorage = effective(node, 'cloud_storage_enabled') === true;
  return { node_id: id, status: 'idle', stage: 'idle', results: results.map((one) => withWarning(one, hasStorage)) };
}

function withWarning(result: object, hasStorage: boolean): object {
  if (hasStorage || !('test_type' in result) || result.test_type !== 'cloud') return result;
  return { warning: 'object storage is not enabled', ...result };
}

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
function stageAt(run: SelfTestRun, at: number): SelfTest['type'] | undefined {
  if (run.stoppedAt !== null) return undefined;
  return scheduleOf(run).find(({ start, end }) => start <= at && at < end)?.test.type;
}

/**
 * The results of a run on one node. Their numbers are made up, but the same for the same test. As in Redpanda, a test that
 * was stopped keeps what it had measured, one that had not begun has no times, and both have a warning.
 */
function resultsOf(run: SelfTestRun, nodeId: number): readonly object[] {
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
