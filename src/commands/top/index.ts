import { flag, partlyShown, toggle } from '../../cli/command.ts';
import { viewOf } from '../../cli/globals.ts';
import { noScreenReason } from '../../cli/screen.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodeOfItems, exitCodes, usageError } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { type Overview, overview } from '../../kafka/overview/overview-rows.ts';
import { duration, text } from '../../kinds.ts';
import type { RowOf } from '../../shape/shape.ts';
import { unbounded } from '../unbounded.ts';
import { withAdminHealth } from './admin-health.ts';
import { liveView } from './live.ts';
import { overviewText } from './overview-text.ts';
import { firstState, visible } from './state.ts';

const defaultInterval = 2_000_000_000n;
/** A faster pace would load the brokers more than it shows. */
const leastInterval = 100_000_000n;

/** `top` */
export const top = partlyShown({
  summary: 'Watch brokers, topics, groups and their lag live in the terminal',
  description: `Shows the health of the cluster, what is written to each topic per second, how far each group is behind, and the partitions
that groups are furthest behind in. Press ? for the keys: sort, filter, pause, open a topic or a group. It only reads.

Every interval, weir sends one round of requests: eight with one broker and six more for each further one, however many topics
and groups there are. When a broker or the whole cluster is away, the screen says what is out of date and goes on.

BYTES/S comes from the sizes of the logs on disk, so it counts records as they are stored (compressed). ZERO-IN is when the lag of
a group will be gone, as in group lag. The health is that of the Admin API if admin.hosts is set and it answers, otherwise what the
brokers report.

Without a terminal, use --once, which makes two readings an interval apart. With --format json and without --once, weir prints one
object a line for each interval.`,
  examples: [
    ['Watch the cluster', 'top'],
    ['Only topics, groups and brokers with "order" in their names', 'top --filter order'],
    ['What is written per second, for a script', 'top --once --format json'],
    ['One line for each ten seconds', 'top --interval 10s --format json'],
  ],
  apis: ['kafka', 'admin'],
  flags: {
    interval: flag(duration, { help: 'time between two rounds of requests (default 2s)' }),
    once: toggle({ help: 'print one reading and exit' }),
    filter: flag(text, { help: 'show only topics, groups and brokers whose names contain TEXT, in any case' }),
    internal: toggle({ short: 'i', help: 'show internal topics as well' }),
  },
  changes: 'reads',
  result: overview,
  async run(context, { interval = defaultInterval, once, filter = '', internal }) {
    if (interval < leastInterval)
      throw usageError('invalid --interval: it must be at least 100ms', { target: '--interval' });
    const isText = context.flags.format === 'text' || context.flags.format === 'wide';
    if (isText && !once) checkScreen(context);
    const intervalMs = durationToMs(interval);
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
function checkScreen({ host }: Context): void {
  const reason = noScreenReason(host);
  if (reason === undefined) return;
  throw usageError(`unable to show a live view: ${reason}`, {
    hints: ['print one reading with: weir top --once', 'print a line for each reading with: weir top --format json'],
  });
}

type Next = () => Promise<Overview>;

/** Rates need two readings. */
async function secondOf({ clock, signal, progress }: Context, next: Next, intervalMs: number): Promise<Overview> {
  const shown = progress('reading the cluster twice');
  try {
    await next();
    await clock.sleep(intervalMs, signal);
    return await next();
  } finally {
    shown.end();
  }
}

/** Every reading from the second one on, which is the first with rates. */
async function everyReading(context: Context, next: Next, intervalMs: number): Promise<AsyncIterable<Overview>> {
  await next();
  const stop = new AbortController();
  return unbounded(readings(context, { next, intervalMs, stop: stop.signal }), context, stop);
}

interface Readings {
  readonly next: Next;
  readonly intervalMs: number;
  readonly stop: AbortSignal;
}

async function* readings(context: Context, { next, intervalMs, stop }: Readings): AsyncGenerator<Overview> {
  const { clock, signal } = context;
  const deadline = await context.deadline();
  let startedAt = clock.now();
  while (true) {
    const restMs = Math.max(0, startedAt + intervalMs - clock.now());
    try {
      await clock.sleep(restMs, AbortSignal.any([signal, stop]));
    } catch (error) {
      if (stop.aborted && !signal.aborted) return;
      throw error;
    }
    startedAt = clock.now();
    const found = await next().catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      deadline.failed(error, { what: 'the next reading', afterMs: intervalMs, isLong: true });
    });
    if (found !== undefined) yield found;
  }
}

/** The topics, groups and partitions that the flags select; what is counted for the whole cluster stays. */
function selected(found: Overview, filter: string, internal: boolean): Overview {
  const wanted = filter.toLowerCase();
  const matches = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(wanted));
  return {
    ...found,
    topics: visible(found, { showsInternal: internal }).topics.filter(({ topic }) => matches(topic)),
    groups: found.groups.filter(({ group }) => matches(group)),
    slowest_partitions: found.slowest_partitions.filter(({ group, topic }) => matches(group, topic)),
  };
}

/** What JSON shows: the partitions of all topics and groups would be thousands of lines. */
function asRow(found: Overview): RowOf<typeof overview> {
  return {
    ...found,
    topics: found.topics.map(({ partition_list: _, ...topic }) => topic),
    groups: found.groups.map(({ partition_list: _, ...group }) => group),
  };
}
