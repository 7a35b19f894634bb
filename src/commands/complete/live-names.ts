import { type Clock, within } from '../../clock.ts';
import type { KnownNames, Name, NameCache } from './name-cache.ts';

/** Where the names of one subject come from. */
export interface NameSource {
  readonly clock: Clock;
  readonly cache: Pick<NameCache, 'read' | 'write' | 'isRefreshing'>;
  /** Asks the cluster; undefined if it was not asked because the configuration is incomplete or wrong. */
  ask(): Promise<readonly Name[] | undefined>;
  /** Starts a process that calls `refreshNames`. */
  startRefresh(): void;
}

/** Names that are this old or newer are not refreshed. */
const freshMs = 10_000;
/** A cluster that could not be asked is left alone for this long. */
const failedMs = 10_000;
/** Names that are older are not offered. */
const usefulMs = 7 * 24 * 3_600_000;
/** An attempt with less time left cannot succeed. */
const leastMs = 10;
const pollMs = 10;

/**
 * Returns the names of the cluster within the milliseconds left: from the cache, else from the cluster. If either is
 * too late or out of date, a background process fills the cache for the next time.
 */
export async function namesNow(source: NameSource, leftMs: number): Promise<readonly Name[]> {
  const { clock, cache } = source;
  const endsAt = clock.now() + leftMs;
  const cached = cache.read();
  const isResting = isWithin(clock, cached?.failedAt, failedMs);
  if (isWithin(clock, cached?.readAt, usefulMs)) {
    const isFresh = isWithin(clock, cached?.readAt, freshMs);
    if (!isFresh && !isResting && !(await cache.isRefreshing())) source.startRefresh();
    return cached?.names ?? [];
  }
  if (isResting) return [];
  if (await cache.isRefreshing()) return await awaitRefresh(source, endsAt);
  const outcome = await askWithin(source, endsAt - clock.now());
  if (outcome === 'late') source.startRefresh();
  if (outcome === 'late' || outcome === undefined) return [];
  await within(clock, Math.max(1, endsAt - clock.now()), keep(source, outcome, undefined), () => undefined);
  return outcome === 'failed' ? [] : outcome;
}

/** Asks the cluster and keeps what it returns, unless another process has just done so. */
export async function refreshNames(source: NameSource, leftMs: number): Promise<void> {
  const cached = source.cache.read();
  if (isWithin(source.clock, cached?.readAt, freshMs)) return;
  const outcome = await askWithin(source, leftMs);
  if (outcome !== undefined) await keep(source, outcome === 'late' ? 'failed' : outcome, cached);
}

type Outcome = readonly Name[] | 'failed' | 'late' | undefined;

async function askWithin({ clock, ask }: NameSource, leftMs: number): Promise<Outcome> {
  if (leftMs < leastMs) return 'late';
  const answer: Promise<Outcome> = ask().catch(() => 'failed' as const);
  return await within(clock, leftMs, answer, () => 'late' as const);
}

async function keep(
  { clock, cache }: NameSource,
  outcome: readonly Name[] | 'failed',
  cached: KnownNames | undefined,
): Promise<void> {
  const now = clock.wallTime();
  const next =
    outcome === 'failed'
      ? { names: cached?.names ?? [], readAt: cached?.readAt, failedAt: now }
      : { names: outcome, readAt: now, failedAt: undefined };
  await cache.write(next).catch(() => undefined); // the next completion asks again
}

/** Waits for what another process is asking for. */
async function awaitRefresh({ clock, cache }: NameSource, endsAt: number): Promise<readonly Name[]> {
  while (clock.now() + pollMs < endsAt) {
    await clock.sleep(pollMs);
    const cached = cache.read();
    if (isWithin(clock, cached?.readAt, freshMs)) return cached?.names ?? [];
    if (isWithin(clock, cached?.failedAt, failedMs)) return [];
  }
  return [];
}

/** Whether a time is at most `forMs` ago. A time in the future counts as long ago: the clock was changed. */
function isWithin(clock: Clock, since: number | undefined, forMs: number): boolean {
  const age = since === undefined ? -1 : clock.wallTime() - since;
  return age >= 0 && age <= forMs;
}
