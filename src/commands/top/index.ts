import { flag, partlyShown, toggle } from '../../cli/command.ts';
import { viewOf } from '../../cli/globals.ts';
import { noScreenReason } from '../../cli/screen.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfItems, invalidError, usageError } from '../../errors.ts';
import { showCompact, showCompactSize } from '../../format/compact.ts';
import { durationToMs } from '../../format/duration.ts';
import { sections } from '../../format/sections.ts';
import { statusText } from '../../format/status.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type Overview, overview } from '../../kafka/cluster/overview/overview-rows.ts';
import { duration, text } from '../../kinds.ts';
import type { RowOf } from '../../shape/shape.ts';
import { healthyCell } from '../cluster/health-text.ts';
import { arrange } from './arrange.ts';
import { noHistory } from './history.ts';
import { liveView } from './live.ts';
import { everyReading, secondOf, withAdminHealth } from './readings.ts';
import { firstState, visible } from './state.ts';
import { brokerTable, groupTable, partitionTable, type Table, topicTable } from './tables.ts';

const defaultInterval = 2_000_000_000n;
/** A faster pace would load the brokers more than it shows. */
const leastInterval = 100_000_000n;

/** `top` */
export const top = partlyShown({
  summary: 'Watch brokers, topics, groups and their lag live in the terminal',
  description: `Shows the health of the cluster, what is written to each topic per second, and how far each group is
behind. Press ? for the keys: sort, filter, pause, open a topic or a group. It only reads.

BYTES/S counts records as they are stored (compressed). ZERO-IN is when the lag of a group will be gone, as in group
lag.

Without a terminal, use --once, which makes two readings an interval apart. With --format json and without --once,
prints one object per line for each interval.`,
  examples: [
    ['Watch the cluster', 'top'],
    ['Only topics and groups with "order" in their names', 'top --filter order'],
    ['What is written per second, for a script', 'top --once --format json'],
    ['One line for each ten seconds', 'top --interval 10s --format json'],
  ],
  apis: ['kafka', 'admin'],
  flags: {
    interval: flag(duration, { help: 'time between two rounds of requests (default 2s)' }),
    once: toggle({ help: 'print one reading and exit' }),
    filter: flag(text, { help: 'show only topics and groups whose names contain TEXT, in any case' }),
    internal: toggle({ short: 'i', help: 'show internal topics as well' }),
  },
  changes: 'reads',
  result: overview,
  async run(context, { interval = defaultInterval, once, filter = '', internal }) {
    if (interval < leastInterval)
      throw invalidError('invalid --interval: it must be at least 100ms', { target: '--interval' });
    const isText = context.flags.format === 'text' || context.flags.format === 'wide';
    if (isText && !once) checkScreen(context);
    const intervalMs = durationToMs(interval);
    // Ten thousand partitions are read, compared and dropped every two seconds.
    if (!once) context.host.favorMemory();
    const rounds = await (await context.kafka()).overviewRounds();
    const next = await withAdminHealth(context, () => rounds.next(), intervalMs);
    const shown = async () => selected(await next(), filter, internal);
    if (once) return await secondOf(context, shown, intervalMs);
    if (!isText) return everyReading(context, shown, intervalMs);
    const state = firstState(filter, internal);
    return await liveView({ context, next, intervalMs, state, color: viewOf(context.flags, context.host).color });
  },
  show: {
    text: overviewText,
    json: asRow,
    exitCode: ({ errors, topics, groups }) =>
      exitCodeOfItems([...errors, ...topics, ...groups].map(({ error }) => error)),
  },
});

/** @throws CliError (exit code 2) where nothing can be drawn */
function checkScreen({ host, flags }: Context): void {
  if (flags.trace === '-' && host.stderr.isTerminal) {
    throw usageError('unable to show a live view: --trace - writes to the same terminal', {
      target: '--trace',
      hints: ['write the trace to a file with: --trace FILE'],
    });
  }
  const reason = noScreenReason(host);
  if (reason === undefined) return;
  throw usageError(`unable to show a live view: ${reason}`, {
    hints: ['print one reading with: weir top --once', 'print a line for each reading with: weir top --format json'],
  });
}

/** The topics, groups and partitions that the flags select; what is counted for the whole cluster stays. */
function selected(overview: Overview, filter: string, internal: boolean): Overview {
  const part = filter.toLowerCase();
  const matches = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(part));
  return {
    ...overview,
    topics: visible(overview, { showsInternal: internal }).topics.filter(({ topic }) => matches(topic)),
    groups: overview.groups.filter(({ group }) => matches(group)),
    slowest_partitions: overview.slowest_partitions.filter(({ group, topic }) => matches(group, topic)),
  };
}

/** What JSON shows: the partitions of all topics and groups would be thousands of lines. */
function asRow(current: Overview): RowOf<typeof overview> {
  return {
    ...current,
    topics: current.topics.map(({ partition_list: _, ...topic }) => topic),
    groups: current.groups.map(({ partition_list: _, ...group }) => group),
  };
}

/** One reading as tables below each other, each in the order of the live view. */
function overviewText(overview: Overview, view: View): string {
  return sections(
    [
      { title: 'cluster', body: summary(overview, view) },
      { title: 'brokers', body: rowsOf(brokerTable, overview, view) },
      { title: 'topics', body: rowsOf(topicTable, overview, view) },
      { title: 'groups', body: rowsOf(groupTable, overview, view) },
      { title: 'slowest partitions', body: rowsOf(partitionTable, overview, view) },
    ],
    view,
  );
}

function summary({ time, health, errors, ...overview }: Overview, view: View): string {
  const { record_rate: records, byte_rate: bytes, size, lag } = overview;
  const isHealthy = health.is_healthy;
  return pairs(
    [
      ['time', time],
      ['healthy', healthyCell(isHealthy)],
      ...(isHealthy !== false ? [] : [['reasons', health.unhealthy_reasons] satisfies [string, Cell]]),
      ['records/s', records === null ? null : showCompact(records)],
      ['bytes/s', bytes === null ? null : showCompactSize(bytes)],
      ['size', size === null ? null : showCompactSize(Number(size))],
      ['lag', lag],
      ...errors.map(({ part, error }): [string, Cell] => [`${part} error`, healthCell(statusText(error), 'bad')]),
    ],
    view,
  );
}

/** A table without its sparklines, which need more than one reading. */
function rowsOf<R>(shown: Table<R>, overview: Overview, view: View): string {
  const { heads, rows } = arrange(shown, overview, { sorting: undefined, filter: '' });
  const columns = heads.map(({ header }, at) => ({ header, at })).filter(({ header }) => header !== 'TREND');
  return table(
    columns.map(({ header }) => header),
    rows.map((row) => columns.map(({ at }) => row.cell(at, noHistory) as Cell)),
    view,
  );
}
