import type { SelfTestNode, SelfTestResult } from '../../../admin/self-test/self-test-rows.ts';
import { type ExitCode, exitCodes } from '../../../errors.ts';
import { sections } from '../../../format/sections.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, pairs, table } from '../../../format/table.ts';
import { showUtcTime } from '../../../format/time.ts';
import type { View } from '../../../format/view.ts';

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
      ...[one.name, one.info, measured ? one.rps : null],
      measured && one.bps !== null ? throughput(one.bps, one.test_type) : null,
      ...[time(one.p50), time(one.p99), time(one.max_latency)],
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
export function outcomeOf(nodes: readonly SelfTestNode[]): ExitCode {
  const isGood = nodes.every(
    ({ status, results }) => status !== 'unreachable' && results.every(({ error }) => error === null),
  );
  return isGood ? exitCodes.ok : exitCodes.failure;
}
