import { any, command, flag, toggle } from '../../cli/command.ts';
import { errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfItems, exitCodes, invalidError, notFoundError, usageError } from '../../errors.ts';
import { showDuration } from '../../format/duration.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type GroupLag, LagTick, type Trend } from '../../kafka/cluster/groups/lag-rows.ts';
import { duration, integer } from '../../kinds.ts';
import { checkGroupNames, groupOrPattern } from '../group-name.ts';
import { missingIn, partialHint, suggestGroups, wholeNameHint } from '../not-found.ts';
import { unbounded } from '../open-end.ts';

const defaultInterval = 5_000_000_000n;

/** `group lag` */
export const lag = command({
  summary: 'Show how far groups are behind, once or continuously',
  description: `LAG is the number of records from the committed offset, or else from the log start, to the log end,
over all partitions of a group's topics. It is - for a group without members that has committed nothing. Groups of
topic copy are left out unless they are named.

With --watch, the lag is read again at every interval, until Ctrl-C or --for. READ/S and WRITTEN/S are the records
that are committed and written per second. TREND compares them; stalled means that nothing has been committed for ten
seconds. ZERO-IN is when the lag will be gone at these rates.

--fail-above and --until-zero are checks for scripts: the exit code is 10 if the lag is above the limit or unknown, or
if there is still lag at the end of --for.`,
  examples: [
    ['The lag of all groups', 'group lag'],
    ['The lag of two groups', 'group lag billing reports'],
    ['Whether it gets better, every ten seconds', 'group lag billing --watch --interval 10s'],
    ['Fail in a script if a group is more than 1000 records behind', "group lag -r 'bill.*' --fail-above 1000"],
    ['Wait up to five minutes until everything is read', 'group lag billing --until-zero --for 5m'],
  ],
  apis: ['kafka'],
  args: { groups: any(groupOrPattern, 'GROUP', 'names of groups, or regular expressions with -r (default: all)') },
  flags: {
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    watch: toggle({ short: 'w', help: 'print the lag again at every interval' }),
    interval: flag(duration, { help: 'time between two readings (default 5s)' }),
    age: toggle({
      help: 'also print how long ago the oldest unread record was written (about 15 requests per leader)',
    }),
    failAbove: flag(integer({ min: 0 }), { help: 'exit with 10 as soon as the lag of a group is above N or unknown' }),
    untilZero: toggle({ help: 'watch until no group has lag' }),
    for: flag(duration, { help: 'stop watching after this time' }),
  },
  changes: 'reads',
  result: LagTick,
  async run(context, { groups, regex, age, failAbove, untilZero, ...flags }): Promise<AsyncIterable<LagTick>> {
    const isAll = groups.length === 0;
    if (!regex) checkGroupNames(groups);
    const watches = flags.watch || untilZero;
    const interval = intervalOf(flags, watches);
    const stop = new AbortController();
    const kafka = await context.kafka();
    const ticks = await kafka.watchLag({
      groups: isAll ? ['.*'] : groups,
      regex: regex || isAll,
      ages: age,
      untilZero,
      stop: stop.signal,
      intervalMs: watches ? milliseconds(interval) : undefined,
      failAbove: failAbove === undefined ? undefined : BigInt(failAbove),
      forMs: flags.for === undefined ? undefined : milliseconds(flags.for),
    });
    const checks = failAbove !== undefined || untilZero;
    const stream = explained(isAll && !checks ? ticks : matched(ticks, groups, context), context, failAbove);
    return watches ? unbounded(stream, context, stop) : stream;
  },
  show: {
    redraws: true,
    text: (tick, view) => lagText(tick, view, false),
    wide: (tick, view) => lagText(tick, view, true),
    exitCode({ status, groups }) {
      if (status === 'running') return exitCodes.ok;
      if (status === 'above_limit' || status === 'unknown_lag' || status === 'not_zero') return exitCodes.checkFailed;
      return exitCodeOfItems(groups.map(({ error }) => error));
    },
  },
});

/** The time between two readings. @throws CliError (exit 2) if only one is made, or the time is none */
function intervalOf(
  flags: { readonly interval?: bigint | undefined; readonly for?: bigint | undefined },
  watches: boolean,
): bigint {
  if (!watches && (flags.interval ?? flags.for) !== undefined) {
    throw usageError(`${flags.interval === undefined ? '--for' : '--interval'} needs --watch or --until-zero`);
  }
  const { interval = defaultInterval } = flags;
  if (interval <= 0n) throw invalidError('invalid --interval: it must be longer than 0s');
  return interval;
}

