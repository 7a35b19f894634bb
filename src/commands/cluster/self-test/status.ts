import { SelfTestNode, type SelfTestResult } from '../../../admin/self-test-rows.ts';
import { partlyShown } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { type ExitCode, exitCodes } from '../../../errors.ts';
import { sections } from '../../../format/sections.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, pairs, table } from '../../../format/table.ts';
import { showUtcTime } from '../../../format/time.ts';
import type { View } from '../../../format/view.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkWait, type WaitValues, waitFlags, waitFor } from '../wait.ts';

/** What the brokers test or have measured. */
interface Status {
  readonly nodes: readonly SelfTestNode[];
  /** Those that were waited for; none without a wait. */
  readonly awaited: readonly SelfTestNode[];
}

/** `cluster self-test status` */
export const status = partlyShown({
  summary: 'Show the running self-test, or the results of the last one',
  description: `Shows for each broker what it tests now, or what it measured last. A broker that is testing has no results yet.
IOPS are requests per second. With --format wide, shows all that was measured, with latencies in microseconds.

With --wait, waits until no broker is testing, with exit code 1 if a test failed. Ctrl-C and --wait-timeout end only the
wait.`,
  examples: [
    ['Progress or results', 'cluster self-test status'],
    ['Wait for the results', 'cluster self-test status --wait'],
    ['For a script', 'cluster self-test status --format json'],
  ],
  apis: ['admin'],
  flags: waitFlags('no broker is testing'),
  changes: 'reads',
  result: listOf(SelfTestNode),
  async run(context, values): Promise<Status> {
    checkWait(values);
    const first = await (await context.admin()).selfTest();
    if (!values.wait) return { nodes: first, awaited: [] };
    const running = runningOn(first);
    const nodes = running.length === 0 ? first : await waitUntilDone(context, undefined, values);
    // Brokers that took no part in it may have failed in an earlier one.
    const awaited = running.length === 0 ? nodes : nodes.filter((one) => running.includes(one.node_id));
    return { nodes, awaited };
  },
  show: {
    json: ({ nodes }) => nodes,
    text: ({ nodes }, view) => nodesText(nodes, view),
    wide: ({ nodes }, view) => wideNodesText(nodes, view),
    exitCode: ({ awaited }) => exitCodeOf(awaited),
  },
});

type Nodes = readonly SelfTestNode[];

/** The ids of the brokers that run a self-test. */
export function runningOn(nodes: Nodes): readonly number[] {
  return nodes.filter(({ status }) => status === 'running').map(({ node_id: id }) => id);
}

/** Waits until no broker is running a self-test. @param id null or undefined for any */
export async function waitUntilDone(
  context: Context,
  id: string | null | undefined,
  values: WaitValues,
): Promise<Nodes> {
  const admin = await context.admin();
  return waitFor<Nodes>(context, values, {
    what: id === null || id === undefined ? 'the self-test' : `self-test ${id}`,
    resumeWith: 'weir cluster self-test status --wait',
    stopWith: 'weir cluster self-test stop',
    show: stageText,
    start: (options) =>
      admin.waitForSelfTest(id, {
        ...options,
        onProgress(nodes) {
          for (const one of nodes) {
            if (one.status === 'unreachable')
              context.warnOnce(`broker ${one.node_id} cannot be asked about its self-test`);
          }
          options.onProgress(nodes);
        },
      }),
  });
}

/** For example `disk on 0, 1; net on 2`. */
function stageText(nodes: Nodes): string {
  const running = nodes.filter(({ status }) => status === 'running');
  const byStage = Map.groupBy(running, ({ stage }) => stage ?? 'running');
  return [...byStage].map(([stage, rows]) => `${stage} on ${rows.map((one) => one.node_id).join(', ')}`).join('; ');
}

type Results = SelfTestNode['results'];

/** A section for each broker: a line with its state, then a line for each result. */
export function nodesText(nodes: readonly SelfTestNode[], view: View): string {
  return nodeSections(nodes, view, (results) => resultTable(results, view));
}

/** The same with names and values for each result. */
export function wideNodesText(nodes: readonly SelfTestNode[], view: View): string {
  return nodeSections(nodes, view, (results) => results.map((one) => pairs(rowsOf(one), view)).join('\n'));
}

