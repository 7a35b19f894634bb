import { within } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ShownHealth } from '../../kafka/cluster/health-rows.ts';
import type { Overview } from '../../kafka/overview/overview-rows.ts';
import { healthOfAdmin } from '../cluster/health-text.ts';

/**
 * Adds the health that the Admin API reports, if its address is configured: with one request a round. While it does not answer,
 * the health is that of the brokers.
 * @param limitMs how long a round waits for it
 */
export async function withAdminHealth(
  context: Context,
  next: () => Promise<Overview>,
  limitMs: number,
): Promise<() => Promise<Overview>> {
  if ((await context.config()).setting('admin.hosts').source === 'default') return next;
  const admin = await context.admin();
  let asked: Promise<ShownHealth | undefined> | undefined;
  async function ask(): Promise<ShownHealth | undefined> {
    try {
      return healthOfAdmin(await admin.health());
    } catch (error) {
      context.step(`the Admin API does not report the health: ${error instanceof Error ? error.message : error}`);
      return undefined;
    } finally {
      asked = undefined;
    }
  }
  return async () => {
    asked ??= ask();
    const [found, health] = await Promise.all([next(), within(context.clock, limitMs, asked, () => undefined)]);
    return health === undefined ? found : { ...found, health_source: 'admin', health };
  };
}
