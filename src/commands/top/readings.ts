import { within } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { ShownHealth } from '../../kafka/cluster/brokers/health-rows.ts';
import type { Overview } from '../../kafka/cluster/overview/overview-rows.ts';
import { healthOfAdmin } from '../cluster/health-text.ts';
import { unbounded } from '../open-end.ts';

/** Reads the cluster. */
export type Next = () => Promise<Overview>;

/**
 * Adds the health that the Admin API reports, if its address is configured: with one request a round. While it does not answer,
 * the health is that of the brokers.
 * @param limitMs how long a round waits for it
 */
export async function withAdminHealth(context: Context, next: Next, limitMs: number): Promise<Next> {
  if ((await context.config()).setting('admin.hosts').source === 'default') return next;
  const admin = await context.admin();
  let healthRequest: Promise<ShownHealth | undefined> | undefined;
  async function ask(): Promise<ShownHealth | undefined> {
    try {
      return healthOfAdmin(await admin.health());
    } catch (error) {
      context.step(`the Admin API does not report the health: ${error instanceof Error ? error.message : error}`);
      return undefined;
    } finally {
      healthRequest = undefined;
    }
  }
  return async () => {
    healthRequest ??= ask();
    const [overview, health] = await Promise.all([
      next(),
      within(context.clock, limitMs, healthRequest, () => undefined),
    ]);
    return health === undefined ? overview : { ...overview, health_source: 'admin', health };
  };
}

/** The second of two readings, because rates need two. */
export async function secondOf(
  { clock, signal, progress }: Context,
  next: Next,
  intervalMs: number,
): Promise<Overview> {
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
export async function everyReading(context: Context, next: Next, intervalMs: number): Promise<AsyncIterable<Overview>> {
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
    const overview = await next().catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      deadline.failed(error, { what: 'the next reading', afterMs: intervalMs, isLong: true });
    });
    if (overview !== undefined) yield overview;
  }
}