function nodeSections(nodes: readonly SelfTestNode[], view: View, body: (results: Results) => string): string {
  const parts = nodes.map(({ node_id: id, status, stage, results }) => {
    const now = stage === null || stage === 'idle' ? status : `${status} (${stage})`;
    return { title: `node id: ${id} | status: ${now}`, body: results.length === 0 ? '' : body(results) };
  });
  return sections(parts, view, 'always');
}

function resultTable(results: Results, view: View): string {
  const hasNotes = results.some(({ warning, error }) => warning !== null || error !== null);
  const headers = ['name', 'info', 'iops', 'throughput', 'p50', 'p99', 'max', ...(hasNotes ? ['note'] : [])];
  const rows = results.map((one): Cell[] => {
    const measured = isMeasured(one);
    const time = (value: number | null) => (measured && value !== null ? `${value}us` : null);
    return [
      one.name,
      one.info,
      measured ? one.rps : null,
      measured && one.bps !== null ? throughput(one.bps, one.test_type) : null,
      time(one.p50),
      time(one.p99),
      time(one.max_latency),
      ...(hasNotes ? [noteCell(one)] : []),
    ];
  });
  return table(headers, rows, view);
}

function noteCell({ warning, error }: SelfTestResult): Cell {
  if (error !== null) return healthCell(`ERROR: ${error}`, 'bad');
  return warning === null ? '' : healthCell(`WARNING: ${warning}`, 'pending');
}

/** Requests to object storage are only timed, and a test that was not started took no time: their numbers are zeros. */
function isMeasured({ error, rps, duration, test_type: type }: SelfTestResult): boolean {
  return error === null && rps !== null && duration !== 0 && type !== 'cloud';
}

type Row = readonly [name: string, value: Cell];

function rowsOf(result: SelfTestResult): readonly Row[] {
  const { error, warning, rps, bps } = result;
  const measured = isMeasured(result);
  return [
    ['name', result.name],
    ...present('info', result.info),
    ['type', result.test_type],
    ['test id', result.test_id],
    ...present('timeouts', result.timeouts),
    ...present('start time', timeText(result.start_time)),
    ...present('end time', timeText(result.end_time)),
    ...present('avg duration', result.duration === null ? null : `${result.duration}ms`),
    ...(warning === null ? [] : [['warning', healthCell(warning, 'pending')] as const]),
    ...(error === null ? [] : [['error', healthCell(error, 'bad')] as const]),
    ...(measured ? ([['iops', `${rps} req/sec`]] as const) : []),
    ...(measured && bps !== null ? ([['throughput', throughput(bps, result.test_type)]] as const) : []),
    ...(measured ? latencies(result) : []),
  ];
}

function present(name: string, value: Cell): readonly Row[] {
  return value === null ? [] : [[name, value]];
}

function latencies({ p50, p90, p99, p999, max_latency: max }: SelfTestResult): readonly Row[] {
  const all = { p50, p90, p99, p999, max };
  return Object.entries(all).flatMap(([name, value]) =>
    present(`latency ${name}`, value === null ? null : `${value}us`),
  );
}

function timeText(seconds: number | null): string | null {
  return seconds === null || seconds > 1e10 ? null : showUtcTime(seconds * 1000);
}

const prefixes = ['', 'Ki', 'Mi', 'Gi', 'Ti'] as const;

/** Disks and object storage in bytes, networks in bits. */
function throughput(bytes: number, type: string): string {
  const isNetwork = type === 'network';
  let value = isNetwork ? bytes * 8 : bytes;
  let prefix = 0;
  while (value >= 1024 && prefix < prefixes.length - 1) {
    value /= 1024;
    prefix += 1;
  }
  return `${Number(value.toFixed(2))}${prefixes[prefix]}${isNetwork ? 'b' : 'B'}/sec`;
}

/** The exit code of a self-test that has ended: 1 if a test failed on a broker, or a broker did not answer. */
export function exitCodeOf(nodes: readonly SelfTestNode[]): ExitCode {
  const isGood = nodes.every(
    ({ status, results }) => status !== 'unreachable' && results.every(({ error }) => error === null),
  );
  return isGood ? exitCodes.ok : exitCodes.failure;
}
