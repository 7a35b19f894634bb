import { SelfTest, SelfTestNode } from '../../../admin/self-test-rows.ts';
import { type CommonValues, command, flag, list, toggle, type ValuesOf } from '../../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { type Cell, table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { brokerId, integer, maxInt32 } from '../../../kinds.ts';
import { listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { memberOf } from '../member.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { exitCodeOf, nodesText, runningOn, waitUntilDone, wideNodesText } from './status.ts';

/** A self-test that has started or would start. */
const StartedSelfTest = row({
  /** Null in a dry run, and if the answer with the id was lost. */
  test_id: maybe(string),
  nodes: listOf(whole),
  tests: listOf(SelfTest),
  /** With `--wait`: what the brokers measured. */
  results: maybe(listOf(SelfTestNode)),
  ...outcomeFields,
});
type StartedSelfTest = RowOf<typeof StartedSelfTest>;

const onlyDisks = 'cluster self-test start --only-disk-test --disk-duration-ms 10000 --participant-node-ids 1,2';
const milliseconds = integer({ min: 1, max: maxInt32 });

const flags = {
  diskDurationMs: flag(milliseconds, { help: 'duration of each disk test in milliseconds', fallback: 30_000 }),
  networkDurationMs: flag(milliseconds, { help: 'duration of each network test in milliseconds', fallback: 30_000 }),
  cloudTimeoutMs: flag(milliseconds, {
    help: 'timeout of requests to object storage in milliseconds',
    fallback: 5000,
  }),
  cloudBackoffMs: flag(milliseconds, {
    help: 'pause before such a request is retried, in milliseconds',
    fallback: 100,
  }),
  participantNodeIds: list(brokerId, { splits: true, help: 'ids of the brokers that take part (default: all)' }),
  onlyDiskTest: toggle({ help: 'only test disks' }),
  onlyNetworkTest: toggle({ help: 'only test the network' }),
  onlyCloudTest: toggle({ help: 'only test object storage' }),
  ...waitFlags('all brokers are done'),
};

/** `cluster self-test start` */
export const start = command({
  summary: 'Start a self-test: measure disks, network and object storage under load',
  description: `Measures the disks of each broker, the network between brokers, and the object storage, one after
the other. This is a heavy load that slows clients down. Only one self-test can run at a time (exit code 6). By
default, all brokers that are up take part.

--wait waits until all brokers are done and prints the results, with exit code 1 if a test failed. Ctrl-C ends only
the wait: cluster self-test status --wait waits again, and cluster self-test stop ends the load.`,
  examples: [
    ['All tests, with their results', 'cluster self-test start --wait'],
    ['Only the disks of two brokers, for ten seconds per test', onlyDisks],
    ['Show the tests without running them', 'cluster self-test start --dry-run'],
  ],
  apis: ['admin'],
  flags,
  changes: 'destroys',
  result: StartedSelfTest,
  namesAll: true,
  plan: planOf,
  confirm: (_context, _values, { tests, nodes }) => ({
    question: `Run ${count(tests.length, 'test')} on ${brokersText(nodes)}, with a load that slows clients down,`,
    name: 'self-test',
    preview: testTable(tests, plainView),
  }),
  dryRun: (_context, _values, plan): StartedSelfTest => ({
    ...{ test_id: null, ...plan, results: null },
    ...outcomeOf({}, true),
  }),
  async run(context, values, plan) {
    const { nodes } = plan;
    const admin = await context.admin();
    sending(context, 'starting the self-test', 'weir cluster self-test status');
    const id = await admin.startSelfTest(plan.tests, nodes);
    const hints = [
      'wait for its end with: weir cluster self-test status --wait',
      'stop it with: weir cluster self-test stop',
    ];
    context.onInterrupt(stoppedError(id === null ? 'the self-test has started' : `self-test ${id} has started`, hints));
    if (id === null) context.warn('the self-test is running, but the answer with its id was lost');
    const started = { test_id: id, ...plan };
    if (!values.wait) {
      context.noticeAfter('see the results with: weir cluster self-test status');
      return { ...started, results: null, ...outcomeOf({}, false) };
    }
    const results = await waitUntilDone(context, id, values);
    const measured = results.filter((one) => nodes.includes(one.node_id));
    return { ...started, results: measured, ...outcomeOf({}, false) };
  },
  show: {
    text: startedText,
    wide: (row, view, values) =>
      row.results === null ? startedText(row, view, values) : wideNodesText(row.results, view),
    exitCode: ({ results }) => (results === null ? exitCodes.ok : exitCodeOf(results)),
  },
});

type StartValues = ValuesOf<typeof flags>;

type Plan = Pick<StartedSelfTest, 'tests' | 'nodes'>;

/** Checks the flags, the brokers, and that no self-test is running. */
async function planOf(context: Context, values: StartValues): Promise<Plan> {
  checkWait(values);
  const times = {
    diskMs: values.diskDurationMs,
    networkMs: values.networkDurationMs,
    cloudTimeoutMs: values.cloudTimeoutMs,
    cloudBackoffMs: values.cloudBackoffMs,
  };
  const tests = selfTests(times, onlyOne(values));
  const nodes = await participants(context, values.participantNodeIds);
  const running = runningOn(await (await context.admin()).selfTest());
  if (running.length > 0) throw alreadyRunning(running);
  return { tests, nodes };
}

function onlyOne(values: StartValues): SelfTest['type'] | undefined {
  const { onlyDiskTest, onlyNetworkTest, onlyCloudTest } = values;
  const kinds = (['disk', 'network', 'cloud'] as const).filter(
    (_, at) => [onlyDiskTest, onlyNetworkTest, onlyCloudTest][at],
  );
  if (kinds.length < 2) return kinds[0];
  const flags = kinds.map((kind) => `--only-${kind}-test`);
  throw usageError(`${flags.join(' and ')} are mutually exclusive`);
}

async function participants(context: Context, asked: readonly number[]): Promise<readonly number[]> {
  const brokers = await (await context.admin()).brokers();
  const ids = [...new Set(asked)].sort((a, b) => a - b);
  for (const id of ids) memberOf(brokers, id);
  if (ids.length > 0) return ids;
  for (const { id } of brokers.filter((one) => one.is_alive === false))
    context.warn(`broker ${id} is down and takes no part`);
  return brokers.filter((one) => one.is_alive !== false).map(({ id }) => id);
}

function alreadyRunning(ids: readonly number[]): CliError {
  return new CliError(exitCodes.conflict, `unable to start a self-test: one is running on ${brokersText(ids)}`, {
    code: 'SELF_TEST_RUNNING',
    hints: ['wait for its end with: weir cluster self-test status --wait', 'stop it with: weir cluster self-test stop'],
  });
}

function brokersText(ids: readonly number[]): string {
  return ids.length === 1 ? `broker ${ids[0]}` : `brokers ${ids.join(', ')}`;
}

function testTable(tests: readonly SelfTest[], view: View): string {
  const rows = tests.map((test): Cell[] => {
    if (test.type === 'cloud') return [test.type, null, null, `${test.timeout_ms}ms`, test.name];
    const limit = `${test.duration_ms}ms`;
    return [test.type, test.request_size, test.parallelism, limit, test.name];
  });
  return table(['type', 'request size', 'parallelism', 'limit', 'name'], rows, view);
}

function startedText(row: StartedSelfTest, view: View, { dryRun }: CommonValues): string {
  const { test_id: id, nodes, results } = row;
  if (results !== null) return nodesText(results, view);
  if (dryRun) return `${testTable(row.tests, view)}The self-test would run on ${brokersText(nodes)}.\n`;
  return `${id === null ? 'A self-test' : `Self-test ${id}`} has started on ${brokersText(nodes)}.\n`;
}

/** How long the tests of a self-test last. */
interface SelfTestTimes {
  readonly diskMs: number;
  readonly networkMs: number;
  readonly cloudTimeoutMs: number;
  readonly cloudBackoffMs: number;
}

const kib = 1024;

type DiskTest = readonly [name: string, sizeKib: number, parallelism: number, dsync: boolean, phases: 'w' | 'rw'];

/** Block sizes and depths of queues from those of one busy partition to those of thousands. */
const diskTests: readonly DiskTest[] = [
  ['512KB sequential r/w', 512, 4, true, 'rw'],
  ['4KB sequential r/w, low io depth', 4, 1, true, 'rw'],
  ['4KB sequential write, medium io depth', 4, 8, true, 'w'],
  ['4KB sequential write, high io depth', 4, 64, true, 'w'],
  ['4KB sequential write, very high io depth', 4, 256, true, 'w'],
  ['4KB sequential write, no dsync', 4, 64, false, 'w'],
  ['16KB sequential r/w, high io depth', 16, 64, false, 'rw'],
];

/** The tests of a self-test, or those of one kind. */
function selfTests(times: SelfTestTimes, only?: SelfTest['type']): readonly SelfTest[] {
  const all: readonly SelfTest[] = [
    ...diskTests.map((test) => diskTest(test, times.diskMs)),
    {
      type: 'network',
      name: '8Kb Network Throughput Test',
      request_size: 8 * kib,
      duration_ms: times.networkMs,
      parallelism: 10,
    },
    {
      type: 'cloud',
      name: 'Cloud Storage Test',
      timeout_ms: times.cloudTimeoutMs,
      backoff_ms: times.cloudBackoffMs,
    },
  ];
  return only === undefined ? all : all.filter(({ type }) => type === only);
}

function diskTest([name, sizeKib, parallelism, dsync, phases]: DiskTest, duration: number): SelfTest {
  return {
    type: 'disk',
    name,
    dsync,
    skip_write: false,
    skip_read: phases === 'w',
    data_size: kib ** 3,
    request_size: sizeKib * kib,
    duration_ms: duration,
    parallelism,
  };
}