/** Rounded up, so that the smallest interval is not 0. */
function milliseconds(nanoseconds: bigint): number {
  return Math.max(1, Number(nanoseconds / 1_000_000n));
}

async function* matched(
  ticks: AsyncIterable<LagTick>,
  patterns: readonly string[],
  context: Context,
): AsyncGenerator<LagTick> {
  for await (const tick of ticks) {
    if (tick.groups.length === 0) {
      if (patterns.length === 0)
        throw notFoundError('unable to check the lag: the cluster shows no group to this user', {
          hints: ['name the groups to check, or grant describe on them: weir help permissions'],
        });
      throw notFoundError(`unable to read the lag: no group matches ${patterns.join(' ')}`, {
        hints: [(await partialHint(context, 'group', patterns)) ?? wholeNameHint],
      });
    }
    yield tick;
  }
}

/** The same ticks, with messages about a group that does not exist, and which group fails the check, and why. */
async function* explained(
  ticks: AsyncIterable<LagTick>,
  context: Context,
  limit: number | undefined,
): AsyncGenerator<LagTick> {
  for await (const tick of ticks) {
    yield tick;
    if (tick.tick === 0)
      await suggestGroups(
        context,
        missingIn(tick.groups, ({ group }) => group),
      );
    for (const line of faultsIn(tick, limit)) context.noticeAfter(line);
  }
}

/** Why a tick fails the check: the groups whose lag is above the limit, or is unknown. */
function faultsIn({ status, groups }: LagTick, limit = 0): readonly string[] {
  if (status === 'above_limit')
    return groups
      .filter(({ lag }) => lag !== null && lag > limit)
      .map(({ group, lag }) => `the lag of group "${group}" is ${lag}, above ${limit}`);
  if (status !== 'unknown_lag') return [];
  const unknown = groups.filter(({ lag, error }) => lag === null && error === null);
  return unknown.map(({ group, type, topics }) => {
    const reason = unknownLags.get(type ?? '') ?? whyUnknown(topics.length > 0);
    return `the lag of group "${group}" is unknown: ${reason}`;
  });
}

/** The types of groups that never have a lag, and why. */
const unknownLags: ReadonlyMap<string, string> = new Map([
  ['share', 'the broker does not report that of a share group'],
  ['copy', 'it holds the progress of a copy'],
]);

function whyUnknown(reads: boolean): string {
  return reads ? 'the broker does not report it' : 'it has committed nothing and reads no partition';
}

/** A table of groups; with `wide`, a table of their topics below it. Later ticks begin with an empty line. */
function lagText(tick: LagTick, view: View, wide: boolean): string {
  const { groups } = tick;
  const isWatched = tick.status === 'running' || tick.tick > 0;
  const table = tableOf(
    groups,
    [
      ['time', () => tick.time, isWatched],
      'group',
      ['type', ({ type }) => type, groups.some(({ type }) => type !== null && unknownLags.has(type))],
      'state',
      'members',
      'lag',
      ['age', (row) => seconds(row.age_seconds), groups.some((row) => row.age_seconds !== null)],
      ['read/s', (row) => rate(row.read_rate), isWatched],
      ['written/s', (row) => rate(row.write_rate), isWatched],
      ['trend', ({ trend }) => trendCell(trend), isWatched],
      ['zero in', (row) => seconds(row.seconds_to_zero), isWatched],
      errorIfAny(),
    ],
    view,
  );
  const parts = [...(tick.tick > 0 ? [''] : []), table, ...(wide ? [topicTable(groups, view)] : [])];
  return parts.join('\n');
}

function topicTable(groups: readonly GroupLag[], view: View): string {
  const rows = groups.flatMap(({ group, topics }) => topics.map(({ topic, lag }): Cell[] => [group, topic, lag]));
  return table(['group', 'topic', 'lag'], rows, view);
}

function rate(value: number | null): Cell {
  return value === null ? null : value.toFixed(1);
}

function seconds(value: number | null): Cell {
  return value === null ? null : showDuration(BigInt(Math.ceil(value)) * 1_000_000_000n);
}

function trendCell(trend: Trend | null): Cell {
  if (trend === null) return null;
  return healthCell(trend, trend === 'stalled' ? 'bad' : trend === 'growing' ? 'pending' : 'good');
}
