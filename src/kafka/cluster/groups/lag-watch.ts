import type { Client } from '../../protocol/client/client.ts';
import { describeNamed } from './descriptions.ts';
import type { GroupDescription } from './group-rows.ts';
import { totalLag } from './lag.ts';
import { ageKey, unreadAges } from './lag-age.ts';
import type { GroupLag, LagCall, LagStatus, LagTick, TopicLag } from './lag-rows.ts';
import { type LagMarks, type LagSample, marksOf, ratesBetween } from './lag-trend.ts';
import { matchingGroups } from './listing.ts';

/** How many ticks rates are measured over. */
const window = 6;

/** The state of a watch. */
interface Watch {
  readonly client: Client;
  readonly call: LagCall;
  /** The groups of the next tick. */
  groups: readonly string[];
  /** The marks of the last ticks, the oldest first. */
  readonly history: (readonly LagMarks[])[];
}

/**
 * Reads the lag of groups at each tick until the call says that it is enough. Ticks begin at fixed times; a tick whose
 * reading takes longer delays the next one.
 */
export async function* watchLag(client: Client, call: LagCall): AsyncGenerator<LagTick> {
  const { clock } = client.options.deadline;
  const groups = call.regex ? await matchingGroups(client, call.groups) : call.groups;
  const watch: Watch = { client, call, groups, history: [] };
  const startedAt = clock.now();
  for (let tick = 0; ; tick += 1) {
    const time = clock.wallTime();
    const rows = await readLags(watch, time, tick === 0);
    const nextAt = Math.max(startedAt + (tick + 1) * (call.intervalMs ?? 0), clock.now());
    const isLast = call.forMs !== undefined && nextAt - startedAt > call.forMs;
    const status = statusOf(rows, call, { isFirst: tick === 0, isLast });
    yield { tick, time: new Date(time).toISOString(), status, groups: rows };
    if (status !== 'running' || !(await isGoingOn(watch, nextAt))) return;
  }
}

async function readLags(watch: Watch, wallTime: number, isFirst: boolean): Promise<readonly GroupLag[]> {
  const { client, call, history } = watch;
  const atMs = client.options.deadline.clock.now();
  const { groups: all, topicIds } = await describeNamed(client, watch.groups);
  // The progress of a copy is no lag; a group that the line names is shown all the same.
  const described = call.regex && isFirst ? all.filter(({ type }) => type !== 'copy') : all;
  watch.groups = described.map(({ group }) => group);
  const samples = described.map((group) => ({ atMs, group, topicIds }));
  const ages = call.ages ? await groupAges(client, samples, wallTime) : undefined;
  const rows = samples.map((sample, at) => lagRow(sample, history[0]?.[at], ages?.get(sample.group.group)));
  history.push(samples.map(marksOf));
  if (history.length > window) history.shift();
  return rows;
}

/** Waits for the next tick; returns false if the call is stopped before it. */
async function isGoingOn({ client, call }: Watch, nextAt: number): Promise<boolean> {
  const { clock, signal } = client.options.deadline;
  try {
    await clock.sleep(Math.max(0, nextAt - clock.now()), AbortSignal.any([signal, call.stop]));
    return true;
  } catch (error) {
    if (call.stop.aborted && !signal.aborted) return false;
    throw error;
  }
}

function statusOf(
  rows: readonly GroupLag[],
  { failAbove, untilZero, intervalMs }: LagCall,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): LagStatus {
  if (failAbove !== undefined && rows.some(({ lag }) => lag !== null && lag > failAbove)) return 'above_limit';
  if (failAbove !== undefined && rows.some((row) => isUnknown(row, intervalMs))) return 'unknown_lag';
  if (untilZero && rows.every(({ lag, error }) => lag === 0n && error === null)) return 'done';
  if (intervalMs === undefined) return untilZero ? 'not_zero' : 'done';
  // A name that no group has is a mistake; a group that fails later may recover.
  if (isFirst && rows.every(({ error }) => error !== null)) return 'failed';
  if (isLast) return untilZero ? 'not_zero' : 'done';
  return 'running';
}

/** The states in which a coordinator may not report yet what the members are going to read. */
const unsettled: ReadonlySet<string | null> = new Set(['PreparingRebalance', 'CompletingRebalance', 'Assigning']);

/** Whether nothing says what a group should have read; a watch waits for the end of a rebalance. */
function isUnknown({ lag, error, state }: GroupLag, intervalMs: number | undefined): boolean {
  return lag === null && error === null && (intervalMs === undefined || !unsettled.has(state));
}

function lagRow(sample: LagSample, before: LagMarks | undefined, ageMs: number | undefined): GroupLag {
  const { group, type, state, members, total_lag: lag, partitions, error } = sample.group;
  const failed = partitions.find((row) => row.lag === null && row.error !== null);
  return {
    group,
    type,
    state,
    members,
    lag,
    ...ratesBetween(before, sample),
    age_seconds: ageMs === undefined ? null : Math.round(ageMs / 1000),
    topics: topicLags(sample.group),
    error: error ?? failed?.error ?? null,
  };
}

function topicLags({ partitions }: GroupDescription): readonly TopicLag[] {
  return [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, rows]) => ({ topic, lag: totalLag(rows) }));
}

/** The age of the oldest unread record of each group, in milliseconds; 0 without lag, absent if it was not found. */
async function groupAges(
  client: Client,
  samples: readonly LagSample[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const unread = samples.flatMap(({ group: { group, partitions } }) =>
    partitions.flatMap(({ topic, partition, lag, current_offset: current, log_start_offset: start }) => {
      const offset = current !== null && (start === null || current > start) ? current : start;
      return lag === null || lag === 0n || offset === null ? [] : [{ group, topic, partition, offset }];
    }),
  );
  const ages = new Map<string, number>(
    samples.flatMap(({ group }) => (group.total_lag === 0n ? [[group.group, 0] as const] : [])),
  );
  const partitionAges = await unreadAges(client, unread, nowMs);
  for (const one of unread) {
    const age = partitionAges.get(ageKey(one));
    if (age !== undefined) ages.set(one.group, Math.max(age, ages.get(one.group) ?? 0));
  }
  return ages;
}
